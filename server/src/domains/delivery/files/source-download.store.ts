import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Keys of the files of a playable video. */
export interface VideoFiles {
  /** The file as it was uploaded; null when it was deleted. */
  readonly sourceKey: string | null;
  readonly mimeType: string | null;
  /** The highest quality with audio as one MP4 file; null when there is none. */
  readonly madeKey: string | null;
  /** False for audio only. */
  readonly hasVideo: boolean;
}

const FILES = sql(
  'files_of_content',
  `select case when v.original_deleted_at is null then v.source_key end as "sourceKey", v.mime_type as "mimeType",
    v.package_prefix || (v.extras ->> 'videoDownload') as "madeKey", v.width is not null as "hasVideo"
   from video_assets v where v.content_id = $1 and v.ready_at is not null
   order by v.created_at desc, v.id desc limit 1`,
);

/** The files of the newest video of a content that can be played; null when there is none. */
export function filesOfContent(db: Executor, contentId: string): Promise<VideoFiles | null> {
  return db.first<VideoFiles>(FILES, [contentId]);
}
