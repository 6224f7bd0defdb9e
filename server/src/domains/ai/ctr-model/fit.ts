import { cholesky, inverse, logDeterminant, solve } from '@reelgraph/forecast';
import { type ContentIntegral, integrateContent } from './content-integral.ts';

// As in linear-algebra.ts: every `!` reads within the sizes of the design matrix.

/** The counts by content. Column 0 of `x` is 1. */
export interface Design {
  readonly rows: number;
  readonly columns: number;
  /**
   * The number of groups with variance of about 1 in the columns after the first: each number, all categories, all
   * words.
   */
  readonly groups: number;
  /** Row by row. */
  readonly x: Float64Array;
  /** Offset of each content's logit; defaults to none. */
  readonly shift?: Float64Array;
  readonly impressions: Float64Array;
  readonly clicks: Float64Array;
  /** The channel of each content, from 0. */
  readonly channel: Int32Array;
  readonly channels: number;
}

/** The prior: independent normal coefficients, and the variances of channels and contents. */
export interface Priors {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly channelVariance: number;
  /** By content. */
  readonly contentVariance: Float64Array;
}

/** The posterior of the coefficients: `mean` and `covariance` (row by row). */
export interface Fit {
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
  /** The effect of each channel. */
  readonly channelEffects: Float64Array;
  /**
   * The conditional variance of a channel's effect given the coefficients, and its dependence on them (channel by
   * column).
   */
  readonly channelVariances: Float64Array;
  readonly channelPulls: Float64Array;
  /** Log marginal likelihood of all clicks, by Laplace's approximation. */
  readonly logEvidence: number;
}

const MAX_STEPS = 50;
const TOLERANCE = 1e-7;

/** The posterior density at a point: value, gradient and curvature. */
interface Look {
  readonly height: number;
  readonly slope: Float64Array;
  readonly channelSlope: Float64Array;
  /** Curvature of the coefficients, of the channels, and crosswise (channel by column). */
  readonly own: Float64Array;
  readonly channelOwn: Float64Array;
  readonly cross: Float64Array;
}

/**
 * Logistic regression of clicks out of impressions, with overdispersed contents and a random effect per channel.
 * Contents are integrated out one by one, coefficients and channels by Laplace's approximation at the peak, found by
 * Newton's method: it is unique, since all factors are log-concave. Channels affect only their own contents, so they
 * are eliminated one by one, and thousands of them cost little.
 */
export function fit(design: Design, priors: Priors, start?: Pick<Fit, 'mean' | 'channelEffects'>): Fit {
  let mean = Float64Array.from(start?.mean ?? priors.mean);
  let effects = Float64Array.from(start?.channelEffects ?? new Float64Array(design.channels));
  let look = lookAt(design, priors, mean, effects);
  let { lower, step, channelStep } = newtonStep(design, look);
  for (let round = 0; round < MAX_STEPS && largest(step, channelStep) > TOLERANCE; round += 1) {
    let share = 1;
    let next = look;
    // Far from the peak a full step may overshoot.
    for (; share > 1e-6; share /= 2) {
      const tried = { mean: moved(mean, step, share), effects: moved(effects, channelStep, share) };
      next = lookAt(design, priors, tried.mean, tried.effects);
      if (next.height < look.height - 1e-9 * Math.abs(look.height)) continue;
      ({ mean, effects } = tried);
      break;
    }
    look = next;
    ({ lower, step, channelStep } = newtonStep(design, look));
    if (share <= 1e-6) break;
  }
  let logEvidence = look.height - logDeterminant(lower, design.columns) / 2;
  for (const variance of priors.variance) logEvidence -= Math.log(variance) / 2;
  for (const curvature of look.channelOwn) logEvidence -= Math.log(priors.channelVariance * curvature) / 2;
  return {
    ...{ mean, covariance: inverse(lower, design.columns), logEvidence, channelEffects: effects },
    channelVariances: look.channelOwn.map((curvature) => 1 / curvature),
    channelPulls: look.cross.map((value, index) => value / look.channelOwn[Math.floor(index / design.columns)]!),
  };
}

function lookAt(design: Design, priors: Priors, mean: Float64Array, effects: Float64Array): Look {
  const { rows, columns, channels, x } = design;
  const slope = new Float64Array(columns);
  const own = new Float64Array(columns * columns);
  const channelSlope = new Float64Array(channels);
  const channelOwn = new Float64Array(channels);
  const cross = new Float64Array(channels * columns);
  const content: ContentIntegral = { logLikelihood: 0, mean: 0, variance: 0 };
  let height = 0;
  for (let row = 0; row < rows; row += 1) {
    const from = row * columns;
    const channel = design.channel[row]!;
    const variance = priors.contentVariance[row]!;
    let centre = effects[channel]! + (design.shift?.[row] ?? 0);
    for (let column = 0; column < columns; column += 1) centre += x[from + column]! * mean[column]!;
    integrateContent(design.impressions[row]!, design.clicks[row]!, centre, variance, content);
    height += content.logLikelihood;
    // The derivative by the centre follows from the posterior logit.
    const pull = (content.mean - centre) / variance;
    const weight = Math.max(0, (variance - content.variance) / variance ** 2);
    channelSlope[channel]! += pull;
    channelOwn[channel]! += weight;
    for (let column = 0; column < columns; column += 1) {
      const value = x[from + column]!;
      if (value === 0) continue;
      slope[column]! += pull * value;
      cross[channel * columns + column]! += weight * value;
      for (let other = 0; other <= column; other += 1)
        own[column * columns + other]! += weight * value * x[from + other]!;
    }
  }
  height += addPriors(design, priors, { mean, effects, slope, own, channelSlope, channelOwn });
  return { height, slope, channelSlope, own, channelOwn, cross };
}

/** Adds gradient and curvature of the prior; returns its value. */
function addPriors(
  { columns, channels }: Design,
  priors: Priors,
  at: Pick<Look, 'slope' | 'own' | 'channelSlope' | 'channelOwn'> & { mean: Float64Array; effects: Float64Array },
): number {
  let height = 0;
  for (let column = 0; column < columns; column += 1) {
    const off = at.mean[column]! - priors.mean[column]!;
    const variance = priors.variance[column]!;
    height -= off ** 2 / (2 * variance);
    at.slope[column]! -= off / variance;
    at.own[column * columns + column]! += 1 / variance;
  }
  for (let channel = 0; channel < channels; channel += 1) {
    const effect = at.effects[channel]!;
    height -= effect ** 2 / (2 * priors.channelVariance);
    at.channelSlope[channel]! -= effect / priors.channelVariance;
    at.channelOwn[channel]! += 1 / priors.channelVariance;
  }
  return height;
}

/** The Newton step, and the Cholesky factor of the coefficients' curvature with the channels eliminated. */
function newtonStep(
  { columns, channels }: Design,
  look: Look,
): { lower: Float64Array; step: Float64Array; channelStep: Float64Array } {
  const { cross, channelSlope, channelOwn } = look;
  const left = Float64Array.from(look.own);
  const right = Float64Array.from(look.slope);
  for (let channel = 0; channel < channels; channel += 1) {
    const from = channel * columns;
    for (let row = 0; row < columns; row += 1) {
      const share = cross[from + row]! / channelOwn[channel]!;
      if (share === 0) continue;
      right[row]! -= share * channelSlope[channel]!;
      for (let column = 0; column <= row; column += 1) left[row * columns + column]! -= share * cross[from + column]!;
    }
  }
  const lower = cholesky(left, columns);
  const step = solve(lower, columns, right);
  const channelStep = new Float64Array(channels);
  for (let channel = 0; channel < channels; channel += 1) {
    let rest = channelSlope[channel]!;
    for (let column = 0; column < columns; column += 1) rest -= cross[channel * columns + column]! * step[column]!;
    channelStep[channel] = rest / channelOwn[channel]!;
  }
  return { lower, step, channelStep };
}

function moved(from: Float64Array, step: Float64Array, share: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(from, (value, index) => value + share * step[index]!);
}

function largest(...steps: readonly Float64Array[]): number {
  return steps.reduce((most, step) => step.reduce((max, change) => Math.max(max, Math.abs(change)), most), 0);
}
