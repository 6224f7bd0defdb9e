import type { MediaFacts } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A playable video of a content without a poster. */
export interface PosterlessVideo {
  readonly contentId: string;
  readonly durationMs: number;
  /** Prefix of the index that its segments are cut with; null where they are encoded. */
  readonly indexPrefix: string | null;
  /** Of the file that is encoded. */
  readonly sourceKey: string;
  /** The facts of that; null unless it is being encoded. */
  readonly facts: MediaFacts | null;
}

const FIND = sql(
  'posterless_video',
  `select v.content_id as "contentId", v.duration_ms::float8 as "durationMs", i.key_prefix as "indexPrefix",
     coalesce(p.remuxed_key, v.source_key) as "sourceKey", p.plan -> 'facts' as facts
   from video_assets v join contents c on c.id = v.content_id
     left join media_indexes i on i.video_asset_id = v.id
     left join transcode_jobs j on j.video_asset_id = v.id and j.status = 'TRANSCODING'
     left join encode_plans p on p.job_id = j.id
   where v.id = $1 and v.package_prefix is not null and c.deleted_at is null
     and not exists (select from image_assets m where m.content_id = c.id and m.purpose in ('POSTER', 'THUMBNAIL'))`,
);

/** A video that needs a poster; null for others, and where there is no such video. */
export function posterlessVideo(db: Executor, videoAssetId: string): Promise<PosterlessVideo | null> {
  return db.first(FIND, [videoAssetId]);
}
