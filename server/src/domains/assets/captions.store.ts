import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';

/** Captions as the stream offers them. */
export interface OfferedCaptions {
  readonly id: string;
  readonly language: string;
  readonly label: string;
  readonly kind: 'SUBTITLES' | 'CAPTIONS';
  readonly isDefault: boolean;
}

const OFFERED = sql(
  'offered_captions',
  `select id, language, label, kind, is_default as "isDefault" from captions
   where content_id = $1 and kind <> 'DESCRIPTIONS' order by created_at, id`,
);

/** What players can offer for a content, in the order it was added. */
export function offeredCaptions(db: Executor, contentId: string): Promise<OfferedCaptions[]> {
  return db.run<OfferedCaptions>(OFFERED, [contentId]);
}

const FILE = sql(
  'captions_file',
  `select c.vtt, c.version, v.duration_ms / 1000.0::float8 as "durationSeconds"
   from captions c join video_assets v on v.content_id = c.content_id where c.id = $1 and c.content_id = $2 and v.id = $3`,
);

/** The text of captions and the length of the video they are shown with; null when there are none. */
export function captionsFile(
  db: Executor,
  id: string,
  contentId: string,
  videoAssetId: string,
): Promise<{ vtt: string; version: number; durationSeconds: number | null } | null> {
  return db.first(FILE, [id, contentId, videoAssetId]);
}
