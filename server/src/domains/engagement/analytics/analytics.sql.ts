import type { ArgScope, RowScope } from '../../../gql/index.ts';
import { periodSql } from './period.ts';

/** Subject of the analytics, as SQL. */
export interface Subject {
  /** The id of the channel. */
  readonly channel: string;
  /** SQL: whether this column holds the id of one of its contents; null for the whole channel. */
  readonly contents: ((column: string) => string) | null;
  /** The channel's time zone. */
  readonly zone: string;
  /** When the channel or content was created. */
  readonly since: string;
}

export function channelSubject(s: RowScope): Subject {
  return { channel: `${s.t}.id`, contents: null, zone: `${s.t}.time_zone`, since: `${s.t}.created_at` };
}

/** A content; of a series or season: its episodes, which have the views. */
export function contentSubject(s: RowScope): Subject {
  return partSubject(
    s,
    `select ${s.t}.id union all select e.id from contents e
    where (e.parent_id = ${s.t}.id or e.parent_id in (select n.id from contents n where n.parent_id = ${s.t}.id))
      and e.deleted_at is null`,
  );
}

/** The contents of the channel of the row that `ids`, a SELECT, names. */
export function partSubject(s: RowScope, ids: string): Subject {
  return {
    channel: `${s.t}.channel_id`,
    contents: (column) => `${column} = any(array(${ids}))`,
    zone: `(select z.time_zone from channels z where z.id = ${s.t}.channel_id)`,
    since: `${s.t}.created_at`,
  };
}

/** SQL: the id and the name of the channel. */
export function channelColumns({ channel }: Subject): string[] {
  return [channel, `(select n.name from channels n where n.id = ${channel})`];
}

/** SQL: rows of `alias` that belong to the subject and lie in a period. */
export function within({ channel, contents }: Subject, alias: string, from: string, to: string): string {
  const whose = contents === null ? `${alias}.channel_id = ${channel}` : contents(`${alias}.content_id`);
  return `${whose} and ${alias}.at >= ${from} and ${alias}.at < ${to}`;
}

const sumsOf = (subject: Subject): string => (subject.contents === null ? 'channel_15min' : 'watch_15min');

/** SQL of each metric between two instants: watch time in milliseconds, subscribers as they were at the end. */
export const METRIC_SQL = {
  VIEWS: (subject: Subject, from: string, to: string) =>
    `(select coalesce(sum(q.views), 0)::bigint from ${sumsOf(subject)} q where ${within(subject, 'q', from, to)})`,
  WATCH_MINUTES: (subject: Subject, from: string, to: string) =>
    `(select coalesce(sum(q.watch_ms), 0)::bigint from ${sumsOf(subject)} q where ${within(subject, 'q', from, to)})`,
  IMPRESSIONS: (subject: Subject, from: string, to: string) =>
    '(select coalesce(sum(q.impressions), 0)::bigint from ' +
    `${sumsOf(subject)} q where ${within(subject, 'q', from, to)})`,
  CLICKS: (subject: Subject, from: string, to: string) =>
    `(select coalesce(sum(q.clicks), 0)::bigint from ${sumsOf(subject)} q where ${within(subject, 'q', from, to)})`,
  UNIQUE_VIEWERS: (subject: Subject, from: string, to: string) =>
    `(select count(*) from (select distinct v.viewer from content_views v where ${within(subject, 'v', from, to)}) d)`,
  CHANNEL_SUBSCRIBERS: ({ channel }: Subject, _: string, to: string) =>
    '(select coalesce(sum(f.delta), 0)::bigint from follow_changes ' +
    `f where f.channel_id = ${channel} and f.created_at < ${to})`,
  NEW_CHANNEL_SUBSCRIBERS: ({ channel }: Subject, from: string, to: string) => followed(channel, from, to, 1),
} as const;

export type Metric = keyof typeof METRIC_SQL;

const LOST_SUBSCRIBERS = ({ channel }: Subject, from: string, to: string) => followed(channel, from, to, -1);
/** The metrics of overviews. */
export type OverviewMetric = Metric | 'LOST_CHANNEL_SUBSCRIBERS';

/** Metrics that an overview reads in one scan of the quarter-hours. */
const SUMMED: Partial<Record<OverviewMetric, string>> = {
  VIEWS: 'w.views',
  WATCH_MINUTES: 'w.watch_ms',
  IMPRESSIONS: 'w.impressions',
  CLICKS: 'w.clicks',
};
/** SQL: the sums over quarter-hours `alias` of such an overview. */
const sumsTaken = (alias: string): string =>
  ['views', 'watch_ms', 'impressions', 'clicks']
    .map((name) => `coalesce(sum(${alias}.${name}), 0)::bigint as ${name}`)
    .join(', ');

function followed(channel: string, from: string, to: string, delta: 1 | -1): string {
  return (
    `(select count(*) from follow_changes f where f.channel_id = ${channel} and ` +
    `f.delta = ${delta} and f.created_at >= ${from} and f.created_at < ${to})`
  );
}

/** SQL: JSON of the first and the last day of a period, and their number. */
function daysOf(from: string, to: string, zone: string): string {
  const [start, end] = [
    `(${from} at time zone ${zone})::date`,
    `((${to} - interval '1 microsecond') at time zone ${zone})::date`,
  ];
  return `json_build_object('start', ${start}, 'end', ${end}, 'days', ${end} - ${start} + 1)`;
}

/** SQL: JSON of the days of the period of the arguments. */
export function rangeSql(s: RowScope, args: ArgScope, { zone }: Subject): string {
  return `(select ${daysOf('p.from_at', 'p.to_at', zone)} from ${periodSql(s, args, zone)} p)`;
}

/** SQL: the country or kind of device with most views between two instants; null without views. */
export function topOf(subject: Subject, column: 'country' | 'device', from: string, to: string): string {
  return `(select q.${column} from watch_15min q where ${within(subject, 'q', from, to)} group by q.${column}
    having sum(q.views) > 0 order by sum(q.views) desc, q.${column} limit 1)`;
}

/** SQL: JSON array of the views of each country on each kind of device in the period, most views first. */
export function countryDevicesSql(s: RowScope, args: ArgScope, subject: Subject): string {
  return `(select coalesce(json_agg(json_build_object('country', r.country, 'device', r.device, 'views', r.views)
      order by r.views desc, r.country, r.device), '[]')
    from (select q.country, q.device, sum(q.views)::bigint as views
      from ${periodSql(s, args, subject.zone)} p join watch_15min q on ${within(subject, 'q', 'p.from_at', 'p.to_at')}
      group by q.country, q.device having sum(q.views) > 0
      order by 3 desc, 1, 2 limit ${MOST_SHARES}) r)`;
}

/** SQL: JSON with the number of followers by when they followed, in the channel's days, weeks and months. */
export function recencySql(s: RowScope, { channel, zone }: Subject): string {
  const now = `(${s.param((env) => env.nowIso, 'timestamptz')} at time zone ${zone})`;
  const since = (unit: string) => `(f.created_at at time zone ${zone}) >= date_trunc('${unit}', ${now})`;
  const count = (when: string) => `count(*) filter (where ${when})`;
  return `(select json_build_object('today', ${count(since('day'))},
      'thisWeek', ${count(`${since('week')} and not ${since('day')}`)},
      'thisMonth', ${count(`${since('month')} and not ${since('week')} and not ${since('day')}`)},
      'older', ${count(`not ${since('month')} and not ${since('week')} and not ${since('day')}`)},
      'all', count(*))
    from follows f where f.channel_id = ${channel})`;
}

/** SQL: JSON of the period, with each metric in it and in the previous period. */
export function overviewSql(
  s: RowScope,
  args: ArgScope,
  subject: Subject,
  metrics: readonly OverviewMetric[],
  parts: Readonly<Record<string, (from: string, to: string) => string>> = {},
): string {
  const values = (from: string, to: string) => {
    const value = (metric: OverviewMetric) =>
      SUMMED[metric] ?? { ...METRIC_SQL, LOST_CHANNEL_SUBSCRIBERS: LOST_SUBSCRIBERS }[metric](subject, from, to);
    return `(select json_build_object(${metrics.map((metric) => `'${metric}', ${value(metric)}`).join(', ')})
      from (select ${sumsTaken('q')}
            from ${sumsOf(subject)} q where ${within(subject, 'q', from, to)}) w)`;
  };
  const now = s.param((env) => env.nowIso, 'timestamptz');
  const further = Object.entries(parts)
    .map(([name, part]) => `'${name}', ${part('p.from_at', 'p.to_at')}, `)
    .join('');
  return `(select json_build_object('from', p.from_at, 'to', p.to_at, 'previousFrom', p.prev_from, 'previousTo',
    p.prev_to,
    'since', ${subject.since}, 'now', next_15min(${now}),
    'range', ${daysOf('p.from_at', 'p.to_at', subject.zone)},
    'previousRange', ${daysOf('p.prev_from', 'p.prev_to', subject.zone)}, ${further}
    'current', ${values('p.from_at', 'p.to_at')}, 'previous', ${values('p.prev_from', 'p.prev_to')})
    from ${periodSql(s, args, subject.zone)} p)`;
}

export const GRANULARITIES = { DAY: 'day', WEEK: 'week', MONTH: 'month' } as const;
export type Granularity = keyof typeof GRANULARITIES;

/** SQL: JSON array of the days, weeks or months of the period, each with its start `at` and its `values`. */
export function seriesSql(
  s: RowScope,
  args: ArgScope,
  subject: Subject,
  granularity: Granularity,
  values: (from: string, to: string) => Readonly<Record<string, string>>,
): string {
  const unit = GRANULARITIES[granularity];
  const { zone } = subject;
  const pairs = Object.entries(values('b.at', 'b.until')).map(([name, value]) => `, '${name}', ${value}`);
  const members = `'at', b.at, 'day', (b.at at time zone ${zone})::date${pairs.join('')}`;
  return `(select coalesce(json_agg(json_build_object(${members}) order by b.at), '[]')
    from ${periodSql(s, args, zone)} p cross join lateral (
      select greatest(d at time zone ${zone}, p.from_at) as at, least((d + interval '1 ${unit}') at time zone ${zone},
        p.to_at) as until
      from generate_series(date_trunc('${unit}', p.from_at at time zone ${zone}), p.to_at at time zone ${zone},
        interval '1 ${unit}') d) b
    where b.at < b.until)`;
}

/** Dimensions of an audience: field of the API to column. */
export const DIMENSIONS = {
  countries: 'country',
  devices: 'device',
  operatingSystems: 'os',
  browsers: 'browser',
} as const;
const MOST_SHARES = 250;

/** SQL: JSON with an array for each dimension, most views first, at most 250 entries. */
export function audienceSql(s: RowScope, args: ArgScope, subject: Subject): string {
  const columns = Object.values(DIMENSIONS);
  // Each table is scanned once for all dimensions; viewers are hashed, where count(distinct) would sort all views.
  const each = (text: (column: string) => string) => columns.map(text);
  const shares = Object.entries(DIMENSIONS).map(
    ([name, column]) => `'${name}', (
      select coalesce(json_agg(json_build_object('key', r.key, 'views', r.views, 'watchMs', r.watch_ms, 'viewers',
        r.viewers)
        order by r.views desc, r.watch_ms desc, r.key), '[]')
      from (
        select q.key, q.views, q.watch_ms, coalesce(v.viewers, 0) as viewers from sums q
        left join (select d.key, count(*) as viewers from (select distinct w.${column} as key, w.viewer from people w) d
          group by d.key) v on v.key = q.key
        where q.dimension = '${column}' order by q.views desc, q.watch_ms desc, q.key limit ${MOST_SHARES}) r)`,
  );
  return `(with period as materialized (select p.* from ${periodSql(s, args, subject.zone)} p),
    sums as materialized (
      select case ${each((column) => `when grouping(q.${column}) = 0 then '${column}'`).join(' ')} end as dimension,
        coalesce(${each((column) => `q.${column}`).join(', ')}) as key, sum(q.views)::bigint as views,
          sum(q.watch_ms)::bigint as watch_ms
      from period p join watch_15min q on ${within(subject, 'q', 'p.from_at', 'p.to_at')}
      group by grouping sets (${each((column) => `(q.${column})`).join(', ')}) having sum(q.views) > 0
        or sum(q.watch_ms) > 0),
    people as materialized (
      select distinct v.viewer, ${each((column) => `v.${column}`).join(', ')} from period p join content_views v
        on ${within(subject, 'v', 'p.from_at', 'p.to_at')})
    select json_build_object(${shares.join(', ')}))`;
}

/** SQL: JSON of the playback quality of a content in the period. */
export function qualitySql(s: RowScope, args: ArgScope, subject: Subject): string {
  const sums = [
    'starts',
    'startups',
    'startup_ms',
    'rebuffers',
    'rebuffer_ms',
    'watch_ms',
    'errors',
    'completes',
    'plays',
  ];
  return `(select json_build_object(${sums.map((name) => `'${name}', coalesce(sum(q.${name}), 0)`).join(', ')})
    from ${periodSql(s, args, subject.zone)} p left join ${sumsOf(subject)} q
      on ${within(subject, 'q', 'p.from_at', 'p.to_at')})`;
}

/** SQL: JSON of the whole retention curve of a content: `[[second, change], …]` and the number of plays. */
export function retentionSql(content: string): string {
  return `(select json_build_object(
    'plays', (select coalesce(sum(d.plays), 0) from content_daily d where d.content_id = ${content}),
    'changes', (select coalesce(json_agg(json_build_array(r.second, r.change) order by r.second), '[]')
                from content_retention r where r.content_id = ${content})))`;
}

/** SQL: the share of a content's playbacks that watched the given second; null without playbacks and beyond its end. */
export function retainedShare(content: string, second: string): string {
  return `(select case when p.plays > 0 and ${content}.duration_ms > ${second} * 1000 then
      coalesce((select sum(r.change) from content_retention r where r.content_id = ${content}.id and
        r.second <= ${second}), 0)::float8 / p.plays end
    from (select sum(d.plays)::float8 as plays from content_daily d where d.content_id = ${content}.id) p)`;
}

/** SQL: gained and lost subscribers between two instants. */
export function subscriberChanges(channel: string, from: string, to: string): { gained: string; lost: string } {
  return { gained: followed(channel, from, to, 1), lost: followed(channel, from, to, -1) };
}

/** SQL: comments written in a channel between two instants that were not deleted since. */
export function commentsWritten(channel: string, from: string, to: string): string {
  return (
    `(select count(*) from comments m where m.channel_id = ${channel} and ` +
    `m.deleted_at is null and m.created_at >= ${from} and m.created_at < ${to})`
  );
}

/**
 * SQL of a relation: the contents of a channel with period_views, period_watch_ms, period_impressions, period_clicks
 * and period_viewers. Whole UTC days come from content_daily, the hours before and after them from quarters.
 */
export function videosSql(s: RowScope, args: ArgScope): string {
  const subject = channelSubject(s);
  const ofDays = `select d.content_id, d.views, d.watch_ms, d.impressions, d.clicks from content_daily d
    where d.channel_id = ${subject.channel} and d.day >= e.first_day and d.day < e.last_day`;
  const ofQuarters = (from: string, to: string) =>
    'select q.content_id, q.views, q.watch_ms, q.impressions, q.clicks from watch_15min q ' +
    `where ${within(subject, 'q', from, to)}`;
  // first_day is the first whole UTC day of the period, last_day the day after the last one; without whole days they
  // are equal.
  return `(select c.*, coalesce(m.views, 0)::bigint as period_views, coalesce(m.watch_ms, 0)::bigint as period_watch_ms,
      coalesce(m.impressions, 0)::bigint as period_impressions, coalesce(m.clicks, 0)::bigint as period_clicks,
      coalesce(u.viewers, 0)::bigint as period_viewers
    from (select p.from_at, p.to_at, f.day as first_day, greatest(f.day,
      (p.to_at at time zone 'UTC')::date) as last_day,
            least(f.day at time zone 'UTC', p.to_at) as head_end,
            greatest(f.day, (p.to_at at time zone 'UTC')::date) at time zone 'UTC' as tail_start
          from ${periodSql(s, args, subject.zone)} p,
            lateral (select ((p.from_at + interval '23 hours 45 minutes') at time zone 'UTC')::date as day) f) e
    cross join lateral (select c.* from contents c where c.channel_id = ${subject.channel} and c.deleted_at is null) c
    left join lateral (
      select k.content_id, sum(k.views) as views, sum(k.watch_ms) as watch_ms, sum(k.impressions) as impressions,
        sum(k.clicks) as clicks
      from (${ofDays} union all ${ofQuarters('e.from_at', 'e.head_end')}
        union all ${ofQuarters('e.tail_start', 'e.to_at')}) k
      group by k.content_id) m on m.content_id = c.id
    left join lateral (
      select v.content_id, count(distinct v.viewer) as viewers from content_views v
      where ${within(subject, 'v', 'e.from_at', 'e.to_at')} group by v.content_id) u on u.content_id = c.id)`;
}
