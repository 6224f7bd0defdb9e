import type { Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { playsWhatArrived } from '../../assets/index.ts';

/** How a video is played before all of it is encoded. */
export interface PlayableFacts {
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  readonly packagePrefix: string;
  readonly derivedBytes: number;
  readonly derivedFiles: number;
}

/** SQL: whether a video is not played by its own streams, but perhaps by what was played while its upload arrived. */
const IS_UNPLAYED = `(v.package_prefix is null or ${playsWhatArrived('v')})`;

const MARK = sql(
  'video_asset_playable',
  `with asset as (
     update video_assets v set mime_type = $2, width = $3, height = $4, duration_ms = $5, package_prefix = $6,
       ready_at = $7, derived_bytes = $8, derived_files = $9
     from contents c
     where v.id = $1 and ${IS_UNPLAYED} and v.edit is null and c.id = v.content_id and c.deleted_at is null
       and exists (select from transcode_jobs j where j.video_asset_id = v.id and j.status in ('QUEUED', 'TRANSCODING'))
     returning v.content_id, v.channel_id
   ),
   content as (
     update contents c set duration_ms = $5, updated_at = $7, status = case when c.status = 'PROCESSING' then 'READY'
       else c.status end
     from asset where c.id = asset.content_id
   )
   select content_id as "contentId", channel_id as "channelId" from asset`,
);

/**
 * Makes a video that is being processed playable and its content READY. Null when it is already playable, or when its
 * processing ended. One that was made by an edit is not played before it is complete: captions change with it.
 */
export function markVideoPlayable(
  tx: Transaction,
  videoAssetId: string,
  facts: PlayableFacts,
  now: string,
): Promise<{ contentId: string; channelId: string } | null> {
  const { mimeType, width, height, durationMs, packagePrefix, derivedBytes, derivedFiles } = facts;
  return tx.first(MARK, [
    videoAssetId,
    mimeType,
    width,
    height,
    durationMs,
    packagePrefix,
    now,
    derivedBytes,
    derivedFiles,
  ]);
}

const UPLOADED = sql(
  'uploaded_video',
  `select v.source_key as "sourceKey", v.content_id as "contentId", v.channel_id as "channelId"
   from video_assets v join contents c on c.id = v.content_id
   where v.id = $1 and ${IS_UNPLAYED} and v.edit is null and c.deleted_at is null`,
);

/** A video that has no package yet and may be played before it is encoded; null for others. */
export function uploadedVideo(
  tx: Pick<Transaction, 'first'>,
  videoAssetId: string,
): Promise<{ sourceKey: string; contentId: string; channelId: string } | null> {
  return tx.first(UPLOADED, [videoAssetId]);
}
