import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { playableVideo } from '../../assets/index.ts';
import { storedTicksOf } from '../broadcasts/broadcast.sql.ts';
import { type StoredTicks, TICKS_PER_MS } from '../broadcasts/stored-range.ts';
import type { LiveRecording } from '../inputs/live-input-fields.ts';
import type { ClipSegment } from './clip-broadcast.job.ts';

/** A broadcast that clips can be cut from. */
export interface BroadcastRow extends StoredTicks {
  readonly id: string;
  readonly videoAssetId: string;
  readonly recording: LiveRecording;
  readonly state: 'LIVE' | 'RECONNECTING' | 'ENDED' | 'RECORDED';
  readonly hint: string;
  readonly filename: string;
  /** Length of the recording; null before it is complete. */
  readonly durationMs: number | null;
}

const [START, END] = storedTicksOf('b');
const FIND = sql(
  'broadcast_to_clip',
  `select b.id, b.video_asset_id as "videoAssetId", b.recording, b.state, v.hint, v.filename,
     v.duration_ms::float8 as "durationMs", ${START} as "startTicks", ${END} as "endTicks"
   from broadcasts b join video_assets v on v.id = b.video_asset_id and v.size_bytes = 0
   where b.content_id = $1 and v.id = ${playableVideo('$1')}`,
);

/** The broadcast of a content whose video is played from its segments; null for others. */
export function broadcastToClip(tx: Executor, contentId: string): Promise<BroadcastRow | null> {
  return tx.first<BroadcastRow>(FIND, [contentId]);
}

// In a recording, what is missing takes no time.
const SEGMENTS = sql(
  'segments_to_clip',
  `with placed as (
     select s.number, s.init, s.is_discontinuity, s.audio_bytes, s.video_duration,
       case when b.state = 'RECORDED' then sum(s.video_duration) over (order by s.number) - s.video_duration
         else s.start_ticks end as at
     from broadcasts b join broadcast_segments s on s.broadcast_id = b.id where b.id = $1
   )
   select number, init, is_discontinuity as "isDiscontinuity", audio_bytes > 0 as "hasSound",
     at::float8 / ${TICKS_PER_MS} as "startMs", video_duration::float8 / ${TICKS_PER_MS} as "durationMs"
   from placed where at + video_duration > $2::float8 * ${TICKS_PER_MS} and at < $3::float8 * ${TICKS_PER_MS}
   order by number`,
);

/** The stored segments of a part of a broadcast, in their order. */
export function segmentsToClip(
  tx: Executor,
  broadcastId: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<ClipSegment[]> {
  return tx.run<ClipSegment>(SEGMENTS, [broadcastId, startMs, endMs]);
}
