import type { Fraction } from './fraction.ts';
import { isDiscontinuous, pinnedInput } from './probe.ts';

/** A longer step between two packets is a jump of the clock, as for ffmpeg (`-dts_delta_threshold`). */
const JUMP_SECONDS = 10;

/** ffprobe arguments that print one line per packet, for {@link PacketTimeline.add}. */
export function packetScanArgs(demuxer: string): string[] {
  const entries = 'packet=stream_index,pts_time,dts_time,duration_time,flags';
  return ['-show_entries', entries, '-of', 'csv=p=0', ...pinnedInput(demuxer)];
}

/** The times of the pictures of one stream, from its packets. */
export class PictureTimeline {
  readonly #stream: number;
  readonly #discontinuous: boolean;
  readonly #starts: number[] = [];
  #last: number | null = null;
  #end: number | null = null;
  #previousDts: number | null = null;
  #isKnown = true;

  constructor(demuxer: string, stream: number) {
    this.#stream = stream;
    this.#discontinuous = isDiscontinuous(demuxer);
  }

  /** Adds one line of `packetScanArgs`; packets that are not shown have the second flag. */
  add(line: string): void {
    const fields = line.split(',');
    if (Number(fields[0]) !== this.#stream || fields[4]?.[1] === 'D') return;
    const [pts, dts, duration] = fields.slice(1, 4).map((field) => Number.parseFloat(field));
    if (!isTime(pts)) {
      this.#isKnown = false;
      return;
    }
    if (isTime(dts)) {
      const step = dts - (this.#previousDts ?? dts);
      if (this.#discontinuous && (step < 0 || step > JUMP_SECONDS)) this.#isKnown = false;
      this.#previousDts = dts;
    }
    if (pts >= (this.#last ?? pts)) {
      this.#last = pts;
      this.#end = isTime(duration) ? pts + duration : null;
    }
    this.#starts.push(pts);
  }

  /** When pictures begin, in seconds after `start`, rising, and when the last one ends; null where it is not known. */
  shown(start: number): { readonly seconds: Float64Array; readonly endSeconds: number | null } | null {
    if (!this.#isKnown || this.#starts.length === 0) return null;
    const seconds = Float64Array.from(this.#starts, (pts) => pts - start).sort();
    return { seconds, endSeconds: this.#end === null ? null : this.#end - start };
  }
}

/** The packets of one stream, in seconds, with jumps of its clock removed. */
interface StreamTimeline {
  packets: number;
  start: number;
  end: number;
  /** When the packet that is shown last begins, and its duration; null where it has none. */
  lastStart: number;
  lastDuration: number | null;
  previousDts: number | null;
  step: number;
  offset: number;
}

/** Builds the timeline of a file from the packets of the streams that are played. */
export class PacketTimeline {
  readonly #discontinuous: boolean;
  readonly #streams: ReadonlyMap<number, StreamTimeline>;

  constructor(demuxer: string, streamIndexes: readonly number[]) {
    this.#discontinuous = isDiscontinuous(demuxer);
    this.#streams = new Map(
      streamIndexes.map((index) => [
        index,
        {
          packets: 0,
          start: Number.POSITIVE_INFINITY,
          end: Number.NEGATIVE_INFINITY,
          lastStart: Number.NEGATIVE_INFINITY,
          lastDuration: null,
          previousDts: null,
          step: 0,
          offset: 0,
        },
      ]),
    );
  }

  /** Adds one line of ffprobe's: `stream,pts,dts,duration`, where any time can be `N/A`. */
  add(line: string): void {
    const [index, pts, dts, duration] = line.split(',').map((field) => Number.parseFloat(field));
    const stream = this.#streams.get(index ?? -1);
    if (stream === undefined) return;
    if (this.#discontinuous && isTime(dts)) removeJump(stream, dts);
    if (!isTime(pts)) return;
    const start = pts + stream.offset;
    stream.packets += 1;
    stream.start = Math.min(stream.start, start);
    stream.end = Math.max(stream.end, start + (isTime(duration) ? duration : 0));
    if (start < stream.lastStart) return;
    stream.lastStart = start;
    stream.lastDuration = isTime(duration) ? duration : null;
  }

  /**
   * Milliseconds from the first moment to the last one, null without packets. `startMs`: when playback begins, where
   * the file declares it; packets before it only prepare the decoder (the priming of AAC).
   */
  durationMs(startMs: number | null): number | null {
    const streams = [...this.#streams.values()].filter(({ packets }) => packets > 0);
    if (streams.length === 0) return null;
    // A last packet without a duration of its own lasts about as long as the others.
    const ends = streams.map((stream) =>
      Math.max(stream.end, stream.lastStart + (stream.lastDuration ?? typicalStep(stream))),
    );
    const first = Math.min(...streams.map(({ start }) => start));
    return Math.round(1000 * (Math.max(...ends) - Math.max(first, (startMs ?? Number.NEGATIVE_INFINITY) / 1000)));
  }

  /** Packets per second of a stream, on average; null where it has fewer than two. */
  rate(streamIndex: number): Fraction | null {
    const stream = this.#streams.get(streamIndex);
    const step = stream === undefined ? 0 : typicalStep(stream);
    return step > 0 ? { num: Math.round(1000 / step), den: 1000 } : null;
  }
}

function isTime(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

function typicalStep({ packets, lastStart, start }: StreamTimeline): number {
  return packets > 1 ? (lastStart - start) / (packets - 1) : 0;
}

/** Decoding times rise; where they fall or leap, the clock was set, and the stream goes on where it was. */
function removeJump(stream: StreamTimeline, dts: number): void {
  const step = stream.previousDts === null ? 0 : dts - stream.previousDts;
  if (step < 0 || step > JUMP_SECONDS) stream.offset += stream.step - step;
  else stream.step = step;
  stream.previousDts = dts;
}
