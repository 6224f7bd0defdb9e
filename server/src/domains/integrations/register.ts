import { readFetchAllow } from '../../platform/fetch/fetch-allow.ts';
import { createGuardedPost } from '../../platform/fetch/guarded-post.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IntegrationsServices } from './services.ts';
import { EventHub } from './subscriptions/subscription-broker.ts';
import { deliverEvents } from './webhooks/deliver-events.ts';
import { forgetting } from './webhooks/forget-old.ts';
import { WebhookSender } from './webhooks/webhook-sender.ts';

export interface IntegrationsDomain {
  /** `services.integrations` of the engine. */
  readonly services: IntegrationsServices;
  /** Begins to send webhooks and to forget old events; on workers. */
  startWork(): void;
  /** Waits for the work in progress. */
  close(): Promise<void>;
}

/** The event log as others follow it. Call it before `platform.events.start()`: webhooks are made by a reader of the log. */
export function registerIntegrations(platform: Platform & { readonly databaseUrl: string }): IntegrationsDomain {
  const { db, clock, secrets, config, events, log } = platform;
  const post = createGuardedPost({ allow: readFetchAllow(config.FETCH_ALLOW) });
  const sender = new WebhookSender({ db, clock, log, secrets, post });
  const hub = new EventHub({ url: platform.databaseUrl, db, log });
  const old = forgetting(platform);
  events.subscribe(deliverEvents({ clock, namespace: config.DID_NAMESPACE }));
  return {
    services: { db, secrets, post, hub, logDays: config.EVENT_LOG_DAYS },
    startWork() {
      sender.start();
      old.start();
    },
    async close() {
      await Promise.all([sender.stop(), old.stop(), hub.close()]);
      await post.close();
    },
  };
}
