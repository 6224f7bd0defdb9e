import { SAMPLE_SIZE } from './sample-frames.ts';

/** A small picture in 4:2:0: its luma, then both planes of chroma. */
export type Picture = Uint8Array;

const { width: WIDTH, height: HEIGHT } = SAMPLE_SIZE;
const LUMA_BYTES = WIDTH * HEIGHT;
export const PICTURE_BYTES = LUMA_BYTES + LUMA_BYTES / 2;

/** A picture of a rendition, and what it was made from. */
export interface Compared {
  readonly frame: number;
  /** As it was decoded, before all stages that change pictures. */
  readonly source: Picture;
  /** As it was given to the encoder. */
  readonly staged: Picture;
  /** The same of moments around it. */
  readonly around: readonly Picture[];
  readonly encoded: Picture;
  /** Bit rate of its segment in that which the encoder may use, from 0 to 1. */
  readonly used: number;
}

/** What is wrong with an encoded picture, and at which frame. */
export interface PictureFault {
  readonly fault: 'black' | 'frozen' | 'misplaced' | 'different' | 'discoloured';
  readonly frame: number;
  /** For the log. */
  readonly value: number;
}

/** Compares pictures of a rendition, in their order, with those it was made from. Pure. */
export function findPictureFault(pictures: readonly Compared[]): PictureFault | null {
  return (
    first(pictures, 'black', ({ source, encoded }) => (isDark(encoded) && !isDim(source) ? 1 : null)) ??
    findFrozen(pictures) ??
    first(pictures, 'misplaced', misplaced) ??
    first(pictures, 'different', ({ staged, encoded, used }) =>
      below(similarity(staged, encoded), LEAST_SIMILARITY * (1 - used)),
    ) ??
    first(pictures, 'discoloured', ({ staged, encoded, used }) =>
      above(colourDistance(staged, encoded), FARTHEST_COLOUR * (1 + 3 * used)),
    )
  );
}

/**
 * At the quality of the platform, pictures of this size are above 0.99, those of other scenes mostly below 0.5. Where
 * the bit rate is the limit (noise), pictures may lose nearly everything.
 */
const LEAST_SIMILARITY = 0.85;
/** Mean distance of chroma in levels. */
const FARTHEST_COLOUR = 16;

type Finder = (picture: Compared) => number | null;

function first(pictures: readonly Compared[], fault: PictureFault['fault'], find: Finder): PictureFault | null {
  for (const picture of pictures) {
    const value = find(picture);
    if (value !== null) return { fault, frame: picture.frame, value };
  }
  return null;
}

const below = (value: number, bound: number) => (value < bound ? value : null);
const above = (value: number, bound: number) => (value > bound ? value : null);

/** Black is 16 in limited range. */
const DARK_LEVEL = 24;
const DIM_MEAN = 64;

function isDark(picture: Picture): boolean {
  return picture.subarray(0, LUMA_BYTES).every((level) => level <= DARK_LEVEL);
}

function isDim(picture: Picture): boolean {
  return picture.subarray(0, LUMA_BYTES).reduce((sum, level) => sum + level, 0) < DIM_MEAN * LUMA_BYTES;
}

/** Change of some part of the picture in levels that is certainly seen; its share that a still picture has at most. */
const MOVED_LEVELS = 6;
const STILL_SHARE = 0.1;
/** So many intervals in which the source moved and the rendition did not, without one in which both did. */
const FROZEN_INTERVALS = 2;

function findFrozen(pictures: readonly Compared[]): PictureFault | null {
  let frozen = 0;
  for (const [index, picture] of pictures.entries()) {
    const before = pictures[index - 1];
    const moved = before ? mostChanged(before.source, picture.source) : 0;
    if (!before || moved < MOVED_LEVELS) continue;
    const kept = mostChanged(before.encoded, picture.encoded);
    frozen = kept < STILL_SHARE * moved ? frozen + 1 : 0;
    if (frozen === FROZEN_INTERVALS) return { fault: 'frozen', frame: picture.frame, value: kept };
  }
  return null;
}

/** A picture that is so much closer to another moment than to its own is of that moment. */
const CLOSER = 4;
const LEAST_DISTANCE = 0.02;

function misplaced({ staged, encoded, around }: Compared): number | null {
  const own = 1 - similarity(staged, encoded);
  if (own < LEAST_DISTANCE) return null;
  return around.some((other) => CLOSER * (1 - similarity(other, encoded)) < own) ? own : null;
}

const BLOCK = 8;
/** Half a block: windows overlap. */
const STRIDE = 4;

/** By how many levels in the mean the part of a picture changed that changed most. */
function mostChanged(one: Picture, other: Picture): number {
  return Math.max(...BLOCKS.map(({ x, y }) => changeOf(one, other, x, y)));
}

const BLOCKS = blocks();

function blocks(): { x: number; y: number }[] {
  const found = [];
  for (let y = 0; y + BLOCK <= HEIGHT; y += STRIDE)
    for (let x = 0; x + BLOCK <= WIDTH; x += STRIDE) found.push({ x, y });
  return found;
}

function changeOf(one: Picture, other: Picture, x: number, y: number): number {
  let sum = 0;
  for (let row = y; row < y + BLOCK; row += 1)
    for (let at = row * WIDTH + x; at < row * WIDTH + x + BLOCK; at += 1)
      sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / BLOCK ** 2;
}

/** Constants of SSIM for 8 bits (Wang et al. 2004). */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Mean SSIM of the luma of two pictures: 1 for equal ones. Pure. */
export function similarity(one: Picture, other: Picture): number {
  return BLOCKS.reduce((sum, { x, y }) => sum + similarityOfBlock(one, other, x, y), 0) / BLOCKS.length;
}

function similarityOfBlock(one: Picture, other: Picture, x: number, y: number): number {
  const size = BLOCK ** 2;
  let [sumA, sumB, squares, products] = [0, 0, 0, 0];
  for (let row = y; row < y + BLOCK; row += 1) {
    for (let at = row * WIDTH + x; at < row * WIDTH + x + BLOCK; at += 1) {
      const [a, b] = [one[at] ?? 0, other[at] ?? 0];
      sumA += a;
      sumB += b;
      squares += a * a + b * b;
      products += a * b;
    }
  }
  const [meanA, meanB] = [sumA / size, sumB / size];
  const variances = squares / size - meanA ** 2 - meanB ** 2;
  const covariance = products / size - meanA * meanB;
  const luminance = (2 * meanA * meanB + C1) / (meanA ** 2 + meanB ** 2 + C1);
  return (luminance * (2 * covariance + C2)) / (variances + C2);
}

/** Mean distance of the chroma of two pictures in levels. */
function colourDistance(one: Picture, other: Picture): number {
  let sum = 0;
  for (let at = LUMA_BYTES; at < PICTURE_BYTES; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / (PICTURE_BYTES - LUMA_BYTES);
}
