import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sniffImage } from '../../../media/index.ts';
import { IMAGE_PURPOSES } from '../media-hints.ts';
import { blurhashComponents, planImage } from './image-plan.ts';

describe('image variants', () => {
  const files = (...args: Parameters<typeof planImage>) => planImage(...args).map(({ file }) => file);

  it('are never larger than the source, and include its width', () => {
    for (const purpose of IMAGE_PURPOSES) {
      for (const width of [1, 319, 320, 321, 1000, 10_000]) {
        const plan = planImage(purpose, { width, height: 500, transparent: false });
        assert.ok(plan.every((variant) => variant.width <= width && variant.height >= 1));
        assert.equal(new Set(plan.map(({ file }) => file)).size, plan.length);
        assert.deepEqual(
          plan.map((variant) => variant.width),
          plan.map((variant) => variant.width).sort((a, b) => b - a),
        );
      }
    }
  });

  it('of a small image are the image itself', () => {
    assert.deepEqual(files('POSTER', { width: 100, height: 50, transparent: false }), [
      'w100.jpg',
      'w100.webp',
      'w100.avif',
    ]);
  });

  it('keep the aspect ratio', () => {
    const plan = planImage('THUMBNAIL', { width: 4000, height: 3000, transparent: false });
    assert.deepEqual(
      plan.map(({ width, height }) => `${width}x${height}`).filter((size, at, all) => all.indexOf(size) === at),
      ['1280x960', '640x480', '320x240'],
    );
  });

  it('start with WebP for transparent images', () => {
    assert.equal(files('AVATAR', { width: 100, height: 100, transparent: true })[0], 'w100.webp');
  });

  it('omit AVIF for large images', () => {
    assert.deepEqual(files('EQUIRECTANGULAR', { width: 4096, height: 2048, transparent: false }).slice(0, 3), [
      'w4096.jpg',
      'w4096.webp',
      'w2048.jpg',
    ]);
  });

  for (const [width, height, x, y] of [
    [100, 100, 4, 4],
    [160, 90, 4, 2],
    [90, 160, 2, 4],
    [1000, 10, 4, 2],
  ] as const) {
    it(`use a blurhash of ${x}x${y} components for ${width}x${height}`, () =>
      assert.deepEqual(blurhashComponents(width, height), { x, y }));
  }
});

describe('image format detection', () => {
  for (const [what, head, format] of [
    ['JPEG', 'ffd8ffe000104a46', 'jpeg'],
    ['PNG', '89504e470d0a1a0a0000', 'png'],
    ['GIF', '474946383961', 'gif'],
    ['WebP', '52494646ffffffff57454250', 'webp'],
    ['AVIF', '0000001c6674797061766966000000006d696631', 'avif'],
    ['AVIF among the compatible brands', '0000001c667479706d6966310000000061766966', 'avif'],
    ['HEIC', '00000018667479706865696300000000', 'heic'],
    ['MP4', '0000001c6674797069736f6d0000020069736f6d', null],
    ['WAV', '52494646ffffffff57415645', null],
    ['XML', '3c3f786d6c2076657273696f6e', null],
    ['nothing', '', null],
    ['four bytes', '00000018', null],
  ] as const) {
    it(`detects ${what} as ${format ?? 'unknown'}`, () => assert.equal(sniffImage(Buffer.from(head, 'hex')), format));
  }
});
