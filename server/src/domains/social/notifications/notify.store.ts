import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { playableVideo } from '../../assets/index.ts';
import type { NotificationKind } from './notification-kinds.ts';
import { isLive } from './notifications.sql.ts';

/** An account that has so many unread notifications gets no more of those that many events cause. */
const MAX_UNREAD = 500;

const HAS_ROOM =
  `(select count(*) from (select 1 from notifications u where u.account_id = r.account_id and u.read_at is null ` +
  `and u.in_page limit ${MAX_UNREAD}) unread) < ${MAX_UNREAD}`;

/**
 * One statement that notifies all recipients: `recipients` is a query of account_id, content_id and comment_id for the
 * subject $1. Accounts that switched the kind off, and those notified already, are left out.
 */
function notifying(kind: NotificationKind, recipients: string, name = `notify_${kind.toLowerCase()}`) {
  const isShown = `not '${kind}' = any(s.notifications_off)`;
  const isMailed = `$3::boolean and '${kind}' = any(s.notifications_mailed)`;
  return sql(
    name,
    `insert into notifications (id, account_id, kind, content_id, comment_id, in_page, mail_due, created_at)
     select gen_random_uuid(), r.account_id, '${kind}', r.content_id, r.comment_id, ${isShown}, ${isMailed}, $2
     from (${recipients}) r join account_settings s on s.account_id = r.account_id
     where (${isShown} or ${isMailed}) and ${HAS_ROOM}
     on conflict do nothing`,
  );
}

const REPLY = notifying(
  'COMMENT_REPLY',
  `select p.account_id, c.content_id, c.id as comment_id
   from comments c join comments p on p.id = c.parent_id
   where c.id = $1 and c.status = 'PUBLISHED' and c.deleted_at is null and p.deleted_at is null
     and p.account_id <> c.account_id`,
);
const HEART = notifying(
  'COMMENT_HEART',
  `select c.account_id, c.content_id, c.id as comment_id
   from comments c join channels h on h.id = c.channel_id
   where c.id = $1 and c.hearted and c.status = 'PUBLISHED' and c.deleted_at is null and c.account_id <> h.account_id`,
);
const FOLLOWERS = `select f.account_id, c.id as content_id, null::uuid as comment_id
   from contents c join channels h on h.id = c.channel_id join follows f on f.channel_id = c.channel_id
   where c.id = $1 and c.deleted_at is null and c.status = 'PUBLISHED' and c.effective_visibility = 'PUBLIC'
     and c.kind in ('FEATURE', 'SHORT', 'EPISODE', 'STREAM') and f.account_id <> h.account_id`;
// A stream that is scheduled is published before it can be played.
const NEW_VIDEO = notifying(
  'NEW_VIDEO',
  `${FOLLOWERS} and (c.kind <> 'STREAM' or ${playableVideo('c.id')} is not null)`,
);
const LIVE_NOW = notifying('NEW_VIDEO', `${FOLLOWERS} and ${isLive('c.id')}`, 'notify_live_now');
const REPORT_REVIEWED = notifying(
  'REPORT_REVIEWED',
  `select p.account_id, coalesce(p.content_id, c.content_id, m.content_id) as content_id, p.comment_id
   from reports p left join comments c on c.id = p.comment_id left join chat_messages m on m.id = p.chat_message_id
   where p.id = $1 and p.account_id is not null
     and num_nonnulls(p.content_id, p.comment_id, p.chat_message_id) = 1`,
);
const ofOwner = (kind: NotificationKind) =>
  notifying(
    kind,
    `select h.account_id, c.id as content_id, null::uuid as comment_id
     from contents c join channels h on h.id = c.channel_id
     where c.id = $1 and c.deleted_at is null and not h.is_test`,
  );

const INVITATION = sql(
  'notify_channel_invitation',
  `insert into notifications (id, account_id, kind, invitation_id, in_page, created_at)
   select gen_random_uuid(), a.id, 'CHANNEL_INVITATION', i.id, true, $2
   from channel_invitations i
   join accounts a on a.id = i.account_id or (a.email = i.email and a.email_verified)
   where i.id = $1 and i.state = 'PENDING'
   on conflict do nothing`,
);

/** Notifies the account that an invitation is for, if there is one. */
export async function notifyOfInvitation(tx: Executor, invitationId: string, nowMs: number): Promise<void> {
  await tx.run(INVITATION, [invitationId, new Date(nowMs).toISOString()]);
}

type CausedKind = Exclude<NotificationKind, 'CHANNEL_INVITATION'>;

const STATEMENTS: Readonly<Record<CausedKind, ReturnType<typeof notifying>>> = {
  COMMENT_REPLY: REPLY,
  COMMENT_HEART: HEART,
  NEW_VIDEO,
  PROCESSING_DONE: ofOwner('PROCESSING_DONE'),
  PROCESSING_FAILED: ofOwner('PROCESSING_FAILED'),
  REPORT_REVIEWED,
};

/** Notifies everyone whom this concerns, once, in one statement. `mails`: whether messages reach their recipients. */
export async function notifyOf(
  tx: Executor,
  kind: CausedKind,
  subjectId: string,
  { nowMs, mails }: { readonly nowMs: number; readonly mails: boolean },
): Promise<void> {
  await tx.run(STATEMENTS[kind], [subjectId, new Date(nowMs).toISOString(), mails]);
}

/** Notifies the followers of the channel of a stream that is live and public. */
export async function notifyOfLive(
  tx: Executor,
  contentId: string,
  { nowMs, mails }: { readonly nowMs: number; readonly mails: boolean },
): Promise<void> {
  await tx.run(LIVE_NOW, [contentId, new Date(nowMs).toISOString(), mails]);
}

const AGAIN = sql('forget_processing_failure', `delete from notifications where content_id = $1 and kind = $2`);

/** Forgets what was said about the processing of a content before, when it ended in another way. */
export async function forgetNotified(tx: Executor, kind: NotificationKind, contentId: string): Promise<void> {
  await tx.run(AGAIN, [contentId, kind]);
}

const PURGE = sql(
  'purge_notifications',
  `delete from notifications where id = any(array(
     select id from notifications
     where created_at < $1::timestamptz - interval '90 days'
     order by created_at limit $2 for update skip locked))
   returning id`,
);

/** Deletes notifications of more than 90 days, at most so many; returns how many. */
export async function purgeNotifications(db: Executor, nowMs: number, limit: number): Promise<number> {
  return (await db.run(PURGE, [new Date(nowMs).toISOString(), limit])).length;
}
