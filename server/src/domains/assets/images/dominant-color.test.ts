import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dominantColor } from './dominant-color.ts';

describe('the dominant colour of a picture', () => {
  const pixels = (...colors: readonly (readonly [number, number, number])[]) => Buffer.from(colors.flat());

  it('is the middle of the box of 16 shades that most pixels are in', () => {
    assert.equal(dominantColor(pixels([200, 30, 30])), '#c81818');
    assert.equal(dominantColor(pixels([0, 0, 0])), '#080808');
    assert.equal(dominantColor(pixels([255, 255, 255])), '#f8f8f8');
  });

  it('is that of the majority, whatever comes first', () => {
    assert.equal(dominantColor(pixels([255, 0, 0], [0, 0, 255], [10, 5, 250], [0, 0, 255], [255, 0, 0])), '#0808f8');
  });
});
