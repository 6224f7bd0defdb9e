import type { VideoAssetId } from '../../../kernel/ids.ts';
import type { StoredText } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { errorTextOf } from '../../../platform/db/stored-text.ts';
import { arrivedBytes } from './arrived-bytes.sql.ts';
import type { IngestionState } from './ingestions.store.ts';

/** The upload of a video. */
export interface VideoUpload {
  readonly state: IngestionState;
  readonly receivedBytes: number;
  /** Null while it is not known. */
  readonly sizeBytes: number | null;
  readonly error: StoredText | null;
  /** The resulting asset; null before its last byte. */
  readonly videoAssetId: VideoAssetId | null;
}

const NEWEST = sql(
  'newest_video_upload',
  `select i.state, ${arrivedBytes('i')} as "receivedBytes",
    case when not i.size_deferred then i.size_bytes end as "sizeBytes",
    ${errorTextOf('i')} as error, v.id as "videoAssetId"
   from ingestions i left join video_assets v on v.content_id = i.content_id and v.ingestion_id = i.id
   where i.content_id = $1 and i.media_kind = 'VIDEO' and ($2::text is null or i.asset_name = $2)
   order by i.created_at desc, i.id desc limit 1`,
);

/** The latest video upload of a content, or the one with the given asset name; null when there is none. */
export function newestVideoUpload(
  tx: Executor,
  contentId: string,
  assetName: string | null,
): Promise<VideoUpload | null> {
  return tx.first<VideoUpload>(NEWEST, [contentId, assetName]);
}
