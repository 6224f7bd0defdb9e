import type { EntityRef, FieldDeclaration, FieldFactory, Graph } from '../../../gql/index.ts';
import type { Granularity, Metric } from './analytics.sql.ts';
import { declareAnalyticsRange } from './period.ts';

/** Types common to the analytics of channels and contents. */
export type NumberTypes = ReturnType<typeof declareNumbers>;

export function declareNumbers(graph: Graph) {
  const range = declareAnalyticsRange(graph);
  const { metric, granularity } = declareEnums(graph);
  const coverage = declareCoverage(graph);
  const kpi = declareKpi(graph, coverage);
  const days = declareDays(graph);
  return {
    range,
    coverage,
    days,
    metric,
    granularity,
    kpi,
    ...declareAudience(graph, { kpi, days }),
    ...declareSeries(graph, { metric, granularity, coverage, days }),
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

function declareCoverage(graph: Graph): EntityRef {
  return graph.object('AnalyticsCoverage', {
    description: 'What a number is made of.',
    fields: (f) => ({
      sourcesIncluded: f.value({
        type: ['String'],
        description: 'Where it was counted: PLATFORM, the pages, players and embedded players of this platform.',
      }),
      sourcesExcluded: f.value({ type: ['String'], description: 'Where it was not counted: YOUTUBE.' }),
      reasonExcluded: f.value({ type: 'String', nullable: true, description: 'Why, in a sentence.' }),
      share: f.value({
        type: 'Float',
        nullable: true,
        description: 'Share of the period for which data can exist, 0 to 1; null for lists of numbers.',
      }),
    }),
  });
}

function declareDays(graph: Graph): EntityRef {
  return graph.object('AnalyticsRangeInfo', {
    description: "The days of a period, in the channel's time zone.",
    fields: (f) => ({
      start: f.value({ type: 'Date', description: 'The first day.' }),
      end: f.value({ type: 'Date', description: 'The last day, which belongs to it.' }),
      days: f.value({ type: 'Int', description: 'Number of days; the first and the last may be cut.' }),
    }),
  });
}

function declareKpi(graph: Graph, coverage: EntityRef): EntityRef {
  return graph.object('AnalyticsKPI', {
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
      coverage: f.value({ type: coverage, description: 'What it is made of.' }),
    }),
  });
}

/** The fields that every answer about a channel has. */
export function channelFields(f: FieldFactory): Record<string, FieldDeclaration> {
  return {
    channelUuid: f.value({ type: 'String', description: 'The last part of the id of the channel.' }),
    channelName: f.value({ type: 'String', description: 'Name of the channel.' }),
  };
}

function declareAudience(graph: Graph, { kpi, days }: { readonly kpi: EntityRef; readonly days: EntityRef }) {
  const shares = declareShares(graph);
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
  const cell = graph.object('AnalyticsCountryDeviceCell', {
    description: 'Views of a country on a kind of device.',
    fields: (f) => ({
      country: f.value({ type: 'String', nullable: true, description: 'ISO 3166-1 alpha-2; null if unknown.' }),
      deviceCategory: f.value({ type: 'String', description: 'DESKTOP, MOBILE, TABLET, TV or OTHER.' }),
      views: f.value({ type: 'BigInt', description: 'Views.' }),
    }),
  });
  const audience = graph.object('CreatorAudience', {
    description: 'The audience by country, device, system and browser. At most 250 segments of each, most views first.',
    fields: (f) => ({
      ...channelFields(f),
      range: f.value({ type: days, description: 'The days of the period.' }),
      totalUniqueViewers: f.value({ type: kpi, description: 'Distinct viewers.' }),
      channelSubscribers: f.value({ type: kpi, description: 'Followers of the channel at the end of the period.' }),
      byCountry: f.value({ type: [shares.country], description: 'By country, at most 250: the same as countries.' }),
      byDevice: f.value({ type: [shares.device], description: 'One for each kind of device: the same as devices.' }),
      byCountryDevice: f.value({ type: [cell], description: 'By country and kind of device; at most 250.' }),
      countries: f.value({ type: [AudienceShare], description: 'By country, at most 250.' }),
      devices: f.value({
        type: [AudienceShare],
        description: 'One for each kind of device: DESKTOP, MOBILE, TABLET, TV, OTHER.',
      }),
      operatingSystems: f.value({ type: [AudienceShare], description: 'By operating system, at most 250.' }),
      browsers: f.value({ type: [AudienceShare], description: 'By browser, at most 250.' }),
    }),
  });
  return { audience, shares };
}

/** The segments of an audience by country and by kind of device. */
function declareShares(graph: Graph): { readonly country: EntityRef; readonly device: EntityRef } {
  const numbers = (f: FieldFactory) => ({
    views: f.value({ type: 'BigInt', description: 'Views.' }),
    watchMinutes: f.value({ type: 'Float', description: 'Minutes watched.' }),
    uniqueViewers: f.value({ type: 'BigInt', description: 'Distinct viewers.' }),
  });
  return {
    country: graph.object('AnalyticsCountryBreakdown', {
      description: 'The audience in a country.',
      fields: (f) => ({
        country: f.value({ type: 'String', nullable: true, description: 'ISO 3166-1 alpha-2; null if unknown.' }),
        ...numbers(f),
      }),
    }),
    device: graph.object('AnalyticsDeviceBreakdown', {
      description: 'The audience on a kind of device.',
      fields: (f) => ({
        deviceCategory: f.value({ type: 'String', description: 'DESKTOP, MOBILE, TABLET, TV or OTHER.' }),
        deviceGroup: f.value({ type: 'String', description: 'DESKTOP, MOBILE (with TABLET), TV or OTHER.' }),
        deviceSubtype: f.value({
          type: 'String',
          nullable: true,
          description: 'Always null: devices are not told apart further.',
        }),
        ...numbers(f),
      }),
    }),
  };
}

function declareSeries(
  graph: Graph,
  {
    metric,
    granularity,
    coverage,
    days,
  }: ReturnType<typeof declareEnums> & { readonly coverage: EntityRef; readonly days: EntityRef },
) {
  const point = graph.object('AnalyticsTimeseriesPoint', {
    description: 'A day, week or month of a time series; the period may cut the first and the last.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When the interval begins.' }),
      date: f.value({ type: 'Date', description: "The day on which it begins, in the channel's time zone." }),
      value: f.value({ type: 'Float', description: 'The value.' }),
    }),
  });
  const series = graph.object('CreatorTimeseries', {
    description: 'A metric over time, without gaps.',
    fields: (f) => ({
      channelUuid: f.value({ type: 'String', description: 'The last part of the id of the channel.' }),
      range: f.value({ type: days, description: 'The days of the period.' }),
      coverage: f.value({ type: coverage, description: 'What the values are made of.' }),
      metric: f.value({ type: metric, description: 'A metric of the analytics.' }),
      granularity: f.value({ type: granularity, description: 'The interval.' }),
      points: f.value({ type: [point], description: 'One for each day, week or month of the period, oldest first.' }),
    }),
  });
  return { series, point };
}
