import type { ArgScope, RowScope } from '../../../gql/index.ts';
import { partSubject, type Subject, videosSql } from './analytics.sql.ts';

/** What collections are sorted by: columns of the relations below. */
export const COLLECTION_SORTS = { VIEWS: 'period_views', WATCH_MINUTES: 'period_watch_ms' } as const;
export type CollectionSort = keyof typeof COLLECTION_SORTS;

const SUMS = `coalesce(sum(v.period_views), 0)::bigint as period_views,
  coalesce(sum(v.period_watch_ms), 0)::bigint as period_watch_ms, count(v.id) as period_videos`;

/** SQL of a relation: the series of a channel with the sums of their episodes in the period. */
export function seriesListSql(s: RowScope, args: ArgScope): string {
  return `(select g.*, m.period_views, m.period_watch_ms, m.period_videos from contents g
    join (select k.id, ${SUMS} from contents k
      left join contents b on b.parent_id = k.id
      left join contents e on e.parent_id = b.id
      left join ${videosSql(s, args)} v on v.id = coalesce(e.id, b.id) and v.kind = 'EPISODE'
      where k.channel_id = ${s.t}.id and k.kind in ('SERIES', 'MINISERIES') group by k.id) m on m.id = g.id
    where g.deleted_at is null)`;
}

/** SQL of a relation: the playlists of a channel with the sums of its own videos in them in the period. */
export function playlistListSql(s: RowScope, args: ArgScope): string {
  return `(select l.*, m.period_views, m.period_watch_ms, m.period_videos from playlists l
    join (select k.id, ${SUMS} from playlists k
      left join (select distinct i.playlist_id, i.content_id from playlist_items i
        join playlists o on o.id = i.playlist_id where o.channel_id = ${s.t}.id) i on i.playlist_id = k.id
      left join ${videosSql(s, args)} v on v.id = i.content_id
      where k.channel_id = ${s.t}.id group by k.id) m on m.id = l.id)`;
}

/** The videos of the channel in one of its playlists. */
export function playlistSubject(s: RowScope): Subject {
  return partSubject(
    s,
    `select i.content_id from playlist_items i join contents c on c.id = i.content_id
     where i.playlist_id = ${s.t}.id and c.channel_id = ${s.t}.channel_id and c.deleted_at is null`,
  );
}
