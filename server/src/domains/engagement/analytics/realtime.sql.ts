import type { RowScope } from '../../../gql/index.ts';
import { type Subject, within } from './analytics.sql.ts';

const MOST_CONTENTS = 10;

/**
 * SQL: JSON of the views of the last 60 minutes by minute and of the last 48 hours by hour, the current ones included,
 * and of the contents with most views in these hours.
 */
export function realtimeSql(s: RowScope, subject: Subject): string {
  const now = s.param((env) => env.nowIso, 'timestamptz');
  const spans = (unit: 'minute' | 'hour', count: number) => `(
    select json_agg(json_build_object('at', b.at, 'views', coalesce(n.views, 0)) order by b.at)
    from generate_series(date_trunc('${unit}', ${now}) - interval '${count - 1} ${unit}s',
      date_trunc('${unit}', ${now}), interval '1 ${unit}') b (at)
    left join (select date_trunc('${unit}', v.at) as at, count(*) as views from recent v group by 1) n on n.at = b.at)`;
  const first = `(date_trunc('hour', ${now}) - interval '47 hours')`;
  // Players' clocks may be ahead.
  const last = `(${now} + interval '5 minutes')`;
  return `(with recent as materialized (
      select v.at, v.content_id from content_views v
      where ${within(subject, 'v', first, last)})
    select json_build_object('minutes', ${spans('minute', 60)}, 'hours', ${spans('hour', 48)},
      'contents', (select coalesce(json_agg(json_build_object('id', r.id, 'kind', r.kind, 'title', r.title,
          'views', r.views) order by r.views desc, r.id desc), '[]')
        from (select c.id, c.kind, c.title, n.views
          from (select v.content_id, count(*) as views from recent v group by v.content_id) n
          join contents c on c.id = n.content_id and c.deleted_at is null
          order by n.views desc, c.id desc limit ${MOST_CONTENTS}) r)))`;
}
