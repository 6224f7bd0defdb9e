import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Who may see a file without a signature: everyone, anyone with the link, or no one. */
export type MediaVisibility = 'LISTED' | 'LINK' | 'NONE';

const VIDEO = sql(
  'video_access',
  `select c.reach from video_assets v join contents c on c.id = v.content_id
   where v.id = $1 and c.id = $2 and c.deleted_at is null`,
);

/** Who may play the video; null when there is none, or it was deleted. */
export async function videoVisibility(db: Executor, videoAssetId: string, contentId: string): Promise<MediaVisibility | null> {
  return (await db.first<{ reach: MediaVisibility }>(VIDEO, [videoAssetId, contentId]))?.reach ?? null;
}

const IMAGE = sql(
  'image_access',
  `select case when i.content_id is not null then c.reach
               when i.playlist_id is not null then case p.visibility when 'PUBLIC' then 'LISTED' when 'UNLISTED' then 'LINK' else 'NONE' end
               else 'LISTED' end as reach
   from image_assets i left join contents c on c.id = i.content_id left join playlists p on p.id = i.playlist_id
   where i.id = $1 and c.deleted_at is null`,
);

/** Who may see the image: those of channels everyone, others who may see the content or playlist. Null when there is none, or it was deleted. */
export async function imageVisibility(db: Executor, imageAssetId: string): Promise<MediaVisibility | null> {
  return (await db.first<{ reach: MediaVisibility }>(IMAGE, [imageAssetId]))?.reach ?? null;
}

/** A file to download, as stored in its row. */
export interface DownloadFacts {
  /** Key of the object; null where the video has no such file. */
  readonly objectKey: string | null;
  readonly title: string;
  /** Who may have it. */
  readonly reach: MediaVisibility;
}

const DOWNLOAD = sql(
  'download_access',
  `select v.package_prefix || (v.extras ->> $2) as "objectKey", c.title,
          case when c.allow_download then c.reach else 'NONE' end as reach
   from video_assets v join contents c on c.id = v.content_id
   where v.id = $1 and c.deleted_at is null`,
);

/** The file of a video that `extra` names; null when there is no such video, or it was deleted. */
export function downloadFacts(db: Executor, videoAssetId: string, extra: 'videoDownload' | 'audioDownload'): Promise<DownloadFacts | null> {
  return db.first(DOWNLOAD, [videoAssetId, extra]);
}

const SOURCE = sql(
  'source_access',
  `select v.source_key as "objectKey", v.mime_type as "mimeType" from video_assets v join contents c on c.id = v.content_id
   where v.id = $1 and c.deleted_at is null`,
);

/** Where the file of a video as it was uploaded lies; null when there is none, or it was deleted. */
export function sourceObject(db: Executor, videoAssetId: string): Promise<{ objectKey: string; mimeType: string | null } | null> {
  return db.first(SOURCE, [videoAssetId]);
}
