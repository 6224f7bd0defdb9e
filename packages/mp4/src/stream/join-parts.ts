import { readFragment, type StreamSample, streamFragment } from '../fragment.ts';
import type { StreamSegment } from './stream-fragmenter.ts';

/**
 * The segment that these parts of a track are, which follow each other. What is missing between two lengthens the
 * sample before it. `sequence` counts from 1.
 * @throws Mp4Error where one is no part of `StreamFragmenter`.
 */
export function joinParts(parts: readonly Buffer[], timescale: number, sequence: number): StreamSegment {
  const samples: StreamSample[] = [];
  let [start, end] = [0, 0];
  for (const bytes of parts) {
    const { decodeTime, durations, sizes, shifts, sync } = readFragment(bytes);
    if (samples.length === 0) [start, end] = [decodeTime, decodeTime];
    const last = samples.at(-1);
    if (last && decodeTime > end) samples[samples.length - 1] = { ...last, duration: last.duration + decodeTime - end };
    let at = bytes.length - sizes.reduce((sum, size) => sum + size, 0);
    end = Math.max(end, decodeTime);
    for (const [index, size] of sizes.entries()) {
      const [duration = 0, shift = 0] = [durations[index], shifts[index]];
      samples.push({ data: bytes.subarray(at, at + size), duration, shift, isSync: sync[index] === 1 });
      [at, end] = [at + size, end + duration];
    }
  }
  const duration = end - start;
  return {
    ...{ start, shift: samples[0]?.shift ?? 0, duration },
    ...{ startSeconds: start / timescale, durationSeconds: duration / timescale },
    bytes: samples.length === 0 ? Buffer.alloc(0) : streamFragment(samples, start, sequence),
  };
}
