import { insertion, NumberedPlaceholders, type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isMember, roleMay, SCOPED } from '../../channels/index.ts';
import type { ContentFacts } from './content.policy.ts';
import type { ContentTarget, NewContent } from './content-commands.store.ts';
import { type ContentLayout, VIDEO_FIELDS, type VideoValues } from './content-fields.ts';
import type { ContentStatus } from './lifecycle.ts';

/** A content, as needed by commands with a transaction. */
export interface FoundContent extends ContentFacts {
  readonly id: ContentId;
  readonly channelId: string;
  readonly status: ContentStatus;
}

// Uploading, processing and waiting run in transactions and require the same role.
const SELECT = `select c.id, c.channel_id as "channelId", c.status,
  ${isMember(SCOPED, 'c.channel_id', null)} as member,
          ${roleMay(SCOPED, 'c.channel_id', 'asset:upload')} as may, c.effective_visibility <> 'PRIVATE' as open
   from contents c, ${viewerRow('$2')}
   where c.id = $1 and c.kind = $3 and c.deleted_at is null`;
const FIND = sql('find_content', SELECT);
const LOCK = sql('lock_content', `${SELECT} for update of c`);

/** The content as the viewer sees it; null when there is none of that kind. */
export function findContent(
  db: Executor,
  { id, kind }: ContentTarget,
  viewer: ViewerScope,
): Promise<FoundContent | null> {
  return db.first<FoundContent>(FIND, [id, viewer, kind]);
}

/** As `findContent`, locked until the transaction ends. */
export function lockContent(
  tx: Executor,
  { id, kind }: ContentTarget,
  viewer: ViewerScope,
): Promise<FoundContent | null> {
  return tx.first<FoundContent>(LOCK, [id, viewer, kind]);
}

const placeholders = new NumberedPlaceholders<VideoValues>(9);
const inserted = insertion(placeholders, VIDEO_FIELDS, (values) => values);
const INSERT = sql(
  'insert_content',
  `insert into contents (id, channel_id, kind, publish_when_ready, release_at, created_at, updated_at, parent_id,
    number, ${inserted.columns})
   values ($1, $2, $3, $4, $5, $6, $6, $7, $8, ${inserted.values})`,
);

/** Inserts a draft. The caller has checked the channel. */
export async function insertContent(
  tx: Executor,
  content: Pick<NewContent, 'id' | 'kind'> & {
    readonly channel: string;
    readonly values: VideoValues;
    readonly publishWhenReady: boolean;
    readonly releaseAt: string | null;
    /** Of an episode: its parent, which the caller has locked, and its number there. */
    readonly place?: { readonly parentId: string; readonly number: number } | null;
  },
  nowMs: number,
): Promise<void> {
  const { id, channel, kind, values, publishWhenReady, releaseAt, place = null } = content;
  const at = [place?.parentId ?? null, place?.number ?? null];
  const row = [id, channel, kind, publishWhenReady, releaseAt, new Date(nowMs).toISOString(), ...at];
  await tx.run(INSERT, [...row, ...placeholders.values(values)]);
}

/** What the owner requested to happen after processing. */
export interface ProcessingPlan {
  /** Null keeps the layout. */
  readonly layout: ContentLayout | null;
  /** Null keeps the value; false also clears a date in the future. */
  readonly publishWhenReady: boolean | null;
  /** ISO 8601; null clears the date, and undefined keeps it. */
  readonly releaseAt: string | null | undefined;
}

const SET_PLAN = sql(
  'set_publication_plan',
  `update contents set layout = coalesce($2, layout), publish_when_ready = coalesce($3, publish_when_ready),
     release_at = case when $6 then $4 when $3 = false and release_at > $5 then null else release_at end,
     updated_at = $5
   where id = $1`,
);

/** Stores what to do after processing. */
export async function setProcessingPlan(
  tx: Executor,
  id: string,
  { layout, publishWhenReady, releaseAt }: ProcessingPlan,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await tx.run(SET_PLAN, [id, layout, publishWhenReady, releaseAt ?? null, now, releaseAt !== undefined]);
}

const STATUS = sql('content_status', 'select status from contents where id = $1');

/** The state of an existing content. */
export async function contentStatus(tx: Executor, id: string): Promise<ContentStatus | null> {
  return (await tx.first<{ status: ContentStatus }>(STATUS, [id]))?.status ?? null;
}

const RETITLE = sql('retitle_content', 'update contents set title = $2, updated_at = $3 where id = $1 returning 1');

/** Changes the title of a content; whether it was another one. */
export async function retitleContent(tx: Executor, id: string, title: string, nowMs: number): Promise<boolean> {
  return (await tx.run(RETITLE, [id, title, new Date(nowMs).toISOString()])).length > 0;
}
