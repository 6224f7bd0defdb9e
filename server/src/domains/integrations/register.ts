import type { IncomingMessage } from 'node:http';
import type { Engine, Viewer } from '../../gql/index.ts';
import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedPost } from '../../platform/fetch/guarded-post.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { archiveRoutes } from './archives/archives.routes.ts';
import { expiringArchives, workOnArchives } from './archives/work-on-archives.ts';
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

/**
 * The event log API, webhooks, exports and archives; `person` is the signed-in account of a request. Call it before
 * `platform.events.start()`: a consumer of the log creates webhook deliveries.
 */
export function registerIntegrations(
  platform: Platform & { readonly databaseUrl: string },
  { engine, person }: { readonly engine: () => Engine; readonly person: (request: IncomingMessage) => Promise<Viewer> },
): IntegrationsDomain {
  const { db, clock, secrets, config, events, log } = platform;
  const post = createGuardedPost({ allow: readFetchAllow(config.FETCH_ALLOW) });
  const sender = new WebhookSender({ db, clock, log, secrets, post });
  const broker = new SubscriptionBroker({ url: platform.databaseUrl, db, log });
  const old = forgetting(platform);
  const oldExports = forgettingExports(platform);
  const oldArchives = expiringArchives(platform);
  events.subscribe(deliverEvents({ clock, namespace: config.DID_NAMESPACE }));
  return {
    services: { db, secrets, post, sender, broker, jobs: platform.jobs, engine, logDays: config.EVENT_LOG_DAYS },
    sessionSubscriptions: sessionSubscriptions(platform),
    routes: [...exportRoutes(platform), ...archiveRoutes(platform, person)],
    async startWork() {
      sender.start();
      old.start();
      oldExports.start();
      oldArchives.start();
      await workOnExports(platform, engine);
      await workOnArchives(platform);
    },
    async close() {
      await Promise.all([sender.stop(), old.stop(), oldExports.stop(), oldArchives.stop(), broker.close()]);
      await post.close();
    },
  };
}
