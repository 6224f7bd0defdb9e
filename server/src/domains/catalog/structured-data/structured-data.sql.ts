import type { Addressed } from '../../../kernel/content-kinds.ts';
import { manifestPrefix } from '../../assets/index.ts';
import type { Chapter } from '../chapters/chapters.ts';
import type { DescribedParent } from './structured-data.ts';

/** A content's row with its related rows. */
export interface DescribedRow extends Addressed {
  readonly title: string;
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly published: string;
  readonly duration: number | null;
  /** Set chapters; null for those in the description. */
  readonly chapters: Chapter[] | null;
  /** The summary as it was written. */
  readonly description: string;
  readonly language: string | null;
  readonly number: number | null;
  readonly age: number | null;
  readonly genres: readonly string[];
  readonly channel: { readonly handle: string; readonly name: string };
  /** Its broadcast, in Unix milliseconds; null for what is uploaded. */
  readonly broadcast: { readonly startMs: number; readonly endMs: number | null } | null;
  /** Object keys. */
  readonly picture: string | null;
  readonly frame: string | null;
  /** Prefix of the manifests of the video. */
  readonly manifests: string | null;
  readonly parents: readonly (Omit<DescribedParent, 'url'> & Addressed)[];
}

/** SQL: a public content's row with its related rows, as JSON; null unless it is public. */
export function describedRow(c: string): string {
  const video =
    `from video_assets v where v.content_id = ${c}.id and v.ready_at ` +
    'is not null order by v.created_at desc, v.id desc limit 1';
  const parent = (p: string) =>
    `jsonb_build_object('id', ${p}.id, 'kind', ${p}.kind, 'shortCode', ${p}.short_code, 'title', ${p}.title,
      'number', ${p}.number)`;
  return `case when ${c}.effective_visibility <> 'PRIVATE' then jsonb_build_object(
    'id', ${c}.id, 'kind', ${c}.kind, 'shortCode', ${c}.short_code, 'title', ${c}.title,
    'summary', coalesce(nullif(${c}.summary, ''), ${c}.short_summary),
    'keywords', ${c}.keywords, 'published', extract(epoch from ${c}.published_at) * 1000, 'duration', ${c}.duration_ms,
    'chapters', ${c}.chapters, 'description', ${c}.summary,
    'language', ${c}.language, 'number', ${c}.number, 'age', (select r.minimum_age from ratings r
      where r.id = ${c}.rating_id),
    'genres', (select coalesce(jsonb_agg(g.name order by l.position), '[]') from content_genres l join genres g
      on g.id = l.genre_id where l.content_id = ${c}.id),
    'channel', (select jsonb_build_object('handle', ch.handle, 'name', ch.title) from channels ch
      where ch.id = ${c}.channel_id),
    'broadcast', (select jsonb_build_object(
        'startMs', extract(epoch from coalesce(b.started_at, b.scheduled_at)) * 1000,
        'endMs', extract(epoch from b.ended_at) * 1000)
      from broadcasts b where b.content_id = ${c}.id and b.state not in ('MISSED', 'CANCELED')),
    'picture', (select i.object_prefix || (i.variants -> 0 ->> 'file') from image_assets i
                where i.content_id = ${c}.id and i.purpose in ('POSTER', 'THUMBNAIL') order by i.created_at desc,
                  i.id desc limit 1),
    'frame', (select v.package_prefix || coalesce(v.extras #>> '{stills,0,path}',
      case when not v.thumbnails ? 'vtt' then replace(v.thumbnails ->> 'pattern', '%05d', '00001') end) ${video}),
    'manifests', (select ${manifestPrefix('v')} ${video}),
    'parents', (select coalesce(jsonb_agg(x.parent order by x.level), '[]') from (
        select 1 as level, ${parent('p')} as parent from contents p where p.id = ${c}.parent_id
        union all
        select 2, ${parent('q')} from contents p join contents q on q.id = p.parent_id
          where p.id = ${c}.parent_id) x)) end`;
}
