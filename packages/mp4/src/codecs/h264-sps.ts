import { Mp4Error } from '../boxes.ts';
import { BitReader, unescaped } from './bit-reader.ts';

/** What a sequence parameter set says (ITU-T H.264 sections 7.3.2.1.1 and E.1.1). */
export interface H264Sps {
  /** 1 is 4:2:0. */
  readonly chromaFormat: number;
  readonly bitDepth: number;
  readonly interlaced: boolean;
  /** Pixels that are shown. */
  readonly width: number;
  readonly height: number;
  /** Width to height of a pixel. */
  readonly pixelAspect: readonly [number, number];
}

/** Profiles that name chroma format and bit depth (section 7.3.2.1.1). */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
/** By aspect_ratio_idc, from 1 on (table E-1). */
const ASPECTS: readonly (readonly [number, number])[] = [
  ...([
    [1, 1],
    [12, 11],
    [10, 11],
    [16, 11],
    [40, 33],
    [24, 11],
    [20, 11],
    [32, 11],
  ] as const),
  ...([
    [80, 33],
    [18, 11],
    [15, 11],
    [64, 33],
    [160, 99],
    [4, 3],
    [3, 2],
    [2, 1],
  ] as const),
];
const EXTENDED_SAR = 255;

/** Reads a NAL unit. @throws Mp4Error for what no encoder for the web writes. */
export function readH264Sps(nal: Uint8Array): H264Sps {
  const reader = new BitReader(unescaped(nal.subarray(1)));
  const profile = reader.bits(8);
  reader.bits(16);
  reader.unsigned();
  const { chromaFormat, bitDepth } = HIGH_PROFILES.has(profile)
    ? highProfile(reader)
    : { chromaFormat: 1, bitDepth: 8 };
  reader.unsigned();
  skipPictureOrder(reader);
  reader.unsigned();
  reader.flag();
  const [columns, rows] = [reader.unsigned() + 1, reader.unsigned() + 1];
  const interlaced = !reader.flag();
  if (interlaced) reader.flag();
  reader.flag();
  const fields = interlaced ? 2 : 1;
  const cropped = croppedIn(reader);
  // Units of chroma samples (section 7.4.2.1.1).
  const [across, down] = [chromaFormat === 1 || chromaFormat === 2 ? 2 : 1, chromaFormat === 1 ? 2 : 1];
  return {
    ...{ chromaFormat, bitDepth, interlaced },
    width: 16 * columns - across * (cropped.left + cropped.right),
    height: 16 * rows * fields - down * fields * (cropped.top + cropped.bottom),
    pixelAspect: aspectIn(reader),
  };
}

function highProfile(reader: BitReader): Pick<H264Sps, 'chromaFormat' | 'bitDepth'> {
  const chromaFormat = reader.unsigned();
  if (chromaFormat === 3) reader.flag();
  const bitDepth = Math.max(reader.unsigned(), reader.unsigned()) + 8;
  reader.flag();
  // Scaling lists would have to be skipped; no encoder for the web writes them here.
  if (reader.flag()) throw new Mp4Error('The sequence parameter set has scaling lists.');
  return { chromaFormat, bitDepth };
}

function skipPictureOrder(reader: BitReader): void {
  const type = reader.unsigned();
  if (type === 0) reader.unsigned();
  if (type !== 1) return;
  reader.flag();
  // Signed codes have the length of unsigned ones.
  reader.unsigned();
  reader.unsigned();
  const frames = Math.min(255, reader.unsigned());
  for (let frame = 0; frame < frames; frame += 1) reader.unsigned();
}

function croppedIn(reader: BitReader): { left: number; right: number; top: number; bottom: number } {
  if (!reader.flag()) return { left: 0, right: 0, top: 0, bottom: 0 };
  const [left, right, top, bottom] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
  return { left, right, top, bottom };
}

function aspectIn(reader: BitReader): readonly [number, number] {
  const isKnown = reader.flag() && reader.flag();
  if (!isKnown) return [1, 1];
  const id = reader.bits(8);
  if (id !== EXTENDED_SAR) return ASPECTS[id - 1] ?? [1, 1];
  const [width, height] = [reader.bits(16), reader.bits(16)];
  return width > 0 && height > 0 ? [width, height] : [1, 1];
}
