import type { Engine } from '../../gql/index.ts';
import type { Secrets } from '../../platform/config/secret-key.ts';
import type { Database } from '../../platform/db/database.ts';
import type { GuardedPost } from '../../platform/fetch/guarded-post.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { SubscriptionBroker } from './subscriptions/subscription-broker.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** Services of this domain's commands and fields; `services.integrations` of the engine. */
export interface IntegrationsServices {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly post: GuardedPost;
  readonly sender: WebhookSender;
  readonly broker: SubscriptionBroker;
  readonly jobs: Jobs;
  /** The engine that these services belong to: exports read through it. */
  readonly engine: () => Engine;
  /** Days that events are kept and cursors stay valid. */
  readonly logDays: number;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly integrations: IntegrationsServices;
  }
}
