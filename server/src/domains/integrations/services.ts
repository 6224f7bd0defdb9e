import type { Secrets } from '../../platform/config/secret-key.ts';
import type { Database } from '../../platform/db/database.ts';
import type { GuardedPost } from '../../platform/fetch/guarded-post.ts';
import type { EventHub } from './subscriptions/subscription-broker.ts';

/** What the commands and fields of this domain use; `services.integrations` of the engine. */
export interface IntegrationsServices {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly post: GuardedPost;
  readonly hub: EventHub;
  /** Days that events are kept, and a cursor can be resumed from. */
  readonly logDays: number;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly integrations: IntegrationsServices;
  }
}
