import { open } from 'node:fs/promises';
import { encode } from 'blurhash';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import {
  IMAGE_SNIFF_BYTES,
  type ImageDecoder,
  ImageError,
  type ImageFormat,
  MAX_IMAGE_PIXELS,
  RunError,
  sandboxRefusal,
  sniffImage,
} from '../../../media/index.ts';
import type { ImagePurpose } from '../media-hints.ts';
import { dominantColor } from './dominant-color.ts';
import { blurhashComponents, insideSquare, type PlannedVariant, type PlanOptions, planImage } from './image-plan.ts';

/** Maximum of WebP. */
const MAX_SIDE = 16_383;
const BLURHASH_SIDE = 32;
const DOMINANT_COLOR_SIDE = 64;

export interface ImageFile extends PlannedVariant {
  readonly bytes: Buffer;
}

export interface RenderedVariants {
  /** Largest first. */
  readonly files: readonly ImageFile[];
  readonly dominantColor: string;
  readonly blurhash: string;
}

/**
 * All variants of an image, rendered in memory by the decoder. EXIF data (location, time) is dropped after applying its
 * orientation; of an animation the first frame is used. Throws TRANSCODE_FAILED with a message for the uploader,
 * SERVICE_UNAVAILABLE while images cannot be decoded.
 */
export async function renderVariants(
  decoder: ImageDecoder,
  path: string,
  purpose: ImagePurpose,
  options: PlanOptions = {},
): Promise<RenderedVariants> {
  const format = await requireAcceptedFormat(path);
  let variants: readonly PlannedVariant[] = [];
  let looks = { width: 0, height: 0 };
  const created = await decoder
    .convert({ path, format }, ({ width, height, hasAlpha }) => {
      requireAcceptedSize({ width, height });
      variants = planImage(purpose, { width, height, transparent: hasAlpha }, options);
      const [widest] = variants;
      if (!widest) throw new Error(`No variants are planned for ${purpose}.`);
      looks = insideSquare(widest, BLURHASH_SIDE);
      const samples = [looks, insideSquare(widest, DOMINANT_COLOR_SIDE)].map(
        (size) => ({ format: 'RGB', ...size }) as const,
      );
      return { width: widest.width, height: widest.height, outputs: [...variants, ...samples] };
    })
    .catch(rethrowForUploader);
  const files = variants.map((variant, index) => ({ ...variant, bytes: outputAt(created, index) }));
  const [small, sample] = [outputAt(created, files.length), outputAt(created, files.length + 1)];
  return { files, dominantColor: dominantColor(sample), blurhash: blurhash(small, looks) };
}

function outputAt(outputs: readonly Buffer[], index: number): Buffer {
  const output = outputs[index];
  if (!output) throw new Error('The decoder returned fewer files than requested.');
  return output;
}

function blurhash(rgb: Buffer, { width, height }: { width: number; height: number }): string {
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel += 1) rgba.set(rgb.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
  const { x, y } = blurhashComponents(width, height);
  return encode(rgba, width, height, x, y);
}

/** Checks the first bytes; throws TRANSCODE_FAILED unless they are those of an accepted image format. */
export async function requireAcceptedFormat(path: string): Promise<ImageFormat> {
  const file = await open(path, 'r');
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(IMAGE_SNIFF_BYTES), 0, IMAGE_SNIFF_BYTES, 0)
    .finally(() => file.close());
  const format = sniffImage(buffer.subarray(0, bytesRead));
  if (format) return format;
  throw unusable(
    t`This is not an image in a supported format.`,
    t`Send a JPEG, PNG, WebP, AVIF, HEIC or GIF file; export vector graphics such as SVG first.`,
  );
}

/** Throws TRANSCODE_FAILED for an image that is too large to decode. */
export function requireAcceptedSize({ width, height }: { width: number; height: number }): void {
  if (width * height <= MAX_IMAGE_PIXELS && Math.max(width, height) <= MAX_SIDE) return;
  throw unusable(
    t`The image has ${width} by ${height} pixels, which is too large.`,
    t`Send at most ${MAX_IMAGE_PIXELS / 1e6} megapixels and ${MAX_SIDE} pixels on a side.`,
  );
}

/** Maps decoder errors to messages an uploader can act on. */
export function rethrowForUploader(error: unknown): never {
  if (!(error instanceof ImageError)) throw error;
  const exportAgain = t`Open it locally, export it again as JPEG or PNG and upload it again.`;
  switch (error.reason) {
    case 'pixel-limit':
      throw unusable(t`The image is too large.`, t`Send at most ${MAX_IMAGE_PIXELS / 1e6} megapixels.`, error);
    case 'timeout':
      throw unusable(t`The image takes too long to decode.`, t`Export a smaller version and upload it again.`, error);
    case 'unsupported':
      throw unusable(
        t`This server cannot read HEIC photos.`,
        t`Export the photo as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible) and upload it again, or
          ask the operator to install libheif (Debian: apt-get install libheif-examples).`,
        error,
      );
    case 'damaged':
      throw unusable(t`The image is damaged or incomplete.`, exportAgain, error);
    case 'crashed':
    case 'protocol':
      throw unusable(t`The image could not be decoded safely.`, exportAgain, error);
    case 'unavailable':
      if (error.cause instanceof RunError && error.cause.reason === 'sandbox') throw sandboxRefusal();
      throw new AppError('SERVICE_UNAVAILABLE', t`Images cannot be decoded at the moment.`, {
        suggestedFix: t`Retry in a minute. If it keeps failing, the reason is in the server log.`,
        retryAfterSeconds: 60,
        cause: error,
      });
  }
}

function unusable(message: Text, suggestedFix: Text, cause?: unknown): AppError {
  return new AppError('TRANSCODE_FAILED', message, { suggestedFix, cause });
}
