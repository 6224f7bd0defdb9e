import { type StreamSample, streamFragment } from '../fragment.ts';
import { PartEnds } from './part-ends.ts';
import { StreamTimes } from './stream-times.ts';

export type StreamTrack = 'video' | 'audio';

export interface FragmenterOptions {
  /** Samples of a packet of sound, and its rate, which is its time scale; null for a stream without sound. */
  readonly sound: { readonly rate: number; readonly packetSamples: number } | null;
  /** No part is longer, unless a single sample is. */
  readonly partSeconds: number;
  /** A segment ends with the first keyframe after so many seconds. */
  readonly segmentSeconds: number;
  /** Whether a segment ends before the picture at a time in 1/90000 s, in place of that rule. */
  readonly endsSegmentAt?: (ticks: number) => boolean;
  /** When the stream begins, for one that continues another; default 0. */
  readonly startSeconds?: number;
}

/** A whole segment, as one fragment. */
export interface StreamSegment {
  readonly startSeconds: number;
  /** When its first sample is decoded, and from then until it is shown, in units of its track. */
  readonly start: number;
  readonly shift: number;
  readonly durationSeconds: number;
  /** In units of its track, which is the sum of those of its samples. */
  readonly duration: number;
  /** Empty where its track had nothing meanwhile. */
  readonly bytes: Buffer;
}

/** A part of a segment: a fragment of its own. The parts of a segment, one after the other, are the segment. */
export interface StreamPart {
  readonly track: StreamTrack;
  /** From 0, the same for all tracks at the same time. */
  readonly segment: number;
  /** From 0 within the segment. */
  readonly part: number;
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Whether it begins with a keyframe. */
  readonly isIndependent: boolean;
  /** The segment that it ends; null where others follow. */
  readonly completes: StreamSegment | null;
  /** Empty where a track has nothing meanwhile. */
  readonly bytes: Buffer;
}

/** A sample of an encoder. */
export interface StreamFrame {
  /** Of its decoding, in milliseconds modulo 2^32. */
  readonly timestamp: number;
  readonly data: Buffer;
}

export interface VideoFrame extends StreamFrame {
  readonly isKeyframe: boolean;
  /** From decoding to presentation. */
  readonly compositionMs: number;
}

/** The time scale of pictures. */
export const VIDEO_TIMESCALE = 90_000;
const TICKS_PER_MS = VIDEO_TIMESCALE / 1_000;
/** Of the only picture of a stream, and of the first ones of two at the same time. */
const SHORTEST_TICKS = TICKS_PER_MS;
/** Sound may be so far from its timestamps before its packets get longer or shorter by a sample. */
const DRIFT_SECONDS = 0.02;
/** Further apart, there is a gap. */
const GAP_SECONDS = 0.1;
/** Sound is waited for as long, then its part ends without it. */
const PATIENCE_SECONDS = 3;

/** A picture and the time of its decoding. */
interface Pending {
  readonly frame: VideoFrame;
  readonly ticks: number;
}

/** Where parts of the video end. */
interface Boundary {
  readonly seconds: number;
  readonly endsSegment: boolean;
}

/**
 * Makes fragments of the samples of a live encoder, without an index and without waiting for more than one picture.
 * Segments begin with keyframes; sound is divided at the same times. Pictures before the first keyframe are dropped.
 */
export class StreamFragmenter {
  /** No segment is longer, even where it then ends without a keyframe. */
  longestSegmentSeconds = Number.POSITIVE_INFINITY;
  readonly #options: FragmenterOptions;
  readonly #onPart: (part: StreamPart) => void;
  readonly #times = new StreamTimes();
  /** Where the first keyframe is on that time line, in milliseconds: the stream begins with it. */
  #originMs = 0;
  readonly #video: PartBuilder;
  readonly #audio: PartBuilder | null;
  readonly #partEnds: PartEnds;
  /** Of the video, which sound has not reached. */
  readonly #boundaries: Boundary[] = [];
  /** Whose duration the next one tells. */
  #pending: Pending | null = null;
  #stepTicks = SHORTEST_TICKS;
  #segmentStart = 0;
  /** Of the next packet of sound, in samples. */
  #soundAt: number | null = null;

  constructor(options: FragmenterOptions, onPart: (part: StreamPart) => void) {
    this.#options = options;
    this.#onPart = onPart;
    this.#video = new PartBuilder('video', VIDEO_TIMESCALE);
    this.#audio = options.sound && new PartBuilder('audio', options.sound.rate);
    // A part of the sound ends up to a packet later than that of the pictures.
    const packetSeconds = options.sound ? options.sound.packetSamples / options.sound.rate : 0;
    this.#partEnds = new PartEnds(VIDEO_TIMESCALE * (options.partSeconds - packetSeconds), VIDEO_TIMESCALE);
    this.#partEnds.begin(VIDEO_TIMESCALE * options.segmentSeconds, 0);
  }

  video(frame: VideoFrame): void {
    const placedMs = this.#times.place('video', frame.timestamp);
    if (this.#pending === null && !frame.isKeyframe) return;
    if (this.#pending === null) this.#originMs = placedMs;
    const ticks = Math.round(TICKS_PER_MS * this.#fromStartMs(placedMs));
    if (this.#pending === null) this.#segmentStart = ticks;
    else this.#complete(this.#pending, ticks, frame.isKeyframe);
    this.#pending = { frame, ticks };
  }

  audio({ timestamp, data }: StreamFrame): void {
    const { sound } = this.#options;
    if (sound === null || this.#audio === null) return;
    const given = Math.round((this.#fromStartMs(this.#times.place('audio', timestamp)) * sound.rate) / 1_000);
    // Sound before the first picture is dropped with it.
    if (this.#pending === null || (this.#soundAt === null && given < this.#inSamples(this.#segmentStart))) return;
    const expected = this.#soundAt ?? given;
    const offBy = (given - expected) / sound.rate;
    // Sound that comes too early follows what was there; a gap stays a gap.
    const start = offBy > GAP_SECONDS ? given : expected;
    const drift = Math.abs(offBy) > DRIFT_SECONDS && start === expected ? Math.sign(offBy) : 0;
    const duration = sound.packetSamples + drift;
    this.#cutSound(start / sound.rate);
    this.#audio.add({ data, duration, shift: 0, isSync: true }, start);
    this.#soundAt = start + duration;
  }

  #fromStartMs(placedMs: number): number {
    return placedMs - this.#originMs + 1_000 * (this.#options.startSeconds ?? 0);
  }

  /** Completes what has arrived: nothing follows. */
  end(): void {
    if (this.#pending) this.#complete(this.#pending, this.#pending.ticks + this.#stepTicks, true, true);
    this.#pending = null;
    while (this.#boundaries.length > 0) this.#closeSound();
  }

  /** The pending picture has the duration up to the next one, `until`, before which a part or a segment may end. */
  #complete({ frame, ticks }: Pending, until: number, isKeyframe: boolean, isEnd = false): void {
    const duration = Math.max(SHORTEST_TICKS, until - ticks);
    const { data, compositionMs, isKeyframe: isSync } = frame;
    this.#video.add({ data, duration, shift: Math.round(TICKS_PER_MS * compositionMs), isSync }, ticks);
    this.#stepTicks = duration;
    const { segmentSeconds, endsSegmentAt } = this.#options;
    const length = until - this.#segmentStart;
    const isLong = length >= VIDEO_TIMESCALE * segmentSeconds - duration / 2;
    const isTooLong = length + duration > VIDEO_TIMESCALE * this.longestSegmentSeconds;
    const isDue = endsSegmentAt ? endsSegmentAt(until) : isTooLong || (isKeyframe && isLong);
    const endsSegment = isEnd || isDue;
    if (!endsSegment && !this.#partEnds.isDue(this.#video.ticks, length, duration)) return;
    this.#emit(this.#video, endsSegment);
    if (endsSegment) {
      this.#segmentStart = until;
      this.#partEnds.begin(length, duration);
    }
    if (this.#audio === null) return;
    this.#boundaries.push({ seconds: until / VIDEO_TIMESCALE, endsSegment });
    const waiting = until / VIDEO_TIMESCALE - PATIENCE_SECONDS;
    while (this.#boundaries[0] && this.#boundaries[0].seconds < waiting) this.#closeSound();
  }

  /** Ends the parts of sound whose boundaries a packet that begins at this time has reached. */
  #cutSound(seconds: number): void {
    while (this.#boundaries[0] && seconds >= this.#boundaries[0].seconds) this.#closeSound();
  }

  #closeSound(): void {
    const boundary = this.#boundaries.shift();
    if (boundary && this.#audio) this.#emit(this.#audio, boundary.endsSegment);
  }

  #emit(builder: PartBuilder, endsSegment: boolean): void {
    const part = builder.take(endsSegment);
    if (part) this.#onPart(part);
  }

  #inSamples(ticks: number): number {
    return (ticks * (this.#options.sound?.rate ?? 0)) / VIDEO_TIMESCALE;
  }
}

/** Samples that follow each other, in units of their track. */
class SampleRun {
  samples: StreamSample[] = [];
  /** Of the first sample; without one, of what follows the last run. */
  start = 0;
  ticks = 0;

  add(sample: StreamSample, start: number): void {
    if (this.samples.length === 0) this.start = start;
    // A gap in the middle lengthens the sample before it.
    const gap = start - (this.start + this.ticks);
    const last = this.samples.at(-1);
    if (last && gap > 0) {
      this.samples[this.samples.length - 1] = { ...last, duration: last.duration + gap };
      this.ticks += gap;
    }
    this.samples.push(sample);
    this.ticks += sample.duration;
  }

  /** As a fragment; empty without samples. */
  fragment(sequence: number): Buffer {
    return this.samples.length === 0 ? Buffer.alloc(0) : streamFragment(this.samples, this.start, sequence);
  }

  clear(): void {
    [this.start, this.samples, this.ticks] = [this.start + this.ticks, [], 0];
  }
}

/** Collects the samples of a part, and of its segment. */
class PartBuilder {
  readonly #track: StreamTrack;
  readonly #timescale: number;
  readonly #run = new SampleRun();
  readonly #whole = new SampleRun();
  #segment = 0;
  #part = 0;
  #fragments = 0;

  constructor(track: StreamTrack, timescale: number) {
    [this.#track, this.#timescale] = [track, timescale];
  }

  /** Of the samples of the part. */
  get ticks(): number {
    return this.#run.ticks;
  }

  add(sample: StreamSample, start: number): void {
    this.#run.add(sample, start);
    this.#whole.add(sample, start);
  }

  /** The part; null where nothing is there and its segment goes on. */
  take(endsSegment: boolean): StreamPart | null {
    const { samples, start, ticks } = this.#run;
    if (samples.length === 0 && !endsSegment) return null;
    this.#fragments += 1;
    const part: StreamPart = {
      ...{ track: this.#track, segment: this.#segment, part: this.#part },
      ...{ startSeconds: start / this.#timescale, durationSeconds: ticks / this.#timescale },
      isIndependent: samples[0]?.isSync ?? false,
      completes: endsSegment ? this.#takeWhole() : null,
      bytes: this.#run.fragment(this.#fragments),
    };
    this.#run.clear();
    [this.#segment, this.#part] = endsSegment ? [this.#segment + 1, 0] : [this.#segment, this.#part + 1];
    return part;
  }

  #takeWhole(): StreamSegment {
    const { start, ticks, samples } = this.#whole;
    const segment = {
      ...{ start, shift: samples[0]?.shift ?? 0 },
      ...{ startSeconds: start / this.#timescale, durationSeconds: ticks / this.#timescale, duration: ticks },
      bytes: this.#whole.fragment(this.#segment + 1),
    };
    this.#whole.clear();
    return segment;
  }
}
