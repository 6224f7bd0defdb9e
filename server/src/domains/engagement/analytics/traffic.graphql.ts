import type { ArgScope, EntityRef, FieldDeclaration, FieldFactory, Graph, RowScope } from '../../../gql/index.ts';
import type { TrafficSourceType } from '../ingest/track-engagement.graphql.ts';
import type { Subject } from './analytics.sql.ts';
import { ANALYTICS_COST } from './numbers.graphql.ts';
import { type AnalyticsRange, periodArgs } from './period.ts';
import { trafficSql } from './traffic.sql.ts';

/** Declares the field trafficSources, for a channel and for parts of it. */
export function declareTraffic(
  graph: Graph,
  types: { readonly source: TrafficSourceType; readonly range: AnalyticsRange },
): (f: FieldFactory, subject: (s: RowScope) => Subject) => FieldDeclaration {
  const TrafficSourceShare: EntityRef = graph.object('TrafficSourceShare', {
    description: 'Views from one source.',
    fields: (f) => ({
      source: f.value({ type: types.source, description: 'Where the viewers came from.' }),
      views: f.value({ type: 'BigInt', description: 'Views.' }),
      uniqueViewers: f.value({ type: 'BigInt', description: 'Distinct viewers.' }),
      share: f.value({ type: 'Float', description: 'Its share of all views, 0 to 1.' }),
    }),
  });
  return (f, subject) =>
    f.column({
      type: [TrafficSourceShare],
      description: 'Where viewers came from, one for each source with views, most views first.',
      args: (t) => periodArgs(t, types.range),
      cost: ANALYTICS_COST.OVERVIEW,
      sql: (s: RowScope, args: ArgScope) => trafficSql(s, args, subject(s)),
      read: readTraffic,
    });
}

interface TrafficRow {
  readonly source: string;
  readonly views: number;
  readonly uniqueViewers: number;
}

function readTraffic([rows]: [readonly TrafficRow[]]): readonly unknown[] {
  const all = rows.reduce((sum, { views }) => sum + views, 0);
  return rows.map((row) => ({ ...row, share: row.views / all }));
}
