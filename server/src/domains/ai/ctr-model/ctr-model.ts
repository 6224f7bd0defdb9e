import { dot, quadraticForm } from '@reelgraph/forecast';
import { type Encoded, type Encoding, encode } from './encoding.ts';
import type { ContentFeatures, NumberName } from './features.ts';
import { expectedShare, logistic, NORMAL_DECILE, normalShareBelow } from './normal.ts';
import { PRIOR_MEAN, PRIOR_VARIANCE, type Scales } from './prior.ts';

/** The model trained on this platform's contents; stored as JSON. */
export interface CtrModel {
  readonly encoding: Encoding;
  readonly scales: Scales;
  /** Coefficients of the logit by column, and their covariance row by row. */
  readonly mean: readonly number[];
  readonly covariance: readonly number[];
  /** Calibration on held-out contents: the logit is `offset` plus `slope` times its distance from the prior mean. */
  readonly calibration: { readonly offset: number; readonly slope: number };
  /** Posterior logits of the platform's contents; at most 200, evenly sampled. */
  readonly reference: readonly { readonly mean: number; readonly variance: number }[];
  /** Deciles of each numeric feature: typical values here, and the range of recommendations. */
  readonly deciles: Readonly<Partial<Record<NumberName, readonly number[]>>>;
}

/** The effect of a channel: the offset of its contents from the prediction by features. */
export interface ChannelEffect {
  readonly mean: number;
  /** Its variance given the coefficients. */
  readonly variance: number;
  /** By column, its negative dependence on the coefficient. */
  readonly pull: readonly number[];
}

/** The logit of a content's click-through rate. */
export interface Logit {
  readonly mean: number;
  readonly variance: number;
}

export interface CtrPrediction {
  readonly logit: Logit;
  /** Mean of the click-through rate, 0 to 1. */
  readonly ctr: number;
  /** 80 % credible interval. */
  readonly low: number;
  readonly high: number;
  /** 0 to 100: the probability that it is higher than that of a public content of the platform picked at random. */
  readonly score: number;
  /** 0 to 1: reduction of the logit's standard deviation against the prior. */
  readonly confidence: number;
}

/** The prediction for a content of a channel, or of an unknown one; without a model, the published range of YouTube. */
export function predictCtr(
  model: CtrModel | null,
  features: ContentFeatures,
  channel: ChannelEffect | null = null,
): CtrPrediction {
  const known = model && logitOf(model, encode(model.encoding, features), channel);
  const { mean, variance } = known ?? { mean: PRIOR_MEAN, variance: PRIOR_VARIANCE };
  const spread = NORMAL_DECILE * Math.sqrt(variance);
  const reference = model?.reference ?? [{ mean: PRIOR_MEAN, variance: PRIOR_VARIANCE }];
  const rank = reference.reduce(
    (sum, other) => sum + normalShareBelow((mean - other.mean) / Math.sqrt(variance + other.variance)),
    0,
  );
  return {
    logit: { mean, variance },
    ctr: expectedShare(mean, variance),
    low: logistic(mean - spread),
    high: logistic(mean + spread),
    score: (100 * rank) / reference.length,
    confidence: Math.max(0, 1 - Math.sqrt(variance / PRIOR_VARIANCE)),
  };
}

/** The logit of a content: from its features, its channel and its own deviation. */
function logitOf(model: CtrModel, encoded: Encoded, channel: ChannelEffect | null): Logit {
  const { scales, calibration } = model;
  const logit = predictedLogit(model, encoded, channel);
  return {
    mean: calibration.offset + calibration.slope * (logit.mean - PRIOR_MEAN) + (channel?.mean ?? 0),
    variance:
      calibration.slope ** 2 * logit.variance + (channel?.variance ?? scales.channels ** 2) + scales.contents ** 2,
  };
}

/**
 * The logit by the coefficients, before calibration. For a known channel, the uncertainty of its effect is smaller the
 * more similar contents it has.
 */
export function predictedLogit(
  { mean, covariance }: Pick<CtrModel, 'mean' | 'covariance'>,
  { x, unknown }: Encoded,
  channel: ChannelEffect | null,
): Logit {
  let variance = quadraticForm(covariance, channel ? x.map((value, column) => value - (channel.pull[column] ?? 0)) : x);
  for (const column of unknown) variance += (mean[column] ?? 0) ** 2 + (covariance[column * mean.length + column] ?? 0);
  return { mean: dot(x, mean), variance };
}

/** The effect of a change: the expected change of the click-through rate, and the probability that it rises. */
export function compareCtr(
  model: CtrModel,
  from: ContentFeatures,
  to: ContentFeatures,
  channel: ChannelEffect | null = null,
): { ctr: number; probability: number } {
  const [before, after] = [encode(model.encoding, from), encode(model.encoding, to)];
  const change = after.x.map((value, column) => value - (before.x[column] ?? 0));
  const mean = model.calibration.slope * dot(change, model.mean);
  const deviation = Math.abs(model.calibration.slope) * Math.sqrt(quadraticForm(model.covariance, change));
  const logit = logitOf(model, before, channel);
  return {
    ctr: expectedShare(logit.mean + mean, logit.variance) - expectedShare(logit.mean, logit.variance),
    probability: deviation === 0 ? 0.5 : normalShareBelow(mean / deviation),
  };
}
