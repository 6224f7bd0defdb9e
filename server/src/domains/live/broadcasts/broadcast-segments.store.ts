import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A stored segment of a broadcast, in the tracks of its encoder. */
export interface NewSegmentRow {
  readonly number: number;
  readonly init: number;
  readonly isDiscontinuity: boolean;
  /** In 1/90000 s. */
  readonly startTicks: number;
  /** From the decoding of its first picture until that is shown, in the same unit. */
  readonly videoShift: number;
  /** In units of their tracks; 0 without sound. */
  readonly videoDuration: number;
  readonly audioDuration: number;
  readonly videoBytes: number;
  readonly audioBytes: number;
  /** When its sound begins; null without sound. */
  readonly audioStart: number | null;
  readonly arrivedAt: string;
}

/** With those of the other sizes. */
export interface StoredSegmentRow extends NewSegmentRow {
  /** Bytes by the names of their tracks; null without any. */
  readonly sizes: Readonly<Record<string, number>> | null;
}

const INSERT = sql(
  'insert_broadcast_segment',
  `insert into broadcast_segments (broadcast_id, number, init, is_discontinuity, start_ticks, video_duration,
     audio_duration, video_bytes, audio_bytes, arrived_at, video_shift, audio_start)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** Notes a segment whose objects are stored. */
export async function insertSegment(tx: Executor, broadcastId: string, row: NewSegmentRow): Promise<void> {
  const { number, init, isDiscontinuity, startTicks, videoDuration, audioDuration, videoBytes, audioBytes } = row;
  await tx.run(INSERT, [
    ...[broadcastId, number, init, isDiscontinuity, startTicks, videoDuration],
    ...[audioDuration, videoBytes, audioBytes, row.arrivedAt, row.videoShift, row.audioStart],
  ]);
}

const INSERT_TRACK = sql(
  'insert_broadcast_track_segment',
  `insert into broadcast_track_segments (broadcast_id, track, number, bytes) values ($1, $2, $3, $4)
   on conflict do nothing`,
);

/** Notes a segment of another size whose object is stored. */
export async function insertTrackSegment(
  db: Executor,
  broadcastId: string,
  { track, number, bytes }: { readonly track: string; readonly number: number; readonly bytes: number },
): Promise<void> {
  await db.run(INSERT_TRACK, [broadcastId, track, number, bytes]);
}

const ALL = sql(
  'broadcast_segments',
  `select number, init, is_discontinuity as "isDiscontinuity", start_ticks as "startTicks",
     video_duration as "videoDuration", audio_duration as "audioDuration", video_bytes as "videoBytes",
     audio_bytes as "audioBytes", audio_start as "audioStart", video_shift as "videoShift", arrived_at as "arrivedAt",
     (select jsonb_object_agg(x.track, x.bytes) from broadcast_track_segments x
      where x.broadcast_id = s.broadcast_id and x.number = s.number) as sizes
   from broadcast_segments s where broadcast_id = $1 order by number`,
);

/** The stored segments of a broadcast, in their order. */
export function segmentsOf(db: Executor, broadcastId: string): Promise<StoredSegmentRow[]> {
  return db.run<StoredSegmentRow>(ALL, [broadcastId]);
}

/** Decoding of a clip begins so much before it at most. */
export const CLIP_LEAD_MS = 12_000;

const DROP = sql(
  'drop_broadcast_segments',
  `with clipped as (
     select min(s.number) as number from broadcasts b
       join contents c on c.clipped_from = b.content_id and c.status = 'PROCESSING' and c.deleted_at is null
       join broadcast_segments s on s.broadcast_id = b.id
         and s.start_ticks + s.video_duration > 90 * (c.clip_start_ms - ${CLIP_LEAD_MS})
     where b.id = $1
   ),
   until as (select least($2, c.number) as number from clipped c),
   sizes as (delete from broadcast_track_segments t using until u where t.broadcast_id = $1 and t.number < u.number
     returning t.track, t.number),
   pictures as (delete from broadcast_segments s using until u where s.broadcast_id = $1 and s.number < u.number
     returning s.number)
   select track, number from sizes
   union all select t.track, p.number from pictures p cross join (values ('video'), ('audio')) t (track)`,
);

/** Forgets the segments before a number, except those that clips use; returns their numbers and tracks. */
export function dropSegmentsBefore(
  db: Executor,
  broadcastId: string,
  number: number,
): Promise<{ readonly track: string; readonly number: number }[]> {
  return db.run<{ track: string; number: number }>(DROP, [broadcastId, number]);
}

const MISSING = sql('note_missing_of_broadcast', 'update broadcasts set missing_ms = missing_ms + $2 where id = $1');

/** Notes what could not be stored. */
export async function noteMissing(db: Executor, broadcastId: string, ms: number): Promise<void> {
  await db.run(MISSING, [broadcastId, ms]);
}

const FORGET = sql(
  'forget_broadcast_segments',
  `with sizes as (delete from broadcast_track_segments where broadcast_id = $1)
   delete from broadcast_segments where broadcast_id = $1`,
);

/** Forgets the segments of a recording that is a file. */
export async function dropSegments(tx: Executor, broadcastId: string): Promise<void> {
  await tx.run(FORGET, [broadcastId]);
}
