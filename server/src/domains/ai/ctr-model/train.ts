import { type ContentIntegral, integrateContent } from './content-integral.ts';
import {
  assignFolds,
  calibrate,
  calibrationError,
  FOLDS,
  type HeldOut,
  meanLogScore,
  NO_CALIBRATION,
} from './cross-validate.ts';
import { type ChannelEffect, type CtrModel, predictedLogit } from './ctr-model.ts';
import { type Encoding, encode, learnEncoding, NO_ENCODING, sizeOf } from './encoding.ts';
import { type ContentFeatures, NUMBER_NAMES, type NumberName } from './features.ts';
import type { Design } from './fit.ts';
import { fitWithScales, type ScaledFit } from './fit-scales.ts';

/** A content with its counts. */
export interface CountedContent {
  readonly features: ContentFeatures;
  readonly channelId: string;
  /** At least 1. */
  readonly impressions: number;
  /** At most the impressions. */
  readonly clicks: number;
}

/** A model and its evaluation. */
export interface TrainedModel {
  readonly model: CtrModel;
  /** By identifier of the channel. */
  readonly channels: ReadonlyMap<string, ChannelEffect>;
  /** Mean error of predicted rates on held-out contents; null when there are too few. */
  readonly calibrationError: number | null;
  /** Gain of the mean log-likelihood of held-out clicks by features; null when there were too few contents. */
  readonly featureGain: number | null;
}

/** With fewer contents, features identify uploaders rather than click-through rates. */
export const MIN_FOR_FEATURES = 50;
/** With fewer contents nothing is held out. */
const MIN_FOR_FOLDS = 20;
const MAX_REFERENCE = 200;

/**
 * Trains on the counts. The whole procedure, including encoding and scales, is repeated without each fifth of the
 * contents, which is then predicted. Features are kept only if they predict better than the mean. Null without any
 * content.
 */
export async function trainCtrModel(contents: readonly CountedContent[]): Promise<TrainedModel | null> {
  if (contents.length === 0) return null;
  const folds = contents.length >= MIN_FOR_FOLDS ? assignFolds(contents.map(({ channelId }) => channelId)) : null;
  const without = folds ? await predictHeldOut(contents, folds, false) : [];
  const withThem = folds && contents.length >= MIN_FOR_FEATURES ? await predictHeldOut(contents, folds, true) : null;
  const featureGain = withThem && meanLogScore(withThem) - meanLogScore(without);
  const useFeatures = featureGain !== null && featureGain > 0;
  const heldOut = useFeatures && withThem ? withThem : without;
  const { encoding, fitted, design } = await fitContents(contents, useFeatures);
  const model: CtrModel = {
    encoding,
    scales: fitted.scales,
    mean: [...fitted.mean],
    covariance: [...fitted.covariance],
    calibration: heldOut.length > 0 ? calibrate(heldOut) : NO_CALIBRATION,
    reference: referenceOf(contents, design, fitted),
    deciles: Object.fromEntries(NUMBER_NAMES.flatMap((name) => decilesOf(name, contents))),
  };
  return {
    model,
    featureGain,
    channels: channelEffects(contents, design, fitted),
    calibrationError: calibrationError(heldOut),
  };
}

async function fitContents(
  contents: readonly CountedContent[],
  useFeatures: boolean,
): Promise<{ encoding: Encoding; fitted: ScaledFit; design: Design }> {
  const encoding = useFeatures ? learnEncoding(contents.map(({ features }) => features)) : NO_ENCODING;
  const design = designOf(contents, encoding);
  return { encoding, design, fitted: await fitWithScales(design) };
}

async function predictHeldOut(
  contents: readonly CountedContent[],
  folds: Int32Array,
  useFeatures: boolean,
): Promise<HeldOut[]> {
  const channels = [...new Set(contents.map(({ channelId }) => channelId))];
  const heldOut: HeldOut[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const seen = contents.filter((_, index) => folds[index] !== fold);
    const { encoding, fitted, design } = await fitContents(seen, useFeatures);
    const coefficients = { mean: [...fitted.mean], covariance: [...fitted.covariance] };
    const effects = channelEffects(seen, design, fitted);
    for (const [index, { features, impressions, clicks, channelId }] of contents.entries()) {
      if (folds[index] !== fold) continue;
      const known = effects.get(channelId) ?? null;
      const predicted = predictedLogit(coefficients, encode(encoding, features), known);
      const channelEffect = known ?? { mean: 0, variance: fitted.scales.channels ** 2 };
      const contentVariance = fitted.scales.contents ** 2;
      heldOut.push({
        impressions,
        clicks,
        fold,
        predicted,
        channelEffect,
        contentVariance,
        channel: channels.indexOf(channelId),
      });
    }
  }
  return heldOut;
}

function designOf(contents: readonly CountedContent[], encoding: Encoding): Design {
  const { columns, groups } = sizeOf(encoding);
  const x = new Float64Array(contents.length * columns);
  for (const [row, { features }] of contents.entries()) x.set(encode(encoding, features).x, row * columns);
  const channels = new Map<string, number>();
  for (const { channelId } of contents) if (!channels.has(channelId)) channels.set(channelId, channels.size);
  return {
    ...{ rows: contents.length, columns, groups, x, channels: channels.size },
    impressions: Float64Array.from(contents, ({ impressions }) => impressions),
    clicks: Float64Array.from(contents, ({ clicks }) => clicks),
    channel: Int32Array.from(contents, ({ channelId }) => channels.get(channelId) ?? 0),
  };
}

/** The effect of each channel. */
function channelEffects(
  contents: readonly CountedContent[],
  { columns, channel }: Design,
  { channelEffects: means, channelVariances, channelPulls }: ScaledFit,
): Map<string, ChannelEffect> {
  return new Map(
    contents.map(({ channelId }, row) => {
      const place = channel[row] ?? 0;
      const pull = [...channelPulls.subarray(place * columns, (place + 1) * columns)];
      return [channelId, { mean: means[place] ?? 0, variance: channelVariances[place] ?? 0, pull }];
    }),
  );
}

/** The posterior logits of contents: measurements, shrunk towards the prediction by channel and features. */
function referenceOf(
  contents: readonly CountedContent[],
  design: Design,
  { mean, channelEffects, scales }: ScaledFit,
): CtrModel['reference'] {
  const content: ContentIntegral = { logLikelihood: 0, mean: 0, variance: 0 };
  const all = contents.map(({ impressions, clicks }, row) => {
    let centre = channelEffects[design.channel[row] ?? 0] ?? 0;
    for (const [column, coefficient] of mean.entries())
      centre += coefficient * (design.x[row * design.columns + column] ?? 0);
    integrateContent(impressions, clicks, centre, scales.contents ** 2, content);
    return { mean: content.mean, variance: content.variance };
  });
  return spreadOver(
    all.sort((a, b) => a.mean - b.mean),
    MAX_REFERENCE,
  );
}

function decilesOf(name: NumberName, contents: readonly CountedContent[]): [NumberName, number[]][] {
  const values = contents.flatMap(({ features }) => features.numbers[name] ?? []).sort((a, b) => a - b);
  if (values.length === 0) return [];
  return [[name, Array.from({ length: 9 }, (_, index) => values[Math.floor(((index + 1) * values.length) / 10)] ?? 0)]];
}

/** An even sample of a sorted list. */
function spreadOver<T>(sorted: readonly T[], most: number): T[] {
  if (sorted.length <= most) return [...sorted];
  // Within bounds.
  return Array.from({ length: most }, (_, index) => sorted[Math.floor(((index + 0.5) * sorted.length) / most)] as T);
}
