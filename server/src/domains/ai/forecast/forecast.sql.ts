import { AGES, LAST_DAY } from '@reelgraph/forecast';

/** Views are reported late by players that were offline; a day is complete an hour after its end. */
const LATE = "interval '1 hour'";

/**
 * SQL: the date (UTC) on which day 1 of a content ends: days end at midnight, and the first one is the day of the
 * publication, or until the end of the next day if less than half of it is left. So day 1 has 12 to 36 hours.
 */
function firstDay(publishedAt: string): string {
  return `((${publishedAt} at time zone 'UTC') + interval '12 hours')::date`;
}

/** SQL: the number of complete days since the publication, at most 90; below 1 in the first day. */
export function completeDays(publishedAt: string, now: string): string {
  return `least(((${now} - ${LATE}) at time zone 'UTC')::date - ${firstDay(publishedAt)}, ${LAST_DAY})`;
}

/** SQL: start of day 1. */
export function startOfDays(publishedAt: string): string {
  return `(${firstDay(publishedAt)} at time zone 'UTC')`;
}

/** SQL: JSON array of [day, views] of a content's first `days` days, from the sums per UTC day. */
export function viewsByDay(content: string, publishedAt: string, days: string): string {
  const day = `greatest(d.day - ${firstDay(publishedAt)}, 0) + 1`;
  return `(select coalesce(json_agg(json_build_array(e.day, e.views) order by e.day), '[]')
    from (select ${day} as day, sum(d.views)::bigint as views from content_daily d
      where d.content_id = ${content} and d.day >= (${publishedAt} at time zone 'UTC')::date
        and d.day < ${firstDay(publishedAt)} + ${days} and d.views > 0
      group by 1) e)`;
}

/** Previous videos of a channel that tell about the next one. */
const CHANNEL_VIDEOS = 10;

/** SQL: mean views in the first week of the channel's previous public contents; null without any. */
export function channelViews(channel: string, publishedAt: string): string {
  return `(select avg(w.views)::float8 from (
    select coalesce((select sum(d.views) from content_daily d where d.content_id = p.content_id
      and d.day >= (p.published_at at time zone 'UTC')::date and d.day < ${firstDay('p.published_at')} + 7), 0) as views
    from content_listings p where p.channel_id = ${channel} and p.published_at < ${publishedAt} - interval '8 days'
    order by p.published_at desc, p.content_id desc limit ${CHANNEL_VIDEOS}) w)`;
}

/** SQL: weekday of day 1, 0 Monday. */
export function weekdayOf(publishedAt: string): string {
  return `(extract(isodow from ${firstDay(publishedAt)})::int - 1)`;
}

/** SQL: the latest age for a forecast after so many complete days; null before the first. */
export function ageOfForecast(days: string): string {
  const cases = AGES.toReversed().map((age) => `when ${days} >= ${age} then ${age}`);
  return `(case ${cases.join(' ')} end)`;
}

/**
 * SQL: JSON of the forecast of a content (alias) and its real views, as `ForecastRow`; null unless `allowed`. `age` is
 * SQL of the age of the forecast, or null for the latest one before the last day.
 */
export function contentForecastSql(
  content: string,
  { allowed, days, age, now }: Readonly<Record<'allowed' | 'days' | 'age' | 'now', string>>,
): string {
  const published = `${content}.published_at`;
  const complete = completeDays(published, now);
  return `case when ${allowed} then (select json_build_object('days', ${days}, 'afterDays', ${age}::int,
    'publishedAt', ${published}, 'isPublic', ${content}.listed,
    'completeDays', case when ${published} is not null then ${complete} end, 'startsAt', ${startOfDays(published)},
    'views', ${viewsByDay(`${content}.id`, published, `least(${days}, greatest(${complete}, 0))`)},
    'forecast', (select json_build_object('age', f.age, 'madeAt', f.made_at, 'modelVersion', f.model_version,
        'modelTrainedAt', f.model_trained_at, 'steps', f.steps, 'totals', f.totals, 'daily', f.daily)
      from content_forecasts f where f.content_id = ${content}.id and f.age < ${days}
        and (${age}::int is null or f.age = ${age}) order by f.age desc limit 1))) end`;
}
