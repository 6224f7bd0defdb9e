import type { Fraction } from './fraction.ts';
import { isDiscontinuous, pinnedInput } from './probe.ts';

/** Between two packets of a stream: a step that goes back or ahead by more is a jump of the clock. */
export interface Jumps {
  readonly backSeconds: number;
  readonly aheadSeconds: number;
}

/** Ahead as for ffmpeg (`-dts_delta_threshold`). */
const JUMPS_OF_BROADCASTS: Jumps = { backSeconds: 0, aheadSeconds: 10 };
/** Files may have long gaps, and times of which some are wrong by little. */
const JUMPS_OF_FILES: Jumps = { backSeconds: 0.1, aheadSeconds: 120 };

/** What is a jump of the clock in the streams of a demuxer. Pure. */
export function jumpsOf(demuxer: string): Jumps {
  return isDiscontinuous(demuxer) ? JUMPS_OF_BROADCASTS : JUMPS_OF_FILES;
}

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
    // ffprobe prints an empty line after a packet with side data, which those of transport streams have.
    if (Number.parseInt(fields[0] ?? '', 10) !== this.#stream || fields[4]?.[1] === 'D') return;
    const [pts, dts, duration] = fields.slice(1, 4).map((field) => Number.parseFloat(field));
    if (!isTime(pts)) {
      this.#isKnown = false;
      return;
    }
    if (isTime(dts)) {
      const step = dts - (this.#previousDts ?? dts);
      if (this.#discontinuous && (step < 0 || step > JUMPS_OF_BROADCASTS.aheadSeconds)) this.#isKnown = false;
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

/** The packets of one stream, in seconds. */
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
  readonly #jumps: Jumps | null;
  readonly #streams: ReadonlyMap<number, StreamTimeline>;
  #goBack = false;

  /** `jumps` are removed: the stream goes on where it was; null: times are as the packets have them. */
  constructor(jumps: Jumps | null, streamIndexes: readonly number[]) {
    this.#jumps = jumps;
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
    if (this.#jumps !== null && isTime(dts)) this.#removeJump(stream, dts, this.#jumps);
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

  get hasAny(): boolean {
    return [...this.#streams.values()].some(({ packets }) => packets > 0);
  }

  /** Whether the clock of a stream was set back, as it is where another recording follows. */
  get goBack(): boolean {
    return this.#goBack;
  }

  /** Packets per second of a stream, on average; null where it has fewer than two. */
  rate(streamIndex: number): Fraction | null {
    const stream = this.#streams.get(streamIndex);
    const step = stream === undefined ? 0 : typicalStep(stream);
    return step > 0 ? { num: Math.round(1000 / step), den: 1000 } : null;
  }

  /** Decoding times rise; where they fall or leap, the clock was set, and the stream goes on where it was. */
  #removeJump(stream: StreamTimeline, dts: number, { backSeconds, aheadSeconds }: Jumps): void {
    const step = stream.previousDts === null ? 0 : dts - stream.previousDts;
    if (step < -backSeconds) this.#goBack = true;
    if (step < -backSeconds || step > aheadSeconds) stream.offset += stream.step - step;
    else stream.step = step;
    stream.previousDts = dts;
  }
}

function isTime(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

function typicalStep({ packets, lastStart, start }: StreamTimeline): number {
  return packets > 1 ? (lastStart - start) / (packets - 1) : 0;
}
