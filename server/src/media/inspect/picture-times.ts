import { type Fraction, reduced, toNumber } from './fraction.ts';

/** Units per second in which times of pictures are counted: those of MPEG, finer than 0.02 ms. */
export const TICKS_PER_SECOND = 90_000;

/** When the pictures of a video are shown that has no constant rate, in ticks from the start of the file. */
export interface PictureTimes {
  /** The first picture of every half second that has one, from 0: segments and keyframes begin at some of them. */
  readonly points: readonly number[];
  /** Of each of these, the time of the picture before it. */
  readonly before: readonly number[];
  /** When the last picture ends. */
  readonly end: number;
}

/** How often pictures are shown. */
export interface Rate {
  /** Pictures per second; of a variable rate the most, by {@link peakRate}. */
  readonly frameRate: Fraction;
  readonly variableFrameRate: boolean;
  /** Whether each picture is at its time with this rate. */
  readonly exactRate: boolean;
  readonly pictureCount?: number;
  readonly pictures?: PictureTimes;
}

/** What is known of the pictures of a file. */
export interface ShownPictures {
  /** When each picture is shown, in seconds from the start of the file, rising. */
  readonly seconds: readonly number[] | Float64Array;
  /** The time base of the container in seconds. */
  readonly tick: number;
  /** When the last picture ends; null where the file does not say. */
  readonly endSeconds: number | null;
  /** When the file ends, and with it a last picture without an end of its own. Default: not known. */
  readonly fileEndSeconds?: number | null;
  /** The rate that the file declares. */
  readonly nominal: Fraction | null;
}

const COMMON_RATES: readonly Fraction[] = [
  { num: 15, den: 1 },
  { num: 24_000, den: 1001 },
  { num: 24, den: 1 },
  { num: 25, den: 1 },
  { num: 30_000, den: 1001 },
  { num: 30, den: 1 },
  { num: 48, den: 1 },
  { num: 50, den: 1 },
  { num: 60_000, den: 1001 },
  { num: 60, den: 1 },
];
/** For times that were printed with six digits. */
const ROUNDING_SECONDS = 2e-6;
/** A last picture that is shown for longer than so many others is no part of a constant rate. */
const LONG_LAST = 1.5;

/**
 * The rate of pictures: constant only where each of them is within half a tick of the container of a time of that rate,
 * from 0 on. Null for a single picture. Pure.
 */
export function rateOf(shown: ShownPictures): Rate | null {
  const { seconds, endSeconds } = shown;
  const last = seconds.at(-1);
  if (last === undefined || seconds.length < 2) return null;
  const constant = candidatesFor(shown).find((rate) => isConstant(shown, rate));
  const isEven = constant && (endSeconds ?? last) - last <= LONG_LAST / toNumber(constant);
  if (isEven) return { frameRate: constant, variableFrameRate: false, exactRate: true, pictureCount: seconds.length };
  const frameRate = peakRate(seconds, shown.nominal);
  const pictures = timesOf(shown, frameRate);
  return { frameRate, variableFrameRate: true, exactRate: false, pictures };
}

function candidatesFor({ seconds, tick, nominal }: ShownPictures): Fraction[] {
  const average = averageRate(seconds);
  const near = COMMON_RATES.filter((rate) => Math.abs(toNumber(rate) / average - 1) < 0.01);
  const step = Math.round(1 / average / tick);
  const exact = step > 0 && 1 / tick < 1e9 ? [reduced(Math.round(1 / tick), step)] : [];
  const [first = 0] = seconds;
  // By the resolution of the last time: a rate that writers of files have counted.
  const counted = reduced(seconds.length - 1, 1);
  const spanTicks = Math.round(((seconds.at(-1) ?? 0) - first) / tick);
  const fitted = spanTicks > 0 ? [reduced(counted.num * Math.round(1 / tick), spanTicks)] : [];
  const all = [...near, ...(nominal ? [nominal] : []), ...exact, ...fitted];
  return all.filter(({ num, den }) => num <= 1_000_000 && den <= 1_000_000);
}

/** By at most half a tick, wherever in a tick its writer began to round. */
function isConstant({ seconds, tick }: ShownPictures, rate: Fraction): boolean {
  const most = tick + ROUNDING_SECONDS;
  let [least, largest] = [0, 0];
  for (let picture = 0; picture < seconds.length; picture += 1) {
    const difference = (seconds[picture] ?? 0) - (picture * rate.den) / rate.num;
    least = Math.min(least, difference);
    largest = Math.max(largest, difference);
    if (largest - least > most) return false;
  }
  return true;
}

function averageRate(seconds: ShownPictures['seconds']): number {
  return (seconds.length - 1) / Math.max(1e-6, (seconds.at(-1) ?? 0) - (seconds[0] ?? 0));
}

/** Rates that pictures with jitter have are those of their camera within this. */
const NEAR_COMMON = 0.03;
/** Of jitter, less is seen in more time; gaps end it. */
const PEAK_SECONDS = 0.75;
/** A declared rate is that of pictures of which some are missing in every second, at most so much faster. */
const MOST_MISSING = 1.35;

/**
 * The most pictures per second in three quarters of any second: of times with jitter, the rate without; of a declared
 * rate of which pictures are missing everywhere, that one. Pure.
 */
export function peakRate(seconds: ShownPictures['seconds'], nominal: Fraction | null = null): Fraction {
  let peak = 0;
  let end = 0;
  for (let start = 0; start < seconds.length; start += 1) {
    const begin = seconds[start] ?? 0;
    while (end < seconds.length - 1 && ((seconds[end] ?? 0) < begin + PEAK_SECONDS || end <= start)) end += 1;
    const span = (seconds[end] ?? 0) - begin;
    // What is left at the end is less; only what is shorter as a whole is measured by less.
    if (end > start && (span >= PEAK_SECONDS || start === 0))
      peak = Math.max(peak, (end - start) / Math.max(span, 1e-3));
  }
  const rate = peak || 1;
  const declared = nominal ? toNumber(nominal) / rate : 0;
  if (nominal && declared > 1 + NEAR_COMMON && declared <= MOST_MISSING) return nominal;
  const distance = (common: Fraction) => Math.abs(toNumber(common) / rate - 1);
  const nearest = COMMON_RATES.reduce((best, common) => (distance(common) < distance(best) ? common : best));
  if (distance(nearest) <= NEAR_COMMON) return nearest;
  return reduced(Math.max(1, Math.round(rate * 1000)), 1000);
}

const POINT_SECONDS = 0.5;

function timesOf(shown: ShownPictures, rate: Fraction): PictureTimes {
  const { seconds } = shown;
  const [points, before]: [number[], number[]] = [[], []];
  let next = 0;
  let previous = 0;
  for (const [picture, second] of seconds.entries()) {
    // A late first picture is shown from the start on.
    const at = picture === 0 ? 0 : second;
    if (at >= next || picture === 0) {
      points.push(ticksAt(at));
      before.push(ticksAt(previous));
      next = (Math.floor(at / POINT_SECONDS) + 1) * POINT_SECONDS;
    }
    previous = at;
  }
  return { points, before, end: ticksAt(endOf(shown, previous, 1 / toNumber(rate))) };
}

/** Many writers give the last picture no length, or a tick. */
const LEAST_LAST_SECONDS = 1 / 24;

/** When the last picture ends, which begins at `last`; `step` is the usual length of pictures. */
function endOf({ endSeconds, fileEndSeconds }: ShownPictures, last: number, step: number): number {
  const usual = Math.min(last + step, fileEndSeconds ?? Number.POSITIVE_INFINITY);
  return Math.max(endSeconds ?? 0, usual, last + Math.min(step, LEAST_LAST_SECONDS));
}

/** A time in ticks. Pure. */
export function ticksAt(seconds: number): number {
  return Math.round(seconds * TICKS_PER_SECOND);
}
