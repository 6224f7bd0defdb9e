import type { AnalyticsMetric } from '../../gql/generated/operations.gen.ts';
import { count, minutes, percent, shortCount } from '../../lib/numbers.ts';

export type MetricName = AnalyticsMetric;

interface Metric {
  readonly label: string;
  /** Integer values. */
  readonly whole: boolean;
  readonly format: (value: number) => string;
  /** The abbreviated value. */
  readonly formatShort: (value: number) => string;
  /** The value with its unit. */
  readonly describe: (value: number) => string;
}

const countMetric = (label: string, one: string, many: string): Metric => ({
  label,
  whole: true,
  format: count,
  formatShort: shortCount,
  describe: (value) => `${count(value)} ${value === 1 ? one : many}`,
});

/** Labels and formats of the metrics. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  VIEWS: countMetric('Views', 'view', 'views'),
  WATCH_MINUTES: { label: 'Watch time', whole: false, format: minutes, formatShort: minutes, describe: minutes },
  UNIQUE_VIEWERS: countMetric('Viewers', 'viewer', 'viewers'),
  IMPRESSIONS: countMetric('Impressions', 'impression', 'impressions'),
  CLICKS: countMetric('Clicks', 'click', 'clicks'),
  CHANNEL_SUBSCRIBERS: countMetric('Followers', 'follower', 'followers'),
  NEW_CHANNEL_SUBSCRIBERS: countMetric('New followers', 'new follower', 'new followers'),
};

/** Clicks per impression; not available as a time series. */
export const CLICK_THROUGH_RATE = { label: 'Click-through rate', format: percent } as const;
