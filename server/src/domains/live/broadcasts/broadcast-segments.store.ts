import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A stored segment of a broadcast, in all its tracks. */
export interface StoredSegmentRow {
  readonly number: number;
  readonly init: number;
  readonly isDiscontinuity: boolean;
  /** In 1/90000 s. */
  readonly startTicks: number;
  /** In units of their tracks; 0 without sound. */
  readonly videoDuration: number;
  readonly audioDuration: number;
  readonly videoBytes: number;
  readonly audioBytes: number;
  readonly arrivedAt: string;
}

const INSERT = sql(
  'insert_broadcast_segment',
  `insert into broadcast_segments (broadcast_id, number, init, is_discontinuity, start_ticks, video_duration,
     audio_duration, video_bytes, audio_bytes, arrived_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** Notes a segment whose objects are stored. */
export async function insertSegment(tx: Executor, broadcastId: string, row: StoredSegmentRow): Promise<void> {
  const { number, init, isDiscontinuity, startTicks, videoDuration, audioDuration, videoBytes, audioBytes } = row;
  await tx.run(INSERT, [
    ...[broadcastId, number, init, isDiscontinuity, startTicks, videoDuration],
    ...[audioDuration, videoBytes, audioBytes, row.arrivedAt],
  ]);
}

const ALL = sql(
  'broadcast_segments',
  `select number, init, is_discontinuity as "isDiscontinuity", start_ticks as "startTicks",
     video_duration as "videoDuration", audio_duration as "audioDuration", video_bytes as "videoBytes",
     audio_bytes as "audioBytes", arrived_at as "arrivedAt"
   from broadcast_segments where broadcast_id = $1 order by number`,
);

/** The stored segments of a broadcast, in their order. */
export function segmentsOf(db: Executor, broadcastId: string): Promise<StoredSegmentRow[]> {
  return db.run<StoredSegmentRow>(ALL, [broadcastId]);
}

const DROP = sql(
  'drop_broadcast_segments',
  'delete from broadcast_segments where broadcast_id = $1 and number < $2 returning number',
);

/** Forgets the segments before a number; returns theirs. */
export async function dropSegmentsBefore(db: Executor, broadcastId: string, number: number): Promise<number[]> {
  const rows = await db.run<{ number: number }>(DROP, [broadcastId, number]);
  return rows.map((row) => row.number);
}

const MISSING = sql('note_missing_of_broadcast', 'update broadcasts set missing_ms = missing_ms + $2 where id = $1');

/** Notes what could not be stored. */
export async function noteMissing(db: Executor, broadcastId: string, ms: number): Promise<void> {
  await db.run(MISSING, [broadcastId, ms]);
}

const FORGET = sql('forget_broadcast_segments', 'delete from broadcast_segments where broadcast_id = $1');

/** Forgets the segments of a recording that is a file. */
export async function dropSegments(tx: Executor, broadcastId: string): Promise<void> {
  await tx.run(FORGET, [broadcastId]);
}
