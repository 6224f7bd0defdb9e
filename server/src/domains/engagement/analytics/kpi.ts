import type { Metric } from './analytics.sql.ts';

/** A metric with its comparison. */
export interface Kpi {
  readonly value: number;
  /** Null where the previous period lies before the creation of the channel. */
  readonly deltaVsPrevious: number | null;
  /** In percent; null without a previous value, or when it was 0. */
  readonly deltaPct: number | null;
  /** From 0 to 1. */
  readonly coverage: number;
}

/** Result of overviewSql; instants as PostgreSQL writes them into JSON. */
export interface OverviewRow {
  readonly from: string;
  readonly to: string;
  readonly previousFrom: string;
  readonly previousTo: string;
  readonly since: string;
  readonly now: string;
  readonly current: Readonly<Partial<Record<Metric, number>>>;
  readonly previous: Readonly<Partial<Record<Metric, number>>>;
}

const FIELDS = {
  VIEWS: 'views',
  WATCH_MINUTES: 'watchMinutes',
  UNIQUE_VIEWERS: 'uniqueViewers',
  IMPRESSIONS: 'impressions',
  CLICKS: 'clicks',
  CHANNEL_SUBSCRIBERS: 'subscribers',
  NEW_CHANNEL_SUBSCRIBERS: 'newSubscribers',
} as const satisfies Record<Metric, string>;

/** A metric in the unit of the API: watch time is stored in milliseconds. */
export function metricValue(metric: Metric, stored: number): number {
  return metric === 'WATCH_MINUTES' ? stored / 60_000 : stored;
}

/** The overview in the API's form. */
export function overviewOf(row: OverviewRow): Record<string, unknown> {
  const instant = (text: string) => new Date(text).toISOString();
  const coverage = shareCovered(row);
  const comparable = Date.parse(row.since) < Date.parse(row.previousTo);
  const kpis = (Object.keys(row.current) as Metric[]).map((metric) => {
    const value = metricValue(metric, row.current[metric] ?? 0);
    const before = metricValue(metric, row.previous[metric] ?? 0);
    return [FIELDS[metric], kpiOf(value, comparable ? before : null, coverage)];
  });
  return {
    from: instant(row.from),
    to: instant(row.to),
    previousFrom: instant(row.previousFrom),
    previousTo: instant(row.previousTo),
    ...Object.fromEntries(kpis),
    clickThroughRate: rateOf(row, comparable, coverage),
  };
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
    coverage,
  };
}

/** The share of the period between the creation of the channel or content and now. */
function shareCovered({ from, to, since, now }: OverviewRow): number {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const covered = Math.min(toMs, Date.parse(now)) - Math.max(fromMs, Date.parse(since));
  return Math.min(1, Math.max(0, covered / (toMs - fromMs)));
}
