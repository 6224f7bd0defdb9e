import type { PictureDecoder } from '../../../media/index.ts';
import { insideSquare } from './image-plan.ts';
import { requireAcceptedFormat, requireAcceptedSize, rethrowForUploader } from './render-image.ts';

/** A picture made small, to be looked at by a program. */
export interface SmallPicture {
  /** Red, green and blue of each pixel, 0 to 255, row by row; what is transparent lies on white. */
  readonly rgb: Buffer;
  readonly columns: number;
  readonly rows: number;
  /** Size of the picture itself, upright. */
  readonly width: number;
  readonly height: number;
}

/**
 * The picture at `path` with `side` pixels on its longer side, whatever it had: what is measured of it can be compared with others. It is decoded as uploaded
 * images are: the same formats, sizes and decoder. Throws TRANSCODE_FAILED with a sentence for anything that is no usable picture, SERVICE_UNAVAILABLE
 * where pictures cannot be decoded at present.
 */
export async function readSmallPicture(decoder: PictureDecoder, path: string, side: number): Promise<SmallPicture> {
  const format = await requireAcceptedFormat(path);
  let picture = { width: 0, height: 0 };
  let small = { width: 0, height: 0 };
  const [rgb] = await decoder
    .convert({ path, format }, ({ width, height }) => {
      requireAcceptedSize({ width, height });
      picture = { width, height };
      small = insideSquare(picture, side);
      return { ...small, outputs: [{ format: 'RGB', ...small }] };
    })
    .catch(rethrowForUploader);
  if (!rgb) throw new Error('The decoder made less than was ordered.');
  return { rgb, columns: small.width, rows: small.height, ...picture };
}
