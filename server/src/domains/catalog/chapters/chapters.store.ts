import type { BasedOn, CommandScope, CommandTarget } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { actionTarget, type ContentTarget } from '../contents/content-commands.store.ts';
import { type Chapter, type ChapterSources, MIN_CHAPTER_MS } from './chapters.ts';

export interface NewChapters extends ContentTarget, BasedOn {
  /** Null: none are set. */
  readonly chapters: readonly Chapter[] | null;
}

/** The content whose chapters are set, and how many of them start early enough before the end of its video. */
export const CHAPTERS_TARGET: CommandTarget<NewChapters> = {
  ...actionTarget<NewChapters>('update'),
  columns(s) {
    const starts = s.value(({ chapters }) => (chapters ?? []).map(({ startMs }) => startMs), 'bigint[]');
    const early =
      `(select count(*)::int from unnest(${starts}) start where ` + `start <= c.duration_ms - ${MIN_CHAPTER_MS})`;
    return {
      ...actionTarget<NewChapters>('update').columns(s),
      durationMs: 'c.duration_ms::float8',
      early,
      inside: `c.duration_ms is null or ${early} = cardinality(${starts})`,
    };
  },
  errorColumns: ['durationMs', 'early'],
};

/** SQL: the chapters that were set for the content `c`, as the API shows them. */
export const SHOWN_CHAPTERS = "coalesce(c.chapters, '[]')";

/** Writes the chapters of a content. */
export function setChaptersWrites(s: CommandScope<NewChapters>) {
  return {
    changed: `
    update contents c set chapters = ${s.value(({ chapters }) => chapters && JSON.stringify(chapters), 'jsonb')},
      updated_at = ${s.now}
    from permitted t where c.id = t.id
    returning c.*`,
    event: `insert into events (type, channel_id, subject_id) select 'content.updated', channel_id, id from changed`,
  };
}

const SOURCES = sql(
  'chapter_sources',
  `select c.chapters as "set", c.summary as description, v.duration_ms::float8 as "durationMs"
   from contents c join video_assets v on v.content_id = c.id where c.id = $1 and v.id = $2`,
);

/** The facts that determine the chapters of a video of a content; null when there is no such video. */
export function chapterSources(db: Executor, contentId: string, videoAssetId: string): Promise<ChapterSources | null> {
  return db.first<ChapterSources>(SOURCES, [contentId, videoAssetId]);
}
