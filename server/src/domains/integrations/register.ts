import type { Engine } from '../../gql/index.ts';
import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedPost } from '../../platform/fetch/guarded-post.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { exportRoutes } from './exports/exports.routes.ts';
import { forgettingExports } from './exports/forget-exports.ts';
import { workOnExports } from './exports/work-on-exports.ts';
import type { IntegrationsServices } from './services.ts';
import { type SessionSubscriptions, sessionSubscriptions } from './subscriptions/session-subscriptions.ts';
import { SubscriptionBroker } from './subscriptions/subscription-broker.ts';
import { deliverEvents } from './webhooks/deliver-events.ts';
import { forgetting } from './webhooks/forget-old.ts';
import { WebhookSender } from './webhooks/webhook-sender.ts';

export interface IntegrationsDomain {
  /** `services.integrations` of the engine. */
  readonly services: IntegrationsServices;
  /** For the entry point of agents. */
  readonly sessionSubscriptions: SessionSubscriptions;
  /** Files of exports. */
  readonly routes: Route[];
  /** Starts sending webhooks, writing exports and pruning what is old; on workers. */
  startWork(): Promise<void>;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** The event log API. Call it before `platform.events.start()`: a consumer of the log creates webhook deliveries. */
export function registerIntegrations(
  platform: Platform & { readonly databaseUrl: string },
  { engine }: { readonly engine: () => Engine },
): IntegrationsDomain {
  const { db, clock, secrets, config, events, log } = platform;
  const post = createGuardedPost({ allow: readFetchAllow(config.FETCH_ALLOW) });
  const sender = new WebhookSender({ db, clock, log, secrets, post });
  const broker = new SubscriptionBroker({ url: platform.databaseUrl, db, log });
  const old = forgetting(platform);
  const oldExports = forgettingExports(platform);
  events.subscribe(deliverEvents({ clock, namespace: config.DID_NAMESPACE }));
  return {
    services: { db, secrets, post, sender, broker, jobs: platform.jobs, engine, logDays: config.EVENT_LOG_DAYS },
    sessionSubscriptions: sessionSubscriptions(platform),
    routes: exportRoutes(platform),
    async startWork() {
      sender.start();
      old.start();
      oldExports.start();
      await workOnExports(platform, engine);
    },
    async close() {
      await Promise.all([sender.stop(), old.stop(), oldExports.stop(), broker.close()]);
      await post.close();
    },
  };
}
