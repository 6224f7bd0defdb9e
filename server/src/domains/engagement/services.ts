import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { CardViewers } from './content-tests/card-viewers.ts';
import type { EngagementTracker } from './ingest/track-engagement.ts';

/** What the commands of this domain use; `services.engagement` of the engine. */
export interface EngagementServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly tracker: EngagementTracker;
  readonly cardViewers: CardViewers;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly engagement: EngagementServices;
  }
}
