import type { Platform } from '../../platform/platform.ts';
import { repeat } from '../../platform/repeat.ts';
import type { Route } from '../../platform/routing.ts';
import { forgetChannelInvitations } from '../channels/index.ts';
import { mailNotifications } from './notifications/mail-notifications.ts';
import { purgeNotifications } from './notifications/notify.store.ts';
import { notifyConsumer } from './notifications/notify.ts';
import { unsubscribeRoutes } from './notifications/unsubscribe.routes.ts';
import type { SocialServices } from './services.ts';

export interface SocialDomain {
  /** Unsubscribing from messages. */
  readonly routes: Route[];
  /** `services.social` of the engine. */
  readonly services: SocialServices;
  /** Starts mailing and purging notifications; on workers. */
  startWork(): void;
  /** Stops, and waits for the work in progress. */
  close(): Promise<void>;
}

const MAIL_EVERY_MS = 5_000;
const MAILED_AT_ONCE = 50;
const PURGE_EVERY_MS = 600_000;
const PURGED_AT_ONCE = 2_000;

/**
 * Likes, follows, comments and notifications. Call it before `platform.events.start()`: it consumes events.
 * Notifications are mailed where a mail server is set up; the folder of messages is for what people ask for.
 */
export function registerSocial(platform: Platform): SocialDomain {
  const { db, clock, events, log, config } = platform;
  events.subscribe(notifyConsumer({ clock, mails: config.MAIL === 'smtp' }));
  const mails = repeat(log, 'notifications could not be mailed, will be retried', MAIL_EVERY_MS, async () => {
    return (await mailNotifications(platform, MAILED_AT_ONCE)) === MAILED_AT_ONCE;
  });
  const purges = repeat(log, 'old notifications were not deleted, will be retried', PURGE_EVERY_MS, async () => {
    await forgetChannelInvitations(db, clock.now());
    return (await purgeNotifications(db, clock.now(), PURGED_AT_ONCE)) === PURGED_AT_ONCE;
  });
  return {
    routes: unsubscribeRoutes(platform),
    services: { db },
    startWork() {
      mails.start();
      purges.start();
    },
    async close() {
      await mails.stop();
      await purges.stop();
    },
  };
}
