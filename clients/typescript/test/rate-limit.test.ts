import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { createClient } from '../src/index.ts';
import { ownTestPlatform } from './platform.fixture.ts';

/** A rate limit that a few queries exhaust. */
const POINTS = 150;
const RESTORE = 40;
const EXPENSIVE = '{ channels(first: 50) { edges { node { id } } } }';
/** Costs what it requests: a slow machine exhausts the limit by it, too, faster than points are restored. */
const FIELDS = Array.from({ length: 10 }, (_, n) => `c${n}: channels(first: 1) { edges { node { id } } }`);

const platform = ownTestPlatform({ RATE_LIMIT_POINTS: String(POINTS), RATE_LIMIT_RESTORE: String(RESTORE) });

describe('an exhausted rate limit', () => {
  it('delays a refused call for as long as the platform requires', THOROUGH, async () => {
    const client = createClient({ url: platform.url, key: platform.key, retry: { maxAttempts: 1 } });
    let codes: string[] = [];
    // Documents that differ: the client does not know their cost yet.
    for (let n = 0; n < 200 && codes.length === 0; n += 1)
      codes = (await client.answer(`{ ${FIELDS.join(' ')} } # ${n}`)).errors.map(({ code }) => code);
    assert.deepEqual(codes, ['RATE_LIMIT_EXCEEDED']);
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

  it('is not exceeded by a client that knows the cost: it waits before the request', async () => {
    const client = createClient({ url: platform.url, key: platform.key });
    platform.proxy.take();
    const calls = 12;
    for (let n = 0; n < calls; n += 1) assert.deepEqual((await client.answer(EXPENSIVE)).errors, []);
    assert.ok(platform.proxy.take().length <= calls + 1, 'at most the first one was refused');
  });
});
