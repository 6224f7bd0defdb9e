import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** What comes before the first chunk: of uploads, which take about the same, and of enhancements. */
export type PlanningKind = 'plan' | 'upmix-plan' | 'upscale-plan';
/** Kinds of chunks whose speeds differ. */
export type ChunkSpeedKind = 'audio' | 'video' | 'upmix' | 'upscale';

/** Work that was estimated and then measured. */
export interface MeasuredWork {
  readonly kind: ChunkSpeedKind | PlanningKind | 'finish' | 'speech' | 'translation';
  /** Estimated CPU time; of speech its length, of translations time. */
  readonly costMs: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Size at the highest bit rates, and what it was; 0 where nothing is encoded. */
  readonly peakBytes: number;
  readonly bytes: number;
}

// Every measurement weighs 3 % more than the one before it.
const RECORD = sql(
  'record_encode_speed',
  `insert into encode_speeds as s (kind, cost_ms, cpu_ms, wall_ms, peak_bytes, bytes) values ($1, $2, $3, $4, $5, $6)
   on conflict (kind) do update set cost_ms = 0.97 * s.cost_ms + excluded.cost_ms,
     cpu_ms = 0.97 * s.cpu_ms + excluded.cpu_ms, wall_ms = 0.97 * s.wall_ms + excluded.wall_ms,
     peak_bytes = 0.97 * s.peak_bytes + excluded.peak_bytes, bytes = 0.97 * s.bytes + excluded.bytes`,
);

/** Counts what work took on this installation. */
export async function recordSpeed(db: Executor, work: MeasuredWork): Promise<void> {
  const { kind, costMs, cpuMs, wallMs, peakBytes, bytes } = work;
  await db.run(RECORD, [kind, costMs, cpuMs, wallMs, peakBytes, bytes]);
}

const SEE = sql(
  'see_encode_worker',
  `with gone as (delete from encode_workers where seen_at < now() - interval '1 hour')
   insert into encode_workers as w (id, lanes) values ($1, $2)
   on conflict (id) do update set seen_at = now() where w.seen_at < now() - interval '5 seconds'`,
);

/** Counts how long planning took; its CPU time is not measured. */
export async function recordPlanning(db: Executor, kind: PlanningKind, costMs: number, sinceMs: number): Promise<void> {
  const wallMs = performance.now() - sinceMs;
  await recordSpeed(db, { kind, costMs, cpuMs: costMs, wallMs, peakBytes: 0, bytes: 0 });
}

/** Says that a worker runs, which encodes so many chunks at a time. */
export async function seeWorker(db: Executor, id: string, lanes: number): Promise<void> {
  await db.run(SEE, [id, lanes]);
}

const LEAVE = sql('leave_encode_worker', 'delete from encode_workers where id = $1');

/** Says that a worker has stopped. */
export async function leaveWorker(db: Executor, id: string): Promise<void> {
  await db.run(LEAVE, [id]);
}

/** What some work takes on this installation beside its estimate. */
export interface MeasuredSpeed {
  readonly cpuPerCost: number;
  readonly wallPerCpu: number;
  readonly bytesPerPeak: number;
}

const SPEEDS = sql(
  'read_encode_speeds',
  `select k.kind, s.cpu_per_cost as "cpuPerCost", s.wall_per_cpu as "wallPerCpu", s.bytes_per_peak as "bytesPerPeak"
   from unnest($1::text[]) k (kind), encode_speed(k.kind) s`,
);

/** The speeds of some kinds of work. */
export async function readSpeeds<Kind extends MeasuredWork['kind']>(
  db: Executor,
  kinds: readonly Kind[],
): Promise<Readonly<Record<Kind, MeasuredSpeed>>> {
  const rows = await db.run<MeasuredSpeed & { kind: Kind }>(SPEEDS, [kinds]);
  // One row for each kind.
  return Object.fromEntries(rows.map(({ kind, ...speed }) => [kind, speed])) as Record<Kind, MeasuredSpeed>;
}

/** The chunks of a job that would be submitted now. */
export interface SubmittedChunks {
  readonly costMs: number;
  /** As one lane takes them on this installation, all and the longest. */
  readonly leftMs: number;
  readonly longestMs: number;
}

/** What a job waits for. */
export interface EncodeQueue {
  /** Until the jobs before it are planned. */
  readonly planningMs: number;
  /** Until its chunks are encoded, if they were there now. */
  readonly encodedInMs: number;
  /** Until its package can be finished. */
  readonly finishingMs: number;
}

const QUEUE = sql(
  'read_encode_queue',
  `select encode_planning_ms() as "planningMs", encode_done_in_ms(null, $1, $2, $3) as "encodedInMs",
     (select coalesce(sum(p.finish_cost_ms), 0) from encode_plans p
      join transcode_jobs j on j.id = p.job_id and j.status = 'TRANSCODING'
      where not exists (select from encode_chunks c where c.job_id = p.job_id and c.state <> 'DONE'
        and c.kind <> 'on-demand') and p.folder is null) * f.cpu_per_cost * f.wall_per_cpu / 2 as "finishingMs"
   from encode_speed('finish') f`,
);

/** The queue before a job that would be submitted now. */
export async function readEncodeQueue(
  db: Executor,
  { costMs, leftMs, longestMs }: SubmittedChunks,
): Promise<EncodeQueue> {
  const queue = await db.first<EncodeQueue>(QUEUE, [costMs, leftMs, longestMs]);
  if (!queue) throw new Error('the queue could not be read');
  return queue;
}
