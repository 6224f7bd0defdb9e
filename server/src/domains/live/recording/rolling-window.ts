import { segmentName } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { dropSegmentsBefore } from '../broadcasts/broadcast-segments.store.ts';
import { ROLLING_SECONDS } from '../broadcasts/stored-range.ts';

/** Playlists that name a segment are loaded by then. */
const GRACE_SECONDS = 60;
/** Segments that are deleted together. */
const BATCH = 30;

/** Deletes what has left the window of a broadcast that is not kept whole. */
export class RollingWindow {
  readonly #platform: Pick<Platform, 'db' | 'store'>;
  readonly #broadcastId: string;
  readonly #prefix: string;
  readonly #ends: { readonly number: number; readonly seconds: number }[] = [];

  constructor(platform: Pick<Platform, 'db' | 'store'>, broadcastId: string, prefix: string) {
    [this.#platform, this.#broadcastId, this.#prefix] = [platform, broadcastId, prefix];
  }

  /** A segment that ends at so many seconds was stored before. */
  remember(number: number, endSeconds: number): void {
    this.#ends.push({ number, seconds: endSeconds });
  }

  /** A segment that ends at so many seconds was stored. */
  async note(number: number, endSeconds: number): Promise<void> {
    this.remember(number, endSeconds);
    const index = this.#ends.findIndex(({ seconds }) => seconds > endSeconds - ROLLING_SECONDS - GRACE_SECONDS);
    if (index < BATCH) return;
    const first = this.#ends[index];
    if (!first) return;
    this.#ends.splice(0, index);
    const { db, store } = this.#platform;
    for (const { track, number: old } of await dropSegmentsBefore(db, this.#broadcastId, first.number))
      await store.delete(`${this.#prefix}${track}/${segmentName(old)}`);
  }
}
