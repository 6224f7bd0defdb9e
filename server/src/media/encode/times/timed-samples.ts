import type { SampleIndex } from '@reelgraph/mp4';
import { TOLERANCE_TICKS } from './timed-pictures.ts';

/** When samples are shown, the first picture at 0, in the order of decoding. Pure. */
export function shownTimes({ count, decodeTimes, shifts }: SampleIndex): Float64Array {
  const times = Float64Array.from(
    { length: count },
    (_, sample) => (decodeTimes[sample] ?? 0) + (shifts?.[sample] ?? 0),
  );
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  return times.map((time) => time - first);
}

/** The keyframes with which segments begin; -1 for one without. Pure. */
export function startsAt(
  cuts: readonly number[],
  times: Float64Array,
  { sync, count }: Pick<SampleIndex, 'sync' | 'count'>,
): number[] {
  const keyframes = sync ?? Uint32Array.from({ length: count }, (_, sample) => sample);
  let next = 0;
  return cuts.map((cut, index) => {
    const end = (cuts[index + 1] ?? Number.POSITIVE_INFINITY) - TOLERANCE_TICKS;
    while (next < keyframes.length && (times[keyframes[next] ?? 0] ?? 0) < cut - TOLERANCE_TICKS) next += 1;
    const found = keyframes[next];
    return found !== undefined && (times[found] ?? 0) < end ? found : -1;
  });
}

interface Shown {
  /** Of all samples, in the order of decoding. */
  readonly times: Float64Array;
  /** The samples with which segments begin. */
  readonly starts: readonly number[];
  /** When these begin and end. */
  readonly cuts: readonly number[];
  readonly ends: readonly number[];
  /** By which pictures are shown after they are decoded. */
  readonly delay: number;
}

/**
 * When samples are decoded, and when the last one ends. A segment is decoded from its start to its end: each sample as
 * long as a picture in their order of display, where those that follow it are not too late then. Pure.
 */
export function decodeTimesOf({ times, starts, cuts, ends, delay }: Shown): Float64Array {
  const decoded = new Float64Array(times.length + 1);
  for (const [segment, first] of starts.entries()) {
    const after = starts[segment + 1] ?? times.length;
    const [begin, end] = [cuts[segment] ?? 0, ends[segment] ?? 0];
    const inOrder = times.slice(first, after).sort();
    let latest = Number.POSITIVE_INFINITY;
    let next = end;
    for (let sample = after - 1; sample >= first; sample -= 1) {
      latest = Math.min(latest, (times[sample] ?? 0) + delay);
      next = Math.min(next - 1, latest, inOrder[sample - first] ?? 0);
      decoded[sample] = next;
    }
    decoded[first] = begin;
    decoded[after] = end;
  }
  return decoded;
}
