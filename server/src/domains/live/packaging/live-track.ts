import { randomBytes } from 'node:crypto';
import { LivePlaylist, type LivePlaylistOptions, type LivePosition } from '@reelgraph/manifests';
import type { StreamPart } from '@reelgraph/mp4';
import { INIT_NAME, segmentName } from '../../../media/index.ts';
import { type Patience, WaitingRequests } from './waiting-requests.ts';

/** Complete segments that stay in memory with their parts by default: those that players at the live edge load. */
const KEPT_SEGMENTS = 8;
/** Of them together; the last one stays, however large it is. */
const KEPT_BYTES = 64 * 1024 ** 2;

/** The name of an initialization segment. */
export function initName(number: number): string {
  return number === 0 ? INIT_NAME : INIT_NAME.replace('.', `-${number}.`);
}

function partName(segment: number, part: number): string {
  return segmentName(segment).replace('.', `.${part}.`);
}

const PART = /^seg-(\d{5,})\.(\d+)\.m4s$/;

/** Where a part with this name is; null for other names. */
export function partOf(name: string): (LivePosition & { readonly part: number }) | null {
  const [, segment, part] = PART.exec(name) ?? [];
  return segment === undefined || part === undefined ? null : { segment: Number(segment), part: Number(part) };
}

/** A file as it is sent. */
export interface LiveFile {
  readonly body: Buffer;
  readonly etag: string;
}

export interface LiveTrackOptions extends Omit<LivePlaylistOptions, 'initUri'> {
  /** Complete segments that stay in memory; default those that players at the live edge load. */
  readonly keptSegments?: number | undefined;
}

/** The playlist of a track of a live stream, and its newest segments and parts. */
export class LiveTrack {
  readonly #playlist: LivePlaylist;
  readonly #hasParts: boolean;
  readonly #mostKept: number;
  /** By name. */
  readonly #files = new Map<string, Buffer>();
  /** Numbers of the complete segments in memory, and the bytes of all files. */
  readonly #kept: number[] = [];
  #bytes = 0;
  readonly #waiting = new WaitingRequests();
  /** Of the playlist: whole, and without older segments. */
  #texts: readonly (LiveFile & { readonly text: string })[] = [];
  #versions = 0;
  /** Another process that continues the broadcast has other texts. */
  readonly #tag = randomBytes(6).toString('hex');

  constructor({ keptSegments = KEPT_SEGMENTS, ...options }: LiveTrackOptions, init: number) {
    this.#playlist = new LivePlaylist({ ...options, initUri: initName(init) });
    this.#mostKept = keptSegments;
    this.#hasParts = options.partSeconds !== null;
  }

  /** Number of the segment that is being made. */
  get segment(): number {
    return this.#playlist.segment;
  }

  /** The segment that is being made begins at this Unix time, in milliseconds. */
  startsAt(unixMs: number | null): void {
    if (unixMs !== null) this.#playlist.startsAt(unixMs);
  }

  /** An initialization segment of the track. */
  addInit(number: number, bytes: Buffer): void {
    this.#files.set(initName(number), bytes);
  }

  /** Adds a part of the segment that is being made. `gapSeconds` is how long a segment without bytes is. */
  addPart({ part, bytes, durationSeconds, isIndependent, completes }: StreamPart, gapSeconds: number): void {
    const { segment } = this;
    if (bytes.length > 0 && this.#hasParts) {
      const uri = partName(segment, part);
      this.#keep(uri, bytes);
      const next = completes ? partName(segment + 1, 0) : partName(segment, part + 1);
      this.#playlist.addPart({ uri, durationSeconds, isIndependent }, next);
    }
    if (completes) {
      const isGap = completes.bytes.length === 0;
      if (!isGap) this.#keep(segmentName(segment), completes.bytes);
      this.addSegment({ durationSeconds: isGap ? gapSeconds : completes.durationSeconds, isGap });
    } else this.#waiting.wake();
  }

  /** Completes the segment that is being made, which may be stored already. */
  addSegment(segment: { readonly durationSeconds: number; readonly isGap: boolean }): void {
    const { segment: number } = this;
    this.#playlist.addSegment({ ...segment, uri: segmentName(number) });
    this.#kept.push(number);
    while (this.#kept.length > this.#mostKept || (this.#kept.length > 1 && this.#bytes > KEPT_BYTES))
      this.#forgetOldest();
    this.#waiting.wake();
  }

  #keep(name: string, bytes: Buffer): void {
    this.#files.set(name, bytes);
    this.#bytes += bytes.length;
  }

  #forget(name: string): boolean {
    this.#bytes -= this.#files.get(name)?.length ?? 0;
    return this.#files.delete(name);
  }

  #forgetOldest(): void {
    const number = this.#kept.shift() ?? 0;
    this.#forget(segmentName(number));
    for (let part = 0; this.#forget(partName(number, part)); part += 1);
  }

  /** What follows does not continue what was before. */
  discontinue(init: number): void {
    this.#playlist.discontinue(initName(init));
    this.#waiting.wake();
  }

  end(): void {
    this.#playlist.end();
    this.#waiting.wake();
  }

  /**
   * The playlist. With a position, it is waited for; where that does not come in time, because the encoder is gone for
   * example, it is the one of before, and players ask again. Null where a client asks too far ahead.
   */
  async playlist(
    { position, skip }: { readonly position: LivePosition | null; readonly skip: boolean },
    patience: Patience,
  ): Promise<LiveFile | null> {
    if (position) {
      if (this.#playlist.isTooFar(position)) return null;
      await this.#waiting.wait(() => this.#playlist.has(position), patience);
    }
    return this.#encoded(this.#playlist.text({ skip }));
  }

  /**
   * A file in memory. The part that is made next is waited for, because players ask for it in advance.
   * @returns null where it is not in memory: it was never made, or is stored.
   */
  async file(name: string, patience: Patience): Promise<Buffer | null> {
    const known = this.#files.get(name);
    if (known) return known;
    const position = partOf(name);
    if (position === null || !this.#hasParts) return null;
    const isNext = () => !this.#playlist.isEnded && !this.#playlist.has(position);
    if (!isNext() || position.segment > this.segment) return null;
    await this.#waiting.wait(() => !isNext(), patience);
    return this.#files.get(name) ?? null;
  }

  /** The same for all who ask for a text. */
  #encoded(text: string): LiveFile {
    const known = this.#texts.find((each) => each.text === text);
    if (known) return known;
    this.#versions += 1;
    const made = { text, body: Buffer.from(text), etag: `"${this.#tag}-${this.#versions}"` };
    this.#texts = [made, ...this.#texts.slice(0, 1)];
    return made;
  }
}
