import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveRungs } from './live-rungs.ts';

const SIZES: readonly (readonly [width: number, height: number, frameRate: number, expected: string])[] = [
  [1920, 1080, 30, '720p 1280x720 2720 avc1.64001f, 480p 854x480 1480 avc1.64001f, 360p 640x360 960 avc1.64001e'],
  [1280, 720, 60, '480p 854x480 2250 avc1.64001f, 360p 640x360 1460 avc1.64001f, 240p 426x240 790 avc1.64001e'],
  [720, 1280, 30, '480p 480x854 1480 avc1.64001f, 360p 360x640 960 avc1.64001e, 240p 240x426 520 avc1.64001e'],
  [640, 360, 30, '240p 426x240 520 avc1.64001e'],
  [426, 240, 30, ''],
  [320, 180, 25, ''],
];

for (const [width, height, frameRate, expected] of SIZES) {
  test(`a broadcast of ${width}x${height} at ${frameRate} is encoded in: ${expected || 'no other size'}`, () => {
    const rungs = liveRungs({ width, height, frameRate }).map(
      (rung) => `${rung.label} ${rung.width}x${rung.height} ${rung.maxrateBps / 1_000} ${rung.codecs}`,
    );
    assert.equal(rungs.join(', '), expected);
  });
}
