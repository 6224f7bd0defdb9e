import type { TimeRange } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { TextsBefore, TimedCaptions, TimedChapter } from './move-texts.ts';
import { earlierVideosOf } from './replaced-videos.store.ts';

/** What a video that was made by an edit changes for the texts of its content: ranges of the original, or all of it. */
export interface Edit {
  readonly from: readonly TimeRange[] | null;
  readonly to: readonly TimeRange[] | null;
  readonly before: TextsBefore | null;
}

const EDIT = sql(
  'edit_of_video',
  `select e.kept_ranges as "from", v.kept_ranges as "to", e.texts_before as before
   from video_assets v cross join lateral (${earlierVideosOf('v')}) e
   where v.id = $1 and v.edit is not null`,
);

/** The edit that made a video, while the one that it replaces is there; null for others. */
export function editOf(tx: Executor, videoAssetId: string): Promise<Edit | null> {
  return tx.first<Edit>(EDIT, [videoAssetId]);
}

const CHAPTERS = sql('chapters_to_move', 'select chapters from contents where id = $1');
const CAPTIONS = sql(
  'captions_to_move',
  'select id, version, vtt from captions where content_id = $1 order by id for update',
);

/** The captions of a content, locked, and its chapters. */
export async function timedTexts(
  tx: Executor,
  contentId: string,
): Promise<{ captions: TimedCaptions[]; chapters: readonly TimedChapter[] | null }> {
  const row = await tx.first<{ chapters: readonly TimedChapter[] | null }>(CHAPTERS, [contentId]);
  return { captions: await tx.run<TimedCaptions>(CAPTIONS, [contentId]), chapters: row?.chapters ?? null };
}

const MOVE = sql(
  'move_captions',
  `update captions c set vtt = m.vtt, version = m.version, updated_at = $2
   from jsonb_to_recordset($1::jsonb) m (id uuid, version integer, vtt text) where c.id = m.id`,
);

/** Stores moved captions. */
export async function moveCaptions(tx: Executor, captions: readonly TimedCaptions[], now: string): Promise<void> {
  if (captions.length > 0) await tx.run(MOVE, [JSON.stringify(captions), now]);
}

const POINT = sql(
  'point_captions',
  `update captions set video_asset_id = case when video_asset_id is null then null else $2::uuid end,
     spoken_in = case when spoken_in is null then null else $2::uuid end
   where content_id = $1 and (video_asset_id is not null or spoken_in is not null)`,
);

/** Makes captions that were found in a file, or made from its speech, those of another video of the content. */
export async function pointCaptions(tx: Executor, contentId: string, videoAssetId: string): Promise<void> {
  await tx.run(POINT, [contentId, videoAssetId]);
}

const WRITE = sql(
  'write_moved_texts',
  `with video as (update video_assets set texts_before = $3 where id = $1)
   update contents set chapters = $4 where id = $2 and chapters is distinct from $4::jsonb`,
);

/** Stores moved chapters, and the texts of the original. */
export async function writeMovedTexts(
  tx: Executor,
  moved: {
    readonly videoAssetId: string;
    readonly contentId: string;
    readonly chapters: readonly TimedChapter[] | null;
    readonly before: TextsBefore | null;
  },
): Promise<void> {
  const { videoAssetId, contentId, chapters, before } = moved;
  await tx.run(WRITE, [
    videoAssetId,
    contentId,
    before && JSON.stringify(before),
    chapters && JSON.stringify(chapters),
  ]);
}
