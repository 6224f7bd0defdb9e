import { AppError } from '../../../kernel/errors.ts';
import { segmentName } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import {
  insertSegment,
  insertTrackSegment,
  type NewSegmentRow,
  noteMissing,
} from '../broadcasts/broadcast-segments.store.ts';
import type { LiveInits, LiveSegment } from '../packaging/live-stream.ts';
import { initName } from '../packaging/live-track.ts';

/** Segments that wait to be stored; more are not recorded, so that a slow store takes no more memory. */
const MOST_WAITING = 30;

export interface RecorderOptions {
  readonly broadcastId: string;
  /** Prefix of the objects. */
  readonly prefix: string;
  /** After a segment was stored. */
  readonly onStored: (segment: LiveSegment) => Promise<void>;
  /** After that, or when it is clear that a segment is missing. */
  readonly onSettled: (number: number) => void;
}

/**
 * Stores the segments of a broadcast, one after the other. What cannot be stored is missing in the recording; the
 * broadcast goes on.
 */
export class SegmentRecorder {
  readonly #platform: Pick<Platform, 'db' | 'store' | 'log'>;
  readonly #options: RecorderOptions;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Of other sizes, which keep none of the encoder's own from being stored. */
  #waitingSizes = 0;
  #isFailing = false;
  /** What is missing and not noted yet. */
  #missingMs = 0;

  constructor(platform: Pick<Platform, 'db' | 'store' | 'log'>, options: RecorderOptions) {
    [this.#platform, this.#options] = [platform, options];
  }

  /** Stores initialization segments before the segments that begin with them. */
  addInit(number: number, inits: LiveInits): void {
    this.#then(async () => {
      await this.#put('video', initName(number), inits.video);
      if (inits.audio) await this.#put('audio', initName(number), inits.audio);
    });
  }

  /** The same for a track of another size. */
  addTrackInit(track: string, number: number, bytes: Buffer): void {
    this.#then(() => this.#put(track, initName(number), bytes));
  }

  /** A segment of another size, which is a gap in the recording where it cannot be stored. */
  addTrackSegment(track: string, number: number, bytes: Buffer): void {
    if (this.#waitingSizes >= MOST_WAITING) return;
    this.#waitingSizes += 1;
    this.#then(async () => {
      try {
        await this.#put(track, segmentName(number), bytes);
        await insertTrackSegment(this.#platform.db, this.#options.broadcastId, { track, number, bytes: bytes.length });
      } finally {
        this.#waitingSizes -= 1;
      }
    });
  }

  add(segment: LiveSegment): void {
    const isTooSlow = this.#waiting >= MOST_WAITING;
    if (!isTooSlow) this.#waiting += 1;
    this.#then(async () => {
      try {
        if (isTooSlow) await this.#miss(segment, 'the store is too slow');
        else await this.#storeOrMiss(segment);
      } finally {
        this.#options.onSettled(segment.number);
      }
    });
  }

  async #storeOrMiss(segment: LiveSegment): Promise<void> {
    try {
      await this.#store(segment);
      this.#isFailing = false;
    } catch (error) {
      return await this.#miss(segment, error);
    } finally {
      this.#waiting -= 1;
    }
    await this.#options.onStored(segment);
    await this.#noteMissing();
  }

  /** Once everything that was added is stored, or missing. */
  idle(): Promise<void> {
    return this.#work;
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => {
      const { broadcastId } = this.#options;
      this.#platform.log.warn({ error, broadcastId }, 'a segment of a broadcast is not recorded');
    });
  }

  async #store(segment: LiveSegment): Promise<void> {
    const name = segmentName(segment.number);
    await Promise.all([
      this.#put('video', name, segment.video.bytes),
      segment.audio && segment.audio.bytes.length > 0 && this.#put('audio', name, segment.audio.bytes),
    ]);
    await insertSegment(this.#platform.db, this.#options.broadcastId, rowOf(segment));
  }

  async #put(track: string, name: string, bytes: Buffer): Promise<void> {
    const key = `${this.#options.prefix}${track}/${name}`;
    await this.#platform.store.put(key, bytes, { contentType: contentTypeOf(name) });
  }

  /** Says so once, until segments can be stored again. */
  async #miss({ video }: LiveSegment, reason: unknown): Promise<void> {
    const { broadcastId } = this.#options;
    if (!this.#isFailing) {
      const error = reason instanceof AppError ? reason.message : reason;
      this.#platform.log.warn({ broadcastId, error }, 'a broadcast is not recorded');
    }
    this.#isFailing = true;
    this.#missingMs += Math.round(1_000 * video.durationSeconds);
    await this.#noteMissing();
  }

  /** With the next segment, where the database has no space either. */
  async #noteMissing(): Promise<void> {
    const missingMs = this.#missingMs;
    if (missingMs === 0) return;
    await noteMissing(this.#platform.db, this.#options.broadcastId, missingMs);
    this.#missingMs -= missingMs;
  }
}

/** The row of a segment. */
export function rowOf({ number, init, isDiscontinuity, video, audio, arrivedAtMs }: LiveSegment): NewSegmentRow {
  return {
    ...{ number, init, isDiscontinuity, startTicks: video.start, videoShift: video.shift },
    ...{ videoDuration: video.duration, videoBytes: video.bytes.length },
    ...{ audioDuration: audio?.duration ?? 0, audioBytes: audio?.bytes.length ?? 0 },
    audioStart: audio && audio.bytes.length > 0 ? audio.start : null,
    arrivedAt: new Date(arrivedAtMs).toISOString(),
  };
}
