import {
  AGES,
  type DayDeviations,
  type ForecastParameters,
  growthUntil,
  horizonsOf,
  lastDayMiddle,
  realGrowth,
  type TrainedStep,
} from './forecast-model.ts';
import { type Band, type GrowthRows, QUANTILES, type TrainedGrowth, trainScale, trainTrees } from './growth-model.ts';
import { historyFeatures, type ViewHistory, viewsUntil } from './history-features.ts';
import { pinballLoss, quantileOf } from './quantiles.ts';

/** A video whose views of the first days are known. */
export interface KnownVideo extends ViewHistory {
  /** Whether models are compared by it, and so none learns from it. */
  readonly heldOut: boolean;
}

/** With fewer outcomes, the prior is better than what could be learned. */
export const MIN_VIDEOS = 50;
/** Likewise without those that are held out. */
const MIN_LEARNED = 30;
/** With fewer outcomes, trees are not tried. */
const MIN_FOR_TREES = 100;
const MAX_TREES = 120;
const SEED = 20_261_123;
/** Forecast views of a day that count as few, and as some. */
const DAY_GROUPS = [3, 30, null];
const MIN_IN_GROUP = 40;

/** Learns every step for which there are enough outcomes. */
export function trainForecast(videos: readonly KnownVideo[]): ForecastParameters {
  return AGES.flatMap((age) => horizonsOf(age).flatMap((horizon) => trainStep(videos, age, horizon) ?? []));
}

/**
 * Learns the growth from an age to a horizon from videos with at least as many days and with views at that age: the
 * better of one scale for all and of trees, by the loss for held-out videos. Null with too few.
 */
export function trainStep(videos: readonly KnownVideo[], age: number, horizon: number): TrainedStep | null {
  const all = videos.filter((video) => hasOutcome(video, age, horizon));
  const known = all.filter(({ heldOut }) => !heldOut);
  if (all.length < MIN_VIDEOS || known.length < MIN_LEARNED) return null;
  const rows = rowsOf(known, age, horizon);
  const scale = trainScale(rows, SEED);
  const trees = known.length < MIN_FOR_TREES ? null : trainTrees(rows, { trees: MAX_TREES, seed: SEED });
  const { model, heldOut } = trees && meanLoss(trees, rows) < meanLoss(scale, rows) ? trees : scale;
  const within = heldOut.filter(([low, , high], row) => low <= rows.y[row]! && rows.y[row]! <= high);
  return {
    age,
    horizon,
    growth: model,
    days: dayDeviations(known, heldOut, age, horizon),
    videos: known.length,
    coverage: within.length / known.length,
    logError: heldOut.reduce((sum, [, middle], row) => sum + Math.abs(rows.y[row]! - middle), 0) / known.length,
  };
}

/**
 * The mean loss of forecasts for videos that no model learned from, over these steps; null without any outcome. What
 * the parameters do not have is forecast by the prior.
 */
export function heldOutLoss(
  parameters: ForecastParameters,
  videos: readonly KnownVideo[],
  steps: readonly Pick<TrainedStep, 'age' | 'horizon'>[],
): number | null {
  let [sum, count] = [0, 0];
  for (const { age, horizon } of steps)
    for (const video of videos) {
      if (!video.heldOut || !hasOutcome(video, age, horizon)) continue;
      sum += bandLoss(growthUntil(parameters, video, { age, horizon }), realGrowth(video.daily, age, horizon));
      count += 1;
    }
  return count === 0 ? null : sum / count;
}

function hasOutcome({ daily }: ViewHistory, age: number, horizon: number): boolean {
  return daily.length >= horizon && viewsUntil(daily, age) > 0;
}

/** Features and growth of videos. */
export function rowsOf(videos: readonly ViewHistory[], age: number, horizon: number): GrowthRows {
  const features = videos.map((video) => historyFeatures(video, age, horizon));
  return {
    x: Float64Array.from(features.flat()),
    columns: features[0]?.length ?? 0,
    y: Float64Array.from(videos, ({ daily }) => realGrowth(daily, age, horizon)),
  };
}

function meanLoss({ heldOut }: TrainedGrowth, { y }: GrowthRows): number {
  return heldOut.reduce((sum, band, row) => sum + bandLoss(band, y[row]!), 0) / y.length;
}

function bandLoss(band: Band, real: number): number {
  return QUANTILES.reduce((sum, quantile, index) => sum + pinballLoss(real - band[index]!, quantile), 0);
}

/** How much the views of the last day deviated from their middle, for few, some and many views. */
function dayDeviations(
  videos: readonly ViewHistory[],
  heldOut: readonly Band[],
  age: number,
  horizon: number,
): DayDeviations[] {
  const all = videos.map(({ daily }, row) => {
    const middle = lastDayMiddle(viewsUntil(daily, age), age, horizon, heldOut[row]![1]);
    return { middle, deviation: Math.log1p(daily[horizon - 1] ?? 0) - Math.log1p(middle) };
  });
  let from = 0;
  const groups = DAY_GROUPS.flatMap((upTo) => {
    const own = all.filter(({ middle }) => middle >= from && (upTo === null || middle <= upTo));
    // Too few are counted with the next ones.
    if (upTo !== null && own.length < MIN_IN_GROUP) return [];
    from = upTo ?? from;
    return [{ upTo, used: own.length < MIN_IN_GROUP ? all : own }];
  });
  return groups.map(({ upTo, used }) => {
    const sorted = used.map(({ deviation }) => deviation).sort((a, b) => a - b);
    return { upTo, offsets: QUANTILES.map((quantile) => quantileOf(sorted, quantile)) as [number, number, number] };
  });
}
