import type { ArgBuilder, ArgScope, EntityRef, Graph, RowScope, Selects } from '../../../gql/index.ts';
import {
  audienceSql,
  channelColumns,
  countryDevicesSql,
  DIMENSIONS,
  type Granularity,
  METRIC_SQL,
  type Metric,
  type OverviewMetric,
  overviewSql,
  rangeSql,
  type Subject,
  seriesSql,
  topOf,
} from './analytics.sql.ts';
import { coverageOf, knownCountry, metricValue, type OverviewRow, overviewOf, type RangeRow } from './kpi.ts';
import { channelFields, type NumberTypes } from './number-types.graphql.ts';
import { type AnalyticsRange, periodArgs } from './period.ts';

/** Cost of an aggregated field in points: it may read all views of a period or all contents of a channel. */
export const ANALYTICS_COST = {
  OVERVIEW: [{ points: 30 }],
  AUDIENCE: [{ points: 100 }],
  SERIES: [{ points: 30 }],
  VIDEOS: [{ points: 60 }],
} as const;

/** Declares the type of an overview over some metrics, and over cards. */
export function declareOverview(
  graph: Graph,
  name: string,
  { kpi, days }: Pick<NumberTypes, 'kpi' | 'days'>,
  metrics: Readonly<Record<string, string>>,
): EntityRef {
  return graph.object(name, {
    description: 'Key metrics of a period, compared with the previous one.',
    fields: (f) => ({
      ...channelFields(f),
      range: f.value({ type: days, description: 'The days of the period.' }),
      previousRange: f.value({ type: days, description: 'The days of the previous period.' }),
      topCountry: f.value({
        type: 'String',
        nullable: true,
        description: 'The country with most views, ISO 3166-1 alpha-2; null without views, and if it is unknown.',
      }),
      topDevice: f.value({
        type: 'String',
        nullable: true,
        description: 'The kind of device with most views; null without views.',
      }),
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

/** The channel of a subject: its id and its name. */
export type ChannelColumns = readonly [channelUuid: string, channelName: string];

export function readOverview([channelUuid, channelName, row]: [...ChannelColumns, OverviewRow]) {
  return { channelUuid, channelName, ...overviewOf(row) };
}

/** SQL of an overview, for column fields. */
export const overview =
  (subject: (s: RowScope) => Subject, metrics: readonly OverviewMetric[]) =>
  (s: RowScope, args: ArgScope, selects: Selects) => {
    const of = subject(s);
    return [...channelColumns(of), overviewSql(s, args, of, metrics, topParts(of, selects))];
  };

/** The parts of an overview that are read only where they are selected. */
function topParts(of: Subject, selects: Selects): Record<string, (from: string, to: string) => string> {
  const [country, device] = [selects('topCountry'), selects('topDevice')];
  return {
    ...(country && { topCountry: (from: string, to: string) => topOf(of, 'country', from, to) }),
    ...(device && { topDevice: (from: string, to: string) => topOf(of, 'device', from, to) }),
  };
}

/** SQL of an audience, for column fields. */
export const audience = (subject: (s: RowScope) => Subject) => (s: RowScope, args: ArgScope, selects: Selects) => {
  const of = subject(s);
  const kpis = selects('totalUniqueViewers') || selects('channelSubscribers');
  return [
    ...channelColumns(of),
    audienceSql(s, args, of),
    selects('range') ? rangeSql(s, args, of) : 'null::json',
    kpis ? overviewSql(s, args, of, ['UNIQUE_VIEWERS', 'CHANNEL_SUBSCRIBERS']) : 'null::json',
    selects('byCountryDevice') ? countryDevicesSql(s, args, of) : 'null::json',
  ];
};

export type AudienceRow = Record<
  keyof typeof DIMENSIONS,
  { key: string; views: number; watchMs: number; viewers: number }[]
>;
type Cells = readonly { readonly country: string; readonly device: string; readonly views: number }[];

export function readAudience([channelUuid, channelName, row, range, kpis, cells]: [
  ...ChannelColumns,
  AudienceRow,
  RangeRow | null,
  OverviewRow | null,
  Cells | null,
]): Record<string, unknown> {
  const { uniqueViewers, channelSubscribers } = kpis === null ? {} : overviewOf(kpis);
  return {
    ...{ channelUuid, channelName, range, channelSubscribers, totalUniqueViewers: uniqueViewers },
    ...segmentsOf(row),
    ...breakdownsOf(row),
    byCountryDevice: cells?.map(({ country, device, views }) => ({
      country: knownCountry(country),
      deviceCategory: device,
      views,
    })),
  };
}

/** The segments by country and by kind of device. */
export function breakdownsOf({ countries, devices }: Pick<AudienceRow, 'countries' | 'devices'>) {
  const numbersOf = ({ views, watchMs, viewers }: AudienceRow['countries'][number]) => ({
    views,
    watchMinutes: metricValue('WATCH_MINUTES', watchMs),
    uniqueViewers: viewers,
  });
  return {
    byCountry: countries.map((part) => ({ country: knownCountry(part.key), ...numbersOf(part) })),
    byDevice: devices.map((part) => ({
      deviceCategory: part.key,
      deviceGroup: part.key === 'TABLET' ? 'MOBILE' : part.key,
      deviceSubtype: null,
      ...numbersOf(part),
    })),
  };
}

function segmentsOf(row: AudienceRow): Record<string, unknown> {
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
export const series = (subject: (s: RowScope) => Subject) => (s: RowScope, args: ArgScope, selects: Selects) => {
  const metric = args.literal('metric') as Metric; // the enum's values
  const granularity = (args.literal('granularity') ?? 'DAY') as Granularity; // likewise
  const of = subject(s);
  return [
    `'${metric}'::text`,
    `'${granularity}'::text`,
    seriesSql(s, args, of, granularity, (from, to) => ({ value: METRIC_SQL[metric](of, from, to) })),
    of.channel,
    selects('range') ? rangeSql(s, args, of) : 'null::json',
  ];
};

export function readSeries([metric, granularity, points, channelUuid, range]: [
  Metric,
  Granularity,
  { at: string; day: string; value: number }[],
  string,
  RangeRow | null,
]): Record<string, unknown> {
  return {
    ...{ metric, granularity, channelUuid, range, coverage: coverageOf(null) },
    points: points.map(({ at, day, value }) => ({
      at: new Date(at).toISOString(),
      date: day,
      value: metricValue(metric, value),
    })),
  };
}
