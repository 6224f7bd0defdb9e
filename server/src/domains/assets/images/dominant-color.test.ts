import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dominantColor } from './dominant-color.ts';

describe('dominant color of an image', () => {
  const pixels = (...colors: readonly (readonly [number, number, number])[]) => Buffer.from(colors.flat());

  it('is the middle of the most frequent box of 16 shades', () => {
    assert.equal(dominantColor(pixels([200, 30, 30])), '#c81818');
    assert.equal(dominantColor(pixels([0, 0, 0])), '#080808');
    assert.equal(dominantColor(pixels([255, 255, 255])), '#f8f8f8');
  });

  it('is that of the majority, in any order', () => {
    assert.equal(dominantColor(pixels([255, 0, 0], [0, 0, 255], [10, 5, 250], [0, 0, 255], [255, 0, 0])), '#0808f8');
  });
});
