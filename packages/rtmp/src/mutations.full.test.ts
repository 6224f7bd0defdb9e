import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { playMutated } from './mutations.fixture.ts';

const SESSIONS = 100_000;
const MOST_GROWTH_BYTES = 50 * 1024 ** 2;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('a hundred thousand changed sessions are refused or go on, and leave no memory behind', async (t) => {
  await playMutated(10_000, 1); // what is loaded and compiled once
  collectGarbage();
  const before = process.memoryUsage().rss;
  const { whole, published, errors } = await playMutated(SESSIONS, 20_261_130);
  collectGarbage();
  const growth = process.memoryUsage().rss - before;
  t.diagnostic(`${whole} went on, ${published} published, ${(growth / 1024 ** 2).toFixed(0)} MiB more`);
  assert.deepEqual(errors, []);
  assert.ok(published > SESSIONS / 20, `${published} came to publish`);
  assert.ok(growth < MOST_GROWTH_BYTES, `${growth} bytes more`);
});
