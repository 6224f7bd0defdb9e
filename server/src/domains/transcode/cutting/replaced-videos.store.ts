import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** SQL: the videos of the same content that can be played and are older than the video `v`. */
export const earlierVideosOf = (v: string): string =>
  `select o.id, o.duration_ms, o.kept_ranges, o.texts_before from video_assets o
     where o.content_id = ${v}.content_id and o.ready_at is not null
     and (o.created_at, o.id) < (${v}.created_at, ${v}.id) order by o.created_at desc, o.id desc limit 1`;

const DROP = sql(
  'drop_failed_replacement',
  `with failed as (
     select v.id, v.content_id, e.duration_ms
     from transcode_jobs j join video_assets v on v.id = j.video_asset_id
       cross join lateral (${earlierVideosOf('v')}) e
     where j.id = $1 and j.purpose = 'PROCESS' and j.status in ('ERROR', 'CANCELLED')
       and j.finished_at > $2::timestamptz - interval '1 day' and not exists (
       select from transcode_jobs o where o.video_asset_id = v.id and o.status in ('QUEUED', 'TRANSCODING', 'COMPLETE'))
   ),
   gone as (delete from video_assets v using failed f where v.id = f.id)
   update contents c set duration_ms = f.duration_ms, updated_at = $2
   from failed f where c.id = f.content_id
   returning c.id, c.channel_id as "channelId"`,
);

/**
 * Removes the video of a job that failed or was cancelled, if an earlier one of its content can be played, which it is
 * then as before; not those of jobs that ended more than a day ago. Null where there is nothing to remove.
 */
export function dropFailedVideo(
  tx: Executor,
  jobId: string,
  now: string,
): Promise<{ id: string; channelId: string } | null> {
  return tx.first(DROP, [jobId, now]);
}
