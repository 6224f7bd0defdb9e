import sharp from 'sharp';
import { inTurn } from './process-image.ts';
import { MAX_PIXELS, pictureError, requireAcceptedFormat, requireAcceptedSize } from './render-image.ts';

const TIMEOUT_SECONDS = 10;

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
 * The picture at `path` with `side` pixels on its longer side, whatever it had: what is measured of it can be compared with others. Through the door that
 * uploaded images go through: the same formats, sizes and decoders, one at a time. Throws TRANSCODE_FAILED with a sentence for anything that is no usable picture.
 */
export async function readSmallPicture(path: string, side: number): Promise<SmallPicture> {
  await requireAcceptedFormat(path);
  return inTurn(async () => {
    try {
      const { autoOrient } = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata();
      requireAcceptedSize(autoOrient);
      const { data, info } = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .autoOrient()
        .resize(side, side, { fit: 'inside' })
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .removeAlpha()
        .raw({ depth: 'uchar' })
        .toBuffer({ resolveWithObject: true });
      const rgb = info.channels === 3 ? data : spreadGrey(data, info.channels);
      return { rgb, columns: info.width, rows: info.height, width: autoOrient.width, height: autoOrient.height };
    } catch (error) {
      throw pictureError(error);
    }
  });
}

/** What has one channel is grey. */
function spreadGrey(data: Buffer, channels: number): Buffer {
  const rgb = Buffer.alloc((data.length / channels) * 3);
  for (let pixel = 0; pixel * channels < data.length; pixel += 1) rgb.fill(data[pixel * channels] ?? 0, pixel * 3, pixel * 3 + 3);
  return rgb;
}
