import type { ArgBuilder, ArgScope, EntityRef, Graph, RowScope } from '../../../gql/index.ts';
import {
  audienceSql,
  DIMENSIONS,
  type Granularity,
  METRIC_SQL,
  type Metric,
  overviewSql,
  type Subject,
  seriesSql,
} from './analytics-sql.graphql.ts';
import { metricValue, type OverviewRow, overviewOf } from './kpi.ts';
import { type AnalyticsRange, declareAnalyticsRange, periodArgs } from './period.ts';

/** What is summed up for one field, in points: all views of a period or all contents of a channel may be looked at. */
export const ANALYTICS_COST = {
  OVERVIEW: [{ points: 30 }],
  AUDIENCE: [{ points: 100 }],
  SERIES: [{ points: 30 }],
  VIDEOS: [{ points: 60 }],
} as const;

/** The types that the numbers of channels and contents have in common. */
export type NumberTypes = ReturnType<typeof declareNumbers>;

export function declareNumbers(graph: Graph) {
  const range = declareAnalyticsRange(graph);
  const { metric, granularity } = declareEnums(graph);
  const kpi = declareKpi(graph);
  return { range, metric, granularity, kpi, audience: declareAudience(graph), series: declareSeries(graph, metric, granularity) };
}

function declareEnums({ builder }: Graph) {
  const metric = builder.enumType('AnalyticsMetric', {
    description: 'What is measured.',
    values: {
      VIEWS: { description: 'Views: playbacks of at least 3 seconds (or a tenth), those of one viewer within 30 minutes counted once.' },
      WATCH_MINUTES: { description: 'Minutes of content that were played.' },
      UNIQUE_VIEWERS: { description: 'Different viewers; without an account, a browser is a new one every day.' },
      IMPRESSIONS: {
        description: 'How often a card of a content was shown: at least half visible for a second, once for each visit of a page.',
      },
      CLICKS: { description: 'How often such a card was followed.' },
      CHANNEL_SUBSCRIBERS: { description: 'Followers of the channel at the end of the period.' },
      NEW_CHANNEL_SUBSCRIBERS: { description: 'How often the channel was followed in the period.' },
    } satisfies Record<Metric, { description: string }>,
  });
  const granularity = builder.enumType('AnalyticsGranularity', {
    description: "How long one point of a series lasts, in the channel's time zone.",
    values: {
      DAY: { description: 'A day from midnight.' },
      WEEK: { description: 'A week from Monday.' },
      MONTH: { description: 'A month from its first day.' },
    } satisfies Record<Granularity, { description: string }>,
  });
  return { metric, granularity };
}

function declareKpi(graph: Graph): EntityRef {
  return graph.object('AnalyticsKpi', {
    description: 'A number, and how it compares with the period before.',
    fields: (f) => ({
      value: f.value({ type: 'Float', description: 'The number.' }),
      deltaVsPrevious: f.value({
        type: 'Float',
        nullable: true,
        description: 'How much more it is than in the period before; null where there was nothing yet.',
      }),
      deltaPct: f.value({
        type: 'Float',
        nullable: true,
        description: 'The same in percent of the period before; null where that was 0 or there was nothing yet.',
      }),
      coverage: f.value({ type: 'Float', description: 'Which share of the period there can be data of, from 0 to 1.' }),
    }),
  });
}

function declareAudience(graph: Graph): EntityRef {
  const AudienceShare = graph.object('AudienceShare', {
    description: 'One part of an audience.',
    fields: (f) => ({
      key: f.value({ type: 'String', description: 'Country (ISO 3166-1 alpha-2, ZZ unknown), kind of device, system or browser.' }),
      views: f.value({ type: 'BigInt', description: 'Views.' }),
      share: f.value({ type: 'Float', nullable: true, description: 'Its share of all views, from 0 to 1; null where there are none.' }),
      watchMinutes: f.value({ type: 'Float', description: 'Minutes played.' }),
      uniqueViewers: f.value({ type: 'BigInt', description: 'Different viewers.' }),
    }),
  });
  return graph.object('AnalyticsAudience', {
    description: 'Who watches: where, and with what. At most 250 parts of each kind, those with most views first.',
    fields: (f) => ({
      countries: f.value({ type: [AudienceShare], description: 'By country.' }),
      devices: f.value({ type: [AudienceShare], description: 'By kind of device: DESKTOP, MOBILE, TABLET, TV, OTHER.' }),
      operatingSystems: f.value({ type: [AudienceShare], description: 'By operating system.' }),
      browsers: f.value({ type: [AudienceShare], description: 'By browser.' }),
    }),
  });
}

function declareSeries(
  graph: Graph,
  metric: ReturnType<typeof declareEnums>['metric'],
  granularity: ReturnType<typeof declareEnums>['granularity'],
) {
  const AnalyticsPoint = graph.object('AnalyticsPoint', {
    description: 'A day, week or month of a series; the first and the last may be cut by the period.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When it begins.' }),
      value: f.value({ type: 'Float', description: 'The number.' }),
    }),
  });
  return graph.object('AnalyticsSeries', {
    description: 'A number over time, without gaps.',
    fields: (f) => ({
      metric: f.value({ type: metric, description: 'What is measured.' }),
      granularity: f.value({ type: granularity, description: 'How long a point lasts.' }),
      points: f.value({ type: [AnalyticsPoint], description: 'The points, oldest first.' }),
    }),
  });
}

/** Declares the type of an overview over some metrics, and over cards. */
export function declareOverview(graph: Graph, name: string, kpi: EntityRef, metrics: Readonly<Record<string, string>>): EntityRef {
  return graph.object(name, {
    description: 'The numbers of a period beside those of the one before.',
    fields: (f) => ({
      from: f.value({ type: 'DateTime', description: 'Beginning of the period.' }),
      to: f.value({
        type: 'DateTime',
        description: 'Its end, which is not part of it: the present quarter of an hour where it lasts until now.',
      }),
      previousFrom: f.value({ type: 'DateTime', description: 'Beginning of the period before.' }),
      previousTo: f.value({ type: 'DateTime', description: 'Its end.' }),
      ...Object.fromEntries(Object.entries(metrics).map(([field, description]) => [field, f.value({ type: kpi, description })])),
      impressions: f.value({
        type: kpi,
        description: 'How often cards were shown: at least half visible for a second, once for each visit of a page.',
      }),
      clicks: f.value({ type: kpi, description: 'How often such cards were followed.' }),
      clickThroughRate: f.value({
        type: kpi,
        nullable: true,
        description: 'Clicks for each impression; null where there were no impressions.',
      }),
    }),
  });
}

export function readOverview([row]: [OverviewRow]): Record<string, unknown> {
  return overviewOf(row);
}

/** SQL of an overview, for column fields. */
export const overview = (subject: (s: RowScope) => Subject, metrics: readonly Metric[]) => (s: RowScope, args: ArgScope) =>
  overviewSql(s, args, subject(s), metrics);

/** SQL of an audience, for column fields. */
export const audience = (subject: (s: RowScope) => Subject) => (s: RowScope, args: ArgScope) => audienceSql(s, args, subject(s));

type AudienceRow = Record<keyof typeof DIMENSIONS, { key: string; views: number; watchMs: number; viewers: number }[]>;

export function readAudience([row]: [AudienceRow]): Record<string, unknown> {
  const shares = (Object.keys(DIMENSIONS) as (keyof typeof DIMENSIONS)[]).map((dimension) => {
    const parts = row[dimension];
    const all = parts.reduce((sum, { views }) => sum + views, 0);
    const reported = parts.map(({ key, views, watchMs, viewers }) => ({
      ...{ key, views, uniqueViewers: viewers, watchMinutes: metricValue('WATCH_MINUTES', watchMs) },
      share: all === 0 ? null : views / all,
    }));
    return [dimension, reported];
  });
  return Object.fromEntries(shares);
}

/** The arguments of a series. */
export function seriesArgs(
  t: ArgBuilder,
  types: { range: AnalyticsRange; metric: NumberTypes['metric']; granularity: NumberTypes['granularity'] },
) {
  return {
    metric: t.field({ type: types.metric, required: true, description: 'What is measured.' }),
    granularity: t.field({ type: types.granularity, defaultValue: 'DAY' as const, description: 'How long a point lasts.' }),
    ...periodArgs(t, types.range),
  };
}

/** SQL of a series and what it is of, for column fields. */
export const series = (subject: (s: RowScope) => Subject) => (s: RowScope, args: ArgScope) => {
  const metric = args.literal('metric') as Metric; // the enum's values
  const granularity = (args.literal('granularity') ?? 'DAY') as Granularity; // likewise
  const of = subject(s);
  return [
    `'${metric}'::text`,
    `'${granularity}'::text`,
    seriesSql(s, args, of, granularity, (from, to) => ({ value: METRIC_SQL[metric](of, from, to) })),
  ];
};

export function readSeries([metric, granularity, points]: [Metric, Granularity, { at: string; value: number }[]]): Record<string, unknown> {
  return {
    metric,
    granularity,
    points: points.map(({ at, value }) => ({ at: new Date(at).toISOString(), value: metricValue(metric, value) })),
  };
}
