import { randomBytes } from 'node:crypto';
import { LiveManifest } from '@reelgraph/manifests';
import { VIDEO_TIMESCALE } from '@reelgraph/mp4';
import { DASH_SEGMENT_PATTERN, dashAudio, dashVideo, isVideo, type Rendition } from '../../../media/index.ts';
import type { StoredSegmentRow } from '../broadcasts/broadcast-segments.store.ts';
import { LIVE_CLOCK } from '../broadcasts/live-names.ts';
import { type LiveSegment, targetSecondsOf } from '../packaging/live-stream.ts';
import { initName, type LiveFile } from '../packaging/live-track.ts';
import { type Patience, WaitingRequests } from '../packaging/waiting-requests.ts';
import { isOfEncoder, trackOf } from './live-renditions.ts';

/** When a segment is shown, or heard, and how long it is, in units of its track. */
interface Span {
  readonly start: number;
  readonly duration: number;
}

/** A complete segment of what the encoder sends. */
interface DashSegment {
  readonly number: number;
  readonly init: number;
  readonly isDiscontinuity: boolean;
  readonly arrivedAtMs: number;
  readonly pictures: Span;
  /** Null where there is none. */
  readonly sound: Span | null;
}

export interface LiveDashOptions {
  readonly windowSeconds: number;
  readonly now: () => number;
  /** Names of the tracks of the sizes that are being encoded, which will have the segment that is complete. */
  readonly encoding: () => readonly string[];
}

/** A segment that waits until the other sizes have it. */
interface Waiting {
  readonly segment: DashSegment;
  readonly renditions: readonly Rendition[];
}

/**
 * The DASH manifest of a broadcast in memory. Segments are listed once all sizes that are being encoded have them, and
 * no later than the next segment is complete: a size that does not have one by then is left out of its period.
 */
export class LiveDash {
  readonly #options: LiveDashOptions;
  #manifest: LiveManifest | null = null;
  #waiting: Waiting | null = null;
  /** Names of the tracks of sizes that have a segment, by its number, of segments that are not listed. */
  readonly #sizes = new Map<number, Set<string>>();
  readonly #requests = new WaitingRequests();
  #file: (LiveFile & { readonly text: string }) | null = null;
  #versions = 0;
  /** Another process that continues the broadcast has other texts. */
  readonly #tag = randomBytes(6).toString('hex');

  constructor(options: LiveDashOptions) {
    this.#options = options;
  }

  /** Lists what was stored of a broadcast that began at a Unix time in milliseconds. */
  restore(rows: readonly StoredSegmentRow[], renditions: readonly Rendition[], startedAtMs: number): void {
    const { windowSeconds, now } = this.#options;
    this.#manifest = storedManifest(rows, renditions, { startedAtMs, windowSeconds, nowMs: now() });
  }

  /** Adds a segment of the encoder's own tracks, which are described by `renditions`, like the sizes. */
  add(segment: LiveSegment, renditions: readonly Rendition[]): void {
    this.flush();
    this.#waiting = { segment: dashSegment(segment), renditions };
    this.#listIfComplete();
  }

  /** A size has a segment: the one with this name of its track. */
  addSize(track: string, number: number): void {
    if (this.#waiting !== null && number < this.#waiting.segment.number) return;
    const sizes = this.#sizes.get(number) ?? new Set();
    this.#sizes.set(number, sizes.add(track));
    this.#listIfComplete();
  }

  /** No size gets the last segment that does not have it. */
  flush(): void {
    if (this.#waiting) this.#list(this.#waiting);
  }

  /** Nothing follows. */
  end(): void {
    this.flush();
    this.#manifest?.end();
  }

  /** The manifest, which is waited for before the first segment is listed; null where none was. */
  async file(patience: Patience): Promise<LiveFile | null> {
    await this.#requests.wait(() => this.#manifest !== null, patience);
    const text = this.#manifest?.text();
    if (text === undefined) return null;
    if (this.#file?.text !== text) {
      this.#versions += 1;
      this.#file = { text, body: Buffer.from(text), etag: `"${this.#tag}-${this.#versions}"` };
    }
    return this.#file;
  }

  #listIfComplete(): void {
    if (!this.#waiting) return;
    const sizes = this.#sizes.get(this.#waiting.segment.number);
    if (this.#options.encoding().every((name) => sizes?.has(name))) this.#list(this.#waiting);
  }

  #list({ segment, renditions }: Waiting): void {
    const { windowSeconds, now } = this.#options;
    this.#manifest ??= newManifest(segment, segment.arrivedAtMs, windowSeconds);
    const sizes = this.#sizes.get(segment.number) ?? new Set();
    this.#manifest.addSegment(listed(segment, renditions, sizes), now());
    this.#waiting = null;
    for (const number of this.#sizes.keys()) if (number <= segment.number) this.#sizes.delete(number);
    this.#requests.wake();
  }
}

/** The manifest of what was stored of a broadcast that has ended; null where that is nothing. */
export function recordedManifest(
  rows: readonly StoredSegmentRow[],
  renditions: readonly Rendition[],
  startedAtMs: number,
): string | null {
  const times = { startedAtMs, windowSeconds: Number.POSITIVE_INFINITY, nowMs: startedAtMs };
  const manifest = storedManifest(rows, renditions, times);
  manifest?.end();
  return manifest?.text() ?? null;
}

function storedManifest(
  rows: readonly StoredSegmentRow[],
  renditions: readonly Rendition[],
  times: { readonly startedAtMs: number; readonly windowSeconds: number; readonly nowMs: number },
): LiveManifest | null {
  const [first] = rows;
  if (!first) return null;
  const manifest = newManifest(storedSegment(first), times.startedAtMs, times.windowSeconds);
  for (const row of rows) {
    const sizes = new Set(Object.keys(row.sizes ?? {}));
    manifest.addSegment(listed(storedSegment(row), renditions, sizes), times.nowMs);
  }
  return manifest;
}

function newManifest({ pictures }: DashSegment, startsAtMs: number, windowSeconds: number): LiveManifest {
  return new LiveManifest({
    ...{ startsAtMs, windowSeconds, targetSeconds: targetSecondsOf(pictures.duration / VIDEO_TIMESCALE) },
    ...{ mediaUri: `$RepresentationID$/${DASH_SEGMENT_PATTERN}`, clockUri: LIVE_CLOCK },
  });
}

function listed(
  { number, init, isDiscontinuity, arrivedAtMs, pictures, sound }: DashSegment,
  renditions: readonly Rendition[],
  sizes: ReadonlySet<string>,
): Parameters<LiveManifest['addSegment']>[0] {
  const video = renditions.filter(isVideo).filter((each) => isOfEncoder(each) || sizes.has(trackOf(each)));
  const audio = renditions.find((each) => !isVideo(each));
  const hasSound = sound !== null && audio !== undefined && !isVideo(audio);
  return {
    ...{ number, isDiscontinuity, startsAtMs: arrivedAtMs, initUri: `$RepresentationID$/${initName(init)}` },
    pictures: { ...pictures, timescale: VIDEO_TIMESCALE },
    video: video.map((each) => dashVideo(each, trackOf(each))),
    sound: hasSound ? { ...sound, timescale: audio.timescale, track: dashAudio(audio, trackOf(audio), false) } : null,
  };
}

function dashSegment({ number, init, isDiscontinuity, arrivedAtMs, video, audio }: LiveSegment): DashSegment {
  return {
    ...{ number, init, isDiscontinuity, arrivedAtMs },
    pictures: { start: video.start + video.shift, duration: video.duration },
    sound: audio && audio.bytes.length > 0 ? { start: audio.start, duration: audio.duration } : null,
  };
}

function storedSegment(row: StoredSegmentRow): DashSegment {
  const { number, init, isDiscontinuity, startTicks, videoShift, videoDuration, audioStart, audioDuration } = row;
  return {
    ...{ number, init, isDiscontinuity, arrivedAtMs: Date.parse(row.arrivedAt) },
    pictures: { start: startTicks + videoShift, duration: videoDuration },
    sound: audioStart === null ? null : { start: audioStart, duration: audioDuration },
  };
}
