/**
 * Forecasts of counts that grow, such as views: quantile trees by gradient boosting, intervals that are widened until
 * they cover what was held out (conformal prediction), and a prior without examples. README.md has an example.
 */

export {
  AGES,
  type ForecastDay,
  type ForecastParameters,
  forecastAge,
  forecastDays,
  LAST_DAY,
} from './forecast-model.ts';
export type { Band } from './growth-model.ts';
export type { ViewHistory } from './history-features.ts';
export { cholesky, dot, inverse, logDeterminant, quadraticForm, solve } from './linear-algebra.ts';
export { randomFrom, shuffled } from './random.ts';
export { heldOutLoss, type KnownVideo, MIN_VIDEOS, trainForecast } from './train-forecast.ts';
