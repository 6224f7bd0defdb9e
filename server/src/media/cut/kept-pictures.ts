import { firstFrom } from '@reelgraph/mp4';
import { selectTaken, TOLERANCE_TICKS } from '../encode/times/timed-pictures.ts';
import { type ShownPictures, TICKS_PER_SECOND, ticksAt } from '../inspect/picture-times.ts';
import type { TimeRange } from './ranges.ts';

/** Pictures that a range keeps, in ticks of the source. */
export interface KeptPart {
  /** The first one is the one that is seen when the range begins. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** When the range begins in the result. */
  readonly at: number;
}

const TICKS_PER_MS = TICKS_PER_SECOND / 1000;

/** The pictures that rising ranges keep of a video whose pictures are shown at these times. Pure. */
export function keptParts(seconds: ShownPictures['seconds'], ranges: readonly TimeRange[]): KeptPart[] {
  let at = 0;
  let shownUntil = Number.NEGATIVE_INFINITY;
  return ranges.map(({ startMs, endMs }) => {
    const [start, end] = [startMs * TICKS_PER_MS, endMs * TICKS_PER_MS];
    const seen = lastUntil(seconds, start + TOLERANCE_TICKS);
    // One that is seen at the end of the range before is seen on.
    const from = seen === null || seen < shownUntil ? start : Math.min(start, seen);
    const part = { from, start, end, at };
    at += end - start;
    shownUntil = end - TOLERANCE_TICKS;
    return part;
  });
}

/** The last of rising times that is not after `ticks`, in ticks; null where there is none. */
function lastUntil(seconds: ShownPictures['seconds'], ticks: number): number | null {
  const next = firstFrom(seconds, (ticks + 0.5) / TICKS_PER_SECOND);
  return next === 0 ? null : ticksAt(seconds[next - 1] ?? 0);
}

/** Clocks of decoders and tables differ by rounding. */
const ROUNDING_TICKS = TOLERANCE_TICKS / 2;

/**
 * Filters that keep these pictures and place them in the result, of pictures at their times in ticks; of a rendition
 * that shows fewer, at least `leastStep` ticks apart. Pure.
 */
export function keptFilters(parts: readonly KeptPart[], leastStep = 1): string[] {
  const begin = begins(parts[0]);
  const end = Math.max(...parts.map((part) => part.end)) - TOLERANCE_TICKS;
  const isKept = byPart('pts', parts, (part) => `lt(pts,${part.end - TOLERANCE_TICKS})`);
  const placed = byPart('PTS', parts, ({ start, at }) => `max(PTS,${start})+${at - start}`);
  return [
    `trim=start_pts=${begin}:end_pts=${end}`,
    `select='${isKept}'`,
    // Where none is seen when the first range begins, the next one is.
    `setpts='if(eq(N,0),0,${placed})'`,
    selectTaken({ cuts: [0], leastStep }),
  ];
}

function begins(part: KeptPart | undefined): number {
  return Math.max(0, (part?.from ?? 0) - ROUNDING_TICKS);
}

/** An expression for the part of a picture. Nested by halves: each picture is compared with few of many. */
function byPart(time: string, parts: readonly KeptPart[], of: (part: KeptPart) => string): string {
  const [first] = parts;
  if (parts.length <= 1) return first ? of(first) : '0';
  const middle = Math.ceil(parts.length / 2);
  const [before, after] = [parts.slice(0, middle), parts.slice(middle)];
  return `if(lt(${time},${begins(after[0])}),${byPart(time, before, of)},${byPart(time, after, of)})`;
}
