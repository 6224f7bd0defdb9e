import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isStillShared } from '../../channels/index.ts';

/** A file, as its content allows it. */
export interface MediaFacts {
  readonly visibility: EffectiveVisibility;
  /** Whether the segments of the video are sent encrypted at signed addresses. */
  readonly encrypts: boolean;
}

/** Who may see a file without a signature: everyone, anyone with the link, or no one. */
export type EffectiveVisibility = 'PUBLIC' | 'UNLISTED' | 'PRIVATE';

/**
 * SQL: whether what the address names, a signing key, an account or a link, still allows a content `c` to be played; an
 * address that names nothing has no condition.
 */
const isLeased = (key: string): string =>
  `(${key}::uuid is null or (c.status = 'PUBLISHED' and exists (select 1 from signing_keys k where k.id = ${key}
    and k.channel_id = c.channel_id)) or ${isStillShared('c', key)})`;

/** A video of a content, and what its address names. */
export interface WantedVideo {
  readonly videoAssetId: string;
  readonly contentId: string;
  readonly keyId: string | null;
}

/** Each is looked up by its id: for a join, a generic plan would read the tables. */
const VIDEOS = sql(
  'video_access',
  `select w.place::int, f.* from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality
     as w (video, content, key, place)
   cross join lateral (
     select c.effective_visibility as visibility, coalesce(ch.encrypt_private_videos, false) as encrypts
     from video_assets v join contents c on c.id = v.content_id left join channels ch on ch.id = c.channel_id
     where v.id = w.video and c.id = w.content and c.deleted_at is null and ${isLeased('w.key')}
     limit 1
   ) f`,
);

/**
 * Who may play each of the videos, and how; null where there is none, it was deleted, or its signing key no longer
 * allows it.
 */
export async function videoFacts(db: Executor, wanted: readonly WantedVideo[]): Promise<(MediaFacts | null)[]> {
  const rows = await db.run<MediaFacts & { place: number }>(VIDEOS, [
    wanted.map(({ videoAssetId }) => videoAssetId),
    wanted.map(({ contentId }) => contentId),
    wanted.map(({ keyId }) => keyId),
  ]);
  const facts = wanted.map((): MediaFacts | null => null);
  for (const { place, visibility, encrypts } of rows) facts[place - 1] = { visibility, encrypts };
  return facts;
}

const CHAT = sql(
  'chat_access',
  `select c.effective_visibility as visibility, false as encrypts from contents c
   where c.id = $1 and c.deleted_at is null and ${isLeased('$2')}`,
);

/**
 * Who may read the chat of a content; null when there is no such content, it was deleted, or its signing key no longer
 * allows it.
 */
export function chatFacts(db: Executor, contentId: string, keyId: string | null): Promise<MediaFacts | null> {
  return db.first(CHAT, [contentId, keyId]);
}

const IMAGE = sql(
  'image_access',
  `select case when i.content_id is not null then c.effective_visibility
               when i.playlist_id is not null then case when p.open then p.visibility else 'PRIVATE' end
               when i.is_test then 'PRIVATE'
               else 'PUBLIC' end as visibility, false as encrypts
   from image_assets i left join contents c on c.id = i.content_id left join playlists p on p.id = i.playlist_id
   where i.id = $1 and c.deleted_at is null and ${isLeased('$2')}`,
);

/**
 * Who may see the image: those of channels everyone (of a test channel its account), others who may see the content or
 * playlist. Null when there is none, it was deleted, or its signing key no longer allows it.
 */
export function imageFacts(db: Executor, imageAssetId: string, keyId: string | null): Promise<MediaFacts | null> {
  return db.first(IMAGE, [imageAssetId, keyId]);
}

/** A file downloads, as stored in its row. */
export interface DownloadFacts {
  /** Key of the object; null when the video has no such file. */
  readonly objectKey: string | null;
  readonly title: string;
  /** Who may download it. */
  readonly visibility: EffectiveVisibility;
}

const DOWNLOAD = sql(
  'download_access',
  `select v.package_prefix || (v.extras ->> $2) as "objectKey", c.title,
          case when c.allow_download then c.effective_visibility else 'PRIVATE' end as visibility
   from video_assets v join contents c on c.id = v.content_id
   where v.id = $1 and c.deleted_at is null and ${isLeased('$3')}
     and ($3::uuid is null or c.allow_download)`,
);

/**
 * The file of a video that `extra` names; null when there is no such video, it was deleted, or what the address names
 * no longer allows it.
 */
export function downloadFacts(
  db: Executor,
  videoAssetId: string,
  extra: 'videoDownload' | 'audioDownload',
  keyId: string | null,
): Promise<DownloadFacts | null> {
  return db.first(DOWNLOAD, [videoAssetId, extra, keyId]);
}

const SOURCE = sql(
  'source_access',
  `select v.source_key as "objectKey", v.mime_type as "mimeType" from video_assets v join contents c
    on c.id = v.content_id
   where v.id = $1 and c.deleted_at is null`,
);

/** The key of a video's uploaded file; null when there is none, or it was deleted. */
export function sourceObject(
  db: Executor,
  videoAssetId: string,
): Promise<{ objectKey: string; mimeType: string | null } | null> {
  return db.first(SOURCE, [videoAssetId]);
}
