import { segmentName } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { requireAnySpace } from '../../assets/index.ts';
import type { LiveInits, LiveSegment } from '../packaging/live-stream.ts';
import { initName } from '../packaging/live-track.ts';
import type { ArrivingSegment } from './arriving-segments.store.ts';

/** Segments that may wait for the store before more frames are read. */
const MOST_WAITING = 2;
/** Stored between two looks at the free space. */
const LOOK_EVERY_BYTES = 32 * 1024 ** 2;

export interface ArrivingRecorderOptions {
  /** Of the objects. */
  readonly prefix: string;
  /** Segments that are stored already, by an earlier attempt. */
  readonly known: number;
  /** Before the first object is stored. */
  readonly onBegin: () => Promise<void>;
  /** While the first segment is stored: rejects where it is not to be offered. */
  readonly check: (segment: LiveSegment, inits: LiveInits | null) => Promise<void>;
  /** After the objects of a segment were stored; false where the upload has ended, or has another video. */
  readonly onStored: (segment: LiveSegment, row: ArrivingSegment) => Promise<boolean>;
}

/** The video was taken back: what was stored for it last is deleted again. */
export class TakenBackError extends Error {}

/** Stores segments, one after the other, and has those who make them wait. */
export class ArrivingRecorder {
  readonly #platform: Pick<Platform, 'db' | 'store' | 'space'>;
  readonly #options: ArrivingRecorderOptions;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #failure: unknown = null;
  #bytes = LOOK_EVERY_BYTES;
  #hasBegun = false;
  /** Initialization segments that are stored with the next segment. */
  readonly #inits = new Map<number, LiveInits>();

  constructor(platform: Pick<Platform, 'db' | 'store' | 'space'>, options: ArrivingRecorderOptions) {
    [this.#platform, this.#options] = [platform, options];
  }

  /** Before the segments that begin with them. */
  addInit(number: number, inits: LiveInits): void {
    this.#inits.set(number, inits);
  }

  /** Whether anything was stored. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  add(segment: LiveSegment): void {
    if (segment.number < this.#options.known) return;
    this.#then(() => this.#store(segment));
  }

  /** Once more may come. @throws why something could not be stored. */
  async settled(): Promise<void> {
    if (this.#waiting > MOST_WAITING) await this.#work;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Once everything is stored. @throws as `settled`. */
  async idle(): Promise<void> {
    await this.#work;
    if (this.#failure !== null) throw this.#failure;
  }

  #then(step: () => Promise<void>): void {
    this.#waiting += 1;
    this.#work = this.#work
      .then(() => (this.#failure === null ? step() : undefined))
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  async #store(segment: LiveSegment): Promise<void> {
    const { db, space, store } = this.#platform;
    const { number, init, isDiscontinuity, video, audio } = segment;
    const bytes = video.bytes.length + (audio?.bytes.length ?? 0);
    this.#bytes += bytes;
    if (this.#bytes > LOOK_EVERY_BYTES) {
      await requireAnySpace(space, db);
      this.#bytes = 0;
    }
    const isFirst = !this.#hasBegun;
    if (isFirst) await this.#options.onBegin();
    this.#hasBegun = true;
    const name = segmentName(number);
    const hasSound = audio !== null && audio.bytes.length > 0;
    const results = await Promise.allSettled([
      isFirst && this.#options.check(segment, this.#inits.get(init) ?? null),
      this.#storeInit(init),
      this.#put('video', name, video.bytes),
      hasSound && this.#put('audio', name, audio.bytes),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const audioSeconds = audio && (hasSound ? audio.durationSeconds : 0);
    const row = { number, init, isDiscontinuity, videoSeconds: video.durationSeconds, audioSeconds, bytes };
    if (await this.#options.onStored(segment, row)) return;
    for (const track of ['video', 'audio']) await store.delete(this.#key(track, name));
    throw new TakenBackError();
  }

  async #storeInit(number: number): Promise<void> {
    const inits = this.#inits.get(number);
    if (!inits) return;
    await this.#put('video', initName(number), inits.video);
    if (inits.audio) await this.#put('audio', initName(number), inits.audio);
    this.#inits.delete(number);
  }

  #key(track: string, name: string): string {
    return `${this.#options.prefix}${track}/${name}`;
  }

  async #put(track: string, name: string, bytes: Buffer): Promise<void> {
    await this.#platform.store.put(this.#key(track, name), bytes, { contentType: contentTypeOf(name) });
  }
}
