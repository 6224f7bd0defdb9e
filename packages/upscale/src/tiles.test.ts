import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cropPlanes, padPlanes, pasteTile, planTiles } from './tiles.mjs';

describe('tiles', () => {
  it('are one for a picture of their size', () => {
    const whole = { x: 0, y: 0, width: 9, height: 7 };
    assert.deepEqual(planTiles({ width: 9, height: 7 }, { side: 9, overlap: 2 }), [{ read: whole, keep: whole }]);
  });

  it('have nearly equal sides, and an overlap only where the picture goes on', () => {
    assert.deepEqual(planTiles({ width: 10, height: 3 }, { side: 4, overlap: 2 }), [
      { read: { x: 0, y: 0, width: 5, height: 3 }, keep: { x: 0, y: 0, width: 3, height: 3 } },
      { read: { x: 1, y: 0, width: 8, height: 3 }, keep: { x: 3, y: 0, width: 4, height: 3 } },
      { read: { x: 5, y: 0, width: 5, height: 3 }, keep: { x: 7, y: 0, width: 3, height: 3 } },
    ]);
  });

  it('put together again are the picture, every plane of it', () => {
    for (const [width, height, side] of [
      [1, 1, 4],
      [13, 1, 4],
      [1, 9, 4],
      [17, 11, 5],
      [8, 8, 4],
    ] as const) {
      const pixels = Uint8Array.from({ length: 3 * width * height }, (_, at) => (at * 31) % 256);
      const target = { width, height, channels: 3, pixels: new Uint8Array(pixels.length) };
      for (const tile of planTiles({ width, height }, { side, overlap: 2 }))
        pasteTile(target, cropPlanes({ width, height, channels: 3, pixels }, tile.read), tile, 1);
      assert.deepEqual(target.pixels, pixels, `${width} x ${height}`);
    }
  });

  it('are made larger by repeating their last columns and rows', () => {
    const pixels = Uint8Array.of(1, 2, 3, 4, 11, 12, 13, 14);
    const padded = padPlanes({ width: 2, height: 2, channels: 2, pixels }, { width: 3, height: 4 });
    const [first, second] = [
      [1, 2, 2, 3, 4, 4, 3, 4, 4, 3, 4, 4],
      [11, 12, 12, 13, 14, 14, 13, 14, 14, 13, 14, 14],
    ];
    assert.deepEqual([...padded], [...first, ...second]);
  });
});
