import type { AnalyticsMetric, KpiFragment } from '../../../gql/generated/operations.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { count, minutes, percent, shortCount } from '../../../lib/numbers.ts';

/** Metrics of the API, and those computed from two of them. */
export type MetricName = AnalyticsMetric | 'CLICK_THROUGH_RATE' | 'AVERAGE_VIEW';

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

const countMetric = (label: string, describe: (value: number) => string): Metric => ({
  label,
  whole: true,
  format: count,
  formatShort: shortCount,
  describe,
});

const measured = (label: string, format: (value: number) => string): Metric => ({
  label,
  whole: false,
  format,
  formatShort: format,
  describe: format,
});

/** Labels and formats of the metrics. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  VIEWS: countMetric(t`Views`, (views) => plural(views, { one: '# view', other: '# views' }, count(views))),
  WATCH_MINUTES: measured(t`Watch time`, minutes),
  UNIQUE_VIEWERS: countMetric(t`Viewers`, (viewers) =>
    plural(viewers, { one: '# viewer', other: '# viewers' }, count(viewers)),
  ),
  IMPRESSIONS: countMetric(t`Impressions`, (impressions) =>
    plural(impressions, { one: '# impression', other: '# impressions' }, count(impressions)),
  ),
  CLICKS: countMetric(t`Clicks`, (clicks) => plural(clicks, { one: '# click', other: '# clicks' }, count(clicks))),
  CHANNEL_SUBSCRIBERS: countMetric(t`Followers`, (followers) =>
    plural(followers, { one: '# follower', other: '# followers' }, count(followers)),
  ),
  NEW_CHANNEL_SUBSCRIBERS: countMetric(t`New followers`, (followers) =>
    plural(followers, { one: '# new follower', other: '# new followers' }, count(followers)),
  ),
  CLICK_THROUGH_RATE: measured(t`Click-through rate`, percent),
  AVERAGE_VIEW: measured(t`Average view`, minutes),
};

/** Which metrics the computed ones divide. */
const QUOTIENTS = {
  CLICK_THROUGH_RATE: ['CLICKS', 'IMPRESSIONS'],
  AVERAGE_VIEW: ['WATCH_MINUTES', 'VIEWS'],
} as const satisfies Partial<Record<MetricName, readonly [AnalyticsMetric, AnalyticsMetric]>>;

interface Points {
  readonly points: readonly { readonly at: string; readonly value: number }[];
}

/** Series by metric, as far as they are loaded. */
export type SeriesSet = Readonly<Partial<Record<AnalyticsMetric, Points>>>;

/** The series of a metric; a quotient is 0 where its divisor is. */
export function seriesOf(metric: MetricName, set: SeriesSet | undefined): Points['points'] {
  if (metric !== 'CLICK_THROUGH_RATE' && metric !== 'AVERAGE_VIEW') return set?.[metric]?.points ?? [];
  const [dividend, divisor] = QUOTIENTS[metric];
  const divisors = set?.[divisor]?.points ?? [];
  return (set?.[dividend]?.points ?? []).map(({ at, value }, index) => {
    const by = divisors[index]?.value ?? 0;
    return { at, value: by === 0 ? 0 : value / by };
  });
}

/** The quotient of two compared metrics; null where the divisor is 0. */
export function quotient(dividend: KpiFragment, divisor: KpiFragment): KpiFragment | null {
  if (divisor.value === 0) return null;
  const value = dividend.value / divisor.value;
  const before = divisor.value - (divisor.deltaVsPrevious ?? divisor.value);
  if (dividend.deltaVsPrevious === null || before === 0)
    return { ...dividend, value, deltaVsPrevious: null, deltaPct: null };
  const previous = (dividend.value - dividend.deltaVsPrevious) / before;
  // Equal quotients may differ in the last digits.
  const delta = Math.abs(value - previous) < previous * 1e-9 ? 0 : value - previous;
  return { ...dividend, value, deltaVsPrevious: delta, deltaPct: previous === 0 ? null : (delta / previous) * 100 };
}
