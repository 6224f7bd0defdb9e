import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cropped, type Filter, resample } from './resample.ts';

/** 6 by 4 pixels with edges of every direction. */
const PICTURE = {
  width: 6,
  height: 4,
  pixels: Uint8Array.from([
    ...[0, 0, 255, 255, 10, 200],
    ...[0, 80, 255, 90, 10, 200],
    ...[30, 60, 90, 120, 150, 180],
    ...[255, 0, 255, 0, 255, 0],
  ]),
};

/** Written by Pillow 9.4: `Image.fromarray(picture).resize(size, filter)`. */
const PILLOW: readonly { by: Filter; width: number; height: number; pixels: number[] }[] = [
  {
    by: 'bicubic',
    width: 3,
    height: 2,
    pixels: [...[40, 172, 115], ...[95, 117, 133]],
  },
  {
    by: 'bicubic',
    width: 12,
    height: 8,
    pixels: [
      ...[0, 0, 0, 46, 200, 255, 255, 214, 49, 34, 159, 217],
      ...[0, 2, 9, 67, 212, 254, 232, 172, 36, 35, 159, 218],
      ...[0, 7, 39, 113, 237, 250, 161, 85, 8, 37, 160, 219],
      ...[0, 13, 54, 119, 202, 204, 122, 64, 32, 69, 168, 214],
      ...[5, 19, 53, 83, 105, 117, 119, 117, 110, 133, 181, 203],
      ...[79, 73, 48, 58, 102, 114, 95, 113, 168, 179, 149, 140],
      ...[212, 170, 41, 44, 187, 190, 53, 58, 204, 208, 77, 34],
      ...[255, 216, 38, 38, 227, 225, 34, 32, 221, 221, 43, 0],
    ],
  },
  {
    by: 'bicubic',
    width: 5,
    height: 7,
    pixels: [
      ...[0, 74, 255, 86, 159],
      ...[0, 102, 238, 58, 162],
      ...[3, 145, 193, 19, 167],
      ...[8, 110, 140, 76, 181],
      ...[42, 66, 104, 147, 172],
      ...[154, 78, 118, 165, 89],
      ...[219, 89, 130, 170, 40],
    ],
  },
  {
    by: 'lanczos',
    width: 3,
    height: 2,
    pixels: [...[39, 172, 113], ...[98, 115, 131]],
  },
  {
    by: 'lanczos',
    width: 12,
    height: 8,
    pixels: [
      ...[12, 0, 0, 39, 183, 251, 255, 206, 45, 36, 149, 233],
      ...[8, 0, 6, 73, 213, 255, 236, 151, 21, 33, 150, 234],
      ...[6, 5, 27, 123, 247, 255, 177, 64, 0, 41, 153, 229],
      ...[0, 1, 47, 138, 203, 201, 132, 43, 20, 76, 173, 231],
      ...[0, 6, 53, 94, 101, 110, 124, 110, 98, 131, 189, 217],
      ...[88, 77, 46, 52, 102, 114, 93, 115, 175, 185, 149, 132],
      ...[213, 163, 37, 39, 185, 187, 50, 58, 210, 216, 86, 32],
      ...[255, 210, 30, 37, 244, 239, 28, 20, 222, 226, 49, 0],
    ],
  },
  {
    by: 'lanczos',
    width: 5,
    height: 7,
    pixels: [
      ...[1, 62, 255, 83, 150],
      ...[0, 104, 246, 41, 155],
      ...[1, 152, 207, 4, 165],
      ...[0, 118, 141, 61, 191],
      ...[44, 67, 103, 148, 170],
      ...[146, 82, 114, 164, 98],
      ...[207, 104, 133, 154, 52],
    ],
  },
];

describe('resampling as Pillow does it', () => {
  for (const { by, width, height, pixels } of PILLOW)
    it(`${by} to ${width} by ${height}`, () => {
      assert.deepEqual([...resample(PICTURE, { width, height }, by).pixels], pixels);
    });
});

it('crops a part of a picture', () => {
  const part = cropped(PICTURE, { left: 2, top: 1, width: 3, height: 2 });
  assert.deepEqual(part, { width: 3, height: 2, pixels: Uint8Array.of(255, 90, 10, 90, 120, 150) });
});
