import type { AnalyticsMetric } from '../../gql/generated/operations.gen.ts';
import { count, minutes, percent, shortCount } from '../../lib/numbers.ts';

export type MetricName = AnalyticsMetric;

interface Metric {
  readonly label: string;
  /** A number of things: no parts of one. */
  readonly whole: boolean;
  readonly format: (value: number) => string;
  /** The value where room is short. */
  readonly mark: (value: number) => string;
  /** The value with what it counts. */
  readonly tell: (value: number) => string;
}

const things = (label: string, one: string, many: string): Metric => ({
  label,
  whole: true,
  format: count,
  mark: shortCount,
  tell: (value) => `${count(value)} ${value === 1 ? one : many}`,
});

/** What is measured, and how it is written. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  VIEWS: things('Views', 'view', 'views'),
  WATCH_MINUTES: { label: 'Watch time', whole: false, format: minutes, mark: minutes, tell: minutes },
  UNIQUE_VIEWERS: things('Viewers', 'viewer', 'viewers'),
  IMPRESSIONS: things('Impressions', 'impression', 'impressions'),
  CLICKS: things('Clicks', 'click', 'clicks'),
  CHANNEL_SUBSCRIBERS: things('Followers', 'follower', 'followers'),
  NEW_CHANNEL_SUBSCRIBERS: things('New followers', 'new follower', 'new followers'),
};

/** How often a card that was shown is followed; no metric of a series. */
export const CLICK_THROUGH_RATE = { label: 'Click-through rate', format: percent } as const;
