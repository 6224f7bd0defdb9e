import type { ArgScope, RowScope, Selects } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import {
  audienceSql,
  channelColumns,
  channelSubject,
  METRIC_SQL,
  overviewSql,
  type Subject,
  seriesSql,
  topOf,
  videosSql,
} from './analytics.sql.ts';
import { readFirst, readOffset } from './page-arguments.ts';
import { periodSql } from './period.ts';

export const USUAL_PAGE = 50;
/** What the list is sorted by, best or newest first: the SQL of a row of `videosSql`. */
const SORTED_BY = {
  VIEWS: 'c.period_views',
  WATCH_MINUTES: 'c.period_watch_ms',
  UNIQUE_VIEWERS: 'c.period_viewers',
  LIKES: `counter_value('content:likes', c.id)`,
  COMMENTS: `counter_value('content:comments', c.id)`,
  RELEASE_DATE: 'coalesce(c.release_at, c.published_at, c.created_at)',
} as const;
export type Sort = keyof typeof SORTED_BY;

/** SQL: JSON members of what both objects say of the content `c`. */
const CONTENT_MEMBERS = `'id', c.id, 'kind', c.kind, 'title', c.title,
  'releaseDate', coalesce(c.release_at, c.published_at),
  'likes', counter_value('content:likes', c.id), 'comments', counter_value('content:comments', c.id)`;

/** SQL: JSON of a page of contents with their numbers, and the offset of the next one. */
export function videoListSql(s: RowScope, args: ArgScope, selects: Selects): string {
  const sort = (args.literal('sort') ?? 'VIEWS') as Sort; // the enum's values
  const size = args.compute(({ first }) => readFirst(first, USUAL_PAGE), 'integer');
  const offset = args.compute(({ after }) => readOffset(after), 'integer');
  const subject: Subject = { ...channelSubject(s), contents: (column) => `${column} = c.id` };
  const top = (name: 'topCountry' | 'topDevice', column: 'country' | 'device') =>
    selects(`items.${name}`) ? `, '${name}', ${topOf(subject, column, 'p.from_at', 'p.to_at')}` : '';
  const total = selects('totalCount')
    ? `, 'total', (select count(*) from contents t where t.channel_id = ${subject.channel} and t.deleted_at is null)`
    : '';
  return `(select json_build_object('next', case when count(*) > ${size} then ${offset} + ${size} end,
      'items', coalesce(json_agg(json_build_object(${CONTENT_MEMBERS}, 'views', c.period_views,
        'watchMs', c.period_watch_ms, 'viewers', c.period_viewers${top('topCountry', 'country')}
        ${top('topDevice', 'device')}) order by c.place) filter (where c.place <= ${size}), '[]')${total})
    from (select c.*, row_number() over (order by ${SORTED_BY[sort]} desc, c.id desc) - ${offset} as place
      from ${videosSql(s, args)} c order by ${SORTED_BY[sort]} desc, c.id desc
      limit ${size} + 1 offset ${offset}) c cross join ${periodSql(s, args, subject.zone)} p)`;
}

const VIDEO_METRICS = ['VIEWS', 'WATCH_MINUTES', 'UNIQUE_VIEWERS'] as const;

/** SQL: the columns of the numbers of one content. */
export function videoSql(s: RowScope, args: ArgScope, selects: Selects): string[] {
  const channel = channelSubject(s);
  const id = args.id('contentLrn', CONTENT_DID_KINDS);
  const found = `from contents c where c.id = ${id} and c.channel_id = ${channel.channel} and c.deleted_at is null`;
  const of: Subject = {
    ...channel,
    contents: (column) => `${column} = ${id}`,
    since: `(select c.created_at ${found})`,
  };
  const detail = `(select json_build_object(${CONTENT_MEMBERS}, 'summary', c.summary,
    'durationMs', c.duration_ms) ${found})`;
  const days = selects('dailyViews') || selects('dailyWatchMinutes');
  const segments = selects('byCountry') || selects('byDevice');
  // Another channel's content has no detail, and nothing of it is read.
  const whereFound = (sql: string) => `case when exists (select 1 ${found}) then ${sql} end`;
  const daily = (from: string, to: string) => ({
    views: METRIC_SQL.VIEWS(of, from, to),
    watchMs: METRIC_SQL.WATCH_MINUTES(of, from, to),
  });
  return [
    ...channelColumns(channel),
    detail,
    whereFound(overviewSql(s, args, of, VIDEO_METRICS)),
    days ? whereFound(seriesSql(s, args, of, 'DAY', daily)) : 'null::json',
    segments ? whereFound(audienceSql(s, args, of)) : 'null::json',
  ];
}
