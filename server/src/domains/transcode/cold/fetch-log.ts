import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { noteFetch } from './cold-renditions.store.ts';

const DAY_MS = 86_400_000;
/** Then all are noted again. */
const MOST_REMEMBERED = 100_000;

/** Notes which videos are watched: with the first segment of a video each day, without waiting for it. */
export class FetchLog {
  readonly #db: Database;
  readonly #clock: Clock;
  #day = 0;
  readonly #noted = new Set<string>();

  constructor({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  note(videoAssetId: string): void {
    const nowMs = this.#clock.now();
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day || this.#noted.size >= MOST_REMEMBERED) this.#noted.clear();
    this.#day = day;
    if (this.#noted.has(videoAssetId)) return;
    this.#noted.add(videoAssetId);
    // What could not be written is noted with the next segment.
    noteFetch(this.#db, videoAssetId, new Date(nowMs).toISOString()).catch(() => this.#noted.delete(videoAssetId));
  }
}
