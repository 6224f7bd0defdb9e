import { firstFrom } from '@reelgraph/mp4';
import type { PictureTimes } from '../../inspect/picture-times.ts';

/** With more seconds between keyframes, seeking is coarse; a segment has several. */
const MOST_SECONDS = 2;
/** Keyframes of the source that follow each other faster are left out: each is several times as large as a picture. */
const LEAST_SECONDS = 1;

/** What keyframes are planned from; all times are frames. */
export interface KeyframePlan {
  /** Frames per second. */
  readonly rate: number;
  /** Frames at which segments begin. */
  readonly starts: readonly number[];
  /** Of the source. */
  readonly given: readonly number[];
  /** When the video ends. */
  readonly end: number;
  /** Of pictures that keep the times of the source. */
  readonly pictures?: PictureTimes | undefined;
}

/**
 * Keyframes beside those with which segments begin: those of the source, and one wherever more than two seconds would
 * pass and a picture exists. Pure.
 */
export function planKeyframes({ rate, starts, given, end, pictures }: KeyframePlan): number[] {
  const begins = new Set(starts);
  const found: number[] = [];
  let next = 0;
  for (const [index, start] of starts.entries()) {
    const until = starts[index + 1] ?? end;
    let last = start;
    while (next < given.length && (given[next] ?? 0) < until) {
      const frame = given[next] ?? 0;
      next += 1;
      if (frame - last < LEAST_SECONDS * rate || until - frame < LEAST_SECONDS * rate) continue;
      found.push(...between(last, frame, rate, pictures), frame);
      last = frame;
    }
    found.push(...between(last, until, rate, pictures));
  }
  return found.filter((frame) => !begins.has(frame));
}

/** Frames between two keyframes with at most two seconds from one to the next. */
function between(start: number, end: number, rate: number, pictures: PictureTimes | undefined): number[] {
  const most = MOST_SECONDS * rate;
  if (!pictures) {
    const parts = Math.ceil((end - start) / most - 1e-6);
    return Array.from({ length: Math.max(0, parts - 1) }, (_, part) =>
      Math.round(start + ((part + 1) * (end - start)) / parts),
    );
  }
  const { points } = pictures;
  const found: number[] = [];
  for (let last = start; end - last > most; ) {
    let chosen = firstFrom(points, last + 1);
    while ((points[chosen + 1] ?? Number.POSITIVE_INFINITY) <= last + most) chosen += 1;
    const point = points[chosen];
    if (point === undefined || point >= end) break;
    found.push(point);
    last = point;
  }
  return found;
}
