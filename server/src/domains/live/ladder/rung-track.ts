import { type FragmentedSample, type H264Entry, initSegment, StreamFragmenter, VIDEO_TIMESCALE } from '@reelgraph/mp4';
import type { LiveRung } from '../../../media/index.ts';
import type { LiveTrack } from '../packaging/live-track.ts';
import type { SegmentTimes } from './segment-times.ts';

/** Where the segments of a size go, by the name of its track. */
export interface RungOutput {
  readonly onInit: (track: string, number: number, bytes: Buffer) => void;
  readonly onSegment: (track: string, number: number, bytes: Buffer) => void;
}

export interface RungOptions extends RungOutput {
  readonly name: string;
  readonly rung: LiveRung;
  readonly track: LiveTrack;
  readonly times: SegmentTimes;
  /** No part is longer; Infinity for none. */
  readonly partSeconds: number;
}

/** Segments of the largest size, at its bit rate, have a fifth of it: a program that writes more is faulty. */
const MOST_SEGMENT_BYTES = 32 * 1024 ** 2;

/**
 * The playlist and the newest segments of a size that is encoded here. Its segments have the numbers of those of the
 * encoder's own pictures, and begin with the same pictures; those that were not encoded are gaps.
 */
export class RungTrack {
  readonly #options: RungOptions;
  #fragmenter: StreamFragmenter | null = null;
  #madeTicks = 0;
  #startTicks = 0;
  #segmentBytes = 0;
  /** Number of its newest initialization segment, and its bytes. */
  #init: { readonly number: number; readonly bytes: Buffer } | null = null;

  constructor(options: RungOptions) {
    this.#options = options;
  }

  get rung(): LiveRung {
    return this.#options.rung;
  }

  get track(): LiveTrack {
    return this.#options.track;
  }

  /** Up to where it is encoded, in 1/90000 s. */
  get madeTicks(): number {
    return this.#madeTicks;
  }

  /** What follows is encoded from the next segment on, whose first picture is shown at this time, in 1/90000 s. */
  begin(startTicks: number): void {
    const { partSeconds, times, track } = this.#options;
    [this.#startTicks, this.#madeTicks, this.#segmentBytes] = [startTicks, startTicks, 0];
    this.#fragmenter = new StreamFragmenter(
      {
        ...{ partSeconds, segmentSeconds: 0, startSeconds: startTicks / VIDEO_TIMESCALE, sound: null },
        endsSegmentAt: (ticks) => ticks >= (times.get(track.segment + 1)?.startTicks ?? Number.POSITIVE_INFINITY),
      },
      (part) => {
        if (part.part === 0) this.#open();
        const { segment } = track;
        track.addPart(part, part.durationSeconds);
        if (!part.completes) return;
        this.#segmentBytes = 0;
        this.#options.onSegment(this.#options.name, segment, part.completes.bytes);
      },
    );
  }

  /**
   * How its pictures are encoded, for the initialization segment with this number.
   * @throws Error where the pictures before, which have the same one, were encoded in another way.
   */
  entry(number: number, entry: H264Entry): void {
    const bytes = initSegment({ entry, startTime: 0, track: { timescale: VIDEO_TIMESCALE } });
    if (this.#init?.number === number) {
      if (!this.#init.bytes.equals(bytes)) throw new Error('A size is encoded in another way than before.');
      return;
    }
    this.#init = { number, bytes };
    this.track.addInit(number, bytes);
    this.#options.onInit(this.#options.name, number, bytes);
  }

  /** @throws Error where a segment becomes too large. */
  picture({ decodeTime, duration, data, isSync, shift }: FragmentedSample): void {
    this.#segmentBytes += data.length;
    if (this.#segmentBytes > MOST_SEGMENT_BYTES) throw new Error('A segment of a size is too large.');
    const ticksPerMs = VIDEO_TIMESCALE / 1_000;
    this.#madeTicks = this.#startTicks + decodeTime + duration;
    const frame = { timestamp: decodeTime / ticksPerMs, data, isKeyframe: isSync, compositionMs: shift / ticksPerMs };
    this.#fragmenter?.video(frame);
  }

  /** Nothing follows for now. What was made of the last segment is whole, or is not used. */
  end({ isWhole }: { readonly isWhole: boolean }): void {
    if (isWhole) this.#fragmenter?.end();
    this.#fragmenter = null;
  }

  /** Lists gaps in place of the segments before a number that it does not have. */
  fill(until: number): void {
    const { track, times } = this.#options;
    while (track.segment < until) {
      const time = times.get(track.segment);
      this.#open();
      track.addSegment({ durationSeconds: time?.durationSeconds ?? 0, isGap: true });
    }
  }

  /** Says of the segment that is next when it began, and whether it continues the one before it. */
  #open(): void {
    const { track, times } = this.#options;
    const time = times.get(track.segment);
    if (!time) return;
    if (time.discontinuity !== null) track.discontinue(time.discontinuity);
    track.startsAt(time.atMs);
  }
}
