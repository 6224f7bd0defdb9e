import { open } from 'node:fs/promises';
import { encode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../../kernel/errors.ts';
import { blurhashComponents, type ImageVariantFormat, type PlannedVariant, planImage } from './image-plan.ts';
import { SNIFF_BYTES, sniffImage } from './sniff-image.ts';
import type { ImagePurpose } from './upload-input.ts';

/** Above this a picture takes more memory than one upload may. */
export const MAX_PIXELS = 50_000_000;
/** WebP ends here. */
const MAX_SIDE = 16_383;
const TIMEOUT_SECONDS = 60;
const BLURHASH_SIDE = 32;

// One picture uses one core and leaves nothing behind; of the decoders only those of the accepted formats can be reached.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif', 'VipsForeignLoadNsgif'],
});

export interface ImageFile extends PlannedVariant {
  readonly bytes: Buffer;
}

export interface RenderedPicture {
  /** Largest first. */
  readonly files: readonly ImageFile[];
  readonly dominantColor: string;
  readonly blurhash: string;
}

/** A decoded picture: upright, sRGB, without any metadata. */
interface Pixels {
  readonly data: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 };
}

/**
 * All files of a picture, made in memory. EXIF with its place and time is dropped after its orientation was applied; of an animation the
 * first frame is used. Throws TRANSCODE_FAILED with a sentence for the uploader.
 */
export async function renderPicture(path: string, purpose: ImagePurpose): Promise<RenderedPicture> {
  await requireAcceptedFormat(path);
  try {
    const { autoOrient, hasAlpha } = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata();
    requireAcceptedSize(autoOrient);
    const plan = planImage(purpose, { ...autoOrient, transparent: hasAlpha ?? false });
    const widest = plan[0];
    if (!widest) throw new Error(`No variants are planned for ${purpose}.`);
    const pixels = await decode(path, widest);
    const files: ImageFile[] = [];
    for (const variant of plan) files.push({ ...variant, bytes: await encodeVariant(pixels, variant) });
    return { files, dominantColor: await dominantColor(pixels), blurhash: await blurhash(pixels) };
  } catch (error) {
    throw pictureError(error);
  }
}

/** Throws TRANSCODE_FAILED unless the file begins as a picture of an accepted format does. */
export async function requireAcceptedFormat(path: string): Promise<void> {
  const file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0).finally(() => file.close());
  const format = sniffImage(buffer.subarray(0, bytesRead));
  if (format === 'heic') {
    throw unusable(
      'HEIC photos cannot be read.',
      'Export the photo as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible) and upload it again.',
    );
  }
  if (!format)
    throw unusable(
      'This is not a picture in a format that is accepted.',
      'Send a JPEG, PNG, WebP, AVIF or GIF file; drawings such as SVG have to be exported first.',
    );
}

/** Throws TRANSCODE_FAILED for a picture that is too large to decode. */
export function requireAcceptedSize({ width, height }: { width: number; height: number }): void {
  if (width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE) return;
  throw unusable(
    `The picture has ${width} by ${height} pixels, which is too large.`,
    `Send at most ${MAX_PIXELS / 1e6} megapixels and ${MAX_SIDE} pixels on a side.`,
  );
}

async function decode(path: string, { width, height }: PlannedVariant): Promise<Pixels> {
  const { data, info } = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels as Pixels['raw']['channels'] } }; // sRGB has 1 to 4
}

function encodeVariant({ data, raw }: Pixels, { width, height, format }: PlannedVariant): Promise<Buffer> {
  const sized = sharp(data, { raw, limitInputPixels: MAX_PIXELS }).timeout({ seconds: TIMEOUT_SECONDS });
  if (width !== raw.width || height !== raw.height) sized.resize(width, height, { fit: 'fill' });
  const encoders: Readonly<Record<ImageVariantFormat, () => Sharp>> = {
    JPEG: () => sized.flatten({ background: '#ffffff' }).jpeg({ quality: 82, mozjpeg: true }),
    WEBP: () => sized.webp({ quality: 80 }),
    AVIF: () => sized.avif({ quality: 55, effort: 2 }),
  };
  return encoders[format]().toBuffer();
}

async function dominantColor({ data, raw }: Pixels): Promise<string> {
  const small = await sharp(data, { raw })
    .resize(64, 64, { fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .png()
    .toBuffer();
  const { dominant } = await sharp(small).stats();
  return `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

async function blurhash({ data, raw }: Pixels): Promise<string> {
  const small = await sharp(data, { raw })
    .resize(BLURHASH_SIDE, BLURHASH_SIDE, { fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = small.info;
  const { x, y } = blurhashComponents(width, height);
  return encode(new Uint8ClampedArray(small.data), width, height, x, y);
}

/** The decoder's complaints in words an uploader can act on. */
export function pictureError(error: unknown): unknown {
  // Faults of the system have a code; the decoder's have none.
  if (error instanceof AppError || !(error instanceof Error) || 'code' in error) return error;
  if (/pixel limit/i.test(error.message))
    return unusable('The picture is too large.', `Send at most ${MAX_PIXELS / 1e6} megapixels.`, error);
  if (/timeout/i.test(error.message))
    return unusable('The picture takes too long to decode.', 'Export it again, smaller, and upload it once more.', error);
  return unusable(
    'The picture is damaged or incomplete.',
    'Open it locally, export it again as JPEG or PNG and upload it once more.',
    error,
  );
}

function unusable(message: string, suggestedFix: string, cause?: unknown): AppError {
  return new AppError('TRANSCODE_FAILED', message, { suggestedFix, cause });
}
