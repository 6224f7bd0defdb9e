import { type Fraction, reduced, toNumber } from './fraction.ts';

/** Demuxers of animated images. */
const ANIMATIONS = new Set(['gif', 'apng']);

/** Shorter delays are mistakes: browsers show such frames for a tenth of a second. */
const SHORTEST_DELAY_MS = 11;
const CORRECTED_DELAY_MS = 100;
/** How far from its time a frame may begin: the resolution of GIF. */
const TOLERANCE_MS = 10;
/** Within the tolerance of every delay. */
const FINEST_STEP_MS = 20;

/** Whether a demuxer reads animated images, which have a delay for each frame instead of a frame rate. */
export function isAnimation(demuxer: string): boolean {
  return ANIMATIONS.has(demuxer);
}

/** For how long a frame is shown that asks for `delayMs`. */
export function correctedDelay(delayMs: number): number {
  return delayMs < SHORTEST_DELAY_MS ? CORRECTED_DELAY_MS : delayMs;
}

/** Builds the delays of an animation from its packets. */
export class AnimationTimeline {
  readonly #starts: number[] = [];
  #lastDurationMs = CORRECTED_DELAY_MS;

  /** Adds one line of `packetScanArgs`: `stream,pts,dts,duration`. */
  add(line: string): void {
    const [, pts, , duration] = line.split(',').map((field) => Math.round(1000 * Number.parseFloat(field)));
    if (pts === undefined || !Number.isFinite(pts)) return;
    this.#starts.push(pts);
    if (duration !== undefined && Number.isFinite(duration)) this.#lastDurationMs = duration;
  }

  /** Milliseconds each frame is shown. */
  get delaysMs(): number[] {
    const { length } = this.#starts;
    return this.#starts.map((start, index) =>
      index + 1 < length ? (this.#starts[index + 1] ?? start) - start : this.#lastDurationMs,
    );
  }
}

/**
 * A constant frame rate at which every frame is shown and begins within 10 ms of its time: the average of regular
 * delays, else what all delays are multiples of, else 50. At least one frame per second. Pure.
 */
export function animationRate(delaysMs: readonly number[]): Fraction {
  const others = delaysMs.length > 1 ? delaysMs.slice(0, -1) : delaysMs;
  const average = reduced(1000 * others.length, sumOf(others));
  const divisor = delaysMs.reduce(greatestCommonDivisor, 0);
  const exact = reduced(1000, divisor);
  if (isWithinTolerance(delaysMs, average)) return atLeastOne(average);
  return divisor >= FINEST_STEP_MS ? atLeastOne(exact) : reduced(1000, FINEST_STEP_MS);
}

export function sumOf(delaysMs: readonly number[]): number {
  return delaysMs.reduce((sum, delay) => sum + delay, 0);
}

function isWithinTolerance(delaysMs: readonly number[], rate: Fraction): boolean {
  const stepMs = 1000 / toNumber(rate);
  let [atMs, steps] = [0, 0];
  return delaysMs.every((delay) => {
    const before = steps;
    atMs += delay;
    steps = Math.round(atMs / stepMs);
    return steps > before && Math.abs(atMs - steps * stepMs) <= TOLERANCE_MS;
  });
}

function atLeastOne(rate: Fraction): Fraction {
  return reduced(rate.num * Math.max(1, Math.ceil(1 / toNumber(rate))), rate.den);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
