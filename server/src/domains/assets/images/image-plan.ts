import type { ImagePurpose } from '../media-hints.ts';

export type ImageVariantFormat = 'JPEG' | 'WEBP' | 'AVIF';

/** One variant: the image at a width in a format. */
export interface PlannedVariant {
  /** Relative to the image's object prefix: `w640.webp`. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly format: ImageVariantFormat;
}

/** Widths by purpose; the largest is for high-density screens. */
const WIDTHS: Readonly<Record<ImagePurpose, readonly number[]>> = {
  AVATAR: [480, 240, 96],
  BANNER: [2560, 1280, 640],
  POSTER: [1920, 1280, 640, 320],
  THUMBNAIL: [1280, 640, 320],
  SOCIAL_SHARE: [1200, 600],
  BACKGROUND: [3840, 1920, 960],
  EQUIRECTANGULAR: [8192, 4096, 2048, 1024],
  EQUIRECTANGULAR_STILL: [8192, 4096, 2048, 1024],
  OTHER: [1920, 1280, 640, 320],
};

const EXTENSIONS: Readonly<Record<ImageVariantFormat, string>> = { JPEG: 'jpg', WEBP: 'webp', AVIF: 'avif' };
/** The names of files of pictures that change at their address begin with it. */
const CHANGING = 'live-';
/** Above this size AVIF encoding takes too long. */
const WIDEST_AVIF = 2560;

export interface PlanOptions {
  /**
   * Whether the picture is made again and again, with the same address: without AVIF, which takes long to encode.
   */
  readonly isChanging?: boolean;
}

/**
 * The variants of an image of this size (as displayed), largest first and never above the source. The first one is
 * served at the image's own address: JPEG, which every client supports, or WebP for transparent images.
 */
export function planImage(
  purpose: ImagePurpose,
  source: { readonly width: number; readonly height: number; readonly transparent: boolean },
  { isChanging = false }: PlanOptions = {},
): PlannedVariant[] {
  const widths = WIDTHS[purpose];
  const widest = Math.min(widths[0] ?? source.width, source.width);
  const formats: readonly ImageVariantFormat[] = source.transparent
    ? ['WEBP', 'AVIF', 'JPEG']
    : ['JPEG', 'WEBP', 'AVIF'];
  return [widest, ...widths.filter((width) => width < widest)].flatMap((width) => {
    const height = Math.max(1, Math.round((source.height * width) / source.width));
    return formats
      .filter((format) => format !== 'AVIF' || (width <= WIDEST_AVIF && !isChanging))
      .map((format) => ({
        ...{ file: `${isChanging ? CHANGING : ''}w${width}.${EXTENSIONS[format]}`, width, height, format },
      }));
  });
}

/** Whether an object is a file of a picture that changes at its address. */
export function isChangingImage(key: string): boolean {
  return key.startsWith('images/') && key.split('/').at(-1)?.startsWith(CHANGING) === true;
}

export const CONTENT_TYPES: Readonly<Record<ImageVariantFormat, string>> = {
  JPEG: 'image/jpeg',
  WEBP: 'image/webp',
  AVIF: 'image/avif',
};

/** The size of an image scaled to `side` pixels on its longer side. */
export function insideSquare(
  { width, height }: { width: number; height: number },
  side: number,
): { width: number; height: number } {
  const scale = side / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The blurhash components for an image of this shape: 4 along the longer side. */
export function blurhashComponents(width: number, height: number): { x: number; y: number } {
  const ratio = width / height;
  if (ratio >= 1) return { x: 4, y: Math.max(2, Math.round(4 / Math.min(ratio, 2))) };
  return { x: Math.max(2, Math.round(4 * Math.max(ratio, 0.5))), y: 4 };
}
