import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { commandOf, kill, NpmStart, processesOf, untilGone } from '../support/npm-start.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 60_000;

const clone = mkdtempSync(join(tmpdir(), 'reelgraph-clone-'));
const platform = new NpmStart(clone);
let output = '';

const address = () => `http://localhost:${platform.port}`;
const read = async (path: string, headers = {}) => (await fetch(address() + path, { headers })).text();

/** Replaces a text in a file of the clone. */
function change(file: string, from: string, to: string): void {
  const text = readFileSync(join(clone, file), 'utf8');
  assert.ok(text.includes(from), `${file} has ${from}`);
  writeFileSync(join(clone, file), text.replace(from, to));
}

before(async () => {
  execFileSync('bash', ['-c', 'git ls-files -z -co --exclude-standard | xargs -0 cp -P --parents -t "$0"', clone], {
    cwd: ROOT,
  });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  await platform.prepare();
  const npm = spawn('npm', ['run', 'dev'], { cwd: clone, env: platform.env, detached: true });
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const isUp = async () => output.includes('is ready') && (await platform.isHealthy());
  await until(isUp, () => `npm run dev is not ready:\n${output.slice(-4_000)}`, LIMIT_MS);
  after(async () => {
    kill(-(npm.pid ?? 0), 'SIGINT');
    await once(npm, 'exit');
    await untilGone(platform.folder);
  });
});
after(async () => {
  await platform.remove();
  rmSync(clone, { recursive: true, force: true });
});

it('serves the pages by Vite, and everything else from the platform', async () => {
  for (const path of ['/', '/studio', '/embed/abc'])
    assert.match(await read(path, { accept: 'text/html' }), /@vite\/client/, path);
  assert.match(await read('/src/lib/format.ts'), /export function/);
  assert.match(await read('/docs/limits', { accept: 'text/html' }), /<h1/);
  const { apiKey } = platform.createAccount('ada');
  assert.equal(await platform.verify(apiKey), 'ada');
});

it('serves a changed module of the application', async () => {
  change('web/src/lib/format.ts', 'export function', 'export const addedHere = 1;\nexport function');
  await until(
    async () => (await read('/src/lib/format.ts')).includes('addedHere'),
    () => output,
    LIMIT_MS,
  );
});

it('restarts the platform, not its database, when its code changes', async () => {
  const database = () => processesOf(platform.folder).find((pid) => commandOf(pid).includes('bin/postgres -D'));
  const before = database();
  assert.ok(before, 'the database runs');
  change('server/src/http/web/page-files.ts', "'Copied'", "'It is copied'");
  const isChanged = async () =>
    (await read('/docs/page.js').catch(() => '')).includes('It is copied') && (await platform.isHealthy());
  await until(isChanged, () => output.slice(-4_000), LIMIT_MS);
  assert.equal(database(), before);
});
