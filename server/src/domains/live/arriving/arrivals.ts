import type { IngestionId, VideoAssetId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import { adoptFile } from '../../assets/index.ts';
import type { ArrivingUploads, FinishedUpload, Ingestion } from '../../ingest/index.ts';
import { type ArrivingTools, ArrivingUpload, type Places, type PlayedUntil } from './arriving-upload.ts';
import { lockArriving } from './arriving-videos.store.ts';
import { completeArrived } from './complete-arrived.ts';
import { takeBack } from './take-back.ts';

/** Programs at a time: in this process, and for one channel. */
const MOST_AT_ONCE = 4;
const MOST_OF_CHANNEL = 2;
/** Uploads that cannot be played are remembered until their first byte comes again. */
const MOST_GIVEN_UP = 10_000;

type Tools = ArrivingTools & Pick<Platform, 'config'>;

interface Followed {
  readonly upload: ArrivingUpload;
  readonly done: Promise<unknown>;
}

/** Plays the uploads that this process receives, as far as they can be played while they arrive. */
export class Arrivals implements ArrivingUploads {
  readonly #tools: Tools;
  readonly #followed = new Map<string, Followed>();
  readonly #givenUp = new WeightedCache<'NEVER' | 'BUSY'>(MOST_GIVEN_UP);
  /** Programs by the ids of their channels. */
  readonly #running: string[] = [];
  readonly #completing = new Set<Promise<void>>();
  /** Uploads whose first byte came again, and when what came before is not followed any more. */
  readonly #again = new Map<string, Promise<unknown>>();
  #isClosed = false;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  bytes(upload: Ingestion, bytes: Buffer, offset: number): void {
    if (!this.#isPlayed(upload)) return;
    if (offset === 0) this.#beginAgain(upload);
    this.#follow(upload)?.bytes.push(bytes, offset);
  }

  stored(upload: Ingestion, receivedBytes: number): void {
    if (!this.#isPlayed(upload) || receivedBytes === 0) return;
    if (this.#givenUp.get(upload.id) === 'BUSY') this.#givenUp.delete(upload.id);
    this.#follow(upload)?.bytes.stored(receivedBytes);
  }

  async adopt(tx: Transaction, upload: FinishedUpload): Promise<VideoAssetId | null> {
    const video = await lockArriving(tx, upload.id);
    if (!video) return null;
    const nowMs = this.#tools.clock.now();
    if (!upload.autoProcess) {
      await takeBack(tx, video, nowMs);
      return null;
    }
    const { id: ingestionId, objectKey: sourceKey, sizeBytes } = upload;
    const file = { ingestionId, sourceKey, sizeBytes };
    await adoptFile(tx, video.videoAssetId, file, new Date(nowMs).toISOString());
    return video.videoAssetId as VideoAssetId; // of the table
  }

  async discard(tx: Transaction, { id }: Pick<Ingestion, 'id'>): Promise<void> {
    const video = await lockArriving(tx, id);
    if (video) await takeBack(tx, video, this.#tools.clock.now());
  }

  ended(id: string): void {
    const followed = this.#followed.get(id);
    followed?.upload.bytes.end();
    const completing = this.#complete(id, followed?.done).finally(() => this.#completing.delete(completing));
    this.#completing.add(completing);
  }

  /** Interrupts all; the next bytes of an upload, here or in another process, begin again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#followed.values()].map(({ upload }) => upload.stop()));
    await Promise.all([...this.#followed.values()].map(({ done }) => done));
    await Promise.all(this.#completing);
  }

  /** What was played of an upload that could not be played to its end is complete with the upload. */
  async #complete(id: string, done: Promise<unknown> | undefined): Promise<void> {
    await done;
    await completeArrived(this.#tools, id).catch((error: unknown) =>
      this.#tools.log.warn({ ingestionId: id, error }, 'an upload that was played is completed later'),
    );
  }

  #isPlayed({ mediaKind, autoProcess, contentId, isPartial, uploadConcat }: Ingestion): boolean {
    if (this.#isClosed || this.#tools.config.INSTANT_PLAYBACK === 'off') return false;
    return mediaKind === 'VIDEO' && autoProcess && contentId !== null && !isPartial && uploadConcat === null;
  }

  #follow(upload: Ingestion): ArrivingUpload | null {
    const { id } = upload;
    const followed = this.#followed.get(id);
    if (followed) return followed.upload;
    if (this.#givenUp.get(id)) return null;
    const following = new ArrivingUpload(this.#tools, this.#places, upload);
    const done = this.#begun(id, following).then((until) => {
      if (until !== 'LATER') this.#givenUp.set(id, until);
      if (this.#followed.get(id)?.upload === following) this.#followed.delete(id);
    });
    this.#followed.set(id, { upload: following, done });
    return following;
  }

  /** Another file may come now: nothing is played of what came before. */
  #beginAgain({ id }: Ingestion): void {
    const followed = this.#followed.get(id);
    if (followed && !followed.upload.bytes.hasBegun) return;
    const stopped = followed?.upload.stop().then(() => followed.done);
    this.#again.set(id, Promise.resolve(stopped));
    this.#followed.delete(id);
    this.#givenUp.delete(id);
  }

  /** What was played of the bytes before is taken back first. */
  async #begun(id: string, following: ArrivingUpload): Promise<PlayedUntil> {
    const before = this.#again.get(id);
    this.#again.delete(id);
    if (before) {
      await before;
      await this.#tools.db.transaction((tx) => this.discard(tx, { id: id as IngestionId })); // of its row
    }
    return following.run();
  }

  readonly #places: Places = {
    enter: (channelId) => {
      const ofChannel = this.#running.filter((each) => each === channelId).length;
      if (this.#running.length >= MOST_AT_ONCE || ofChannel >= MOST_OF_CHANNEL) return false;
      this.#running.push(channelId);
      return true;
    },
    leave: (channelId) => {
      this.#running.splice(this.#running.indexOf(channelId), 1);
    },
  };
}
