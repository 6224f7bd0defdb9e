import { type ContentIntegral, integrateContent } from './content-integral.ts';
import type { Logit } from './ctr-model.ts';
import { type Design, fit } from './fit.ts';
import { expectedShare } from './normal.ts';
import { PRIOR_MEAN } from './prior.ts';

export const FOLDS = 5;
/** With at least this many channels, whole channels are held out: predictions are then for unseen channels. */
const CHANNELS_HELD_OUT = 2 * FOLDS;
/** Contents per group whose mean is compared with the prediction, and the maximum number of groups. */
const GROUP_SIZE = 20;
const MAX_GROUPS = 10;
/** Prior deviation of the calibration from the identity. */
const CALIBRATION_DEVIATION = 0.5;

/**
 * Assigns contents, given by their channel, to folds of similar size; whole channels if there are enough of them.
 * Deterministic.
 */
export function assignFolds(channelIds: readonly string[]): Int32Array {
  const sizes = new Map<string, number>();
  for (const id of channelIds) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  if (sizes.size < CHANNELS_HELD_OUT) return Int32Array.from(channelIds, (_, index) => index % FOLDS);
  const filled = new Array<number>(FOLDS).fill(0);
  const foldOf = new Map<string, number>();
  for (const [id, size] of [...sizes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))) {
    const fold = filled.indexOf(Math.min(...filled));
    filled[fold] = (filled[fold] ?? 0) + size;
    foldOf.set(id, fold);
  }
  return Int32Array.from(channelIds, (id) => foldOf.get(id) ?? 0);
}

/** A content with the prediction of a model trained without it. */
export interface HeldOut {
  readonly impressions: number;
  readonly clicks: number;
  readonly channel: number;
  readonly fold: number;
  /** The prediction from features, before calibration. */
  readonly predicted: Logit;
  /** The posterior of its channel; for a held-out channel, the prior. */
  readonly channelEffect: Logit;
  /** Variance between contents. */
  readonly contentVariance: number;
}

/** The mean log-likelihood of the clicks under the predictions; larger is better. */
export function meanLogScore(heldOut: readonly HeldOut[]): number {
  const content: ContentIntegral = { logLikelihood: 0, mean: 0, variance: 0 };
  let sum = 0;
  for (const { impressions, clicks, predicted, channelEffect, contentVariance } of heldOut) {
    integrateContent(
      impressions,
      clicks,
      predicted.mean + channelEffect.mean,
      predicted.variance + channelEffect.variance + contentVariance,
      content,
    );
    sum += content.logLikelihood;
  }
  return sum / heldOut.length;
}

export interface Calibration {
  readonly offset: number;
  readonly slope: number;
}

export const NO_CALIBRATION: Calibration = { offset: PRIOR_MEAN, slope: 1 };

/** The linear calibration from predicted to observed logits; shrunk towards the identity with little data. */
export function calibrate(heldOut: readonly HeldOut[]): Calibration {
  const rows = heldOut.length;
  if (rows === 0) return NO_CALIBRATION;
  const channels = [...new Set(heldOut.map(({ channel }) => channel))];
  const design: Design = {
    ...{ rows, columns: 2, groups: 1, channels: channels.length },
    x: Float64Array.from(heldOut.flatMap(({ predicted }) => [1, predicted.mean - PRIOR_MEAN])),
    shift: Float64Array.from(heldOut, ({ channelEffect }) => channelEffect.mean),
    impressions: Float64Array.from(heldOut, ({ impressions }) => impressions),
    clicks: Float64Array.from(heldOut, ({ clicks }) => clicks),
    channel: Int32Array.from(heldOut, ({ channel }) => channels.indexOf(channel)),
  };
  const fitted = fit(design, {
    mean: Float64Array.of(NO_CALIBRATION.offset, NO_CALIBRATION.slope),
    variance: new Float64Array(2).fill(CALIBRATION_DEVIATION ** 2),
    channelVariance: heldOut.reduce((sum, { channelEffect }) => sum + channelEffect.variance, 0) / rows,
    contentVariance: Float64Array.from(
      heldOut,
      ({ predicted, contentVariance }) => predicted.variance + contentVariance,
    ),
  });
  const [offset = NO_CALIBRATION.offset, slope = NO_CALIBRATION.slope] = fitted.mean;
  return { offset, slope };
}

/**
 * Mean error of predicted click-through rates over groups of contents with similar predictions; each content is
 * predicted and calibrated without its own data. Null when there are too few contents for two groups.
 *
 * A group's rate is the mean of its contents' rates, with the weight n / (1 + (n - 1)·r) for n impressions, where r is
 * the intraclass correlation. So a content with a million impressions counts as one content, not as a million clicks.
 */
export function calibrationError(heldOut: readonly HeldOut[]): number | null {
  const groups = Math.min(MAX_GROUPS, Math.floor(heldOut.length / GROUP_SIZE));
  if (groups < 2) return null;
  const predicted = [...new Set(heldOut.map(({ fold }) => fold))].flatMap((fold) => {
    const { offset, slope } = calibrate(heldOut.filter((each) => each.fold !== fold));
    return heldOut.filter((each) => each.fold === fold).map((each) => predictionOf(each, { offset, slope }));
  });
  predicted.sort((a, b) => a.ctr - b.ctr);
  let off = 0;
  for (let group = 0; group < groups; group += 1) {
    const from = Math.floor((group * predicted.length) / groups);
    const to = Math.floor(((group + 1) * predicted.length) / groups);
    const members = predicted.slice(from, to);
    const weights = members.reduce((sum, { weight }) => sum + weight, 0);
    const difference = members.reduce((sum, { weight, ctr, seen }) => sum + weight * (seen - ctr), 0) / weights;
    off += (Math.abs(difference) * members.length) / predicted.length;
  }
  return off;
}

function predictionOf(
  { impressions, clicks, predicted, channelEffect, contentVariance }: HeldOut,
  { offset, slope }: Calibration,
) {
  const mean = offset + slope * (predicted.mean - PRIOR_MEAN) + channelEffect.mean;
  const variance = slope ** 2 * predicted.variance + channelEffect.variance + contentVariance;
  const ctr = expectedShare(mean, variance);
  const between = expectedShare(mean, variance, 2) - ctr * ctr;
  const ratio = Math.min(1, between / (ctr * (1 - ctr)));
  return { ctr, seen: clicks / impressions, weight: impressions / (1 + (impressions - 1) * ratio) };
}
