import type { ContentId, VideoAssetId } from '../../../kernel/ids.ts';
import type { EncodePlan } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';
import { playableVideo } from '../../assets/index.ts';

/** A video that was processed completely, whose uploaded file is stored, and that no job is processing. */
export interface ProcessedVideo {
  readonly contentId: ContentId;
  readonly videoAssetId: VideoAssetId;
  /** How it was encoded; null where an earlier version did not store it. */
  readonly plan: Omit<EncodePlan, 'chunks'> | null;
}

const PROCESSED = `select v.id as "videoAssetId", c.id as "contentId", e.plan
  from video_assets v join contents c on c.id = v.content_id left join encoded_videos e on e.video_asset_id = v.id
  where v.original_deleted_at is null and c.deleted_at is null and v.id = ${playableVideo('c.id')}
    and exists (select from transcode_jobs j where j.video_asset_id = v.id and j.status = 'COMPLETE')
    and not exists (select from transcode_jobs j where j.video_asset_id = v.id and j.purpose <> 'RENDITIONS'
      and j.status in ('QUEUED', 'TRANSCODING', 'CANCELLING'))`;

const PAGE_ROWS = 100;
const PAGE: Statement = sql('processed_videos', `${PROCESSED} and v.id > $1 order by v.id limit ${PAGE_ROWS}`);
const OF_CONTENT: Statement = sql('processed_video_of', `${PROCESSED} and c.id = $1`);
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** All of them, oldest first. */
export async function* processedVideos(db: Executor): AsyncIterable<ProcessedVideo> {
  for (let after: string = FIRST_ID; ; ) {
    const rows = await db.run<ProcessedVideo>(PAGE, [after]);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = last.videoAssetId;
  }
}

/** That of a content; null where there is none. */
export function processedVideoOf(db: Executor, contentId: string): Promise<ProcessedVideo | null> {
  return db.first<ProcessedVideo>(OF_CONTENT, [contentId]);
}
