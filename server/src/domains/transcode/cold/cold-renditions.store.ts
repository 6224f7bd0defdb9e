import type { Executor } from '../../../platform/db/database.ts';
import { firstLocked } from '../../../platform/db/first-locked.ts';
import { sql } from '../../../platform/db/statement.ts';
import { playableVideo } from '../../assets/index.ts';
import { isCold } from './cold.sql.ts';

const NOTE = sql(
  'note_fetch',
  `insert into video_fetches as f (video_asset_id, fetched_on)
   select id, ($2::timestamptz at time zone 'UTC')::date from video_assets where id = $1
   on conflict (video_asset_id) do update set fetched_on = excluded.fetched_on
   where f.fetched_on < excluded.fetched_on`,
);

/** Notes that a video was watched. */
export async function noteFetch(db: Executor, videoAssetId: string, now: string): Promise<void> {
  await db.run(NOTE, [videoAssetId, now]);
}

/** A video that nobody has watched for long. */
export interface ColdVideo {
  readonly videoAssetId: string;
  readonly contentId: string;
  readonly sourceKey: string;
  readonly packagePrefix: string;
  /** Sizes of its package that are stored, from large to small; none where only the smallest ones are. */
  readonly sizes: readonly ColdSize[];
  /** Jobs that encoded it in other codecs. */
  readonly codecJobs: readonly AddedPackage[];
}

/** Where a job stored what it added to a video. */
export interface AddedPackage {
  readonly jobId: string;
  readonly attempt: number;
}

export interface ColdSize {
  /** Below that of the video. */
  readonly folder: string;
  readonly peakBps: number;
  /** Of its segments. */
  readonly bytes: number;
  readonly files: number;
}

const NAME_OF_PACKAGE = `split_part(v.package_prefix, '/', 4)`;

const COLD = sql(
  'cold_videos',
  `select v.id as "videoAssetId", c.id as "contentId", v.source_key as "sourceKey",
     v.package_prefix as "packagePrefix", coalesce(s.sizes, '[]') as sizes, coalesce(k.jobs, '[]') as "codecJobs"
   from video_assets v join contents c on c.id = v.content_id join encoded_videos e on e.video_asset_id = v.id
     left join lateral (
       select jsonb_agg(jsonb_build_object('folder', r.folder, 'peakBps', r.peak_bps, 'bytes', o.bytes,
         'files', o.files) order by r.position) as sizes
       from renditions r join rendition_outputs p on p.video_asset_id = r.video_asset_id and p.folder = r.folder,
         lateral (select sum((segment ->> 1)::bigint) as bytes, count(*) as files
           from jsonb_array_elements(p.outputs) output, jsonb_array_elements(output -> 'part' -> 'segments') segment) o
       where r.video_asset_id = v.id and r.kind = 'VIDEO' and r.origin = 'ENCODE' and r.state = 'STORED'
         and starts_with(r.folder, ${NAME_OF_PACKAGE} || '/')
     ) s on (select count(*) from jsonb_array_elements(s.sizes) size where size ->> 'folder' not like '%/v234') > 1
     left join lateral (
       select jsonb_agg(jsonb_build_object('jobId', j.id, 'attempt', j.attempts)) as jobs
       from transcode_jobs j where j.video_asset_id = v.id and j.codec is not null and j.status = 'COMPLETE'
     ) k on true
   where v.id > $1 and c.deleted_at is null and v.original_deleted_at is null and v.id = ${playableVideo('c.id')}
     and (s.sizes is not null or k.jobs is not null) and ${isCold('v', '$2')}
     and not exists (select from transcode_jobs j where j.video_asset_id = v.id
       and j.status in ('QUEUED', 'TRANSCODING', 'CANCELLING'))
   order by v.id limit $3`,
);

/**
 * Videos after an id that were processed and last watched before a time, with more than one stored size beside the
 * lowest one or with other codecs.
 */
export function coldVideos(db: Executor, after: string, before: string, limit: number): Promise<ColdVideo[]> {
  return db.run<ColdVideo>(COLD, [after, before, limit]);
}

const LOCK = sql(
  'lock_cold_video',
  `select v.id from video_assets v
   where v.id = $1 and v.package_prefix = $2 and v.original_deleted_at is null and ${isCold('v', '$3')}
     and not exists (select from transcode_jobs j where j.video_asset_id = v.id
       and j.status in ('QUEUED', 'TRANSCODING', 'CANCELLING'))
   for update of v`,
);

/** Locks a video; false where it is not cold any more. */
export async function lockColdVideo(tx: Executor, video: ColdVideo, before: string): Promise<boolean> {
  return (await firstLocked(tx, LOCK, [video.videoAssetId, video.packagePrefix, before])) !== null;
}

const EVICT = sql(
  'evict_rendition',
  `with evicted as (
     update renditions set state = 'EVICTED', on_demand_peak_bps = $3
     where video_asset_id = $1 and folder = $2 and state = 'STORED' returning 1
   )
   update video_assets v set derived_bytes = v.derived_bytes - $4, derived_files = v.derived_files - $5
   from evicted where v.id = $1`,
);

/** Marks a size as evicted, whose segments no longer count. */
export async function evictRendition(
  tx: Executor,
  videoAssetId: string,
  { folder, bytes, files }: ColdSize,
  onDemandPeakBps: number,
): Promise<void> {
  await tx.run(EVICT, [videoAssetId, folder, onDemandPeakBps, bytes, files]);
}

const RESTORE = sql(
  'restore_rendition',
  `with restored as (
     update renditions set state = 'STORED', on_demand_peak_bps = null
     where video_asset_id = $1 and folder = $2 and state = 'EVICTED' returning 1
   )
   update video_assets v set derived_bytes = v.derived_bytes + o.bytes, derived_files = v.derived_files + o.files
   from restored, (
     select sum((segment ->> 1)::bigint) as bytes, count(*) as files
     from rendition_outputs p, jsonb_array_elements(p.outputs) output,
       jsonb_array_elements(output -> 'part' -> 'segments') segment
     where p.video_asset_id = $1 and p.folder = $2
   ) o
   where v.id = $1 returning v.id`,
);

/** Marks an evicted size as stored again; false where it is not evicted. */
export async function restoreRendition(tx: Executor, videoAssetId: string, folder: string): Promise<boolean> {
  return (await tx.first(RESTORE, [videoAssetId, folder])) !== null;
}

/** An evicted size. */
export interface EvictedRendition {
  /** Below that of the video. */
  readonly folder: string;
  /** Its initialization segment, in base64. */
  readonly init: string;
  /** How many it has. */
  readonly segments: number;
}

const EVICTED = sql(
  'evicted_rendition',
  `select r.folder, o.init, (select sum(jsonb_array_length(output -> 'part' -> 'segments'))::int
       from jsonb_array_elements(o.outputs) output) as segments
   from renditions r join rendition_outputs o using (video_asset_id, folder)
   where r.video_asset_id = $1 and r.folder = $2 and r.state = 'EVICTED'`,
);

/** The size with this folder, if it is evicted. */
export function evictedRendition(db: Executor, videoAssetId: string, folder: string): Promise<EvictedRendition | null> {
  return db.first<EvictedRendition>(EVICTED, [videoAssetId, folder]);
}

const LARGEST = sql(
  'evicted_largest_size',
  `select folder from (
     select folder, state from renditions
     where video_asset_id = $1 and kind = 'VIDEO' and origin = 'ENCODE' and starts_with(folder, $2 || '/')
     order by position limit 1
   ) largest where state = 'EVICTED'`,
);

/** The folder of the largest size of a package, if it is evicted. */
export async function evictedLargest(db: Executor, videoAssetId: string, name: string): Promise<string | null> {
  return (await db.first<{ folder: string }>(LARGEST, [videoAssetId, name]))?.folder ?? null;
}

const REMOVE = sql(
  'remove_added_codec',
  `with job as (
     update transcode_jobs set status = 'CANCELLED', deployed = false, finished_at = $5
     where id = $1 and codec is not null and status = 'COMPLETE' returning video_asset_id
   ),
   removed as (
     delete from renditions r using job where r.video_asset_id = job.video_asset_id and starts_with(r.folder, $2 || '/')
     returning 1
   ),
   video as (
     update video_assets v set derived_bytes = v.derived_bytes - $3, derived_files = v.derived_files - $4
     from job where v.id = job.video_asset_id
   )
   select count(*)::int as sizes from removed`,
);

/** What a job added to a video, in the folder of a package. */
export interface StoredPackage {
  readonly jobId: string;
  readonly folder: string;
  readonly bytes: number;
  readonly files: number;
}

/** Removes what a job added to a video, which then counts as cancelled; returns how many sizes these were. */
export async function removeAdded(
  tx: Executor,
  { jobId, folder, bytes, files }: StoredPackage,
  now: string,
): Promise<number> {
  return (await tx.first<{ sizes: number }>(REMOVE, [jobId, folder, bytes, files, now]))?.sizes ?? 0;
}
