import type { TimeRange } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { ContentLayout } from '../contents/content-fields.ts';

const LAYOUT = sql('layout_of_content', 'select layout from contents where id = $1');

/** The layout of an existing content. */
export async function layoutOf(tx: Executor, contentId: string): Promise<ContentLayout> {
  const found = await tx.first<{ layout: ContentLayout }>(LAYOUT, [contentId]);
  if (!found) throw new Error(`There is no content ${contentId}.`);
  return found.layout;
}

const SET = sql(
  'set_clip_source',
  'update contents set clipped_from = $2, clip_start_ms = $3, clip_end_ms = $4 where id = $1',
);

/** Stores where a clip is from. */
export async function setClipSource(
  tx: Executor,
  clipId: string,
  { contentId, startMs, endMs }: TimeRange & { readonly contentId: string },
): Promise<void> {
  await tx.run(SET, [clipId, contentId, startMs, endMs]);
}
