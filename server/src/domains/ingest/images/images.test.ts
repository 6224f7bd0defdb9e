import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { heicOf, READS_HEIC, WRITES_HEIC } from '../../../media/images/heic.fixture.ts';
import { createRunner, openImageDecoder } from '../../../media/index.ts';
import { keepOrDiscard, renderImage } from '../../assets/images/process-image.ts';
import { renderVariants } from '../../assets/images/render-image.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { errorOf, type Owner, openTestClientSurface, type TestClientSurface } from '../client-surface.fixture.ts';
import { finishUpload } from '../uploads/finish-upload.ts';
import type { IngestionRequest } from '../uploads/open-ingestion.ts';

interface ImageRow {
  readonly id: string;
  readonly content_id: string | null;
  readonly purpose: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly object_prefix: string;
  readonly variants: { file: string; width: number; height: number; format: string; sizeBytes: number }[];
  readonly dominant_color: string;
  readonly blurhash: string;
}

const REAL = new URL('../../../../../shared/media/', import.meta.url);

/** The first bytes of a photo. */
const heic = Buffer.from(`0000001c66747970686569630000000068656963${'6d696631'.repeat(2)}`, 'hex');

/** A red image that is rotated by EXIF, with a location. */
function photo(width = 800, height = 600): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#c81e1e' } })
    .withExif({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

describe('images', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());

  async function put(owner: Owner, bytes: Buffer, request: Partial<IngestionRequest> = {}) {
    const opened = await surface.open(owner, {
      sizeBytes: bytes.length,
      filename: 'image.jpg',
      media: { kind: 'IMAGE', hint: 'THUMBNAIL', alt: 'A red square' },
      ...request,
    });
    return { opened, answer: await fetch(opened.endpoint, { method: 'PUT', body: bytes }) };
  }
  const imagesOf = (owner: Owner) =>
    surface.rows<ImageRow>('select * from image_assets where channel_id = $1 order by created_at, id', [
      owner.channelId,
    ]);
  const stored = async () => {
    const keys: string[] = [];
    for (const prefix of ['images/', 'uploads/'])
      for await (const { key } of surface.platform.store.list(prefix)) keys.push(key);
    return keys;
  };

  it('become variants in three formats, upright and without metadata', async () => {
    const owner = await surface.owner();
    const { opened, answer } = await put(owner, await photo());
    assert.equal(answer.status, 200, await answer.text());
    const [image, ...others] = await imagesOf(owner);
    assert.ok(image);
    assert.equal(others.length, 0);
    assert.deepEqual(
      [image.content_id, image.purpose, image.alt, image.width, image.height, image.mime_type, image.object_prefix],
      [owner.contentId, 'THUMBNAIL', 'A red square', 600, 800, 'image/jpeg', `images/${image.id}/`],
    );
    assert.deepEqual(
      image.variants.map(({ file }) => file),
      ['w600.jpg', 'w600.webp', 'w600.avif', 'w320.jpg', 'w320.webp', 'w320.avif'],
    );
    for (const variant of image.variants) {
      const found = await surface.platform.store.read(image.object_prefix + variant.file);
      assert.ok(found);
      const bytes = await buffer(found.stream);
      assert.equal(bytes.length, variant.sizeBytes);
      assert.equal(found.info.contentType, `image/${variant.format.toLowerCase()}`);
      const metadata = await sharp(bytes).metadata();
      assert.deepEqual([metadata.width, metadata.height], [variant.width, variant.height]);
      assert.equal(metadata.exif, undefined);
      assert.equal(bytes.includes('SecretCamera'), false);
    }
    assert.equal(image.size_bytes, image.variants[0]?.sizeBytes);
    assert.match(image.dominant_color, /^#[c-d][0-9a-f][1-2][0-9a-f][1-2][0-9a-f]$/);
    assert.ok(image.blurhash.length >= 6);
    assert.equal(
      await surface.platform.store.head(`uploads/${opened.id}`),
      null,
      'the file with the location is deleted',
    );
    const types = await surface.rows('select type from events where channel_id = $1 order by id', [owner.channelId]);
    assert.deepEqual(types, [{ type: 'upload.finished' }, { type: 'image.ready' }]);
  });

  it('of a channel replace the previous one of the same purpose only', async () => {
    const owner = await surface.owner();
    const avatar = { target: { channelId: owner.channelId }, media: { kind: 'IMAGE', hint: 'AVATAR' } } as const;
    await put(owner, await photo(200, 200), { ...avatar, media: { kind: 'IMAGE', hint: 'BANNER' } });
    await put(owner, await photo(200, 200));
    await put(owner, await photo(200, 200), avatar);
    const [banner, thumbnail, first] = await imagesOf(owner);
    await put(owner, await photo(300, 300), avatar);
    const kept = await imagesOf(owner);
    assert.deepEqual(kept.slice(0, 2), [banner, thumbnail]);
    assert.deepEqual([kept.length, kept[2]?.purpose, kept[2]?.width, kept[2]?.content_id], [3, 'AVATAR', 300, null]);
    assert.ok(first && kept[2]?.id !== first.id);
    const keys = await stored();
    assert.equal(
      keys.some((key) => key.startsWith(first.object_prefix)),
      false,
    );
    assert.equal(
      keys.some((key) => key.startsWith(banner?.object_prefix ?? '?')),
      true,
    );
  });

  it('from the platform are stored like uploaded ones, and keep their file', async () => {
    const owner = await surface.owner();
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-poster-'));
    try {
      const path = join(folder, 'poster.jpg');
      await writeFile(path, await photo(640, 360));
      const { contentId, channelId } = owner;
      const rendered = await renderImage(surface, { path, purpose: 'POSTER' });
      const kept = await keepOrDiscard(surface.platform, rendered, async () => ({
        contentId,
        channelId,
        playlistId: null,
        videoAssetId: null,
        alt: 'A video',
      }));
      const [image] = await imagesOf(owner);
      assert.deepEqual([image?.id, image?.purpose, image?.alt], [kept?.id, 'POSTER', 'A video']);
      assert.ok(existsSync(path));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('with transparency keep it, with WebP at their own address', async () => {
    const owner = await surface.owner();
    const png = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 255, alpha: 0 } },
    })
      .png()
      .toBuffer();
    await put(owner, png);
    const [image] = await imagesOf(owner);
    assert.equal(image?.mime_type, 'image/webp');
    const found = await surface.platform.store.read(`${image?.object_prefix}w64.webp`);
    assert.equal(found && (await sharp(await buffer(found.stream)).metadata()).hasAlpha, true);
  });

  for (const name of [
    'Landscape_6.jpg',
    '8bit-sRGB.avif',
    'denali.webp',
    'newtonscradle.gif',
    'density_plot.png',
  ].filter((file) => existsSync(new URL(file, REAL)))) {
    it(`are created from a real file: ${name}`, async () => {
      const owner = await surface.owner();
      const { answer } = await put(owner, await readFile(new URL(name, REAL)), {
        media: { kind: 'IMAGE', hint: 'SOCIAL_SHARE' },
        filename: name,
      });
      assert.equal(answer.status, 200, await answer.text());
      const [image] = await imagesOf(owner);
      assert.ok(image && image.variants.length >= 3 && image.width <= 1200);
      if (name.startsWith('Landscape')) assert.ok(image.width > image.height, 'turned upright');
    });
  }

  it('are created from a HEIC photo', { skip: !WRITES_HEIC || THOROUGH.skip }, async () => {
    const owner = await surface.owner();
    const runner = await createRunner({ missingTools: 'when-run' });
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-heic-'));
    try {
      const path = join(folder, 'photo.jpg');
      await writeFile(path, await photo(640, 360));
      const bytes = await heicOf(runner, { fresh: (name) => join(folder, name) }, [path]);
      for (const hint of ['AVATAR', 'POSTER', 'THUMBNAIL'] as const) {
        const { answer } = await put(owner, bytes, { media: { kind: 'IMAGE', hint } });
        assert.equal(answer.status, 200, await answer.text());
      }
      const images = await imagesOf(owner);
      assert.deepEqual(
        images.map(({ purpose, width, height, mime_type: type }) => [purpose, width, height, type]),
        [
          ['AVATAR', 480, 270, 'image/jpeg'],
          ['POSTER', 640, 360, 'image/jpeg'],
          ['THUMBNAIL', 640, 360, 'image/jpeg'],
        ],
      );
      assert.match(images[0]?.dominant_color ?? '', /^#[c-d][0-9a-f][1-2][0-9a-f][1-2][0-9a-f]$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('in HEIC are refused with instructions where libheif is missing', async () => {
    const runner = await createRunner({ searchPath: '/none', missingTools: 'when-run' });
    const imageDecoder = openImageDecoder(runner, { onError: assert.fail });
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-heic-'));
    try {
      const path = join(folder, 'photo.heic');
      await writeFile(path, heic);
      await assert.rejects(renderVariants(imageDecoder, path, 'AVATAR'), (error) => {
        assert.ok(error instanceof AppError);
        assert.deepEqual([error.code, error.message], ['TRANSCODE_FAILED', 'This server cannot read HEIC photos.']);
        assert.match(error.suggestedFix, /as JPEG .* apt-get install libheif-examples/);
        return true;
      });
    } finally {
      await imageDecoder.close();
      await rm(folder, { recursive: true });
    }
  });

  const svg =
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" ' +
    'width="10" height="10"><rect width="10" height="10"/></svg>';
  const CASES: readonly (readonly [string, () => Buffer | Promise<Buffer>, RegExp])[] = [
    ['a drawing that is called .png', () => Buffer.from(svg), /not an image in a supported format/],
    ['a text file', () => Buffer.from('hello'), /not an image in a supported format/],
    [
      'an HTML page',
      () => Buffer.from('<!doctype html><script>alert(1)</script>'),
      /not an image in a supported format/,
    ],
    ['the first bytes of a HEIC photo', () => heic, READS_HEIC ? /damaged or incomplete/ : /cannot read HEIC photos/],
    ['half a photo', async () => (await photo(1200, 900)).subarray(0, 4_000), /damaged or incomplete/],
    ['the first bytes of a photo', async () => (await photo()).subarray(0, 20), /damaged or incomplete/],
    ['a small file with very many pixels', () => bomb(), /too large/],
    [
      'an image that is much too long',
      () =>
        sharp({ create: { width: 20_000, height: 1, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      /too large/,
    ],
  ];
  for (const [what, make, message] of CASES) {
    it(`are refused with a message, and leave nothing behind: ${what}`, async () => {
      const owner = await surface.owner();
      const before = await stored();
      const { opened, answer } = await put(owner, await make(), { filename: 'image.png' });
      const error = await errorOf(answer);
      assert.deepEqual([error.status, error.code], [422, 'TRANSCODE_FAILED']);
      assert.match(error.message, message);
      assert.ok(error.suggestedFix.length > 20);
      const row = await surface.row<object>('select state, error_code, error_message from ingestions where id = $1', [
        opened.id,
      ]);
      assert.deepEqual(row, { state: 'FAILED', error_code: 'TRANSCODE_FAILED', error_message: error.message });
      assert.deepEqual(await imagesOf(owner), []);
      assert.deepEqual(await stored(), before);
      const again = await errorOf(await fetch(opened.endpoint, { method: 'PUT', body: 'x' }));
      assert.equal(again.message, error.message, 'the error is stored');
    });
  }

  it('wait while a required sandbox is missing, and are finished later', async () => {
    const owner = await surface.owner();
    const runner = await createRunner({ require: true, methods: ['partial'], missingTools: 'when-run' });
    const imageDecoder = openImageDecoder(runner, { onError: () => {} });
    const bytes = await photo(100, 100);
    const opened = await surface.open(owner, {
      sizeBytes: bytes.length,
      filename: 'a.jpg',
      media: { kind: 'IMAGE', hint: 'THUMBNAIL' },
    });
    await surface.receiving.append(`uploads/${opened.id}`, Readable.from([bytes]), {
      offset: 0,
      sizeBytes: bytes.length,
    });
    const before = await stored();
    await assert.rejects(finishUpload({ ...surface, imageDecoder }, opened.id), (error) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.httpStatus], ['SERVICE_UNAVAILABLE', 503]);
      assert.match(error.suggestedFix, /reelgraph doctor/);
      return true;
    });
    await imageDecoder.close();
    assert.deepEqual(await surface.row('select state from ingestions where id = $1', [opened.id]), { state: 'OPEN' });
    assert.deepEqual(
      [await imagesOf(owner), await stored()],
      [[], [...before, `uploads/${opened.id}`]],
      'only the uploaded file is kept',
    );
    await finishUpload(surface, opened.id);
    assert.equal((await imagesOf(owner)).length, 1);
  });

  it('leave nothing behind when the transaction fails, and can be finished later', async () => {
    const owner = await surface.owner();
    const bytes = await photo(100, 100);
    const before = await stored();
    await surface.rows('alter table image_assets rename to hidden');
    let opened: { id: string; endpoint: string };
    try {
      const outcome = await put(owner, bytes);
      opened = outcome.opened;
      assert.equal(outcome.answer.status, 500);
    } finally {
      await surface.rows('alter table hidden rename to image_assets');
    }
    assert.deepEqual(await stored(), [...before, `uploads/${opened.id}`], 'the uploaded file is kept');
    surface.platform.clock.advance(61_000);
    assert.equal(await surface.uploads.sweep(), 1);
    assert.equal((await imagesOf(owner)).length, 1);
  });

  it('are deleted after two days when their process was killed; attached ones stay', async () => {
    const owner = await surface.owner();
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-poster-'));
    try {
      const path = join(folder, 'poster.jpg');
      await writeFile(path, await photo(64, 64));
      const { contentId, channelId } = owner;
      const kept = await renderImage(surface, { path, purpose: 'POSTER' });
      await keepOrDiscard(surface.platform, kept, async () => ({
        ...{ contentId, channelId, playlistId: null, videoAssetId: null, alt: '' },
      }));
      const lost = await renderImage(surface, { path, purpose: 'POSTER' });
      const keysOf = async ({ objectPrefix }: typeof lost) =>
        (await stored()).filter((key) => key.startsWith(objectPrefix)).length;
      const sweep = () => sweepObjects({ platform: surface.platform, receiving: surface.platform.receiving });
      surface.platform.clock.advance(47 * 3_600_000);
      await sweep();
      assert.deepEqual([await keysOf(kept), await keysOf(lost)], [3, 3]);
      surface.platform.clock.advance(3_600_000);
      await sweep();
      assert.deepEqual([await keysOf(kept), await keysOf(lost)], [3, 0]);
      const late = keepOrDiscard(surface.platform, lost, async () => ({
        contentId,
        channelId,
        playlistId: null,
        videoAssetId: null,
        alt: '',
      }));
      await assert.rejects(late, /were removed before/);
      assert.deepEqual(
        (await imagesOf(owner)).map(({ id }) => id),
        [kept.id],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** An image of 9,000 by 9,000 pixels in a few kilobytes. */
function bomb(): Promise<Buffer> {
  return sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'black' }, limitInputPixels: false })
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}
