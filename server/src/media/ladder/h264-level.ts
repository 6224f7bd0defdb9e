/**
 * One row of ITU-T H.264 table A-1: limits of a level. Bit rates are in 1000 bit/s and hold for Baseline and Main; High
 * allows 1.25 times.
 */
interface Level {
  /** Ten times the level number: the value of level_idc. */
  readonly idc: number;
  readonly macroblocksPerSecond: number;
  readonly frameMacroblocks: number;
  readonly dpbMacroblocks: number;
  readonly kilobitsPerSecond: number;
}

const LEVELS: readonly Level[] = [
  { idc: 10, macroblocksPerSecond: 1_485, frameMacroblocks: 99, dpbMacroblocks: 396, kilobitsPerSecond: 64 },
  { idc: 11, macroblocksPerSecond: 3_000, frameMacroblocks: 396, dpbMacroblocks: 900, kilobitsPerSecond: 192 },
  { idc: 12, macroblocksPerSecond: 6_000, frameMacroblocks: 396, dpbMacroblocks: 2_376, kilobitsPerSecond: 384 },
  { idc: 13, macroblocksPerSecond: 11_880, frameMacroblocks: 396, dpbMacroblocks: 2_376, kilobitsPerSecond: 768 },
  { idc: 20, macroblocksPerSecond: 11_880, frameMacroblocks: 396, dpbMacroblocks: 2_376, kilobitsPerSecond: 2_000 },
  { idc: 21, macroblocksPerSecond: 19_800, frameMacroblocks: 792, dpbMacroblocks: 4_752, kilobitsPerSecond: 4_000 },
  { idc: 22, macroblocksPerSecond: 20_250, frameMacroblocks: 1_620, dpbMacroblocks: 8_100, kilobitsPerSecond: 4_000 },
  { idc: 30, macroblocksPerSecond: 40_500, frameMacroblocks: 1_620, dpbMacroblocks: 8_100, kilobitsPerSecond: 10_000 },
  {
    idc: 31,
    macroblocksPerSecond: 108_000,
    frameMacroblocks: 3_600,
    dpbMacroblocks: 18_000,
    kilobitsPerSecond: 14_000,
  },
  {
    idc: 32,
    macroblocksPerSecond: 216_000,
    frameMacroblocks: 5_120,
    dpbMacroblocks: 20_480,
    kilobitsPerSecond: 20_000,
  },
  {
    idc: 40,
    macroblocksPerSecond: 245_760,
    frameMacroblocks: 8_192,
    dpbMacroblocks: 32_768,
    kilobitsPerSecond: 20_000,
  },
  {
    idc: 42,
    macroblocksPerSecond: 522_240,
    frameMacroblocks: 8_704,
    dpbMacroblocks: 34_816,
    kilobitsPerSecond: 50_000,
  },
  {
    idc: 50,
    macroblocksPerSecond: 589_824,
    frameMacroblocks: 22_080,
    dpbMacroblocks: 110_400,
    kilobitsPerSecond: 135_000,
  },
  {
    idc: 51,
    macroblocksPerSecond: 983_040,
    frameMacroblocks: 36_864,
    dpbMacroblocks: 184_320,
    kilobitsPerSecond: 240_000,
  },
  {
    idc: 52,
    macroblocksPerSecond: 2_073_600,
    frameMacroblocks: 36_864,
    dpbMacroblocks: 184_320,
    kilobitsPerSecond: 240_000,
  },
  {
    idc: 62,
    macroblocksPerSecond: 16_711_680,
    frameMacroblocks: 139_264,
    dpbMacroblocks: 696_320,
    kilobitsPerSecond: 800_000,
  },
];

/** Frames the encoder keeps for reference and reordering, with its `veryfast` settings and a reserve. */
const REFERENCE_FRAMES = 4;

/**
 * The lowest level of ITU-T H.264 annex A (table A-1, High profile) that admits the stream. Level 3.0 is the floor:
 * every device plays it, and some refuse the oddities below.
 */
export function h264LevelIdc(width: number, height: number, framesPerSecond: number, maxrateBps: number): number {
  const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  const frame = columns * rows;
  const fits = (level: Level) =>
    level.idc >= 30 &&
    frame <= level.frameMacroblocks &&
    // Section A.3.1: neither side may exceed the root of eight times the frame limit.
    Math.max(columns, rows) <= Math.sqrt(8 * level.frameMacroblocks) &&
    frame * framesPerSecond <= level.macroblocksPerSecond &&
    frame * REFERENCE_FRAMES <= level.dpbMacroblocks &&
    maxrateBps <= level.kilobitsPerSecond * 1250;
  return LEVELS.find(fits)?.idc ?? 62;
}

/** RFC 6381 section 3.3: profile_idc, constraint flags and level_idc in hexadecimal; High profile, no constraints. */
export function h264HighCodecs(levelIdc: number): string {
  return `avc1.6400${levelIdc.toString(16).padStart(2, '0')}`;
}
