import type { TimeRange } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isArriving, playableVideo } from '../../assets/index.ts';

/** The video of a content that is played, and its file. */
export interface PlayedVideo {
  readonly id: string;
  readonly durationMs: number | null;
  readonly hint: string;
  readonly filename: string;
  /** The uploaded file; of a trimmed video the one that it was cut from. */
  readonly originalKey: string;
  readonly originalBytes: number;
  /** What a trimmed video consists of; null for others. */
  readonly keptRanges: readonly TimeRange[] | null;
  /** Whether the uploaded file was given up. */
  readonly isOriginalDeleted: boolean;
}

const PLAYED = sql(
  'played_video',
  `select v.id, v.duration_ms::float8 as "durationMs", v.hint, v.filename,
     coalesce(v.original_key, v.source_key) as "originalKey",
     (case when v.original_key is null then v.size_bytes else v.original_bytes end)::float8 as "originalBytes",
     v.kept_ranges as "keptRanges", v.original_key is null and v.original_deleted_at is not null as "isOriginalDeleted"
   from video_assets v where v.id = ${playableVideo('$1')} and not ${isArriving('v')}`,
);

/** The newest video of a content that can be played; null when there is none. */
export function playedVideo(db: Executor, contentId: string): Promise<PlayedVideo | null> {
  return db.first<PlayedVideo>(PLAYED, [contentId]);
}
