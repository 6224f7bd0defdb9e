/** A media playlist of a stream that goes on (RFC 8216, and its second edition, draft-pantos-hls-rfc8216bis-17). */

export interface LivePlaylistOptions {
  /** No segment is longer, rounded to whole seconds (EXT-X-TARGETDURATION). */
  readonly targetSeconds: number;
  /** No part of a segment is longer (EXT-X-PART-INF); null for a playlist without parts. */
  readonly partSeconds: number | null;
  /** Complete segments stay listed as long as those behind them have so many seconds; Infinity keeps them all. */
  readonly windowSeconds: number;
  /** EXT-X-MAP, until a discontinuity has another one. */
  readonly initUri: string;
  /** Number of the first segment; default 0. */
  readonly firstSegment?: number;
  /** Where players begin (EXT-X-START); default where they like, which is near the end. */
  readonly startSeconds?: number;
}

/** A part of the segment that is being made (section 4.4.4.9). */
export interface LivePart {
  readonly uri: string;
  readonly durationSeconds: number;
  /** Whether it begins with a keyframe. */
  readonly isIndependent: boolean;
}

/** A complete segment. */
export interface LiveSegment {
  readonly uri: string;
  readonly durationSeconds: number;
  /** Whether there is nothing to load (EXT-X-GAP); default false. */
  readonly isGap?: boolean;
}

/** What a client has: the segment `_HLS_msn`, and of it the part `_HLS_part` (section 6.2.5.2); null for all of it. */
export interface LivePosition {
  readonly segment: number;
  readonly part: number | null;
}

/** What is known of a segment when it begins. */
interface Begun {
  readonly initUri: string;
  readonly isDiscontinuity: boolean;
  /** EXT-X-PROGRAM-DATE-TIME, or nothing. */
  readonly time: string;
}

interface Listed extends Begun {
  /** Lines of its parts, which are listed near the end only. */
  readonly parts: string;
  readonly lines: string;
  readonly durationSeconds: number;
}

const VERSION = 9;
/** Of the end that clients keep away from, in parts and in segments (section 4.4.3.8). */
const HOLD_BACK = 3;
/** Target durations from the end within which parts are listed (section 4.4.4.9). */
const PARTS_LISTED = 3;
/** Target durations from the end that a delta update has (section 4.4.5.2). */
const KEPT_IN_DELTA = 6;
/** A client may wait for a segment that is at most so far ahead of the last complete one (section 6.2.5.2). */
const MOST_AHEAD = 2;

/**
 * Lists what a live stream has made, part by part. A text is made once for each change, however many clients ask.
 */
export class LivePlaylist {
  readonly #options: LivePlaylistOptions;
  readonly #listed: Listed[] = [];
  /** Number of the first segment that is listed, and of the discontinuities before it. */
  #first: number;
  #discontinuities = 0;
  #seconds = 0;
  /** The segment that is being made. */
  #open: Begun;
  #parts: LivePart[] = [];
  #nextPartUri: string | null = null;
  #isEnded = false;
  readonly #texts = new Map<boolean, string>();

  constructor(options: LivePlaylistOptions) {
    [this.#options, this.#first] = [options, options.firstSegment ?? 0];
    this.#open = { initUri: options.initUri, isDiscontinuity: false, time: '' };
  }

  /** Number of the segment that is being made. */
  get segment(): number {
    return this.#first + this.#listed.length;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The segment that is being made begins at this Unix time, in milliseconds. */
  startsAt(unixMs: number): void {
    this.#open = { ...this.#open, time: `#EXT-X-PROGRAM-DATE-TIME:${new Date(unixMs).toISOString()}\n` };
    this.#texts.clear();
  }

  /** `nextUri` is that of the part that is made next, which clients ask for in advance (EXT-X-PRELOAD-HINT). */
  addPart(part: LivePart, nextUri: string | null): void {
    if (this.#options.partSeconds === null) throw new Error('This playlist has no parts.');
    this.#parts.push(part);
    this.#nextPartUri = nextUri;
    this.#texts.clear();
  }

  /** Completes the segment that is being made, of the parts that were added. */
  addSegment({ uri, durationSeconds, isGap = false }: LiveSegment): void {
    const lines = `${isGap ? '#EXT-X-GAP\n' : ''}#EXTINF:${durationSeconds.toFixed(6)},\n${uri}\n`;
    this.#listed.push({ ...this.#open, parts: this.#parts.map(partLine).join(''), lines, durationSeconds });
    this.#seconds += durationSeconds;
    this.#open = { initUri: this.#open.initUri, isDiscontinuity: false, time: '' };
    this.#parts = [];
    this.#dropOld();
    this.#texts.clear();
  }

  /**
   * What follows does not continue what was before (EXT-X-DISCONTINUITY). The parts of an incomplete segment are no
   * longer listed.
   */
  discontinue(initUri: string = this.#open.initUri): void {
    this.#open = { initUri, isDiscontinuity: this.segment > 0, time: '' };
    [this.#parts, this.#nextPartUri] = [[], null];
    this.#texts.clear();
  }

  /** Nothing follows (EXT-X-ENDLIST). */
  end(): void {
    [this.#parts, this.#nextPartUri, this.#isEnded] = [[], null, true];
    this.#texts.clear();
  }

  /** Whether the playlist has what a client waits for. It is also answered when the stream has ended. */
  has({ segment, part }: LivePosition): boolean {
    if (this.#isEnded || segment < this.segment) return true;
    return segment === this.segment && part !== null && part < this.#parts.length;
  }

  /** Whether a client waits for something so far ahead that it is mistaken. */
  isTooFar({ segment }: LivePosition): boolean {
    return !this.#isEnded && segment > this.segment - 1 + MOST_AHEAD;
  }

  /** `skip`: without older segments, for clients that have them (`_HLS_skip=YES`). */
  text({ skip = false }: { readonly skip?: boolean } = {}): string {
    const text = this.#texts.get(skip) ?? this.#write(skip);
    this.#texts.set(skip, text);
    return text;
  }

  #write(skip: boolean): string {
    const skipped = skip ? this.#countOutside(KEPT_IN_DELTA * this.#options.targetSeconds) : 0;
    const withParts = this.#countOutside(PARTS_LISTED * this.#options.targetSeconds);
    const lines = [...this.#header()];
    if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}\n`);
    for (const [index, segment] of this.#listed.entries()) {
      if (index < skipped) continue;
      lines.push(this.#head(segment, this.#listed[index - 1]));
      if (index >= withParts && !this.#isEnded) lines.push(segment.parts);
      lines.push(segment.lines);
    }
    if (this.#isEnded) return [...lines, '#EXT-X-ENDLIST\n'].join('');
    if (this.#parts.length > 0) lines.push(this.#head(this.#open, this.#listed.at(-1)), ...this.#parts.map(partLine));
    if (this.#nextPartUri !== null) lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${this.#nextPartUri}"\n`);
    return lines.join('');
  }

  *#header(): Generator<string> {
    const { targetSeconds, partSeconds, windowSeconds, startSeconds } = this.#options;
    yield `#EXTM3U\n#EXT-X-VERSION:${VERSION}\n#EXT-X-TARGETDURATION:${targetSeconds}\n`;
    const holdBack =
      partSeconds === null
        ? `HOLD-BACK=${HOLD_BACK * targetSeconds}`
        : `PART-HOLD-BACK=${(HOLD_BACK * partSeconds).toFixed(3)}`;
    const skipUntil = KEPT_IN_DELTA * targetSeconds;
    if (!this.#isEnded) yield `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=${skipUntil},${holdBack}\n`;
    if (partSeconds !== null && !this.#isEnded) yield `#EXT-X-PART-INF:PART-TARGET=${partSeconds.toFixed(3)}\n`;
    if (windowSeconds === Number.POSITIVE_INFINITY) yield '#EXT-X-PLAYLIST-TYPE:EVENT\n';
    if (startSeconds !== undefined) yield `#EXT-X-START:TIME-OFFSET=${startSeconds}\n`;
    yield `#EXT-X-MEDIA-SEQUENCE:${this.#first}\n`;
    if (this.#discontinuities > 0) yield `#EXT-X-DISCONTINUITY-SEQUENCE:${this.#discontinuities}\n`;
  }

  /** Tags before a segment; `before` is the one that is listed before it. */
  #head({ initUri, isDiscontinuity, time }: Begun, before: Begun | undefined): string {
    const discontinuity = isDiscontinuity && before ? '#EXT-X-DISCONTINUITY\n' : '';
    const map = before?.initUri !== initUri || discontinuity !== '' ? `#EXT-X-MAP:URI="${initUri}"\n` : '';
    return discontinuity + map + time;
  }

  /** How many segments end more than so many seconds before the end. */
  #countOutside(seconds: number): number {
    let [left, index] = [seconds, this.#listed.length];
    while (index > 0 && left > 0) {
      index -= 1;
      left -= this.#listed[index]?.durationSeconds ?? 0;
    }
    return index;
  }

  #dropOld(): void {
    for (;;) {
      const [first, second] = this.#listed;
      if (!first || !second || this.#seconds - first.durationSeconds < this.#options.windowSeconds) return;
      this.#listed.shift();
      this.#first += 1;
      this.#seconds -= first.durationSeconds;
      // The tag of the segment that is now the first is no longer listed.
      if (second.isDiscontinuity) this.#discontinuities += 1;
    }
  }
}

function partLine({ uri, durationSeconds, isIndependent }: LivePart): string {
  const independent = isIndependent ? ',INDEPENDENT=YES' : '';
  return `#EXT-X-PART:DURATION=${durationSeconds.toFixed(6)},URI="${uri}"${independent}\n`;
}
