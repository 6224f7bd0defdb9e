import type { EncodeChunk, EncodedChunk, EncodePlan } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { OF_PLAN } from './encode-chunks.store.ts';

/** A new plan of a job, with the estimated CPU time of its chunks. */
export interface NewEncodePlan {
  readonly jobId: string;
  readonly attempt: number;
  readonly plan: EncodePlan;
  /** Of the uploaded file. */
  readonly mimeType: string;
  /** Key of the copy that is encoded in place of the uploaded file; null for the file itself. */
  readonly remuxedKey: string | null;
  /** Identifies that file: its size and ETag. */
  readonly sourceTag: string;
  readonly costsMs: readonly number[];
  /** Of what follows the last chunk. */
  readonly finishCostMs: number;
  readonly maxBytes: number;
  /** The package of the video whose renditions are encoded again; default one of the job. */
  readonly folder?: string;
  /** Numbers of the chunks of pictures that tell which sizes the video needs; default none. */
  readonly samples?: readonly number[];
}

const INSERT = sql(
  'insert_encode_plan',
  `with plan as (
     insert into encode_plans (job_id, attempt, account_id, plan, max_bytes, mime_type, finish_cost_ms, remuxed_key,
       source_tag, folder)
     select j.id, j.attempts, c.account_id, $3, $4, $7, $8, $9, $10, $11
     from transcode_jobs j join channels c on c.id = j.channel_id
     where j.id = $1 and j.attempts = $2 and j.status = 'TRANSCODING'
     returning job_id
   ),
   chunks as (
     insert into encode_chunks (job_id, kind, number, chunk, cost_ms, is_sample)
     select p.job_id, c.chunk ->> 'kind', (c.chunk ->> 'number')::int, c.chunk, c.cost_ms,
       c.chunk ->> 'kind' = 'video' and (c.chunk ->> 'number')::int = any($12::int[])
     from plan p, unnest($5::jsonb[], $6::int[]) as c (chunk, cost_ms)
   )
   select job_id from plan`,
);

/** Stores a plan, whose chunks workers then encode; false when the job is no longer this attempt's. */
export async function insertEncodePlan(tx: Executor, planned: NewEncodePlan): Promise<boolean> {
  const { jobId, attempt, maxBytes, costsMs, mimeType, finishCostMs, remuxedKey, sourceTag } = planned;
  const { folder = null, samples = [] } = planned;
  const { chunks, ...plan } = planned.plan;
  const values = [jobId, attempt, JSON.stringify(plan), maxBytes, chunks.map((chunk) => JSON.stringify(chunk))];
  const others = [costsMs, mimeType, finishCostMs, remuxedKey, sourceTag, folder, samples];
  const found = await tx.first(INSERT, [...values, ...others]);
  return found !== null;
}

const EXISTS = sql('encode_plan_exists', 'select job_id from encode_plans where job_id = $1');

/** Whether the job has a plan. */
export async function isPlanned(db: Executor, jobId: string): Promise<boolean> {
  return (await db.first(EXISTS, [jobId])) !== null;
}

const DELETE = sql(
  'delete_encode_plan',
  `delete from encode_plans p where p.job_id = $1
   returning p.attempt, p.folder, p.remuxed_key as "remuxedKey", p.plan -> 'only' as only,
     exists (select from encode_chunks c where c.job_id = p.job_id and c.kind = 'on-demand') as "onDemand"`,
);

/** What there was to delete. */
export interface DeletedPlan {
  readonly attempt: number;
  /** The package whose renditions it encoded again, and which ones; null for a package of its own. */
  readonly folder: string | null;
  readonly only: readonly string[] | null;
  /** Key of the copy that was encoded in place of the uploaded file. */
  readonly remuxedKey: string | null;
  /** Whether segments were encoded for viewers. */
  readonly onDemand: boolean;
}

/** Deletes the plan of a job that ends; null when there was none. */
export function deleteEncodePlan(tx: Executor, jobId: string): Promise<DeletedPlan | null> {
  return tx.first<DeletedPlan>(DELETE, [jobId]);
}

/** A job whose chunks have all been encoded. */
export interface EncodedJob {
  readonly jobId: string;
  readonly attempt: number;
  readonly contentId: string;
  readonly channelId: string;
  readonly videoAssetId: string;
  readonly plan: EncodePlan;
  readonly mimeType: string;
  /** Of the file that was encoded. */
  readonly sourceKey: string;
  /** Identifies it; null in plans of an earlier version. */
  readonly sourceTag: string | null;
  /** The package of the video whose renditions are encoded again; null for one of the job. */
  readonly folder: string | null;
  readonly maxBytes: number;
  /** Estimated CPU time of what is left. */
  readonly finishCostMs: number;
  /** In the order of the plan. */
  readonly chunks: readonly EncodedChunk[];
}

const ENCODED = sql(
  'encoded_job',
  `select p.job_id as "jobId", p.attempt, j.content_id as "contentId", j.channel_id as "channelId",
     j.video_asset_id as "videoAssetId", p.plan, p.max_bytes as "maxBytes",
     p.mime_type as "mimeType", p.finish_cost_ms as "finishCostMs",
     coalesce(p.remuxed_key, v.source_key) as "sourceKey", p.source_tag as "sourceTag", p.folder,
     (select jsonb_agg(c.chunk order by c.kind desc, c.number) from encode_chunks c
      where c.job_id = p.job_id and ${OF_PLAN}) as planned,
     (select jsonb_agg(c.result order by c.kind desc, c.number) from encode_chunks c
      where c.job_id = p.job_id and ${OF_PLAN}) as chunks
   from encode_plans p join transcode_jobs j on j.id = p.job_id join video_assets v on v.id = j.video_asset_id
   where p.job_id = $1 and j.status = 'TRANSCODING' and j.attempts = p.attempt
     and not exists (select from encode_chunks c
       where c.job_id = p.job_id and ${OF_PLAN} and c.state <> 'DONE')`,
);

/** A job that can be finished; null while chunks are missing, and for jobs that have ended. */
export async function encodedJob(db: Executor, jobId: string): Promise<EncodedJob | null> {
  type Row = Omit<EncodedJob, 'plan'> & { plan: Omit<EncodePlan, 'chunks'>; planned: readonly EncodeChunk[] };
  const row = await db.first<Row>(ENCODED, [jobId]);
  if (!row) return null;
  const { planned, plan, ...job } = row;
  return { ...job, plan: { ...plan, chunks: planned } };
}

const UNWANTED = sql(
  'unwanted_jobs',
  `select j.id as "jobId" from encode_plans p join transcode_jobs j on j.id = p.job_id
     join contents c on c.id = j.content_id
   where j.status not in ('QUEUED', 'TRANSCODING') or c.deleted_at is not null`,
);

/** Jobs with a plan that were cancelled, or whose content was deleted. */
export async function unwantedJobs(db: Executor): Promise<string[]> {
  return (await db.run<{ jobId: string }>(UNWANTED, [])).map(({ jobId }) => jobId);
}
