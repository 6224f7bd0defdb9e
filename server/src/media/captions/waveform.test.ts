import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PeakMeter, pairInterval } from './waveform.ts';

describe('a waveform', () => {
  it('has the lowest and the highest sample of each interval, whatever the chunks', () => {
    const samples = Buffer.alloc(2 * 900);
    samples.writeInt16LE(16_384, 2 * 10);
    samples.writeInt16LE(-8_192, 2 * 399);
    samples.writeInt16LE(32_767, 2 * 400);
    samples.writeInt16LE(-32_768, 2 * 899);
    for (const ends of [[1_800], [1, 20, 21, 801, 1_800]]) {
      const meter = new PeakMeter(50);
      for (const [index, end] of ends.entries()) meter.push(samples.subarray(ends[index - 1] ?? 0, end));
      assert.deepEqual([...new Int8Array(meter.finish())], [-32, 64, 0, 127, -127, 0]);
    }
    assert.equal(new PeakMeter(50).finish().length, 0);
  });

  it('has a pair every 50 ms, and fewer of long sound', () => {
    assert.deepEqual([1_000, 10_000_000, 10_000_001, 36_000_000].map(pairInterval), [50, 50, 51, 180]);
  });
});
