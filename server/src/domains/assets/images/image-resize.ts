import type { ImageDecoder } from '../../../media/index.ts';
import { insideSquare } from './image-plan.ts';
import { requireAcceptedFormat, requireAcceptedSize, rethrowForUploader } from './render-image.ts';

/** An image scaled down for analysis. */
export interface ResizedImage {
  /** Red, green and blue of each pixel, 0 to 255, row by row; transparent pixels are blended with white. */
  readonly rgb: Buffer;
  readonly columns: number;
  readonly rows: number;
  /** Size of the original image, upright. */
  readonly width: number;
  readonly height: number;
}

/**
 * The image at `path` scaled to `side` pixels on its longer side, so that measurements are comparable. Formats, limits
 * and decoder are those of uploaded images. Throws TRANSCODE_FAILED for anything that is not a usable image,
 * SERVICE_UNAVAILABLE while images cannot be decoded.
 */
export async function resizeImage(decoder: ImageDecoder, path: string, side: number): Promise<ResizedImage> {
  const format = await requireAcceptedFormat(path);
  let original = { width: 0, height: 0 };
  let small = { width: 0, height: 0 };
  const [rgb] = await decoder
    .convert({ path, format }, ({ width, height }) => {
      requireAcceptedSize({ width, height });
      original = { width, height };
      small = insideSquare(original, side);
      return { ...small, outputs: [{ format: 'RGB', ...small }] };
    })
    .catch(rethrowForUploader);
  if (!rgb) throw new Error('The decoder returned fewer files than requested.');
  return { rgb, columns: small.width, rows: small.height, ...original };
}
