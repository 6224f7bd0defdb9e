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
} from './analytics.sql.ts';
import { metricValue, type OverviewRow, overviewOf } from './kpi.ts';
import { type AnalyticsRange, declareAnalyticsRange, periodArgs } from './period.ts';

/** Cost of an aggregated field in points: it may read all views of a period or all contents of a channel. */
export const ANALYTICS_COST = {
  OVERVIEW: [{ points: 30 }],
  AUDIENCE: [{ points: 100 }],
  SERIES: [{ points: 30 }],
  VIDEOS: [{ points: 60 }],
} as const;

/** Types common to the analytics of channels and contents. */
export type NumberTypes = ReturnType<typeof declareNumbers>;

export function declareNumbers(graph: Graph) {
  const range = declareAnalyticsRange(graph);
  const { metric, granularity } = declareEnums(graph);
  const kpi = declareKpi(graph);
  return {
    range,
    metric,
    granularity,
    kpi,
    audience: declareAudience(graph),
    series: declareSeries(graph, metric, granularity),
  };
}

function declareEnums({ builder }: Graph) {
  const metric = builder.enumType('AnalyticsMetric', {
    description: 'A metric of the analytics.',
    values: {
      VIEWS: {
        description:
          'Views: playbacks of at least 3 seconds (or a tenth); those of one viewer within 30 minutes count once.',
      },
      WATCH_MINUTES: { description: 'Minutes watched.' },
      UNIQUE_VIEWERS: { description: 'Distinct viewers; without an account, a browser is a new viewer every day.' },
      IMPRESSIONS: {
        description:
          'Impressions: how often a card was shown, at least half visible for a second, once per page visit.',
      },
      CLICKS: { description: 'Clicks on cards.' },
      CHANNEL_SUBSCRIBERS: { description: 'Followers at the end of the period.' },
      NEW_CHANNEL_SUBSCRIBERS: { description: 'New followers in the period.' },
    } satisfies Record<Metric, { description: string }>,
  });
  const granularity = builder.enumType('AnalyticsGranularity', {
    description: "Interval of a time series, in the channel's time zone.",
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
    description: 'A metric, compared with the previous period.',
    fields: (f) => ({
      value: f.value({ type: 'Float', description: 'The value.' }),
      deltaVsPrevious: f.value({
        type: 'Float',
        nullable: true,
        description: 'Difference from the previous period; null if it had no data.',
      }),
      deltaPct: f.value({
        type: 'Float',
        nullable: true,
        description: 'The difference in percent of the previous period; null if that was 0 or had no data.',
      }),
      coverage: f.value({ type: 'Float', description: 'Share of the period for which data can exist, 0 to 1.' }),
    }),
  });
}

function declareAudience(graph: Graph): EntityRef {
  const AudienceShare = graph.object('AudienceShare', {
    description: 'A segment of an audience.',
    fields: (f) => ({
      key: f.value({
        type: 'String',
        description: 'Country (ISO 3166-1 alpha-2, ZZ unknown), kind of device, system or browser.',
      }),
      views: f.value({ type: 'BigInt', description: 'Views.' }),
      share: f.value({
        type: 'Float',
        nullable: true,
        description: 'Its share of all views, 0 to 1; null if there are none.',
      }),
      watchMinutes: f.value({ type: 'Float', description: 'Minutes watched.' }),
      uniqueViewers: f.value({ type: 'BigInt', description: 'Distinct viewers.' }),
    }),
  });
  return graph.object('AnalyticsAudience', {
    description: 'The audience by country, device, system and browser. At most 250 segments of each, most views first.',
    fields: (f) => ({
      countries: f.value({ type: [AudienceShare], description: 'By country.' }),
      devices: f.value({
        type: [AudienceShare],
        description: 'By kind of device: DESKTOP, MOBILE, TABLET, TV, OTHER.',
      }),
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
    description: 'A day, week or month of a time series; the period may cut the first and the last.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When the interval begins.' }),
      value: f.value({ type: 'Float', description: 'The value.' }),
    }),
  });
  return graph.object('AnalyticsSeries', {
    description: 'A metric over time, without gaps.',
    fields: (f) => ({
      metric: f.value({ type: metric, description: 'A metric of the analytics.' }),
      granularity: f.value({ type: granularity, description: 'The interval.' }),
      points: f.value({ type: [AnalyticsPoint], description: 'The data points, oldest first.' }),
    }),
  });
}

/** Declares the type of an overview over some metrics, and over cards. */
export function declareOverview(
  graph: Graph,
  name: string,
  kpi: EntityRef,
  metrics: Readonly<Record<string, string>>,
): EntityRef {
  return graph.object(name, {
    description: 'Key metrics of a period, compared with the previous one.',
    fields: (f) => ({
      from: f.value({ type: 'DateTime', description: 'Start of the period.' }),
      to: f.value({
        type: 'DateTime',
        description: 'End of the period, exclusive; the current 15 minutes if it lasts until now.',
      }),
      previousFrom: f.value({ type: 'DateTime', description: 'Start of the previous period.' }),
      previousTo: f.value({ type: 'DateTime', description: 'End of the previous period.' }),
      ...Object.fromEntries(
        Object.entries(metrics).map(([field, description]) => [field, f.value({ type: kpi, description })]),
      ),
      impressions: f.value({
        type: kpi,
        description:
          'Impressions: how often cards were shown, at least half visible for a second, once per page visit.',
      }),
      clicks: f.value({ type: kpi, description: 'Clicks on these cards.' }),
      clickThroughRate: f.value({
        type: kpi,
        nullable: true,
        description: 'Clicks per impression; null without impressions.',
      }),
    }),
  });
}

export function readOverview([row]: [OverviewRow]): Record<string, unknown> {
  return overviewOf(row);
}

/** SQL of an overview, for column fields. */
export const overview =
  (subject: (s: RowScope) => Subject, metrics: readonly Metric[]) => (s: RowScope, args: ArgScope) =>
    overviewSql(s, args, subject(s), metrics);

/** SQL of an audience, for column fields. */
export const audience = (subject: (s: RowScope) => Subject) => (s: RowScope, args: ArgScope) =>
  audienceSql(s, args, subject(s));

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
    metric: t.field({ type: types.metric, required: true, description: 'A metric of the analytics.' }),
    granularity: t.field({ type: types.granularity, defaultValue: 'DAY' as const, description: 'The interval.' }),
    ...periodArgs(t, types.range),
  };
}

/** SQL of a series and its metric, for column fields. */
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

export function readSeries([metric, granularity, points]: [
  Metric,
  Granularity,
  { at: string; value: number }[],
]): Record<string, unknown> {
  return {
    metric,
    granularity,
    points: points.map(({ at, value }) => ({ at: new Date(at).toISOString(), value: metricValue(metric, value) })),
  };
}
