import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secret-key.ts';
import type { Database } from './db/database.ts';
import type { Events } from './events/events.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Logger } from './log.ts';
import type { ObjectStore } from './storage/object-store.ts';
import type { StorageSpace } from './storage/storage-space.ts';

/** What the composition root provides to every domain. */
export interface Platform {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly store: ObjectStore;
  /** Free space of `store`. */
  readonly space: StorageSpace;
  readonly jobs: Jobs;
  readonly events: Events;
}
