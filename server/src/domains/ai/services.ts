import type { RateLimiter } from '../../gql/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { FetchRemoteImage } from '../ingest/index.ts';
import type { ModelReader } from './model-reader.ts';

/** What the commands of this domain use; `services.ai` of the engine. */
export interface AiServices {
  readonly db: Database;
  readonly models: ModelReader;
  readonly clock: Clock;
  readonly fetchRemoteImage: FetchRemoteImage;
  /** Limits analyzed images per account: each may take a second of this process. */
  readonly imageLimiter: RateLimiter;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly ai: AiServices;
  }
}
