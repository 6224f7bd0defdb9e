import type { FieldDeclaration, FieldFactory, Graph, RowScope } from '../../../gql/index.ts';
import type { Metric, Subject } from './analytics.sql.ts';
import type { NumberTypes } from './number-types.graphql.ts';
import {
  ANALYTICS_COST,
  audience,
  declareOverview,
  overview,
  readAudience,
  readOverview,
  readSeries,
  series,
  seriesArgs,
} from './numbers.graphql.ts';
import { periodArgs } from './period.ts';
import type { declareTraffic } from './traffic.graphql.ts';

export const VIDEO_METRICS = [
  'VIEWS',
  'WATCH_MINUTES',
  'UNIQUE_VIEWERS',
  'IMPRESSIONS',
  'CLICKS',
] as const satisfies readonly Metric[];
export type VideoMetric = (typeof VIDEO_METRICS)[number];

export interface PartTypes {
  readonly numbers: NumberTypes;
  readonly traffic: ReturnType<typeof declareTraffic>;
}

/** The fields of the analytics of a part of a channel: a content, a series or a playlist. */
export type PartFields = (
  f: FieldFactory,
  subject: (s: RowScope) => Subject,
) => Readonly<Record<'overview' | 'audience' | 'timeseries' | 'trafficSources', FieldDeclaration>>;

export function declarePartFields(
  graph: Graph,
  { numbers, traffic }: PartTypes,
  metric: NumberTypes['metric'],
): PartFields {
  const Overview = declareOverview(graph, 'VideoOverview', numbers, {
    views: 'Views.',
    watchMinutes: 'Minutes watched.',
    uniqueViewers: 'Distinct viewers.',
  });
  return (f, subject) => ({
    overview: f.column({
      type: Overview,
      description: 'Key metrics, compared with the previous period.',
      args: (t) => periodArgs(t, numbers.range),
      cost: ANALYTICS_COST.OVERVIEW,
      sql: overview(subject, VIDEO_METRICS),
      read: readOverview,
    }),
    audience: f.column({
      type: numbers.audience,
      description: 'Its audience by country, device, system and browser.',
      args: (t) => periodArgs(t, numbers.range),
      cost: ANALYTICS_COST.AUDIENCE,
      sql: audience(subject),
      read: readAudience,
    }),
    timeseries: f.column({
      type: numbers.series,
      description: 'One metric over time.',
      args: (t) => seriesArgs(t, { ...numbers, metric }),
      cost: ANALYTICS_COST.SERIES,
      sql: series(subject),
      read: readSeries,
    }),
    trafficSources: traffic(f, subject),
  });
}
