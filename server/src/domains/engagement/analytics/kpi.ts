import type { OverviewMetric } from './analytics.sql.ts';

/** A metric with its comparison. */
export interface Kpi {
  readonly value: number;
  /** Null where the previous period lies before the creation of the channel. */
  readonly deltaVsPrevious: number | null;
  /** In percent; null without a previous value, or when it was 0. */
  readonly deltaPct: number | null;
  readonly coverage: Coverage;
}

/** What a number is made of. */
export interface Coverage {
  readonly sourcesIncluded: readonly string[];
  readonly sourcesExcluded: readonly string[];
  readonly reasonExcluded: string | null;
  /** The share of the period for which data can exist, from 0 to 1; null for lists of numbers. */
  readonly share: number | null;
}

/** The coverage of every number: what players and pages report, wherever they are embedded. */
export function coverageOf(share: number | null): Coverage {
  return {
    sourcesIncluded: ['PLATFORM'],
    sourcesExcluded: ['YOUTUBE'],
    reasonExcluded: 'Other sites do not report what is watched there.',
    share,
  };
}

/** The days of a period. */
export interface RangeRow {
  readonly start: string;
  readonly end: string;
  readonly days: number;
}

/** Result of overviewSql; instants as PostgreSQL writes them into JSON. */
export interface OverviewRow {
  readonly from: string;
  readonly to: string;
  readonly previousFrom: string;
  readonly previousTo: string;
  readonly since: string;
  readonly now: string;
  readonly range: RangeRow;
  readonly previousRange: RangeRow;
  readonly current: Readonly<Partial<Record<OverviewMetric, number>>>;
  readonly previous: Readonly<Partial<Record<OverviewMetric, number>>>;
  readonly topCountry?: string | null;
  readonly topDevice?: string | null;
}

const FIELDS = {
  VIEWS: 'views',
  WATCH_MINUTES: 'watchMinutes',
  UNIQUE_VIEWERS: 'uniqueViewers',
  IMPRESSIONS: 'impressions',
  CLICKS: 'clicks',
  CHANNEL_SUBSCRIBERS: 'channelSubscribers',
  NEW_CHANNEL_SUBSCRIBERS: 'newChannelSubscribers',
  LOST_CHANNEL_SUBSCRIBERS: 'lostChannelSubscribers',
} as const satisfies Record<OverviewMetric, string>;

/** A metric in the unit of the API: watch time is stored in milliseconds. */
export function metricValue(metric: OverviewMetric, stored: number): number {
  return metric === 'WATCH_MINUTES' ? stored / 60_000 : stored;
}

/** The overview in the API's form. */
export function overviewOf(row: OverviewRow): Record<string, unknown> {
  const instant = (text: string) => new Date(text).toISOString();
  const coverage = shareCovered(row);
  const comparable = Date.parse(row.since) < Date.parse(row.previousTo);
  const kpis = (Object.keys(row.current) as OverviewMetric[]).map((metric) => {
    const value = metricValue(metric, row.current[metric] ?? 0);
    const before = metricValue(metric, row.previous[metric] ?? 0);
    return [FIELDS[metric], kpiOf(value, comparable ? before : null, coverage)];
  });
  return {
    from: instant(row.from),
    to: instant(row.to),
    previousFrom: instant(row.previousFrom),
    previousTo: instant(row.previousTo),
    range: row.range,
    previousRange: row.previousRange,
    topCountry: knownCountry(row.topCountry),
    topDevice: row.topDevice ?? null,
    ...Object.fromEntries(kpis),
    clickThroughRate: rateOf(row, comparable, coverage),
  };
}

/** ISO 3166-1 alpha-2; null where the country is unknown. */
export function knownCountry(country: string | null | undefined): string | null {
  return country == null || country === 'ZZ' ? null : country;
}

/** Click-through rate; null without impressions. */
export function clickThroughRate(clicks: number, impressions: number): number | null {
  return impressions === 0 ? null : clicks / impressions;
}

function rateOf({ current, previous }: OverviewRow, comparable: boolean, coverage: number): Kpi | null {
  const rate = ({ CLICKS = 0, IMPRESSIONS = 0 }: OverviewRow['current']) => clickThroughRate(CLICKS, IMPRESSIONS);
  const value = rate(current);
  return value === null ? null : kpiOf(value, comparable ? rate(previous) : null, coverage);
}

/** A value compared with the previous period, which is null where there was none. */
export function kpiOf(value: number, before: number | null, coverage: number): Kpi {
  const delta = before === null ? null : value - before;
  return {
    value,
    deltaVsPrevious: delta,
    deltaPct: delta === null || !before ? null : (delta / before) * 100,
    coverage: coverageOf(coverage),
  };
}

/** The share of the period between the creation of the channel or content and now. */
function shareCovered({ from, to, since, now }: OverviewRow): number {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const covered = Math.min(toMs, Date.parse(now)) - Math.max(fromMs, Date.parse(since));
  return Math.min(1, Math.max(0, covered / (toMs - fromMs)));
}
