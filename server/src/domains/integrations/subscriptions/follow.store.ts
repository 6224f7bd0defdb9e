import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { isMember, rolesFor, SCOPED, tokenAllows } from '../../channels/index.ts';
import type { LogPosition } from '../events/event-cursor.ts';

/** An event with the columns that subscriptions filter by. */
export interface EventMessage extends LogPosition {
  readonly type: string;
  readonly channelId: string | null;
  readonly subjectId: string;
  /** Content and job in the payload. */
  readonly contentId: string | null;
  readonly jobId: string | null;
  /** Whether the event makes a comment or a message visible: created and not held, or approved. */
  readonly showsText: boolean;
}

const COLUMNS = `e.xact, e.id::text as id, e.created_at::text as "createdAt", e.type, e.channel_id as "channelId",
  e.subject_id as "subjectId",
  e.payload ->> 'contentId' as "contentId", e.payload ->> 'jobId' as "jobId",
  (e.type in ('comment.created', 'chat_message.created') and e.payload ->> 'status' = 'PUBLISHED')
    or e.payload ? 'approved' as "showsText"`;
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
  `select s.scope, m.channel_id as "channelId" from unnest($1::text[]) s(scope)
   cross join lateral ${viewerRow('s.scope')}
   join channel_members m on m.account_id = v.account_id and m.role in (${rolesFor('event:read')})` +
    tokenAllows(SCOPED, 'event:read'),
);

/** The channels whose log these viewers may read. */
export async function readMemberships(
  db: Executor,
  viewers: readonly ViewerScope[],
): Promise<Map<ViewerScope, Set<string>>> {
  const channels = new Map<ViewerScope, Set<string>>(viewers.map((viewer) => [viewer, new Set()]));
  for (const row of await db.run<{ scope: ViewerScope; channelId: string }>(MEMBERSHIPS, [viewers])) {
    channels.get(row.scope)?.add(row.channelId);
  }
  return channels;
}

const CONTENT = sql(
  'followed_content',
  `select c.channel_id as "channelId" from contents c, ${viewerRow('$2')} where c.id = $1 ` +
    `and c.kind = $3 and ${isVisibleContent('c', SCOPED)}`,
);
const JOB = sql(
  'followed_job',
  `select j.channel_id as "channelId" from transcode_jobs j, ${viewerRow('$2')} where j.id = $1 ` +
    `and ${isMember(SCOPED, 'j.channel_id')}`,
);

/** What can be followed: a job, or a content of the kind in its DID. */
export type FollowedObject =
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: ContentKind; readonly id: string };

/** The channel of an object the viewer may see; otherwise null. */
export async function channelOf(
  db: Executor,
  { kind, id }: FollowedObject,
  viewer: ViewerScope,
): Promise<string | null> {
  const row =
    kind === 'job'
      ? await db.first<{ channelId: string }>(JOB, [id, viewer])
      : await db.first<{ channelId: string }>(CONTENT, [id, viewer, kind]);
  return row?.channelId ?? null;
}
