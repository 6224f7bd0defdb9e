import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { ContentLayout } from '../contents/content-fields.ts';

const PUBLISH_DUE = sql(
  'publish_due',
  `with due as (
     select id from contents
     where status = 'READY' and release_at <= $1 and release_at > created_at and deleted_at is null
     order by release_at limit 100
     for update skip locked
   ),
   changed as (
     update contents c set status = 'PUBLISHED', published_at = $1, updated_at = $1
     from due where c.id = due.id
     returning c.id, c.channel_id
   ),
   event as (
     insert into events (type, channel_id, subject_id) select 'content.published', channel_id, id from changed
   )
   select id from changed`,
);

/**
 * Publishes up to 100 contents whose scheduled time has passed, and returns their ids. A date before a content was
 * created, as of an import, is when it was first published elsewhere. Workers may call it at the same time.
 */
export async function publishDueContents(db: Executor, nowMs: number): Promise<string[]> {
  const rows = await db.run<{ id: string }>(PUBLISH_DUE, [new Date(nowMs).toISOString()]);
  return rows.map((row) => row.id);
}

const PUBLISH_WHEN_READY = sql(
  'publish_when_ready',
  `with changed as (
     update contents set
       status = case when release_at > $2 then status else 'PUBLISHED' end,
       published_at = case when release_at > $2 then null else $2::timestamptz end,
       publish_when_ready = false,
       updated_at = $2
     where id = $1 and status = 'READY' and publish_when_ready and deleted_at is null
     returning id, channel_id, status
   ),
   event as (
     insert into events (type, channel_id, subject_id)
     select 'content.published', channel_id, id from changed where status = 'PUBLISHED'
   )
   select status from changed`,
);

/** Publishes a content that became ready, if its owner requested it; one with a future release date stays scheduled. */
export async function publishIfRequested(tx: Executor, contentId: string, nowMs: number): Promise<void> {
  await tx.run(PUBLISH_WHEN_READY, [contentId, new Date(nowMs).toISOString()]);
}

const PUBLISH_NOW = sql(
  'publish_now',
  `update contents set status = 'PUBLISHED', published_at = $2, updated_at = $2 where id = $1`,
);

/** Publishes a content, whatever its state; the caller writes the event. */
export async function publishNow(tx: Executor, contentId: string, nowMs: number): Promise<void> {
  await tx.run(PUBLISH_NOW, [contentId, new Date(nowMs).toISOString()]);
}

const LOCK_KEPT = sql(
  'lock_kept_stream',
  'select id from contents where id = $1 and deleted_at is null and taken_down_at is null for update',
);

/** Locks a stream; false where it is deleted or taken down. */
export async function lockKeptStream(tx: Executor, contentId: string): Promise<boolean> {
  return (await tx.first(LOCK_KEPT, [contentId])) !== null;
}

const RESTART = sql(
  'restart_stream',
  `update contents set published_at = case when status = 'PUBLISHED' then $3::timestamptz end, layout = $2,
     updated_at = $3
   where id = $1`,
);

/** A stream gets its video now: if it is published, from now on. */
export async function restartStream(
  tx: Executor,
  contentId: string,
  layout: ContentLayout,
  nowMs: number,
): Promise<void> {
  await tx.run(RESTART, [contentId, layout, new Date(nowMs).toISOString()]);
}

const PUBLISH_ARRIVING = sql(
  'publish_arriving',
  `with changed as (
     update contents set status = 'PUBLISHED', published_at = $2, publish_when_ready = false, updated_at = $2
     where id = $1 and publish_when_ready and status in ('DRAFT', 'FAILED') and visibility <> 'PRIVATE'
       and (release_at is null or release_at <= $2) and deleted_at is null and taken_down_at is null
     returning id, channel_id
   )
   insert into events (type, channel_id, subject_id) select 'content.published', channel_id, id from changed
   returning id`,
);

/**
 * Publishes a content whose video is played while its upload arrives, if its owner requested that, others may watch it,
 * and no release date is ahead.
 */
export async function publishArriving(tx: Executor, contentId: string, nowMs: number): Promise<boolean> {
  return (await tx.first(PUBLISH_ARRIVING, [contentId, new Date(nowMs).toISOString()])) !== null;
}

const WITHDRAW = sql(
  'withdraw_stream',
  `with changed as (
     update contents set status = 'DRAFT', published_at = null, updated_at = $2
     where id = $1 and status in ('READY', 'PUBLISHED') returning id, channel_id, status
   )
   insert into events (type, channel_id, subject_id) select 'content.unpublished', channel_id, id from changed`,
);

/** Makes a draft of a content whose video is not kept. */
export async function withdrawContent(tx: Executor, contentId: string, nowMs: number): Promise<void> {
  await tx.run(WITHDRAW, [contentId, new Date(nowMs).toISOString()]);
}
