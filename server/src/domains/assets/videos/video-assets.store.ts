import type { Rendition, TimeRange } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isArriving } from './arriving.sql.ts';

/** An uploaded video file before inspection. */
export interface NewVideoAsset {
  readonly id: string;
  readonly channelId: string;
  readonly contentId: string;
  readonly ingestionId: string | null;
  /** A VideoContentType. */
  readonly hint: string;
  readonly filename: string;
  readonly sourceKey: string;
  readonly sizeBytes: number;
}

const INSERT = sql(
  'insert_video_asset',
  `insert into video_assets (id, channel_id, content_id, ingestion_id, hint, filename, source_key, size_bytes,
    created_at, edit, kept_ranges, original_key, original_bytes)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);

/** What made a video of an earlier one of the same content: ranges of its file were kept, or all of it again. */
export type VideoEdit =
  | {
      readonly edit: 'TRIM';
      readonly keptRanges: readonly TimeRange[];
      readonly originalKey: string;
      readonly originalBytes: number;
    }
  | { readonly edit: 'REVERT' };

export async function insertVideoAsset(
  tx: Executor,
  asset: NewVideoAsset,
  now: string,
  edit: VideoEdit | null = null,
): Promise<void> {
  const { id, channelId, contentId, ingestionId, hint, filename, sourceKey, sizeBytes } = asset;
  const trim = edit?.edit === 'TRIM' ? edit : null;
  await tx.run(INSERT, [
    ...[id, channelId, contentId, ingestionId, hint, filename, sourceKey, sizeBytes, now, edit?.edit ?? null],
    ...[trim && JSON.stringify(trim.keptRanges), trim?.originalKey ?? null, trim?.originalBytes ?? 0],
  ]);
}

const INSERT_LIVE = sql(
  'insert_live_video',
  `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
     height, package_prefix, extras, ready_at, created_at, original_deleted_at)
   values ($1, $2, $3, $4, $5, $6, 0, 'video/mp4', $7, $8, $9, '{}', $10, $10, $10)`,
);

/** A video that is broadcast: it is played from the start, and has no file. */
export async function insertLiveVideo(
  tx: Executor,
  asset: Omit<NewVideoAsset, 'ingestionId' | 'sizeBytes'> & Record<'width' | 'height', number>,
  packagePrefix: string,
  now: string,
): Promise<void> {
  const { id, channelId, contentId, hint, filename, sourceKey, width, height } = asset;
  await tx.run(INSERT_LIVE, [
    ...[id, channelId, contentId, hint, filename, sourceKey, width, height],
    ...[packagePrefix, now],
  ]);
}

const INSERT_ARRIVING = sql(
  'insert_arriving_video',
  `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
     height, package_prefix, extras, ready_at, created_at, original_deleted_at)
   values ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, $10, '{}', $11, $12, $12)`,
);

/** Whose upload is played while it arrives. */
export interface ArrivingVideo extends Omit<NewVideoAsset, 'ingestionId' | 'sizeBytes'> {
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly packagePrefix: string;
  /** Whether viewers of its content see it, as a video that was processed. */
  readonly isShown: boolean;
}

/** A video that has no file yet, and is played from what has arrived of it. */
export async function insertArrivingVideo(tx: Executor, video: ArrivingVideo, now: string): Promise<void> {
  const { id, channelId, contentId, hint, filename, sourceKey, mimeType, width, height } = video;
  await tx.run(INSERT_ARRIVING, [
    ...[id, channelId, contentId, hint, filename, sourceKey, mimeType, width, height],
    ...[video.packagePrefix, video.isShown ? now : null, now],
  ]);
}

const ADOPT = sql(
  'adopt_file_of_video',
  `update video_assets set ingestion_id = $2, source_key = $3, size_bytes = $4, created_at = $5,
     original_deleted_at = null
   where id = $1`,
);

/** The upload of a video that is played has arrived: it has this file from now on. */
export async function adoptFile(
  tx: Executor,
  id: string,
  { ingestionId, sourceKey, sizeBytes }: Pick<NewVideoAsset, 'ingestionId' | 'sourceKey' | 'sizeBytes'>,
  now: string,
): Promise<void> {
  await tx.run(ADOPT, [id, ingestionId, sourceKey, sizeBytes, now]);
}

const COMPLETE_LIVE = sql(
  'complete_live_video',
  `with asset as (
     update video_assets set duration_ms = $2, derived_bytes = $3, derived_files = $4, missing_ms = $5 where id = $1
     returning content_id
   )
   update contents c set duration_ms = $2, updated_at = $6 from asset where c.id = asset.content_id`,
);

/** What was recorded of a broadcast. */
export interface RecordedFacts {
  readonly durationMs: number;
  readonly derivedBytes: number;
  readonly derivedFiles: number;
  /** What could not be stored. */
  readonly missingMs: number;
}

/** Completes a video that was broadcast. */
export async function completeLiveVideo(
  tx: Executor,
  videoAssetId: string,
  { durationMs, derivedBytes, derivedFiles, missingMs }: RecordedFacts,
  now: string,
): Promise<void> {
  await tx.run(COMPLETE_LIVE, [videoAssetId, durationMs, derivedBytes, derivedFiles, missingMs, now]);
}

const SOURCE_OF_LIVE = sql(
  'source_of_live_video',
  `update video_assets set size_bytes = $2, original_deleted_at = null where id = $1 and size_bytes = 0 returning id`,
);

/** A video that was broadcast has a file now; false when it has one, or is gone. */
export async function noteSourceOfLive(tx: Executor, videoAssetId: string, sizeBytes: number): Promise<boolean> {
  return (await tx.run(SOURCE_OF_LIVE, [videoAssetId, sizeBytes])).length > 0;
}

const REMOVE = sql('remove_video_asset', 'delete from video_assets where id = $1');

/** Removes a video; its objects are deleted soon. */
export async function removeVideoAsset(tx: Executor, videoAssetId: string): Promise<void> {
  await tx.run(REMOVE, [videoAssetId]);
}

const NEWEST = sql(
  'newest_video_asset',
  `select v.id from video_assets v where v.content_id = $1 and not ${isArriving('v')}
   order by v.created_at desc, v.id desc limit 1`,
);

/** The last uploaded video; null when there is none. */
export async function newestVideoAsset(tx: Executor, contentId: string): Promise<string | null> {
  return (await tx.first<{ id: string }>(NEWEST, [contentId]))?.id ?? null;
}

const SOURCE = sql(
  'video_asset_source',
  `select v.source_key as "sourceKey", v.size_bytes as "sizeBytes", v.package_prefix as "packagePrefix",
          v.mime_type as "mimeType", c.title, v.edit,
          exists (select 1 from image_assets i where i.content_id = c.id and i.purpose = 'POSTER'
            and (i.video_asset_id is null or i.video_asset_id = v.id)) as "hasPoster"
   from video_assets v join contents c on c.id = v.content_id where v.id = $1`,
);

/** The columns of a video that the worker needs. */
export interface VideoSourceFacts {
  readonly sourceKey: string;
  readonly sizeBytes: number;
  /** Null before inspection. */
  readonly mimeType: string | null;
  /** Of an earlier packaging; null when there was none. */
  readonly packagePrefix: string | null;
  readonly title: string;
  /** Whether its content has one that is not a frame of another video, which goes with that. */
  readonly hasPoster: boolean;
  /** How it was made of an earlier video of its content; null for others. */
  readonly edit: VideoEdit['edit'] | null;
}

export function videoSourceFacts(db: Executor, videoAssetId: string): Promise<VideoSourceFacts | null> {
  return db.first<VideoSourceFacts>(SOURCE, [videoAssetId]);
}

/** The result of processing. */
export interface PackagedFacts {
  readonly mimeType: string;
  /** As displayed; null for audio only. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number;
  /** At its end, because the file is cut off or damaged; 0 where it is complete. */
  readonly missingMs: number;
  readonly probe: object;
  /** Pictures from large to small, then audio. */
  readonly renditions: readonly Rendition[];
  /** `{pattern,count,intervalMs,vtt}`; null for audio only. */
  readonly thumbnails: object | null;
  /** As `media/extras` describes them. */
  readonly extras: object;
  /** As `media/inspect` measures it; null for silence. */
  readonly loudness: object | null;
  readonly packagePrefix: string;
  /** Of the package: its size in bytes and its files. */
  readonly derivedBytes: number;
  readonly derivedFiles: number;
}

const READY = sql(
  'video_asset_ready',
  `with asset as (
     update video_assets set mime_type = $2, width = $3, height = $4, duration_ms = $5, probe = $6, renditions = null,
       package_prefix = $7, ready_at = $8, thumbnails = $9, extras = $10, derived_bytes = $11, derived_files = $12,
       loudness = $13, missing_ms = $14
     where id = $1 returning content_id
   )
   update contents c set duration_ms = $5, updated_at = $8, status = case when c.status = 'PROCESSING' then 'READY'
     else c.status end
   from asset where c.id = asset.content_id`,
);

/** Writes the outcome, other than the renditions, and makes the content READY. */
export async function markVideoReady(
  tx: Executor,
  videoAssetId: string,
  facts: PackagedFacts,
  now: string,
): Promise<void> {
  const {
    mimeType,
    width,
    height,
    durationMs,
    probe,
    thumbnails,
    extras,
    loudness,
    packagePrefix,
    derivedBytes,
    derivedFiles,
    missingMs,
  } = facts;
  await tx.run(READY, [
    videoAssetId,
    mimeType,
    width,
    height,
    durationMs,
    JSON.stringify(probe),
    packagePrefix,
    now,
    thumbnails && JSON.stringify(thumbnails),
    JSON.stringify(extras),
    derivedBytes,
    derivedFiles,
    loudness && JSON.stringify(loudness),
    missingMs,
  ]);
}

const MISSING = sql('note_missing', 'update video_assets set missing_ms = $2 where id = $1 and missing_ms <> $2');

/** Notes what is missing at the end of a video before all of it is encoded. */
export async function noteMissing(tx: Executor, videoAssetId: string, missingMs: number): Promise<void> {
  await tx.run(MISSING, [videoAssetId, missingMs]);
}

const DAMAGED = sql('note_damage', 'update video_assets set is_damaged = true where id = $1 and not is_damaged');

/** Notes that decoding found damaged parts in the file of a video. */
export async function noteDamage(tx: Executor, videoAssetId: string): Promise<void> {
  await tx.run(DAMAGED, [videoAssetId]);
}

const REPLACED = sql(
  'remove_replaced_videos',
  `delete from video_assets v using video_assets n
   where n.id = $1 and v.content_id = n.content_id and (v.created_at, v.id) < (n.created_at, n.id)
     and not exists (select 1 from transcode_jobs j where j.video_asset_id = v.id and j.status in ('QUEUED',
       'TRANSCODING', 'CANCELLING'))`,
);

/** Removes earlier videos of the same content, except those being processed. */
export async function removeReplacedVideos(tx: Executor, videoAssetId: string): Promise<void> {
  await tx.run(REPLACED, [videoAssetId]);
}

const LOCK_CONTENT = sql(
  'lock_content_for_processing',
  `select channel_id as "channelId", status from contents where id = $1 and deleted_at is null for update`,
);

/** The content a video belongs to, locked; null when there is none. */
export function lockContentOfVideo(
  tx: Executor,
  contentId: string,
): Promise<{ channelId: string; status: string } | null> {
  return tx.first(LOCK_CONTENT, [contentId]);
}

const PROCESSING = sql(
  'content_processing',
  `update contents set status = case when status = 'PUBLISHED' then status else 'PROCESSING' end, ` +
    'layout = coalesce($2, layout), updated_at = $3 where id = $1',
);

const LAYOUT = sql('content_layout', 'update contents set layout = $2, updated_at = $3 where id = $1');

/** Sets the layout of a content. */
export async function setContentLayout(tx: Executor, contentId: string, layout: string, now: string): Promise<void> {
  await tx.run(LAYOUT, [contentId, layout, now]);
}

/** Sets the content to PROCESSING; a null layout keeps it. */
export async function markContentProcessing(
  tx: Executor,
  contentId: string,
  layout: string | null,
  now: string,
): Promise<void> {
  await tx.run(PROCESSING, [contentId, layout, now]);
}
