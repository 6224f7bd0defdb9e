import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { Resolution } from './report-reasons.ts';

const writing = (name: string, changed: string) =>
  sql(
    name,
    `with changed as (${changed} returning id, channel_id, content_id, status),
     event as (insert into events (type, channel_id, subject_id, payload)
       select 'comment.updated', channel_id, id, jsonb_build_object('contentId', content_id, 'status', status)
       from changed)
     select id from changed`,
  );
const TAKE_DOWN = writing(
  'take_comment_down',
  `update comments c set status = 'REJECTED', held_for = null, taken_down_at = $2, pin = 0,
     placeholder = exists (select 1 from comments r where r.parent_id = c.id)
   where c.id = $1 and c.deleted_at is null and c.taken_down_at is null`,
);
const PUT_BACK = writing(
  'put_comment_back',
  `update comments set status = 'PUBLISHED', taken_down_at = null, placeholder = false
   where id = $1 and deleted_at is null and taken_down_at is not null`,
);

/** Rejects a comment so that moderators cannot approve it; false if it was rejected so, or deleted. */
export async function takeCommentDown(tx: Executor, id: string, nowIso: string): Promise<boolean> {
  return (await tx.first(TAKE_DOWN, [id, nowIso])) !== null;
}

/** Publishes it again; false if it was not taken down. */
export async function putCommentBack(tx: Executor, id: string): Promise<boolean> {
  return (await tx.first(PUT_BACK, [id])) !== null;
}

const CLOSE = sql(
  'close_reports_about',
  `with changed as (
     update reports set status = $2, resolved_by = $3, resolved_at = $4 where subject_id = $1 and status = 'OPEN'
     returning id, channel_id, status),
   event as (insert into events (type, channel_id, subject_id, payload)
     select 'report.resolved', channel_id, id, jsonb_build_object('resolution', status) from changed)
   select id from changed`,
);

/** Closes all open reports about one thing; returns how many. */
export async function closeReportsAbout(
  tx: Executor,
  subjectId: string,
  { resolution, by, nowIso }: { readonly resolution: Resolution; readonly by: string; readonly nowIso: string },
): Promise<number> {
  return (await tx.run(CLOSE, [subjectId, resolution, by, nowIso])).length;
}
