import type { Viewer } from '../../gql/index.ts';
import type { PlanCode } from '../../kernel/plans.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { effectivePlan } from '../accounts/index.ts';
import type { OpenIngestionTools, ProcessingWaiter } from '../assets/index.ts';

/** What the commands with transactions of this domain use; `services.catalog` of the engine. */
export interface CatalogServices {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly ingestion: OpenIngestionTools;
  readonly waiter: ProcessingWaiter;
  /** Refuses a `sourceUrl` that would not be fetched: INVALID_INPUT with the field `sourceUrl`. */
  checkSourceUrl(url: string): Promise<void>;
}

declare module '../../gql/run.ts' {
  interface Services {
    readonly catalog: CatalogServices;
  }
}

/** Who acts, with the plan whose limits apply at present. */
export interface Actor {
  readonly accountId: string;
  readonly channelId: string;
  readonly plan: PlanCode;
}

/** The viewer as an actor at `nowMs`. */
export function actorOf(viewer: Viewer, nowMs: number): Actor {
  return { accountId: viewer.accountId, channelId: viewer.channelId, plan: effectivePlan(viewer, nowMs) };
}
