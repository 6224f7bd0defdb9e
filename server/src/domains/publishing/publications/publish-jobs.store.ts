import type { Text } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { storedError } from '../../../platform/db/stored-text.ts';
import type { SitePrivacyStatus } from '../site/external-site.ts';

/** A requested publication on the site. */
export interface NewPublishJob {
  readonly id: string;
  readonly contentId: string;
  readonly channelId: string;
  readonly accountId: string;
  readonly siteChannelId: string;
  readonly privacyStatus: SitePrivacyStatus;
  readonly objectKey: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

const INSERT = sql(
  'insert_youtube_publish_job',
  `insert into youtube_publish_jobs (id, content_id, channel_id, account_id, youtube_channel_id, privacy_status,
    object_key, content_type, size_bytes, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
);

/** Inserts a PENDING job. The caller has locked the content and checked that no other is active. */
export async function insertPublishJob(tx: Executor, job: NewPublishJob, now: string): Promise<void> {
  const { id, contentId, channelId, accountId, siteChannelId, privacyStatus, objectKey, contentType, sizeBytes } = job;
  await tx.run(INSERT, [
    id,
    contentId,
    channelId,
    accountId,
    siteChannelId,
    privacyStatus,
    objectKey,
    contentType,
    sizeBytes,
    now,
  ]);
}

const ACTIVE = sql(
  'active_youtube_publish_job',
  `select id from youtube_publish_jobs where content_id = $1 and status in ('PENDING', 'UPLOADING', 'PROCESSING')`,
);

/** The running job of a content, if any. */
export async function activePublishJob(db: Executor, contentId: string): Promise<string | null> {
  return (await db.first<{ id: string }>(ACTIVE, [contentId]))?.id ?? null;
}

const PUBLISHED = sql(
  'published_youtube_video',
  `select v.id from (
     select youtube_video_id as id, created_at from youtube_publish_jobs where content_id = $1
       and youtube_channel_id = $2 and status = 'COMPLETE'
     union all
     select video_id, created_at from youtube_imports where content_id = $1 and youtube_channel_id = $2
   ) v order by v.created_at desc limit 1`,
);

/** The video of a content on a channel of the site: the most recently published one, or its source. */
export async function publishedVideoId(db: Executor, contentId: string, siteChannelId: string): Promise<string | null> {
  return (await db.first<{ id: string }>(PUBLISHED, [contentId, siteChannelId]))?.id ?? null;
}

/** A job claimed by a worker, with its content. `attempt` fences its writes. */
export interface ClaimedPublication {
  readonly attempt: number;
  readonly contentId: string;
  readonly channelId: string;
  readonly accountId: string;
  readonly privacyStatus: SitePrivacyStatus;
  readonly objectKey: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sealedSession: Buffer | null;
  readonly title: string;
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly createdAt: string;
}

const CLAIM = sql(
  'claim_youtube_publish_job',
  `update youtube_publish_jobs j set status = 'UPLOADING', attempts = j.attempts + 1, updated_at = $2
   from contents c
   where j.id = $1 and c.id = j.content_id and c.deleted_at is null and j.status in ('PENDING', 'UPLOADING')
   returning j.attempts as attempt, j.content_id as "contentId", j.channel_id as "channelId",
     j.account_id as "accountId",
     j.privacy_status as "privacyStatus", j.object_key as "objectKey", j.content_type as "contentType",
       j.size_bytes as "sizeBytes",
     j.sealed_session_url as "sealedSession", j.created_at as "createdAt", c.title, c.summary, c.keywords`,
);

/** Claims a job for a new upload attempt; null when there is nothing to upload, or its content is in the trash. */
export function claimPublishJob(db: Executor, jobId: string, now: string): Promise<ClaimedPublication | null> {
  return db.first<ClaimedPublication>(CLAIM, [jobId, now]);
}

const SESSION = sql(
  'store_youtube_session',
  'update youtube_publish_jobs set sealed_session_url = $3, sent_bytes = 0, updated_at = $4 where id = $1 ' +
    `and attempts = $2 and status = 'UPLOADING' returning id`,
);

/** Stores the address of a started upload; false when the job is no longer this attempt's. */
export async function keepSession(
  db: Executor,
  jobId: string,
  attempt: number,
  sealed: Buffer,
  now: string,
): Promise<boolean> {
  return (await db.first(SESSION, [jobId, attempt, sealed, now])) !== null;
}

const REPORT = sql(
  'report_youtube_upload',
  `with held as (
     select j.id from youtube_publish_jobs j join contents c on c.id = j.content_id
     where j.id = $1 and j.attempts = $2 and j.status = 'UPLOADING' and c.deleted_at is null
   ),
   moved as (
     update youtube_publish_jobs j set progress = greatest(j.progress, $3), sent_bytes = $4, updated_at = $5 from held
     where j.id = held.id and j.attempts = $2 and j.status = 'UPLOADING' and (j.sent_bytes <> $4 or j.progress < $3))
   select 1 from held`,
);

/** Writes the progress of the upload; false when the job is no longer this attempt's or its content was deleted. */
export async function reportSent(
  db: Executor,
  jobId: string,
  attempt: number,
  at: { readonly percent: number; readonly sentBytes: number },
  now: string,
): Promise<boolean> {
  return (await db.first(REPORT, [jobId, attempt, at.percent, at.sentBytes, now])) !== null;
}

const RELEASE = sql(
  'release_youtube_publish_job',
  `update youtube_publish_jobs set status = 'PENDING', updated_at = $3 where id = $1 and attempts = $2 ` +
    `and status = 'UPLOADING'`,
);

/** Marks a job that will be retried as waiting. */
export async function releasePublishJob(db: Executor, jobId: string, attempt: number, now: string): Promise<void> {
  await db.run(RELEASE, [jobId, attempt, now]);
}

const SENT = sql(
  'youtube_video_sent',
  `update youtube_publish_jobs set status = 'PROCESSING', progress = greatest(progress, $4), sent_bytes = size_bytes,
    youtube_video_id = $3,
     sealed_session_url = null, sent_at = $5, updated_at = $5
   where id = $1 and attempts = $2 and status = 'UPLOADING' returning id`,
);

/** Marks the file as received; false when the job is no longer this attempt's. */
export async function markSent(
  tx: Executor,
  jobId: string,
  attempt: number,
  video: { readonly id: string; readonly percent: number },
  now: string,
): Promise<boolean> {
  return (await tx.first(SENT, [jobId, attempt, video.id, video.percent, now])) !== null;
}

const LOOK = sql(
  'look_at_youtube_video',
  `update youtube_publish_jobs set status_checks = status_checks + 1, progress = greatest(progress, $3), updated_at = $4
   where id = $1 and status_checks = $2 and status = 'PROCESSING' returning id`,
);

/** Counts a check that found the video still being processed; false when another check was faster. */
export async function countLook(
  tx: Executor,
  jobId: string,
  look: number,
  percent: number,
  now: string,
): Promise<boolean> {
  return (await tx.first(LOOK, [jobId, look, percent, now])) !== null;
}

/** A job whose file the site has. */
export interface SentPublication {
  readonly contentId: string;
  readonly channelId: string;
  readonly accountId: string;
  readonly videoId: string;
  /** When the site had received the file. */
  readonly sentAt: string;
}

const PROCESSING = sql(
  'processing_youtube_publish_job',
  `select content_id as "contentId", channel_id as "channelId", account_id as "accountId",
    youtube_video_id as "videoId", sent_at as "sentAt"
   from youtube_publish_jobs where id = $1 and status_checks = $2 and status = 'PROCESSING'`,
);

/** The job, if this check is still due. */
export function sentPublication(db: Executor, jobId: string, look: number): Promise<SentPublication | null> {
  return db.first<SentPublication>(PROCESSING, [jobId, look]);
}

/** A job that has ended; null from the functions below means that it had already ended. */
export interface EndedPublication {
  readonly contentId: string;
  readonly channelId: string;
  readonly videoId: string | null;
}

const COMPLETE = sql(
  'complete_youtube_publish_job',
  `update youtube_publish_jobs set status = 'COMPLETE', progress = 100, finished_at = $2, updated_at = $2
   where id = $1 and status = 'PROCESSING' returning content_id as "contentId", channel_id as "channelId",
     youtube_video_id as "videoId"`,
);

export function completePublishJob(tx: Executor, jobId: string, now: string): Promise<EndedPublication | null> {
  return tx.first<EndedPublication>(COMPLETE, [jobId, now]);
}

const FAIL = sql(
  'fail_youtube_publish_job',
  `update youtube_publish_jobs set status = 'ERROR', error_code = $3, error_message = $4, error_text = $7,
    sealed_session_url = null, finished_at = $5, updated_at = $5
   where id = $1 and status = any($6::text[]) and ($2::int is null or attempts = $2)
   returning content_id as "contentId", channel_id as "channelId", youtube_video_id as "videoId"`,
);
const STATES = { SENDING: ['PENDING', 'UPLOADING'], PROCESSING: ['PROCESSING'] } as const;

/** Fails a job while it is in this phase; with an attempt, only if it is still that attempt's. */
export function failPublishJob(
  tx: Executor,
  jobId: string,
  half: { readonly phase: keyof typeof STATES; readonly attempt?: number },
  error: { readonly code: string; readonly text: Text },
  now: string,
): Promise<EndedPublication | null> {
  const [english, message] = storedError(error.text);
  return tx.first<EndedPublication>(FAIL, [
    jobId,
    half.attempt ?? null,
    error.code,
    english,
    now,
    STATES[half.phase],
    message,
  ]);
}
