import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { COPY_NAME } from '../media-address.ts';

const DROP = sql(
  'drop_original',
  `update video_assets v set original_deleted_at = $2 from channels c
   where v.id = $1 and c.id = v.channel_id and not c.keep_originals and v.original_deleted_at is null
     and v.package_prefix is not null and not starts_with(reverse(v.package_prefix), reverse($3))
     and exists (select from transcode_jobs j where j.video_asset_id = v.id and j.status = 'COMPLETE')
     and not exists (select from transcode_jobs j where j.video_asset_id = v.id
       and j.status in ('QUEUED', 'TRANSCODING', 'CANCELLING'))
     and not exists (select from renditions r where r.video_asset_id = v.id and r.state = 'EVICTED')
     and not exists (select from contents e where e.id = v.content_id and e.enhance_when_ready)
   returning v.channel_id as "channelId", v.source_key as "sourceKey", v.size_bytes as "sizeBytes"`,
);

/**
 * Gives up the uploaded file of a video if its channel keeps none and its streams do not need it: its processing is
 * complete, and its segments are not cut from the file. Null otherwise, and when it was given up before.
 */
export function dropOriginal(
  tx: Executor,
  videoAssetId: string,
  now: string,
): Promise<{ channelId: string; sourceKey: string; sizeBytes: number } | null> {
  return tx.first(DROP, [videoAssetId, now, `/${COPY_NAME}/`]);
}

const DELETED = sql('original_deleted', 'select 1 from video_assets where id = $1 and original_deleted_at is not null');

/** Whether the uploaded file of a video was given up. */
export async function isOriginalDeleted(db: Executor, videoAssetId: string): Promise<boolean> {
  return (await db.first(DELETED, [videoAssetId])) !== null;
}

const KEEPS_ORIGINALS = sql('keeps_originals', 'select keep_originals as keeps from channels where id = $1');

/** Whether a channel keeps the uploaded files of its videos. */
export async function keepsOriginals(db: Executor, channelId: string): Promise<boolean> {
  return (await db.first<{ keeps: boolean }>(KEEPS_ORIGINALS, [channelId]))?.keeps ?? false;
}
