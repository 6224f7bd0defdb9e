import type { ArgScope, RowScope } from '../../../gql/index.ts';
import { type Subject, within } from './analytics.sql.ts';
import { periodSql } from './period.ts';

/** SQL: JSON array of the views and viewers of each source in the period, most views first. */
export function trafficSql(s: RowScope, args: ArgScope, subject: Subject): string {
  return `(select coalesce(json_agg(json_build_object('source', r.source, 'views', r.views,
      'uniqueViewers', r.viewers) order by r.views desc, r.source), '[]')
    from (select v.source, count(*) as views, count(distinct v.viewer) as viewers
      from ${periodSql(s, args, subject.zone)} p join content_views v
        on ${within(subject, 'v', 'p.from_at', 'p.to_at')}
      group by v.source) r)`;
}
