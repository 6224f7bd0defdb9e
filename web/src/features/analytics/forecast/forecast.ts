import type { AnalyticsForecastResult } from '../../../gql/generated/operations.gen.ts';
import { formatLocale, plural, t } from '../../../lib/i18n.ts';
import { count, percent } from '../../../lib/numbers.ts';
import type { ChartPoint } from '../chart/chart-point.ts';

export type Forecast = NonNullable<NonNullable<AnalyticsForecastResult['content']>['forecast']>;
type Point = Forecast['points'][number];

/** What a forecast is shown of: views until each day, or of each day. */
export const MEASURES = { TOTAL: t`Total`, DAY: t`Per day` } as const;
export type Measure = keyof typeof MEASURES;

/** Ages at which forecasts are made. */
const AGES = [1, 3, 7, 14, 30];

/** Ages of forecasts that can exist for a day, with their labels; `LATEST` last. */
export function agesBefore(days: number, completeDays: number): Record<string, string> {
  const ages = AGES.filter((age) => age < days && age <= completeDays);
  return { ...Object.fromEntries(ages.map((age) => [`${age}`, t`After ${age} d`])), LATEST: t`Latest` };
}

/**
 * Points of the chart. The range of totals begins at the last real one, so that it opens from there. Days without a
 * forecast or views are left out.
 */
export function forecastPoints({ points, madeAfterDays }: Forecast, measure: Measure): ChartPoint[] {
  return points.flatMap((point) => {
    const real = measure === 'TOTAL' ? point.totalViews : point.views;
    const range = rangeOf(point, measure);
    const opens = measure === 'TOTAL' && point.day === madeAfterDays && real !== null;
    const value = real ?? range?.[1];
    if (value === undefined) return [];
    const [day, date] = [count(point.day), dateName(point.at)];
    return [
      {
        key: point.at,
        name: t`Day ${day}, ${date}`,
        tick: t`Day ${day}`,
        value,
        ...(range && { range }),
        ...(opens && { range: [real, real, real] as const }),
        ...(real === null && { isExpected: true }),
      },
    ];
  });
}

function rangeOf(point: Point, measure: Measure): readonly [number, number, number] | null {
  const found = measure === 'TOTAL' ? point.totalViewsForecast : point.viewsForecast;
  return found && [found.p10, found.p50, found.p90];
}

function dateName(at: string): string {
  return new Intl.DateTimeFormat(formatLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(at),
  );
}

/** A point in words: `120 views`, `120 views, 80 to 150 forecast`, `80 to 150 views forecast, median 110`. */
export function describePoint({ value, range, isExpected = false }: ChartPoint): string {
  const views = Math.round(value);
  const [low, median, high] = range ?? [0, 0, 0];
  if (isExpected) {
    return t`${count(low)} to ${plural(high, { one: '# view', other: '# views' }, count(high))} forecast,
      median ${count(median)}`;
  }
  return range === undefined || low === high
    ? plural(views, { one: '# view', other: '# views' })
    : t`${plural(views, { one: '# view', other: '# views' })}, ${count(low)} to ${count(high)} forecast`;
}

/** What a forecast was made from, in a sentence or two. */
export function describeForecast({ madeAfterDays, model }: Forecast): string {
  if (!model || model.method === 'PRIOR') {
    const made = plural(madeAfterDays ?? 0, {
      one: 'Made from the first day.',
      other: 'Made from the first # days.',
    });
    return `${made} ${t`Too few videos of this platform are old enough to learn from, so the range is wide.`}`;
  }
  const { version, videos, coverage } = model;
  const made = t`Made from the first ${plural(madeAfterDays ?? 0, { one: 'day', other: '# days' })} by model ${version},
    trained with ${plural(videos, { one: '# video', other: '# videos' })}.`;
  return coverage === null ? made : `${made} ${t`For other videos, ${percent(coverage)} ended in the range.`}`;
}
