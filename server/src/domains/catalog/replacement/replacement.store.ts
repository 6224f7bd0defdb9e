import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { VideoHint } from '../../assets/index.ts';
import type { Chapter } from '../chapters/chapters.ts';

/** Texts of a content with times in its video, and the hint of the video. */
export interface TimedTexts {
  /** Captions that were added; those found in a file or made from its speech go with it. */
  readonly captions: number;
  readonly chapters: readonly Chapter[] | null;
  readonly summary: string;
  readonly durationMs: number | null;
  /** Null where there is no video. */
  readonly hint: VideoHint | null;
}

const TEXTS = sql(
  'timed_texts_of_content',
  `select (select count(*)::int from captions t where t.content_id = c.id and t.video_asset_id is null
      and t.spoken_in is null) as captions,
     c.chapters, c.summary, c.duration_ms::float8 as "durationMs",
     (select v.hint from video_assets v where v.content_id = c.id order by v.created_at desc, v.id desc limit 1) as hint
   from contents c where c.id = $1`,
);

/** The texts with times of an existing content. */
export async function timedTextsOf(tx: Executor, contentId: string): Promise<TimedTexts> {
  const found = await tx.first<TimedTexts>(TEXTS, [contentId]);
  if (!found) throw new Error(`There is no content ${contentId}.`);
  return found;
}
