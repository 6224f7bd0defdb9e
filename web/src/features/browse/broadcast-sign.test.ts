import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { broadcastText, signText, startText } from './broadcast-sign.ts';

const NOW = Date.parse('2026-12-24T16:00:00Z');
const at = (state: 'SCHEDULED' | 'CONNECTED' | 'LIVE' | 'RECONNECTING' | 'ENDED' | 'RECORDED' | 'CANCELED') =>
  ({ state, scheduledAt: '2026-12-24T18:00:00Z', viewers: 12 }) as const;

describe('what lists say of a broadcast', () => {
  const cases = [
    ['SCHEDULED', 'Starts in 2 hours', false],
    ['CONNECTED', 'Starts in 2 hours', false],
    ['LIVE', 'Live', true],
    ['RECONNECTING', 'Live', true],
  ] as const;
  for (const [state, text, isLive] of cases)
    it(`is "${text}" while it is ${state}`, () => assert.deepEqual(signText(at(state), NOW), { text, isLive }));

  it('is nothing for recordings, and what was uploaded', () => {
    for (const broadcast of [at('ENDED'), at('RECORDED'), at('CANCELED'), null]) {
      assert.equal(signText(broadcast, NOW), null);
      assert.equal(broadcastText(broadcast), null);
    }
  });

  it('is how many watch it, or when it begins', () => {
    assert.equal(broadcastText(at('LIVE')), '12 watching now');
    assert.match(broadcastText(at('SCHEDULED')) ?? '', /2026/);
  });

  it('is that it begins soon, once it is late', () => {
    assert.equal(startText('2026-12-24T16:00:59Z', NOW), 'Starts soon');
    assert.equal(startText('2026-12-24T15:00:00Z', NOW), 'Starts soon');
    assert.equal(startText('2026-12-27T16:00:00Z', NOW), 'Starts in 3 days');
  });
});
