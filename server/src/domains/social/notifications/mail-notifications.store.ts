import type { Addressed } from '../../../kernel/content-kinds.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { Caller } from '../../channels/index.ts';
import type { NotificationKind } from './notification-kinds.ts';
import { isLive, isReachable } from './notifications.sql.ts';

/** A notification that is to be mailed, and what the message says. */
export interface DueNotification {
  readonly id: string;
  readonly accountId: string;
  /** Invitations are mailed when they are written. */
  readonly kind: Exclude<NotificationKind, 'CHANNEL_INVITATION'>;
  readonly email: string;
  readonly content: Addressed;
  readonly title: string;
  readonly channelTitle: string;
  /** Whether the content is live. */
  readonly isLive: boolean;
  readonly commentId: string | null;
  /** Of the comment. */
  readonly body: string | null;
  /** Who wrote the comment. */
  readonly author: string | null;
  /** Whether the account may sign in and see it, and still wants messages of this kind. */
  readonly wanted: boolean;
}

/** Whom a message is written to, as the row `v`: nobody asks, and the account has no limits of a token. */
const RECIPIENT: Caller = { viewer: 'v', credential: 'session' };

const DUE = sql(
  'notifications_mail_due',
  `select n.id, n.account_id as "accountId", n.kind, a.email::text as email, k.title,
     json_build_object('id', k.id, 'kind', k.kind, 'shortCode', k.short_code) as content, h.title as "channelTitle",
     ${isLive('k.id')} as "isLive",
     n.comment_id as "commentId", m.body, w.username::text as author,
     n.kind = any(s.notifications_mailed) and a.suspended_at is null and a.closed_at is null
       and ${isReachable('n', RECIPIENT)} as wanted
   from notifications n
   cross join lateral (select n.account_id) v
   join accounts a on a.id = n.account_id
   join account_settings s on s.account_id = n.account_id
   join contents k on k.id = n.content_id
   join channels h on h.id = k.channel_id
   left join comments m on m.id = n.comment_id
   left join accounts w on w.id = m.account_id
   where n.mail_due order by n.created_at limit $1 for update of n skip locked`,
);

/** The notifications that wait longest to be mailed, locked. */
export function dueNotifications(tx: Executor, limit: number): Promise<DueNotification[]> {
  return tx.run<DueNotification>(DUE, [limit]);
}

const MAILED = sql('notifications_mailed', 'update notifications set mail_due = false where id = any($1::uuid[])');

/** Notes that these wait no longer. */
export async function markMailed(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.run(MAILED, [ids]);
}
