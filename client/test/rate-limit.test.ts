import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '../src/index.ts';
import { ownTestPlatform } from './platform.fixture.ts';

/** A budget that a few queries use up. */
const POINTS = 150;
const RESTORE = 40;
const DEAR = '{ channels(first: 50) { edges { node { id } } } }';

const platform = ownTestPlatform({ RATE_LIMIT_POINTS: String(POINTS), RATE_LIMIT_RESTORE: String(RESTORE) });

describe('a budget that is used up', () => {
  it('delays a call that was refused for as long as the platform says', async () => {
    const spender = createClient({ url: platform.url, key: platform.key, retry: { maxAttempts: 1 } });
    let refusals = 0;
    // Each in another spelling: the client does not know its price yet.
    for (let n = 0; n < 200 && refusals === 0; n += 1)
      refusals += (await spender.answer(`${DEAR} # ${n}`)).errors.filter(
        ({ code }) => code === 'RATE_LIMIT_EXCEEDED',
      ).length;
    assert.equal(refusals, 1);
    const [startedMs] = [Date.now(), platform.proxy.take()];
    const patient = createClient({ url: platform.url, key: platform.key });
    const data = await patient.request<{ channels: object }>(
      '{ channels(first: 100) { totalCount edges { cursor node { id handle } } } }',
    );
    const seen = platform.proxy.take();
    assert.ok('channels' in data);
    assert.ok(seen.length >= 2, 'it was refused first');
    assert.ok(Date.now() - startedMs >= 1_000, 'Retry-After is in whole seconds');
  });

  it('is not run into by a client that knows the price: it waits before it asks', async () => {
    const client = createClient({ url: platform.url, key: platform.key });
    platform.proxy.take();
    const calls = 12;
    for (let n = 0; n < calls; n += 1) assert.deepEqual((await client.answer(DEAR)).errors, []);
    assert.ok(platform.proxy.take().length <= calls + 1, 'at most the first one was refused');
  });
});
