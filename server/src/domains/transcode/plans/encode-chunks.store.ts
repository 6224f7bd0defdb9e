import type { EncodeChunk, EncodedChunk, EncodePlan } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';
import { type ChunkSpeedKind, recordSpeed } from './encode-speeds.store.ts';

/** A chunk as one worker holds it. `attempt` fences its writes: a later claim makes them ineffective. */
export type ClaimedChunk = ClaimedOf<EncodeChunk> | ClaimedSegment;
/** A segment that a viewer waits for (see `planOnDemand`). */
export type ClaimedSegment = ClaimedOf<{
  readonly kind: 'on-demand';
  readonly number: number;
  /** Of an evicted rendition. */
  readonly single?: SingleChunk;
}>;

/** A segment of an evicted size that a viewer waits for, as its chunk has it. */
export interface SingleChunk {
  /** Of the rendition, below that of the package. */
  readonly folder: string;
  readonly segment: EncodeChunk & { readonly kind: 'video' };
  /** How many the rendition has. */
  readonly segments: number;
  /** The initialization segment that it must fit, in base64. */
  readonly init: string;
  /** Whether the whole size is wanted. */
  readonly whole: boolean;
}

interface ClaimedOf<Chunk extends { readonly kind: string; readonly number: number }> {
  readonly jobId: string;
  readonly kind: Chunk['kind'];
  readonly number: number;
  readonly attempt: number;
  /** Earlier attempts that failed. */
  readonly failures: number;
  readonly chunk: Chunk;
  readonly plan: EncodePlan;
  readonly maxBytes: number;
  /** Of the job, when it was planned. */
  readonly planAttempt: number;
  readonly channelId: string;
  readonly contentId: string;
  readonly videoAssetId: string;
  readonly sourceKey: string;
  /** Identifies the file that is encoded; null in plans of an earlier version. */
  readonly sourceTag: string | null;
  /** The package of the video whose renditions are encoded again; null for one of the job. */
  readonly folder: string | null;
  readonly mimeType: string;
  /** Whether its outputs tell which sizes the video needs. */
  readonly isSample: boolean;
}

/** Condition on a chunk `c`: it is of the plan, not a segment that a viewer waits for. */
export const OF_PLAN = `c.kind <> 'on-demand'`;

/** A worker that does not renew its lease for this long has lost the chunk. */
const LEASE = `interval '10 seconds'`;
/** A chunk that failed so often is not tried again. */
export const MOST_FAILURES = 10;

const CLAIMED = `claimed as (
     update encode_chunks c
     set state = 'RUNNING', attempts = c.attempts + 1, available_at = now() + ${LEASE}, progress = 0,
       started_at = now()
     from next n where c.job_id = n.job_id and c.kind = n.kind and c.number = n.number
     returning c.*
   )
   select c.job_id as "jobId", c.kind, c.number, c.attempts as attempt, c.failures, c.chunk, p.plan,
     p.max_bytes as "maxBytes", p.attempt as "planAttempt", p.mime_type as "mimeType", c.is_sample as
     "isSample", v.content_id as "contentId", v.id as "videoAssetId", v.channel_id as "channelId",
     coalesce(p.remuxed_key, v.source_key) as "sourceKey", p.source_tag as "sourceTag", p.folder
   from claimed c join encode_plans p on p.job_id = c.job_id join transcode_jobs j on j.id = c.job_id
     join video_assets v on v.id = j.video_asset_id`;

// First jobs with the highest priority. Among these, the accounts with the fewest running chunks, then the jobs with
// the least work left. A second of waiting counts like a second of work, so that a long video is not overtaken forever.
// Within a job the first segments come first, then the samples of the picture, then the sound.
const CLAIM = sql(
  'claim_encode_chunk',
  `with open as (
     select p.job_id, p.account_id, max(j.priority) as priority,
       sum(c.cost_ms * (1 - c.progress)) as left_ms,
       1000 * extract(epoch from now() - p.created_at) as waited_ms,
       count(*) filter (where c.state = 'RUNNING' and c.available_at > now()) as running
     from encode_plans p
       join transcode_jobs j on j.id = p.job_id and j.status = 'TRANSCODING' and j.video_asset_id is not null
       join contents o on o.id = j.content_id and o.deleted_at is null
       join encode_chunks c on c.job_id = p.job_id and c.state <> 'DONE' and ${OF_PLAN}
     group by p.job_id
   ),
   fair as (select *, sum(running) over (partition by account_id, priority) as account_running from open),
   next as (
     select c.job_id, c.kind, c.number
     from encode_chunks c join fair f on f.job_id = c.job_id
     where c.state <> 'DONE' and c.available_at <= now() and ${OF_PLAN}
       and ($1::bigint is null or f.left_ms <= $1 and f.priority >= 0)
     order by f.priority desc, f.account_running, f.left_ms - f.waited_ms, c.job_id,
       c.kind = 'video' and c.number = 0 desc, c.is_sample desc, c.kind, c.number
     limit 1 for update of c skip locked
   ),
   ${CLAIMED}`,
);

/** A request for a segment expires after 30 seconds, unless it is repeated. The one for the first segment does not. */
const WAITED_FOR = `(c.number = 0 or c.wanted_at > now() - interval '30 seconds')`;

const CLAIM_SEGMENT = sql(
  'claim_on_demand_segment',
  `with next as (
     select c.job_id, c.kind, c.number
     from encode_chunks c join transcode_jobs j on j.id = c.job_id join contents o on o.id = j.content_id
     where c.kind = 'on-demand' and c.state <> 'DONE' and c.available_at <= now() and c.failures < ${MOST_FAILURES}
       and ${WAITED_FOR} and j.status = 'TRANSCODING' and j.video_asset_id is not null and o.deleted_at is null
     order by c.wanted_at limit 1 for update of c skip locked
   ),
   ${CLAIMED}`,
);

/** Claims the next chunk of a plan; with `mostLeftMs` only of a job that has at most so much CPU time left. */
export function claimChunk(db: Executor, mostLeftMs: number | null): Promise<ClaimedChunk | null> {
  return claim(db, CLAIM, [mostLeftMs]);
}

/** Claims the segment that a viewer has waited for longest. */
export function claimSegment(db: Executor): Promise<ClaimedChunk | null> {
  return claim(db, CLAIM_SEGMENT, []);
}

async function claim(db: Executor, statement: Statement, values: readonly unknown[]): Promise<ClaimedChunk | null> {
  const row = await db.first<ClaimedChunk & { plan: Omit<EncodePlan, 'chunks'> }>(statement, values);
  return row && { ...row, plan: { ...row.plan, chunks: [] } };
}

type Held = Pick<ClaimedChunk, 'jobId' | 'kind' | 'number' | 'attempt'>;

const HELD = `c.job_id = $1 and c.kind = $2 and c.number = $3 and c.attempts = $4 and c.state = 'RUNNING'`;
const keyOf = ({ jobId, kind, number, attempt }: Held) => [jobId, kind, number, attempt];

/** The rest of a job's progress is finishing its package. */
export const ENCODED_PERCENT = 90;

// Never waits for the job while it holds the chunk: who ends a job holds it while deleting its chunks.
const RENEW = sql(
  'report_progress_of_chunk',
  `with held as (
     update encode_chunks c set available_at = now() + ${LEASE}, progress = greatest(c.progress, $5)
     from transcode_jobs j join contents o on o.id = j.content_id
     where ${HELD} and j.id = c.job_id and j.status = 'TRANSCODING' and o.deleted_at is null
     returning c.job_id
   ),
   done as (
     select floor(${ENCODED_PERCENT} * sum(cost_ms * progress) / sum(cost_ms))::int as percent
     from encode_chunks c where job_id = $1 and ${OF_PLAN}
   ),
   free as (
     select j.id from transcode_jobs j, held, done
     where j.id = held.job_id and j.status = 'TRANSCODING' and j.progress < done.percent
     for no key update of j skip locked
   ),
   moved as (update transcode_jobs j set progress = done.percent from free, done where j.id = free.id)
   select 1 from held`,
);

/** Renews the lease and reports progress (0 to 1); false when the chunk is no longer this worker's, or unwanted. */
export async function renewChunk(db: Executor, held: Held, progress: number): Promise<boolean> {
  return (await db.first(RENEW, [...keyOf(held), progress])) !== null;
}

const RELEASE = sql(
  'release_encode_chunk',
  `update encode_chunks c set state = 'WAITING', available_at = now() + $5 * interval '1 second', progress = 0,
     failures = c.failures + $6 where ${HELD}`,
);

/** Gives a chunk back, to be encoded after so many seconds. */
export async function releaseChunk(db: Executor, held: Held, afterSeconds: number, hasFailed: boolean): Promise<void> {
  await db.run(RELEASE, [...keyOf(held), afterSeconds, hasFailed ? 1 : 0]);
}

const REFUSE = sql(
  'refuse_encode_chunk',
  `update encode_chunks c set refusals = c.refusals + 1 where ${HELD} returning c.refusals`,
);

/** Counts an attempt whose result did not pass verification. Returns how many did not, with earlier ones. */
export async function countRefusal(db: Executor, held: Held): Promise<number> {
  return (await db.first<{ refusals: number }>(REFUSE, keyOf(held)))?.refusals ?? 0;
}

const LOCK = sql('lock_encode_plan', 'select max_bytes as "maxBytes" from encode_plans where job_id = $1 for update');
const DONE = sql(
  'encode_chunk_done',
  `update encode_chunks c set state = 'DONE', progress = 1, result = $5, encoded_bytes = $6, cpu_ms = $7 where ${HELD}
   returning c.cost_ms as "costMs", 1000 * extract(epoch from clock_timestamp() - c.started_at) as "wallMs"`,
);
const LEFT = sql(
  'encode_chunks_left',
  `select count(*) filter (where state <> 'DONE' and ${OF_PLAN})::int as left, sum(encoded_bytes)::bigint as bytes
   from encode_chunks c where job_id = $1`,
);

/** What is left of a job after a chunk of it was encoded. */
export interface EncodeState {
  /** Chunks that are not done. */
  readonly left: number;
  /** Bytes that were encoded so far. */
  readonly bytes: number;
  readonly maxBytes: number;
}

/**
 * Marks a chunk as encoded; null when it is no longer this worker's. Locks the plan: one completion is the last. A null
 * `peakBytes` is for one whose outputs were not all encoded, which says nothing about the speed of encoding.
 */
export async function completeChunk(
  tx: Executor,
  held: Held & { readonly peakBytes: number | null; readonly speedKind: ChunkSpeedKind | null },
  result: EncodedChunk,
): Promise<EncodeState | null> {
  const limits = await tx.first<{ maxBytes: number }>(LOCK, [held.jobId]);
  const bytes = result.parts.flatMap(({ segments }) => segments).reduce((sum, [, size]) => sum + size, 0);
  const cpuMs = Math.round(result.cpuMs);
  const { peakBytes, speedKind } = held;
  const values = [...keyOf(held), JSON.stringify(result), bytes, peakBytes === null ? null : cpuMs];
  const done = limits && (await tx.first<{ costMs: number; wallMs: number }>(DONE, values));
  if (!limits || !done) return null;
  const state = await tx.first<{ left: number; bytes: number }>(LEFT, [held.jobId]);
  if (speedKind !== null && peakBytes !== null)
    await recordSpeed(tx, { kind: speedKind, ...done, cpuMs, peakBytes, bytes });
  return { left: state?.left ?? 0, bytes: state?.bytes ?? 0, maxBytes: limits.maxBytes };
}
