import type { CommandScope } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { CONTENT_FACTS, type ContentTarget, target } from '../content-commands.store.ts';
import { type Chapter, type ChapterSources, MIN_CHAPTER_MS } from './chapters.ts';

export interface NewChapters extends ContentTarget {
  /** Null: none are set. */
  readonly chapters: readonly Chapter[] | null;
}

export const CHAPTERS_FACTS = { ...CONTENT_FACTS, durationMs: 'select duration_ms from target' } as const;

/** Writes the chapters of a content, unless the last is not inside the video. */
export function setChaptersCtes(s: CommandScope<NewChapters>) {
  const lastMs = s.value(({ chapters }) => chapters?.at(-1)?.startMs ?? null, 'bigint');
  return {
    target: target(s, 'update'),
    changed: `
    update contents c set chapters = ${s.value(({ chapters }) => chapters && JSON.stringify(chapters), 'jsonb')}, updated_at = ${s.now}
    from target t where c.id = t.id and t.may and coalesce(${lastMs} <= t.duration_ms - ${MIN_CHAPTER_MS}, true)
    returning c.*`,
    event: `insert into events (type, channel_id, subject_id) select 'content.updated', channel_id, id from changed`,
  };
}

const SOURCES = sql(
  'chapter_sources',
  `select c.chapters as "set", c.summary as description, v.duration_ms::float8 as "durationMs"
   from contents c join video_assets v on v.content_id = c.id where c.id = $1 and v.id = $2`,
);

/** What decides the chapters of a video of a content; null when there is no such video. */
export function chapterSources(db: Executor, contentId: string, videoAssetId: string): Promise<ChapterSources | null> {
  return db.first<ChapterSources>(SOURCES, [contentId, videoAssetId]);
}
