import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compare, unrest } from './compare.ts';

const grey = (level: number) => ({ width: 16, height: 12, pixels: new Uint8Array(16 * 12).fill(level) });

describe('likeness of pictures', () => {
  it('is highest for equal ones', () => {
    assert.deepEqual(compare(grey(7), grey(7)), { psnr: 100, ssim: 1 });
  });

  it('is 20 log10(255 / 5) dB for an error of 5 everywhere', () => {
    const { psnr, ssim } = compare(grey(100), grey(105));
    assert.equal(psnr.toFixed(3), '34.151');
    // (2 * 100 * 105 + 6.5025) / (100 ** 2 + 105 ** 2 + 6.5025), without variances
    assert.equal(ssim.toFixed(5), '0.99881');
  });

  it('has no structure in common with its negative', () => {
    const pixels = Uint8Array.from({ length: 16 * 12 }, (_, at) => (at % 2 === 0 ? 0 : 255));
    const negative = pixels.map((level) => 255 - level);
    const { ssim } = compare({ ...grey(0), pixels }, { ...grey(0), pixels: negative });
    assert.ok(ssim < -0.98, `${ssim}`);
  });

  it('of their changes counts what does not change in both', () => {
    assert.equal(unrest([grey(10), grey(14)], [grey(20), grey(24)]), 0);
    assert.equal(unrest([grey(10), grey(14)], [grey(20), grey(17)]), 7);
  });
});
