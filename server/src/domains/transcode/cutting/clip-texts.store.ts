import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { TimedChapter } from './move-texts.ts';

/** Captions of a content that is cut. */
export interface SourceCaptions {
  readonly id: string;
  readonly vtt: string;
  /** Whether they were made from the speech of its video. */
  readonly isSpoken: boolean;
}

const SOURCE = sql(
  'captions_to_clip',
  `select id, vtt, spoken_in is not null as "isSpoken" from captions
   where content_id = $1 and coalesce(video_asset_id, $2) = $2 and coalesce(spoken_in, $2) = $2
   order by automatic is not null, video_asset_id is null, created_at, id`,
);

/** The captions that are shown with a video of a content, in the order of viewers. */
export function captionsToClip(tx: Executor, contentId: string, videoAssetId: string): Promise<SourceCaptions[]> {
  return tx.run(SOURCE, [contentId, videoAssetId]);
}

/** The part of captions that a clip gets. */
export interface ClipCaptions {
  readonly id: string;
  /** The captions that it is of. */
  readonly sourceId: string;
  readonly vtt: string;
}

const ADD = sql(
  'add_clip_captions',
  `insert into captions (id, channel_id, content_id, language, label, kind, is_default, is_forced, automatic, vtt,
     created_at, updated_at)
   select a.id, s.channel_id, $1, s.language, s.label, s.kind, s.is_default, s.is_forced, s.automatic, a.vtt, $3, $3
   from jsonb_to_recordset($2::jsonb) a (id uuid, "sourceId" uuid, vtt text) join captions s on s.id = a."sourceId"`,
);

/** Adds parts of captions to a clip, each in its language and of its kind; those found in a file are its own there. */
export async function addClipCaptions(
  tx: Executor,
  clipId: string,
  captions: readonly ClipCaptions[],
  now: string,
): Promise<void> {
  if (captions.length > 0) await tx.run(ADD, [clipId, JSON.stringify(captions), now]);
}

const CHAPTERS = sql('set_clip_chapters', 'update contents set chapters = $2 where id = $1');

/** Stores the chapters of a clip. */
export async function setClipChapters(tx: Executor, clipId: string, chapters: readonly TimedChapter[]): Promise<void> {
  await tx.run(CHAPTERS, [clipId, JSON.stringify(chapters)]);
}

const SPOKEN = sql(
  'captions_spoken_in_clip',
  'update captions set spoken_in = $3 where content_id = $1 and id = any($2::uuid[]) and automatic is not null',
);

/** Makes captions of a content those of the speech of a video, unless a person has edited them meanwhile. */
export async function setSpokenIn(
  tx: Executor,
  contentId: string,
  captionsIds: readonly string[],
  videoAssetId: string,
): Promise<void> {
  if (captionsIds.length > 0) await tx.run(SPOKEN, [contentId, captionsIds, videoAssetId]);
}
