import { type Band, LAST_DAY } from '@reelgraph/forecast';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { StoredStep } from './forecasts.store.ts';

/** Why there is no forecast. */
export const FORECAST_STATUSES = {
  READY: 'There is a forecast.',
  INSUFFICIENT_HISTORY: 'There is none: the content is not public, has no complete day yet, or had no views in one.',
} as const;

/** The models of a forecast. */
export const FORECAST_METHODS = {
  PRIOR: 'An assumption with a wide range: fewer than 50 videos of this platform are old enough to learn from.',
  SCALE: 'The growth of all videos alike.',
  TREES: 'Quantile trees, which learned from the first days of the videos of this platform.',
} as const;

/** What SQL selects for a content. */
export interface ForecastRow {
  /** Days asked for. */
  readonly days: number;
  /** Age of the forecast asked for; null: the latest. */
  readonly afterDays: number | null;
  readonly publishedAt: string | null;
  readonly isPublic: boolean;
  /** Null for an unpublished content. */
  readonly completeDays: number | null;
  readonly startsAt: string | null;
  readonly views: readonly (readonly [day: number, views: number])[];
  readonly forecast: {
    readonly age: number;
    readonly madeAt: string;
    readonly modelVersion: number | null;
    readonly modelTrainedAt: string | null;
    readonly steps: Readonly<Record<string, StoredStep>>;
    readonly totals: readonly Band[];
    readonly daily: readonly Band[];
  } | null;
}

const DAY_MS = 86_400_000;

/** As the API shows it, but for the language of its reason. */
interface ContentForecast extends Readonly<Record<string, unknown>> {
  readonly reason: Text | null;
}

/** The forecast in the API's form, with the real views beside it. */
export function contentForecast(row: ForecastRow): ContentForecast {
  const { days, forecast, startsAt } = row;
  const completeDays = Math.min(days, Math.max(0, row.completeDays ?? 0));
  const common = { days, completeDays };
  if (startsAt === null) return { ...common, ...insufficient(row), points: [] };
  const real = new Map(row.views);
  let total = 0;
  const points = Array.from({ length: days }, (_, index) => {
    const day = index + 1;
    total += real.get(day) ?? 0;
    const isComplete = day <= completeDays;
    const place = forecast === null ? -1 : index - forecast.age;
    return {
      day,
      at: new Date(Date.parse(startsAt) + index * DAY_MS).toISOString(),
      views: isComplete ? (real.get(day) ?? 0) : null,
      totalViews: isComplete ? total : null,
      viewsForecast: rangeOf(forecast?.daily[place]),
      totalViewsForecast: rangeOf(forecast?.totals[place]),
    };
  });
  if (forecast === null) return { ...common, ...insufficient(row), points };
  return {
    ...common,
    status: 'READY' satisfies keyof typeof FORECAST_STATUSES,
    reason: null,
    madeAt: new Date(forecast.madeAt).toISOString(),
    madeAfterDays: forecast.age,
    model: modelOf(forecast, days),
    points,
  };
}

function insufficient(row: ForecastRow) {
  return {
    status: 'INSUFFICIENT_HISTORY' satisfies keyof typeof FORECAST_STATUSES,
    reason: reasonFor(row),
    ...{ madeAt: null, madeAfterDays: null, model: null },
  };
}

function reasonFor({ publishedAt, isPublic, completeDays, afterDays, days }: ForecastRow): Text {
  if (publishedAt === null || !isPublic) return t`Only public contents have a forecast. Publish it.`;
  const complete = completeDays ?? 0;
  if (complete < 1) return t`Its first day is not complete. Come back tomorrow.`;
  if (afterDays !== null) return t`No forecast for day ${days} was made after ${afterDays} days. Omit afterDays.`;
  if (complete >= LAST_DAY) return t`No forecast was made in its first 90 days.`;
  return t`It had no views when a forecast could be made, or the next one is due within an hour.`;
}

function modelOf(forecast: NonNullable<ForecastRow['forecast']>, days: number): Record<string, unknown> {
  const step = forecast.steps[String(days)];
  return {
    method: (step?.kind ?? 'PRIOR') as keyof typeof FORECAST_METHODS, // as `makeForecasts` stored it
    version: forecast.modelVersion ?? 0,
    trainedAt: forecast.modelTrainedAt === null ? null : new Date(forecast.modelTrainedAt).toISOString(),
    videos: step?.videos ?? 0,
    coverage: step?.coverage ?? null,
    logError: step?.logError ?? null,
  };
}

function rangeOf(band: Band | undefined): Record<string, number> | null {
  return band === undefined ? null : { p10: band[0], p50: band[1], p90: band[2] };
}
