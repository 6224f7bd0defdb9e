import {
  type ForecastDay,
  type ForecastParameters,
  forecastAge,
  forecastDays,
  LAST_DAY,
  type ViewHistory,
} from '@reelgraph/forecast';
import type { Platform } from '../../../platform/platform.ts';
import {
  forecastsDue,
  insertForecasts,
  type PublishedContent,
  readForecastModel,
  type StoredStep,
} from './forecasts.store.ts';

/** Contents at a time. */
const BATCH = 100;

/** The history of a content, as models see it. */
export function historyOf({ completeDays, weekday, channelViews, views }: PublishedContent): ViewHistory {
  const daily = new Float64Array(Math.max(0, completeDays));
  for (const [day, count] of views) daily[day - 1] = count;
  return { daily, weekday, channelViews };
}

/** Makes the forecasts that are due; returns whether there may be more. */
export async function makeForecasts({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<boolean> {
  const madeAt = new Date(clock.now()).toISOString();
  const due = await forecastsDue(db, madeAt, BATCH);
  if (due.length === 0) return false;
  const stored = await readForecastModel(db);
  const forecasts = due.flatMap((content) => {
    const age = forecastAge(content.completeDays);
    if (age === null) return [];
    const days: ForecastDay[] = forecastDays(stored?.parameters ?? [], historyOf(content), age);
    const steps = stepsFrom(stored?.parameters ?? [], age);
    return [{ contentId: content.contentId, age, madeAt, model: stored, steps, days }];
  });
  await insertForecasts(db, forecasts);
  return due.length === BATCH;
}

function stepsFrom(parameters: ForecastParameters, age: number): Record<string, StoredStep> {
  const steps = parameters.filter((step) => step.age === age && step.horizon <= LAST_DAY);
  return Object.fromEntries(
    steps.map(({ horizon, growth, videos, coverage, logError }) => [
      String(horizon),
      { kind: growth.kind, videos, coverage, logError },
    ]),
  );
}
