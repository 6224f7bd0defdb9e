import type { Viewer } from '../../gql/index.ts';
import type { SwitchedOff } from '../../kernel/features.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { StorageSpace } from '../../platform/storage/storage-space.ts';
import type { OpenIngestionTools } from '../ingest/index.ts';
import type { ProcessingWaiter } from '../transcode/index.ts';
import type { BroadcastClips } from './edits/broadcast-clips.ts';

/** Services of this domain's commands with transactions; `services.catalog` of the engine. */
export interface CatalogServices {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly space: StorageSpace;
  readonly ingestion: OpenIngestionTools;
  readonly waiter: ProcessingWaiter;
  readonly broadcastClips: BroadcastClips;
  /** What is set up that makes captions. */
  readonly captioning: Pick<Config, 'SPEECH' | 'TRANSLATION' | 'DATA_DIR'>;
  readonly switchedOff: SwitchedOff;
  /** Rejects a `sourceUrl` that cannot be fetched: INVALID_INPUT with the field `sourceUrl`. */
  checkSourceUrl(url: string): Promise<void>;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly catalog: CatalogServices;
  }
}

/** The account that acts. */
export type Actor = Pick<Viewer, 'accountId' | 'channelId' | 'token' | 'scope'>;

/** The viewer as an actor. */
export function actorOf(viewer: Viewer): Actor {
  return viewer;
}
