import { BoxBudget, boxesIn, Mp4Error } from '../mp4/boxes.ts';

/** When a segment is shown, in units of `timescale` per second. */
export interface SegmentTime {
  readonly timescale: number;
  readonly start: number;
  readonly duration: number;
}

/** The segments of a rendition, which follow each other from 0 without gaps. */
export interface Timeline {
  /** Units per second. */
  readonly timescale: number;
  readonly durations: readonly number[];
}

/** Bytes of a segment in which its index stands: the encoder writes it first. */
export const SEGMENT_HEAD_BYTES = 512;
/** Encoders pad, and the first frame of audio may begin before 0. */
const START_TOLERANCE_SECONDS = 0.05;

/**
 * Time of a segment from its index box, after the edit list (ISO/IEC 14496-12 section 8.16.3).
 * @throws Mp4Error without a readable one.
 */
export function segmentTime(head: Buffer): SegmentTime {
  for (const box of boxesIn(head, { start: 0, end: head.length }, new BoxBudget())) {
    if (box.type !== 'sidx') continue;
    const wide = head[box.start] === 1;
    const times = box.start + 12;
    const references = times + (wide ? 16 : 8) + 4;
    if (references + 12 > box.end) break;
    const start = wide ? Number(head.readBigUInt64BE(times)) : head.readUInt32BE(times);
    return { timescale: head.readUInt32BE(box.start + 8), start, duration: head.readUInt32BE(references + 4) };
  }
  throw new Mp4Error('The segment has no index.');
}

/**
 * The timeline of segments in their order: each lasts until the next one starts.
 * @throws Mp4Error when they do not follow each other from 0.
 */
export function timelineOf(times: readonly SegmentTime[]): Timeline {
  const { timescale, start } = times[0] ?? { timescale: 0, start: 0 };
  if (timescale === 0 || start / timescale > START_TOLERANCE_SECONDS)
    throw new Mp4Error(`The first segment starts at ${start} of ${timescale}.`);
  const durations = times.map((time, index) => (times[index + 1]?.start ?? time.start + time.duration) - time.start);
  const wrong = times.findIndex((time, index) => time.timescale !== timescale || !((durations[index] ?? 0) > 0));
  if (wrong >= 0) throw new Mp4Error(`Segment ${wrong} does not start after the one before it.`);
  return { timescale, durations };
}
