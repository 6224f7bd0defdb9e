import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { ACCOUNT, isMember, rolesFor } from '../../channels/index.ts';
import type { LogPosition } from '../events/event-cursor.ts';

/** An event with the columns that subscriptions filter by. */
export interface EventMessage extends LogPosition {
  readonly type: string;
  readonly channelId: string | null;
  readonly subjectId: string;
  /** Content and job in the payload. */
  readonly contentId: string | null;
  readonly jobId: string | null;
  /** Whether the event makes a comment visible: created and not held, or approved. */
  readonly showsComment: boolean;
}

const COLUMNS = `e.xact, e.id::text as id, e.created_at::text as "createdAt", e.type, e.channel_id as "channelId",
  e.subject_id as "subjectId",
  e.payload ->> 'contentId' as "contentId", e.payload ->> 'jobId' as "jobId",
  (e.type = 'comment.created' and e.payload ->> 'status' = 'PUBLISHED') or e.payload ? 'approved' as "showsComment"`;
/** Events of transactions younger than the oldest running one wait, so that one that commits late is never skipped. */
const SETTLED = 'e.xact < pg_snapshot_xmin(pg_current_snapshot())';

/** Maximum number of events in one read. */
export const PAGE = 500;

const HEAD = sql(
  'log_head',
  `select ${COLUMNS} from events e where ${SETTLED} order by e.xact desc, e.id desc limit 1`,
);

/** The newest event before which no other can still be committed; null for an empty log. */
export async function readHead(db: Executor): Promise<LogPosition | null> {
  return db.first<EventMessage>(HEAD, []);
}

const TAIL = sql(
  'log_tail',
  `select ${COLUMNS} from events e where (e.xact, e.id) > ($1::xid8, $2::bigint) and ${SETTLED} order by e.xact, ` +
    `e.id limit ${PAGE}`,
);

/** The next events of all channels. */
export async function readTail(db: Executor, after: LogPosition): Promise<EventMessage[]> {
  return db.run<EventMessage>(TAIL, [after.xact, after.id]);
}

const PAST = sql(
  'log_past',
  `select e.* from unnest($5::uuid[]) as channel(id) cross join lateral (
     select ${COLUMNS}, e.xact as by_xact, e.id as by_id from events e
     where e.channel_id = channel.id and (e.xact, e.id) > ($1::xid8, $2::bigint)
       and (e.xact, e.id) <= ($3::xid8, $4::bigint) and ($6::text[] is null or e.type = any($6)) and ${SETTLED}
     order by e.xact, e.id limit 100
   ) e order by by_xact, by_id limit 100`,
);

/** At most 100 events of these channels and types (null: all) after one position and up to another. */
export async function readPast(
  db: Executor,
  after: LogPosition,
  upTo: LogPosition,
  channelIds: readonly string[],
  types: readonly string[] | null,
): Promise<EventMessage[]> {
  return db.run<EventMessage>(PAST, [after.xact, after.id, upTo.xact, upTo.id, channelIds, types]);
}

const MEMBERSHIPS = sql(
  'event_channels',
  'select account_id as "accountId", channel_id as "channelId" from channel_members ' +
    `where account_id = any($1::uuid[]) and role in (${rolesFor('event:read')})`,
);

/** The channels whose log these accounts may read. */
export async function readMemberships(db: Executor, accountIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const channels = new Map<string, Set<string>>(accountIds.map((id) => [id, new Set()]));
  for (const row of await db.run<{ accountId: string; channelId: string }>(MEMBERSHIPS, [accountIds])) {
    channels.get(row.accountId)?.add(row.channelId);
  }
  return channels;
}

const VIEWER = '(select $2::uuid as account_id) v';
const CONTENT = sql(
  'followed_content',
  `select c.channel_id as "channelId" from contents c, ${VIEWER} where c.id = $1 ` +
    `and ${isVisibleContent('c', ACCOUNT)}`,
);
const JOB = sql(
  'followed_job',
  `select j.channel_id as "channelId" from transcode_jobs j, ${VIEWER} where j.id = $1 ` +
    `and ${isMember(ACCOUNT, 'j.channel_id')}`,
);

/** The channel of an object the account may see; otherwise null. */
export async function channelOf(
  db: Executor,
  what: 'content' | 'job',
  id: string,
  accountId: string,
): Promise<string | null> {
  const row = await db.first<{ channelId: string }>(what === 'job' ? JOB : CONTENT, [id, accountId]);
  return row?.channelId ?? null;
}
