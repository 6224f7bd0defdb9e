import type { EngagementTracker } from './ingest/track-engagement.ts';

/** What the commands of this domain use; `services.engagement` of the engine. */
export interface EngagementServices {
  readonly tracker: EngagementTracker;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly engagement: EngagementServices;
  }
}
