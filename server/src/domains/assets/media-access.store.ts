import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';

const OPEN = `c.reach <> 'NONE'`;

const VIDEO = sql(
  'video_access',
  `select ${OPEN} as open from video_assets v join contents c on c.id = v.content_id
   where v.id = $1 and c.id = $2 and c.deleted_at is null`,
);

/** Whether anyone may play the video; null when there is none, or it was deleted. */
export async function videoIsOpen(db: Executor, videoAssetId: string, contentId: string): Promise<boolean | null> {
  return (await db.first<{ open: boolean }>(VIDEO, [videoAssetId, contentId]))?.open ?? null;
}

const IMAGE = sql(
  'image_access',
  `select (i.content_id is null or (${OPEN})) and coalesce(p.visibility <> 'PRIVATE', true) as open
   from image_assets i left join contents c on c.id = i.content_id left join playlists p on p.id = i.playlist_id
   where i.id = $1 and c.deleted_at is null`,
);

/** Whether anyone may see the image: those of channels always, those of playlists unless they are private. Null when there is none, or it was deleted. */
export async function imageIsOpen(db: Executor, imageAssetId: string): Promise<boolean | null> {
  return (await db.first<{ open: boolean }>(IMAGE, [imageAssetId]))?.open ?? null;
}

/** A file to download, as its row knows it. */
export interface DownloadFacts {
  /** Key of the object; null where the video has no such file. */
  readonly objectKey: string | null;
  readonly title: string;
  /** Whether anyone may have it. */
  readonly open: boolean;
}

const DOWNLOAD = sql(
  'download_access',
  `select v.package_prefix || (v.extras ->> $2) as "objectKey", c.title, ${OPEN} and c.allow_download as open
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
