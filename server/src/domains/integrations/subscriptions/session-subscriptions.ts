import type { Platform } from '../../../platform/platform.ts';
import { addSubscription, listSubscriptions, removeSubscription } from './session-subscriptions.store.ts';

/** Resources that a session of an agent subscribed to; any instance may serve its next message. */
export interface SessionSubscriptions {
  /** False when the session has `limit` others. `session` is a digest of its id in base64url. */
  add(session: string, uri: string, terms: { readonly untilMs: number; readonly limit: number }): Promise<boolean>;
  /** False when there was none. */
  remove(session: string, uri: string): Promise<boolean>;
  of(session: string): Promise<readonly string[]>;
}

export function sessionSubscriptions({ db, clock }: Pick<Platform, 'db' | 'clock'>): SessionSubscriptions {
  return {
    add: (session, uri, { untilMs, limit }) =>
      addSubscription(
        db,
        { session, uri, expiresAt: new Date(untilMs).toISOString() },
        { now: new Date(clock.now()).toISOString(), limit },
      ),
    remove: (session, uri) => removeSubscription(db, session, uri),
    of: (session) => listSubscriptions(db, session),
  };
}
