import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const WEB = new URL('..', import.meta.url).pathname;
const CALL = /(\bvoid )?\brouter\.invalidate\(([^)]*)\)/g;

/** The calls after which the router may still have former values although somebody waits for them. */
function unfinishedReloads(source: string): string[] {
  const calls = [...source.matchAll(CALL)];
  return calls.filter(([, ignored, options]) => !ignored && options !== '{ sync: true }').map(([call]) => call);
}

test('who waits for a reload has the new values: without `sync` the router does not wait for its loaders', () => {
  assert.deepEqual(unfinishedReloads('await router.invalidate()'), ['router.invalidate()']);
  assert.deepEqual(unfinishedReloads('await router.invalidate({ sync: true })'), []);
  assert.deepEqual(unfinishedReloads('void router.invalidate()'), []);

  const found = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    unfinishedReloads(readFileSync(`${WEB}/${file}`, 'utf8')).map((call) => `${file}: ${call}`),
  );
  assert.deepEqual(found, []);
});
