import {
  type AacEntry,
  type H264Entry,
  type hevcStreamEntry,
  initSegment,
  readFragment,
  StreamFragmenter,
  type StreamFrame,
  type StreamPart,
  type StreamSegment,
  VIDEO_TIMESCALE,
  type VideoFrame,
} from '@reelgraph/mp4';
import type { ArrivedPart } from './arrived-part.ts';
import { LiveTrack } from './live-track.ts';
import type { PictureListener } from './picture-listener.ts';
import { ProgramClock } from './program-clock.ts';
import { type StoredSegment, withMissing } from './stored-segments.ts';

/** The sample entry of pictures that browsers play as they come. */
export type LiveVideoEntry = H264Entry | ReturnType<typeof hevcStreamEntry>;

/** What an encoder sends. */
export interface LiveTracks {
  readonly video: LiveVideoEntry;
  /** Null without sound. */
  readonly audio: AacEntry | null;
}

/** A whole segment of all tracks. */
export interface LiveSegment {
  readonly number: number;
  /** Number of its initialization segments. */
  readonly init: number;
  /** Whether it does not continue the segment before it. */
  readonly isDiscontinuity: boolean;
  readonly startSeconds: number;
  readonly video: StreamSegment;
  /** Null without sound. */
  readonly audio: StreamSegment | null;
  /** When its first picture arrived, Unix time in milliseconds. */
  readonly arrivedAtMs: number;
}

export interface LiveStreamOptions {
  /** Whether parts of segments are offered before these are complete. */
  readonly lowLatency: boolean;
  /** How far viewers can rewind; Infinity for the whole broadcast. */
  readonly windowSeconds: number;
  readonly now: () => number;
  /** Initialization segments, before the segments that begin with them. */
  readonly onInit: (number: number, inits: LiveInits) => void;
  readonly onSegment: (segment: LiveSegment) => void;
  /** Parts of both tracks, before they are offered; default nothing. */
  readonly onPart?: (part: ArrivedPart) => void;
  /** Complete segments that stay in memory; default those that players at the live edge load. */
  readonly keptSegments?: number;
  /** The least length of a segment, which ends with the next keyframe; default 2. */
  readonly segmentSeconds?: number;
  /** No segment is longer; default by the first one, which ends with a keyframe. */
  readonly longestSegmentSeconds?: number;
  /** The first one is no longer, also without a keyframe; default as the others. */
  readonly firstSegmentSeconds?: number;
  /** Follows the pictures; default nobody. */
  readonly pictures?: PictureListener;
}

/** Initialization segments of the tracks. */
export interface LiveInits {
  readonly video: Buffer;
  readonly audio: Buffer | null;
}

/** Samples of a packet of AAC-LC. */
const PACKET_SAMPLES = 1_024;
/** No part is longer (EXT-X-PART-INF): half a second, and what pictures and packets of sound do not divide evenly. */
export const PART_SECONDS = 0.55;
/** The least length of a segment by default; it ends with the next keyframe. */
const SEGMENT_SECONDS = 2;
/** Without a keyframe for so long, a stream is refused. */
export const LONGEST_KEYFRAME_SECONDS = 12;
/** What is rounded to the same whole second (EXT-X-TARGETDURATION). */
const ROUNDED = 0.49;

/** EXT-X-TARGETDURATION of a stream whose first segment is so long. */
export function targetSecondsOf(firstSeconds: number): number {
  return Math.max(SEGMENT_SECONDS, Math.round(firstSeconds));
}

type Kind = 'video' | 'audio';

/** The first segment of a track, and its initialization segment. */
type FirstSegment = Pick<LiveSegment, 'number' | 'init'>;
const FIRST: FirstSegment = { number: 0, init: 0 };

interface TrackPair {
  readonly video: LiveTrack;
  /** Null without sound. */
  readonly audio: LiveTrack | null;
}

/**
 * Makes HLS of what an encoder sends, without encoding: parts, segments and playlists. A stream may be interrupted and
 * begun again, also with other sample entries; its time goes on.
 */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #clock = new ProgramClock();
  #tracks: TrackPair | null = null;
  #fragmenter: StreamFragmenter | null = null;
  #entries: LiveTracks | null = null;
  #inits: LiveInits | null = null;
  #init = -1;
  /** Of the first segment of the fragmenter. */
  #firstSegment = 0;
  #isDiscontinuity = false;
  #endSeconds = 0;
  /** No segment is longer, rounded; 0 until the first one is complete. */
  #targetSeconds = 0;
  /** When the segment of the pictures that is being made began, Unix time in milliseconds. */
  #segmentAtMs: number | null = null;
  /** Parts of the first segment, whose length playlists depend on. */
  #first: StreamPart[] = [];
  /** Completed in one track and not in the other. */
  readonly #halves: Record<Kind, StreamSegment[]> = { video: [], audio: [] };
  /** When the first pictures of segments arrived. */
  #arrivedAtMs: number | null = null;
  readonly #arrivals: number[] = [];

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#targetSeconds = options.longestSegmentSeconds ?? 0;
  }

  /** Whether viewers can play it: its first segment is complete. */
  get isPlayable(): boolean {
    return this.#tracks !== null;
  }

  /** What the encoder sends; null before it has begun. */
  get entries(): LiveTracks | null {
    return this.#entries;
  }

  /** How long it is. */
  get endSeconds(): number {
    return this.#endSeconds;
  }

  /** The track with this name; null where there is none. */
  track(kind: string): LiveTrack | null {
    return kind === 'video' || kind === 'audio' ? (this.#tracks?.[kind] ?? null) : null;
  }

  /** Continues a broadcast whose segments are stored, with its last initialization segments. */
  restore(segments: readonly StoredSegment[], inits: LiveInits): void {
    const [first] = segments;
    if (!first) return;
    const { video, audio } = this.#makeTracks(first.videoSeconds, first.audioSeconds !== null, first);
    for (const segment of withMissing(segments)) {
      const { videoSeconds, audioSeconds, startSeconds, isMissing } = segment;
      addStored(video, segment, { durationSeconds: videoSeconds, isGap: isMissing });
      const durationSeconds = isMissing ? videoSeconds : audioSeconds || videoSeconds;
      if (audio) addStored(audio, segment, { durationSeconds, isGap: isMissing || audioSeconds === 0 });
      this.#endSeconds = startSeconds + Math.max(videoSeconds, audioSeconds ?? 0);
    }
    [this.#firstSegment, this.#init, this.#inits] = [video.segment, segments.at(-1)?.init ?? 0, inits];
    this.#offerInit();
  }

  /** A track of another size of a broadcast that was restored, which has the segments with these numbers. */
  restoredTrack(segments: readonly StoredSegment[], numbers: ReadonlySet<number>): LiveTrack {
    const track = this.#newTrack(segments[0] ?? FIRST);
    for (const segment of withMissing(segments))
      addStored(track, segment, { durationSeconds: segment.videoSeconds, isGap: !numbers.has(segment.number) });
    return track;
  }

  /**
   * What follows has these sample entries. Nothing changes where they are those of before, and the encoder is the same.
   */
  begin(entries: LiveTracks): void {
    if (this.#fragmenter && this.#entries && areSame(entries, this.#entries)) return;
    this.interrupt();
    this.#entries = entries;
    const { video } = this.#beginInit(entries);
    const { audio } = entries;
    const { pictures } = this.#options;
    pictures?.begin(this.#init, video);
    const isContinued = this.#firstSegment > 0;
    const options = {
      partSeconds: PART_SECONDS,
      segmentSeconds: this.#options.segmentSeconds ?? SEGMENT_SECONDS,
      startSeconds: this.#endSeconds,
      sound: audio && { rate: audio.sampleRate, packetSamples: PACKET_SAMPLES },
    };
    this.#fragmenter = new StreamFragmenter(options, (part) => this.#take(part));
    this.#fragmenter.longestSegmentSeconds = this.#longestSeconds(isContinued);
    this.#isDiscontinuity = isContinued;
    this.#clock.restart();
    if (isContinued) for (const each of ['video', 'audio'] as const) this.#tracks?.[each]?.discontinue(this.#init);
  }

  #longestSeconds(isContinued: boolean): number {
    const { firstSegmentSeconds } = this.#options;
    if (firstSegmentSeconds !== undefined && !isContinued) return firstSegmentSeconds;
    return this.#targetSeconds > 0 ? this.#targetSeconds + ROUNDED : Number.POSITIVE_INFINITY;
  }

  video(frame: VideoFrame): void {
    this.#arrivedAtMs ??= this.#options.now();
    this.#fragmenter?.video(frame);
  }

  audio(frame: StreamFrame): void {
    this.#fragmenter?.audio(frame);
  }

  /** The encoder is gone: completes what has arrived, unless that was too little to be played. */
  interrupt(): void {
    if (this.isPlayable) this.#fragmenter?.end();
    if (this.#fragmenter) this.#options.pictures?.interrupt();
    this.#fragmenter = null;
    this.#firstSegment = this.#tracks?.video.segment ?? 0;
    [this.#halves.video.length, this.#halves.audio.length, this.#arrivals.length] = [0, 0, 0];
    [this.#first, this.#arrivedAtMs] = [[], null];
  }

  /** Nothing follows. */
  end(): void {
    this.interrupt();
    this.#tracks?.video.end();
    this.#tracks?.audio?.end();
    this.#options.pictures?.end();
  }

  /** Initialization segments that differ from those of before get the next number. */
  #beginInit(entries: LiveTracks): LiveInits {
    const { video, audio } = entries;
    const init = (entry: LiveVideoEntry | AacEntry, timescale: number) =>
      initSegment({ entry, startTime: 0, track: { timescale } });
    const inits = { video: init(video, VIDEO_TIMESCALE), audio: audio && init(audio, audio.sampleRate) };
    const before = this.#inits;
    const isKnown = before?.video.equals(inits.video) && (before.audio ?? NONE).equals(inits.audio ?? NONE);
    this.#inits = inits;
    if (isKnown) return inits;
    this.#init += 1;
    this.#options.onInit(this.#init, inits);
    this.#offerInit();
    return inits;
  }

  #offerInit(): void {
    if (!this.#inits || !this.#tracks) return;
    this.#tracks.video.addInit(this.#init, this.#inits.video);
    if (this.#inits.audio) this.#tracks.audio?.addInit(this.#init, this.#inits.audio);
  }

  /** Of the tracks of a stream that begins. */
  get #beginning(): FirstSegment {
    return { ...FIRST, init: this.#init };
  }

  #makeTracks(firstSeconds: number, hasSound: boolean, first: FirstSegment): TrackPair {
    this.#targetSeconds = this.#options.longestSegmentSeconds ?? targetSecondsOf(firstSeconds);
    const tracks = { video: this.#newTrack(first), audio: hasSound ? this.#newTrack(first) : null };
    this.#tracks = tracks;
    return tracks;
  }

  #newTrack({ init, number: firstSegment }: FirstSegment): LiveTrack {
    const { lowLatency, windowSeconds, keptSegments } = this.#options;
    const partSeconds = lowLatency ? PART_SECONDS : null;
    const options = { targetSeconds: this.#targetSeconds, partSeconds, windowSeconds, firstSegment, keptSegments };
    return new LiveTrack(options, init);
  }

  #take(part: StreamPart): void {
    if (part.track === 'video') {
      const now = this.#options.now();
      if (part.part === 0) this.#arrivals.push(this.#arrivedAtMs ?? now);
      this.#arrivedAtMs = part.completes ? null : this.#arrivedAtMs;
      this.#clock.note(part.startSeconds + part.durationSeconds, now);
    }
    this.#arrived(part);
    if (this.#tracks === null) {
      this.#first.push(part);
      if (part.track !== 'video' || !part.completes) return;
      this.#makeTracks(part.completes.durationSeconds, this.#entries?.audio != null, this.#beginning);
      this.#offerInit();
      this.#describe(part.completes);
      if (this.#fragmenter) this.#fragmenter.longestSegmentSeconds = this.#targetSeconds + ROUNDED;
      const begin = this.#first[0]?.startSeconds ?? 0;
      for (const kind of ['video', 'audio'] as const) this.#startsAt(kind, begin);
      for (const each of this.#first.splice(0)) this.#offer(each);
    } else this.#offer(part);
  }

  #arrived({ track, segment, bytes }: StreamPart): void {
    if (bytes.length === 0) return;
    this.#options.onPart?.({
      ...{ number: this.#firstSegment + segment, init: this.#init, track, bytes },
      isDiscontinuity: segment === 0 && this.#firstSegment > 0,
      arrivedAtMs: this.#arrivals.at(-1) ?? this.#options.now(),
      timescale: track === 'video' ? VIDEO_TIMESCALE : (this.#entries?.audio?.sampleRate ?? VIDEO_TIMESCALE),
    });
  }

  #offer(part: StreamPart): void {
    const track = this.#tracks?.[part.track];
    if (!track) return;
    const { completes } = part;
    const [video] = this.#halves.video;
    if (part.part === 0 && part.segment === 0 && this.#firstSegment > 0) this.#startsAt(part.track, part.startSeconds);
    if (part.track === 'video') this.#report(part, track.segment);
    track.addPart(part, video?.durationSeconds ?? SEGMENT_SECONDS);
    if (!completes) return;
    const end = completes.startSeconds + completes.durationSeconds;
    this.#endSeconds = Math.max(this.#endSeconds, end);
    this.#startsAt(part.track, end);
    if (part.track === 'video' && this.#entries?.audio === null)
      this.#tracks?.audio?.addSegment({ durationSeconds: completes.durationSeconds, isGap: true });
    this.#halves[part.track].push(completes);
    this.#join(part.segment);
  }

  /** The segment of a track that is being made begins at so many seconds. */
  #startsAt(kind: Kind, seconds: number): void {
    const atMs = this.#clock.at(seconds);
    if (kind === 'video') this.#segmentAtMs = atMs;
    this.#tracks?.[kind]?.startsAt(atMs);
  }

  /** What the first segment tells of the pictures. */
  #describe({ bytes, durationSeconds }: StreamSegment): void {
    const { width = 0, height = 0 } = this.#entries?.video ?? {};
    const frameRate = readFragment(bytes).durations.length / Math.max(durationSeconds, 0.001);
    this.#options.pictures?.open({ width, height, frameRate }, () => this.#newTrack(this.#beginning));
  }

  #report({ bytes, part, completes }: StreamPart, segment: number): void {
    const completesSeconds = completes?.durationSeconds ?? null;
    const reported = { segment, bytes, isFirst: part === 0, segmentAtMs: this.#segmentAtMs, completesSeconds };
    this.#options.pictures?.part(reported);
  }

  /** Reports a segment that all tracks have completed. */
  #join(segment: number): void {
    const { video: videos, audio: audios } = this.#halves;
    const hasSound = this.#tracks?.audio != null && this.#entries?.audio != null;
    if (videos.length === 0 || (hasSound && audios.length === 0)) return;
    const [video, audio] = [videos.shift(), hasSound ? audios.shift() : null];
    if (!video) return;
    this.#options.onSegment({
      number: this.#firstSegment + segment,
      ...{ init: this.#init, isDiscontinuity: this.#isDiscontinuity, startSeconds: video.startSeconds },
      ...{ video, audio: audio ?? null, arrivedAtMs: this.#arrivals.shift() ?? this.#options.now() },
    });
    this.#isDiscontinuity = false;
  }
}

/** Lists a segment that is stored, or missing. */
function addStored(
  track: LiveTrack,
  { init, isDiscontinuity, arrivedAtMs }: StoredSegment,
  segment: Parameters<LiveTrack['addSegment']>[0],
): void {
  if (isDiscontinuity) track.discontinue(init);
  track.startsAt(arrivedAtMs);
  track.addSegment(segment);
}

const NONE = Buffer.alloc(0);

function areSame(a: LiveTracks, b: LiveTracks): boolean {
  return a.video.bytes.equals(b.video.bytes) && (a.audio?.bytes ?? NONE).equals(b.audio?.bytes ?? NONE);
}
