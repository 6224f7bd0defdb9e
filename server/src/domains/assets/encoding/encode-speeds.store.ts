import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Work that was estimated and then measured. */
export interface MeasuredWork {
  readonly kind: 'audio' | 'video' | 'finish' | 'speech' | 'translation';
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

/** Says that a worker runs, which encodes so many chunks at a time. */
export async function seeWorker(db: Executor, id: string, lanes: number): Promise<void> {
  await db.run(SEE, [id, lanes]);
}

const LEAVE = sql('leave_encode_worker', 'delete from encode_workers where id = $1');

/** Says that a worker has stopped. */
export async function leaveWorker(db: Executor, id: string): Promise<void> {
  await db.run(LEAVE, [id]);
}

/** How fast this installation is, and what it has to do. */
export interface EncodeLoad {
  readonly videoCpuPerCost: number;
  readonly audioCpuPerCost: number;
  readonly finishCpuPerCost: number;
  readonly wallPerCpu: number;
  readonly finishWallPerCpu: number;
  readonly videoBytesPerPeak: number;
  readonly audioBytesPerPeak: number;
  /** Chunks that are encoded at a time. */
  readonly lanes: number;
  /** CPU time of videos before one with the given cost. */
  readonly aheadMs: number;
}

const LOAD = sql(
  'read_encode_load',
  `select v.cpu_per_cost as "videoCpuPerCost", a.cpu_per_cost as "audioCpuPerCost",
     f.cpu_per_cost as "finishCpuPerCost", v.wall_per_cpu as "wallPerCpu", f.wall_per_cpu as "finishWallPerCpu",
     v.bytes_per_peak as "videoBytesPerPeak", a.bytes_per_peak as "audioBytesPerPeak", encode_lanes() as lanes,
     (select coalesce(sum(left_ms), 0) from encode_jobs_open() where place < $1) as "aheadMs"
   from encode_speed('video') v, encode_speed('audio') a, encode_speed('finish') f`,
);

/** The load for a video of so much estimated CPU time, if it were submitted now. */
export async function readEncodeLoad(db: Executor, costMs: number): Promise<EncodeLoad> {
  const load = await db.first<EncodeLoad>(LOAD, [costMs]);
  if (!load) throw new Error('the load could not be read');
  return load;
}
