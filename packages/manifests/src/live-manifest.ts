/** The DASH manifest of a stream that goes on (ISO/IEC 23009-1, `type="dynamic"`, profile isoff-live). */

import { MPD_ATTRIBUTES } from './dash-manifest.ts';
import { audioSets, type DashAudioFacts, type DashVideoFacts, videoSets } from './dash-sets.ts';
import { element, type Lines, spelled, XML_HEAD } from './dash-xml.ts';
import { SegmentRuns, type SegmentSpan } from './segment-runs.ts';

export interface LiveManifestOptions {
  /** When the presentation began, Unix time in milliseconds (`availabilityStartTime`). */
  readonly startsAtMs: number;
  /** About the length of segments: players load the manifest again after as long (`minimumUpdatePeriod`). */
  readonly targetSeconds: number;
  /** Segments stay listed as long as those behind them have so many seconds; Infinity keeps them all. */
  readonly windowSeconds: number;
  /** Address of a segment, relative to the manifest, with `$RepresentationID$` and `$Number$` (section 5.3.9.4.4). */
  readonly mediaUri: string;
  /** Address at which the server says its time, relative to the manifest (UTCTiming, `http-iso`). */
  readonly clockUri: string;
}

/** The same time of all tracks: a complete segment of each. */
export interface LiveManifestSegment {
  /** The next one, unless segments are missing. */
  readonly number: number;
  /** Whether it does not continue the segment before it. */
  readonly isDiscontinuity: boolean;
  /** When it began, Unix time in milliseconds. */
  readonly startsAtMs: number;
  /** Address of the initialization segments, relative to the manifest, with `$RepresentationID$`. */
  readonly initUri: string;
  /** Times of presentation of its pictures. */
  readonly pictures: TimedSpan;
  /** The sizes that have it. */
  readonly video: readonly DashVideoFacts[];
  /** Null where there is no sound. */
  readonly sound: (TimedSpan & { readonly track: DashAudioFacts }) | null;
}

/** A span of time, in units of its track. */
interface TimedSpan extends SegmentSpan {
  /** Units per second. */
  readonly timescale: number;
}

/** Of the end that players keep away from, in target durations. */
const HOLD_BACK = 3;
/** Where so many segments have all come so late, those that follow begin a period. */
const LATE_SEGMENTS = 5;
const LATE_SECONDS = 2;

/**
 * Lists what a live stream has made, segment by segment. A text is made once for each change, however many clients ask.
 * A period ends with a discontinuity, where other tracks are offered, or segments are missing. It begins when its first
 * segment did, so that players can tell from the time which segments there are.
 */
export class LiveManifest {
  readonly #options: LiveManifestOptions;
  readonly #periods: Period[] = [];
  #seconds = 0;
  #longestSeconds = 0;
  #publishedAtMs = 0;
  /** By how much the last segments came later than their times say, in seconds. */
  #late: number[] = [];
  #isEnded = false;
  #text: string | null = null;

  constructor(options: LiveManifestOptions) {
    this.#options = options;
  }

  /** `nowMs` is the Unix time in milliseconds. */
  addSegment(segment: LiveManifestSegment, nowMs: number): void {
    const period = this.#periodOf(segment);
    this.#seconds += period.add(segment);
    this.#longestSeconds = Math.max(this.#longestSeconds, segment.pictures.duration / segment.pictures.timescale);
    this.#dropOld();
    [this.#publishedAtMs, this.#text] = [nowMs, null];
  }

  /** Nothing follows: it is the manifest of a finished video. */
  end(): void {
    [this.#isEnded, this.#text] = [true, null];
  }

  text(): string {
    this.#text ??= XML_HEAD + this.#write().join('\n').concat('\n');
    return this.#text;
  }

  #write(): Lines {
    const last = this.#periods.at(-1);
    const periods = this.#periods.map((period) => period.lines(this.#options.mediaUri, period !== last));
    if (!this.#isEnded) return element('MPD', this.#dynamicAttributes(), [...periods, this.#clock()]);
    const attributes = {
      ...{ ...MPD_ATTRIBUTES, type: 'static', mediaPresentationDuration: spelled(last?.endSeconds ?? 0) },
      minBufferTime: spelled(this.#longestSeconds),
    };
    return element('MPD', attributes, periods);
  }

  #dynamicAttributes() {
    const { startsAtMs, targetSeconds, windowSeconds } = this.#options;
    return {
      ...{ ...MPD_ATTRIBUTES, type: 'dynamic', availabilityStartTime: new Date(startsAtMs).toISOString() },
      publishTime: new Date(this.#publishedAtMs).toISOString(),
      minimumUpdatePeriod: spelled(targetSeconds),
      minBufferTime: spelled(this.#longestSeconds),
      timeShiftBufferDepth: windowSeconds === Number.POSITIVE_INFINITY ? null : spelled(windowSeconds),
      suggestedPresentationDelay: spelled(HOLD_BACK * targetSeconds),
      maxSegmentDuration: spelled(this.#longestSeconds),
    };
  }

  #clock(): Lines {
    const { clockUri } = this.#options;
    return element('UTCTiming', { schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: clockUri });
  }

  #periodOf(segment: LiveManifestSegment): Period {
    const last = this.#periods.at(-1);
    const isFollowed = last !== undefined && !segment.isDiscontinuity && !this.#isLate(last, segment);
    if (isFollowed && last.isContinuedBy(segment)) return last;
    const startSeconds = isFollowed ? last.timeOf(segment) : Math.max(last?.endSeconds ?? 0, this.#beganAt(segment));
    const period = new Period(segment, startSeconds);
    this.#periods.push(period);
    this.#late = [];
    return period;
  }

  #beganAt({ startsAtMs }: LiveManifestSegment): number {
    return (startsAtMs - this.#options.startsAtMs) / 1_000;
  }

  /** Whether segments come so much later than they are said to that players would wait for those that follow. */
  #isLate(last: Period, segment: LiveManifestSegment): boolean {
    this.#late = [...this.#late.slice(1 - LATE_SEGMENTS), this.#beganAt(segment) - last.timeOf(segment)];
    return this.#late.length === LATE_SEGMENTS && Math.min(...this.#late) > LATE_SECONDS;
  }

  #dropOld(): void {
    for (;;) {
      const [first] = this.#periods;
      if (!first || this.#seconds - first.firstSeconds < this.#options.windowSeconds) return;
      this.#seconds -= first.firstSeconds;
      first.dropFirst();
      if (first.isEmpty) this.#periods.shift();
    }
  }
}

/** Segments that continue each other, with the same tracks. */
class Period {
  readonly #id: number;
  readonly #tracks: Pick<LiveManifestSegment, 'initUri' | 'video' | 'sound'>;
  readonly #key: string;
  readonly #startSeconds: number;
  readonly #timescale: number;
  /** The time of presentation with which the period begins. */
  readonly #offset: number;
  readonly #pictures = new SegmentRuns();
  readonly #sound = new SegmentRuns();
  /** Numbers of the first segment, and of the one after the last. */
  #first: number;
  #next: number;

  constructor(segment: LiveManifestSegment, startSeconds: number) {
    const { number, pictures } = segment;
    [this.#id, this.#first, this.#next] = [number, number, number];
    [this.#tracks, this.#key, this.#startSeconds] = [segment, keyOf(segment), startSeconds];
    [this.#timescale, this.#offset] = [pictures.timescale, pictures.start];
  }

  get isEmpty(): boolean {
    return this.#pictures.isEmpty;
  }

  get endSeconds(): number {
    return this.#startSeconds + (this.#pictures.end - this.#offset) / this.#timescale;
  }

  /** Length of the first segment. */
  get firstSeconds(): number {
    return this.#pictures.firstDuration / this.#timescale;
  }

  /** When a segment would be in the presentation, if it belonged to the period. */
  timeOf({ pictures }: LiveManifestSegment): number {
    return this.#startSeconds + (pictures.start - this.#offset) / this.#timescale;
  }

  isContinuedBy(segment: LiveManifestSegment): boolean {
    return !segment.isDiscontinuity && segment.number === this.#next && keyOf(segment) === this.#key;
  }

  /** The length of the segment. */
  add({ number, pictures, sound }: LiveManifestSegment): number {
    this.#pictures.add(pictures);
    if (sound) this.#sound.add(sound);
    this.#next = number + 1;
    return pictures.duration / this.#timescale;
  }

  dropFirst(): void {
    this.#pictures.dropFirst();
    this.#sound.dropFirst();
    this.#first += 1;
  }

  /** The element. The length of one that others follow is known. */
  lines(mediaUri: string, isComplete: boolean): Lines {
    const { initUri, video, sound } = this.#tracks;
    const template = (runs: SegmentRuns, timescale: number): Lines =>
      element(
        'SegmentTemplate',
        {
          ...{ timescale, initialization: initUri, media: mediaUri, startNumber: this.#first },
          presentationTimeOffset: Math.round((this.#offset * timescale) / this.#timescale),
        },
        [runs.lines()],
      );
    const segments = (lines: Lines) => ({ ofSet: [lines], ofTrack: () => [] });
    const sets = videoSets(video, segments(template(this.#pictures, this.#timescale)));
    if (sound) sets.push(...audioSets([sound.track], segments(template(this.#sound, sound.timescale))));
    const duration = isComplete ? spelled(this.endSeconds - this.#startSeconds) : null;
    return element('Period', { id: this.#id, start: spelled(this.#startSeconds), duration }, sets);
  }
}

/** The same for segments with the same tracks. */
function keyOf({ initUri, video, sound }: LiveManifestSegment): string {
  const tracks = sound ? [...video, sound.track] : video;
  return [initUri, ...tracks.map(({ id, codecs }) => `${id} ${codecs}`)].join('\n');
}
