import { type Fraction, formatFraction } from '../inspect/fraction.ts';

/** Codecs of pictures that a video can have beside H.264, which all players decode. */
export const ADDED_CODECS = ['AV1', 'HEVC'] as const;
export type AddedCodec = (typeof ADDED_CODECS)[number];
export type VideoCodec = 'H264' | AddedCodec;

interface CodecSettings {
  /** Of all that is set here and in `args`: raised with every change. */
  readonly version: number;
  /** Its maximum bit rates in those of H.264. */
  readonly rate: number;
  /** CPU time in that of H.264. */
  readonly cost: number;
  /** Of ffmpeg. */
  readonly encoder: string;
  /** Its preset, constant quality and other options; parameters in the syntax of the encoder are last. */
  readonly args: readonly string[];
  /** Parameters that tell it the rate of pictures with times of their own. */
  rateParams(rate: Fraction): string;
}

/**
 * Quality and speed were chosen by SSIM and CPU time (enhance/README.md). All encoders have one thread, or the same
 * output with any number of them.
 */
export const CODECS: Readonly<Record<AddedCodec, CodecSettings>> = {
  AV1: {
    ...{ version: 1, rate: 0.65, cost: 2.5, encoder: 'libsvtav1' },
    args: ['-preset', '10', '-crf', '38', '-svtav1-params', 'lp=1'],
    rateParams: ({ num, den }) => `fps-num=${num}:fps-denom=${den}`,
  },
  HEVC: {
    ...{ version: 1, rate: 0.75, cost: 4, encoder: 'libx265' },
    args: [
      ...['-preset', 'veryfast', '-crf', '25', '-tag:v', 'hvc1', '-threads', '1'],
      ...['-x265-params', 'pools=none:frame-threads=1:scenecut=0:open-gop=0:info=0:log-level=error'],
    ],
    rateParams: (rate) => `fps=${formatFraction(rate)}`,
  },
};

/** The least pixels of a video for which another codec is worth its CPU time: 640x480. */
const LEAST_PIXELS = 300_000;
/** Encoders of AV1 take no smaller pictures. */
const LEAST_SIDE = 64;

/**
 * The sizes of H.264 in another codec: all of them, because players do not change the codec when the connection gets
 * slow; none where the video is small anyway. Pure.
 */
export function sizesIn<Rung extends { width: number; height: number; maxrateBps: number; folder: string }>(
  codec: AddedCodec,
  rungs: readonly Rung[],
): Rung[] {
  const [largest] = rungs;
  if (!largest || largest.width * largest.height < LEAST_PIXELS) return [];
  return rungs
    .filter(({ width, height }) => Math.min(width, height) >= LEAST_SIDE)
    .map((rung) => {
      const maxrateBps = Math.round(CODECS[codec].rate * rung.maxrateBps);
      return { ...rung, maxrateBps, bufsizeBits: Math.round(1.5 * maxrateBps) };
    });
}
