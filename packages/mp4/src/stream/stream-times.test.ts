import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StreamTimes } from './stream-times.ts';

/** Times of timestamps of a video (`v40`) and of sound (`a40`). */
function placed(...timestamps: string[]): number[] {
  const times = new StreamTimes();
  return timestamps.map((text) => times.place(text[0] ?? '', Number(text.slice(1))));
}

describe('times of a stream', () => {
  it('begin at 0, for all tracks together', () => {
    assert.deepEqual(placed('v1000', 'a1010', 'v1040', 'a1031'), [0, 10, 40, 31]);
    assert.deepEqual(placed('v1000', 'a990', 'a1011'), [0, 0, 11]);
  });

  it('go on after 2^32 ms', () => {
    assert.deepEqual(placed('v4294967256', 'a4294967290', 'v0', 'a15', 'v40'), [0, 34, 40, 55, 80]);
    assert.deepEqual(placed('v4294967290', 'a10', 'v34'), [0, 16, 40]);
  });

  it('go on where the clock of the encoder jumps, in either direction', () => {
    assert.deepEqual(placed('v0', 'v40', 'v3600040', 'v3600080'), [0, 40, 80, 120]);
    assert.deepEqual(placed('v60000', 'v60040', 'v5', 'v45'), [0, 40, 80, 120]);
  });

  it('stay together while one track has jumped before the other', () => {
    const before = ['v60000', 'a60000', 'v60040', 'a60021'];
    assert.deepEqual(
      placed(...before, 'v80', 'a60043', 'v120', 'a105', 'a126', 'v160'),
      [0, 0, 40, 21, 80, 43, 120, 105, 126, 160],
    );
  });

  it('never go back within a track', () => {
    assert.deepEqual(placed('v0', 'v80', 'v40', 'v120'), [0, 80, 80, 120]);
  });

  it('keep gaps up to ten seconds', () => {
    assert.deepEqual(placed('v0', 'v40', 'v9000', 'v30000'), [0, 40, 9_000, 17_960]);
  });
});
