import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

// Each addition deletes some rows of sessions that have ended, so that no separate cleanup is needed.
const ADD = sql(
  'add_resource_subscription',
  `with ended as (
     delete from resource_subscriptions where (session, uri) in (
       select session, uri from resource_subscriptions where expires_at <= $4 and session <> $1
         order by expires_at limit 100 for update skip locked)
   )
   insert into resource_subscriptions (session, uri, expires_at) select $1, $2, $3
   where (select count(*) from resource_subscriptions where session = $1 and uri <> $2) < $5
   on conflict (session, uri) do update set expires_at = excluded.expires_at
   returning uri`,
);

export interface NewSubscription {
  readonly session: string;
  readonly uri: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** False when the session has `limit` other resources. */
export async function addSubscription(
  db: Executor,
  { session, uri, expiresAt }: NewSubscription,
  at: { readonly now: string; readonly limit: number },
): Promise<boolean> {
  return (await db.run(ADD, [session, uri, expiresAt, at.now, at.limit])).length > 0;
}

const REMOVE = sql(
  'remove_resource_subscription',
  'delete from resource_subscriptions where session = $1 and uri = $2 returning uri',
);

/** False when there was none. */
export async function removeSubscription(db: Executor, session: string, uri: string): Promise<boolean> {
  return (await db.run(REMOVE, [session, uri])).length > 0;
}

const LIST = sql('list_resource_subscriptions', 'select uri from resource_subscriptions where session = $1');

/** The resources of a session. */
export async function listSubscriptions(db: Executor, session: string): Promise<string[]> {
  return (await db.run<{ uri: string }>(LIST, [session])).map(({ uri }) => uri);
}
