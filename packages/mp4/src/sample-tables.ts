import { fullBox } from './box-writer.ts';
import { Mp4Error } from './boxes.ts';
import type { Fragment } from './fragment.ts';

/** The tables of a track (ISO/IEC 14496-12 section 8.5) but those of its description and of positions. */
export interface SampleTables {
  readonly boxes: readonly Buffer[];
  /** Of all samples, in the time scale of the track. */
  readonly duration: number;
  /** When the sample that is shown last ends. */
  readonly endTime: number;
}

/** The tables of the samples of segments, each of which is a chunk. Pure. @throws Mp4Error where they overlap. */
export function sampleTables(fragments: readonly Fragment[]): SampleTables {
  const count = fragments.reduce((sum, { sizes }) => sum + sizes.length, 0);
  const [durations, sizes, sync] = [new Uint32Array(count), new Uint32Array(count), new Uint8Array(count)];
  const shifts = new Int32Array(count);
  let [first, time] = [0, 0];
  for (const fragment of fragments) {
    if (fragment.sizes.length === 0) throw new Mp4Error('A segment has no samples.');
    if (fragment.decodeTime < time || (first === 0 && fragment.decodeTime > 0))
      throw new Mp4Error(`A segment begins at ${fragment.decodeTime}, after one that ends at ${time}.`);
    // The last sample of a segment is shown until the next one begins.
    if (first > 0) durations[first - 1] = (durations[first - 1] ?? 0) + fragment.decodeTime - time;
    durations.set(fragment.durations, first);
    sizes.set(fragment.sizes, first);
    shifts.set(fragment.shifts, first);
    sync.set(fragment.sync, first);
    time = fragment.decodeTime + fragment.durations.reduce((sum, duration) => sum + duration, 0);
    first += fragment.sizes.length;
  }
  return {
    boxes: [
      runsBox('stts', 0, durations),
      ...(shifts.some((shift) => shift !== 0)
        ? [runsBox('ctts', shifts.some((shift) => shift < 0) ? 1 : 0, shifts)]
        : []),
      ...(sync.every((value) => value === 1) ? [] : [syncBox(sync)]),
      chunksBox(fragments),
      fullBox('stsz', 0, 0, 0, count, words(sizes)),
    ],
    duration: time,
    endTime: endOf(durations, shifts),
  };
}

function endOf(durations: Uint32Array, shifts: Int32Array): number {
  let [time, end] = [0, 0];
  for (const [sample, duration] of durations.entries()) {
    end = Math.max(end, time + duration + (shifts[sample] ?? 0));
    time += duration;
  }
  return end;
}

/** A table of runs of equal values (sections 8.6.1.2 and 8.6.1.3). */
function runsBox(type: 'stts' | 'ctts', version: 0 | 1, values: Uint32Array | Int32Array): Buffer {
  const starts: number[] = [];
  for (let index = 0; index < values.length; index += 1)
    if (index === 0 || values[index] !== values[index - 1]) starts.push(index);
  const entries = starts.flatMap((start, run) => [(starts[run + 1] ?? values.length) - start, values[start] ?? 0]);
  return fullBox(type, version, 0, starts.length, words(entries));
}

/** Section 8.6.2. */
function syncBox(sync: Uint8Array): Buffer {
  const numbers: number[] = [];
  for (const [sample, value] of sync.entries()) if (value === 1) numbers.push(sample + 1);
  return fullBox('stss', 0, 0, numbers.length, words(numbers));
}

/** Samples of each chunk (section 8.7.4), in runs of chunks with as many. */
function chunksBox(fragments: readonly Fragment[]): Buffer {
  const runs = fragments.flatMap(({ sizes }, index) =>
    index > 0 && sizes.length === fragments[index - 1]?.sizes.length ? [] : [index + 1, sizes.length, 1],
  );
  return fullBox('stsc', 0, 0, runs.length / 3, words(runs));
}

/** 32 bits each. */
function words(values: ArrayLike<number>): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length);
  for (let index = 0; index < values.length; index += 1) bytes.writeInt32BE((values[index] ?? 0) | 0, 4 * index);
  return bytes;
}
