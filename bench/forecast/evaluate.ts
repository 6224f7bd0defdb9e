import { type Band, randomFrom, shuffled, type ViewHistory } from '@reelgraph/forecast';
import { predictGrowth, trainScale } from '../../packages/forecast/src/growth-model.ts';
import { historyFeatures, viewsUntil } from '../../packages/forecast/src/history-features.ts';
import { rowsOf, trainStep } from '../../packages/forecast/src/train-forecast.ts';

/** Forecasts of videos that the models had not seen: low, middle and high views at the horizon. */
export interface Compared {
  readonly model: readonly Band[];
  /** One scale for all videos (Szabo and Huberman). */
  readonly reference: readonly Band[];
  /** Folds in which trees were better than one scale. */
  readonly withTrees: number;
}

export interface Task {
  readonly age: number;
  readonly horizon: number;
  readonly folds: number;
  readonly seed: number;
}

/** How good forecasts are. */
export interface Figures {
  /** Mean absolute error of the natural logarithm of the views, each with one more. */
  readonly male: number;
  /** Share of the 5 % of videos with the highest forecasts that are among the 5 % with the most views. */
  readonly precisionAtTop: number;
  /** Share of the outcomes in the interval of 80 %. */
  readonly coverage: number;
}

const TOP_SHARE = 0.05;
/** More videos take longer and hardly change the models. */
const MAX_LEARNED = 12_000;

/** Splits the videos into folds, and forecasts each by models that learned from the others only. */
export function compareForecasts(videos: readonly ViewHistory[], { age, horizon, folds, seed }: Task): Compared {
  const order = shuffled(videos.length, randomFrom(seed));
  const model: Band[] = new Array(videos.length);
  const reference: Band[] = new Array(videos.length);
  let withTrees = 0;
  for (let fold = 0; fold < folds; fold += 1) {
    const learned = [...order].filter((_, place) => place % folds !== fold).slice(0, MAX_LEARNED);
    const known = learned.map((index) => ({ ...videos[index]!, heldOut: false }));
    const step = trainStep(known, age, horizon);
    if (step === null) throw new Error('There are too few videos to learn from.');
    if (step.growth.kind === 'TREES') withTrees += 1;
    const scale = trainScale(rowsOf(known, age, horizon), seed).model;
    for (const [place, index] of order.entries()) {
      if (place % folds !== fold) continue;
      const video = videos[index]!;
      const features = historyFeatures(video, age, horizon);
      const now = viewsUntil(video.daily, age);
      const views = (growth: number) => now + (1 + now) * Math.expm1(growth);
      const [band, plain] = [predictGrowth(step.growth, features), predictGrowth(scale, features)];
      model[index] = [views(band[0]), views(band[1]), views(band[2])];
      reference[index] = [views(plain[0]), views(plain[1]), views(plain[2])];
    }
  }
  return { model, reference, withTrees };
}

/** Compares forecasts with the views that came. */
export function figuresOf(forecasts: readonly Band[], views: readonly number[]): Figures {
  const errors = forecasts.map(([, middle], index) => Math.abs(Math.log1p(middle) - Math.log1p(views[index]!)));
  const within = forecasts.filter(([low, , high], index) => low <= views[index]! && views[index]! <= high);
  const count = Math.max(1, Math.round(TOP_SHARE * views.length));
  const top = (values: readonly number[]) =>
    new Set([...values.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, count));
  const real = top(views);
  const found = [...top(forecasts.map(([, middle]) => middle))].filter((index) => real.has(index));
  return {
    male: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    precisionAtTop: found.length / count,
    coverage: within.length / views.length,
  };
}
