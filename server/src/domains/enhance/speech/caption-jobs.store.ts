import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { refundCredits } from '../../assets/index.ts';
import type { TranscodeJobStatus } from '../../transcode/index.ts';
import type { CaptionsReceipt } from './captions-receipt.ts';

/** What makes captions automatically. */
export type AutomaticKind = 'SPEECH' | 'TRANSLATION';

export interface NewCaptionJob {
  readonly jobId: string;
  readonly videoAssetId: string;
  readonly kind: AutomaticKind;
  /** BCP 47; null to detect it. */
  readonly language: string | null;
  /** The captions that are translated. */
  readonly sourceId: string | null;
}

const INSERT = sql(
  'insert_caption_job',
  `with job as (
     insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, created_at, purpose)
     select $1, v.channel_id, v.content_id, v.id, 'QUEUED', $6, 'CAPTIONS' from video_assets v where v.id = $2
     returning id, content_id
   ),
   gone as (
     delete from caption_parts p using caption_jobs c, transcode_jobs j, job
     where p.job_id = c.job_id and c.content_id = job.content_id and j.id = c.job_id
       and j.status in ('COMPLETE', 'ERROR', 'CANCELLED')
   )
   insert into caption_jobs (job_id, content_id, kind, language, source_id)
   select id, content_id, $3, $4, $5 from job`,
);

/** Inserts a job that makes captions of a video, and removes what ended ones of its content have left. */
export async function insertCaptionJob(tx: Executor, job: NewCaptionJob, now: string): Promise<void> {
  const { jobId, videoAssetId, kind, language, sourceId } = job;
  await tx.run(INSERT, [jobId, videoAssetId, kind, language, sourceId, now]);
}

/** A job that makes captions, with its state. */
export interface CaptionJob {
  readonly jobId: string;
  readonly videoAssetId: string | null;
  readonly kind: AutomaticKind;
  readonly language: string | null;
  readonly sourceId: string | null;
  readonly status: TranscodeJobStatus;
  readonly createdMs: number;
  /** Whether what it made is there, and nobody has edited it. */
  readonly isKept: boolean;
}

const COLUMNS = `k.job_id as "jobId", j.video_asset_id as "videoAssetId", k.kind, k.language,
  k.source_id as "sourceId", j.status, extract(epoch from j.created_at)::float8 * 1000 as "createdMs",
  exists (select from captions p where p.id = k.captions_id and p.automatic = k.kind) as "isKept"`;

const OF_CONTENT = sql(
  'caption_jobs_of_content',
  `select ${COLUMNS} from caption_jobs k join transcode_jobs j on j.id = k.job_id where k.content_id = $1
   order by j.created_at desc, j.id desc for update of j`,
);

/** The jobs that make or made captions of a content, newest first, locked until the transaction ends. */
export function captionJobsOfContent(tx: Executor, contentId: string): Promise<CaptionJob[]> {
  return tx.run(OF_CONTENT, [contentId]);
}

const ONE = sql(
  'caption_job',
  `select ${COLUMNS} from caption_jobs k join transcode_jobs j on j.id = k.job_id where k.job_id = $1`,
);

/** A job that makes captions; null for other jobs. */
export function captionJob(db: Executor, jobId: string): Promise<CaptionJob | null> {
  return db.first(ONE, [jobId]);
}

const PARTS = sql('caption_parts', 'select number, result from caption_parts where job_id = $1');

/** The results of the parts of a job that are done, by their numbers, as they were stored. */
export async function captionParts<Result>(db: Executor, jobId: string): Promise<ReadonlyMap<number, Result>> {
  const rows = await db.run<{ number: number; result: Result }>(PARTS, [jobId]);
  return new Map(rows.map(({ number, result }) => [number, result]));
}

const KEEP_PART = sql(
  'keep_caption_part',
  `insert into caption_parts (job_id, number, result)
   select id, $3, $4::jsonb from transcode_jobs where id = $1 and attempts = $2 and status = 'TRANSCODING'
   on conflict (job_id, number) do update set result = excluded.result`,
);

/** Stores the result of a part; nothing once the job is no longer this attempt's. */
export async function keepCaptionPart(
  db: Executor,
  jobId: string,
  attempt: number,
  number: number,
  result: object,
): Promise<void> {
  await db.run(KEEP_PART, [jobId, attempt, number, JSON.stringify(result)]);
}

/** Captions that a job has made. */
export interface MadeCaptions {
  readonly id: string;
  readonly contentId: string;
  readonly channelId: string;
  readonly kind: AutomaticKind;
  readonly language: string;
  /** Name of the language in that language. */
  readonly label: string;
  readonly vtt: string;
  /** The video whose speech they have; null for translations of captions that a person wrote. */
  readonly spokenIn: string | null;
}

// Those that a person wrote or edited are not automatic, and stay.
const REPLACE = sql(
  'replace_automatic_captions',
  `with gone as (delete from captions where content_id = $2 and automatic = $4 and language = $5)
   insert into captions (id, content_id, channel_id, automatic, language, label, kind, vtt, spoken_in, created_at,
     updated_at)
   values ($1, $2, $3, $4, $5, $6, 'SUBTITLES', $7, $8, $9, $9)`,
);

/** Adds automatic captions in place of those of the same kind and language. */
export async function replaceAutomaticCaptions(tx: Executor, made: MadeCaptions, now: string): Promise<void> {
  const { id, contentId, channelId, kind, language, label, vtt, spokenIn } = made;
  await tx.run(REPLACE, [id, contentId, channelId, kind, language, label, vtt, spokenIn, now]);
}

const COMPLETE = sql(
  'complete_caption_job',
  `with gone as (delete from caption_parts where job_id = $1)
   update caption_jobs set captions_id = $2, receipt = $3 where job_id = $1`,
);

/** Stores what a job has made. */
export async function completeCaptionJob(
  tx: Executor,
  jobId: string,
  captionsId: string | null,
  receipt: CaptionsReceipt,
): Promise<void> {
  await tx.run(COMPLETE, [jobId, captionsId, JSON.stringify(receipt)]);
}

const LEAVE = sql(
  'leave_replaced_speech',
  `with gone as (
     delete from captions where content_id = $1 and spoken_in <> $2 returning id
   ),
   cancelled as (
     update transcode_jobs j set status = 'CANCELLED', finished_at = $3
     where j.content_id = $1 and j.purpose = 'CAPTIONS' and j.video_asset_id <> $2
       and j.status in ('QUEUED', 'TRANSCODING', 'CANCELLING')
     returning j.id
   ),
   refunded as (${refundCredits('cancelled')})
   select id from cancelled`,
);

/**
 * Removes automatic captions of the speech of earlier videos of a content, and cancels the jobs that make some; returns
 * the ids of those jobs.
 */
export async function leaveReplacedSpeech(
  tx: Executor,
  contentId: string,
  videoAssetId: string,
  now: string,
): Promise<string[]> {
  return (await tx.run<{ id: string }>(LEAVE, [contentId, videoAssetId, now])).map(({ id }) => id);
}
