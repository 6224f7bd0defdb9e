import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedPost } from '../../platform/fetch/guarded-post.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IntegrationsServices } from './services.ts';
import { SubscriptionBroker } from './subscriptions/subscription-broker.ts';
import { deliverEvents } from './webhooks/deliver-events.ts';
import { forgetting } from './webhooks/forget-old.ts';
import { WebhookSender } from './webhooks/webhook-sender.ts';

export interface IntegrationsDomain {
  /** `services.integrations` of the engine. */
  readonly services: IntegrationsServices;
  /** Starts sending webhooks and pruning old events; on workers. */
  startWork(): void;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** The event log API. Call it before `platform.events.start()`: a consumer of the log creates webhook deliveries. */
export function registerIntegrations(platform: Platform & { readonly databaseUrl: string }): IntegrationsDomain {
  const { db, clock, secrets, config, events, log } = platform;
  const post = createGuardedPost({ allow: readFetchAllow(config.FETCH_ALLOW) });
  const sender = new WebhookSender({ db, clock, log, secrets, post });
  const broker = new SubscriptionBroker({ url: platform.databaseUrl, db, log });
  const old = forgetting(platform);
  events.subscribe(deliverEvents({ clock, namespace: config.DID_NAMESPACE }));
  return {
    services: { db, secrets, post, sender, broker, logDays: config.EVENT_LOG_DAYS },
    startWork() {
      sender.start();
      old.start();
    },
    async close() {
      await Promise.all([sender.stop(), old.stop(), broker.close()]);
      await post.close();
    },
  };
}
