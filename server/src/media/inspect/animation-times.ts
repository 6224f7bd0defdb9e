import { reduced } from './fraction.ts';
import { type Rate, rateOf } from './picture-times.ts';

/** Demuxers of animated images. */
const ANIMATIONS = new Set(['gif', 'apng']);

/** Shorter delays are mistakes: browsers show such frames for a tenth of a second. */
const SHORTEST_DELAY_MS = 11;
const CORRECTED_DELAY_MS = 100;
const GIF_TICK_MS = 10;

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

/** The rate of frames with such delays: see `rateOf`. Pure. */
export function animationRate(delaysMs: readonly number[]): Rate {
  let atMs = 0;
  const seconds = delaysMs.map((delay) => {
    const start = atMs / 1000;
    atMs += delay;
    return start;
  });
  // The resolution of GIF, to which others round, too.
  const tick = delaysMs.every((delay) => delay % GIF_TICK_MS === 0) ? GIF_TICK_MS / 1000 : 0.001;
  const rate = rateOf({ seconds, tick, endSeconds: atMs / 1000, nominal: null });
  return rate ?? { frameRate: reduced(1000, Math.max(1, sumOf(delaysMs))), variableFrameRate: false, exactRate: true };
}

export function sumOf(delaysMs: readonly number[]): number {
  return delaysMs.reduce((sum, delay) => sum + delay, 0);
}
