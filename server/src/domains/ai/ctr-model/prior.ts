import { logit, NORMAL_QUARTILE } from './normal.ts';

/**
 * The prior of click-through rates, before any measurement here: "Half of all channels and videos on YouTube have an
 * impressions CTR that can range between 2% and 10%" (YouTube Help, answer 7628154). Read as quartiles of a normal
 * distribution of the logit.
 */
const QUARTILES = [logit(0.02), logit(0.1)] as const;

/** Mean of the logit of the click-through rate of an unknown video; about -3.04. */
export const PRIOR_MEAN = (QUARTILES[0] + QUARTILES[1]) / 2;
/** Its variance; about 1.26 squared. */
export const PRIOR_VARIANCE = ((QUARTILES[1] - QUARTILES[0]) / 2 / NORMAL_QUARTILE) ** 2;

/**
 * The published range shows how much videos differ, but not why. It is divided equally between the model's four sources
 * of variance: platform, channel, features, and the video itself.
 */
export const PRIOR_SCALE = Math.sqrt(PRIOR_VARIANCE / 4);

/**
 * How much channels, features and contents differ, as standard deviations of the logit; `features` is 0 in a model
 * without any.
 */
export interface Scales {
  readonly channels: number;
  readonly features: number;
  readonly contents: number;
}

/** The prior scales; without features, their part belongs to the contents. */
export function priorScales(hasFeatures: boolean): Scales {
  return {
    channels: PRIOR_SCALE,
    features: hasFeatures ? PRIOR_SCALE : 0,
    contents: hasFeatures ? PRIOR_SCALE : PRIOR_SCALE * Math.SQRT2,
  };
}

/**
 * Uncertainty of the division: the logarithm of each scale is normal around the prior's with this deviation, so a
 * quarter or four times as much is plausible.
 */
const SCALE_DEVIATION = 0.7;

/** The log prior density of scales, up to a constant. */
export function logPriorOfScales(scales: Scales): number {
  const prior = priorScales(scales.features > 0);
  const off = (scale: number, usual: number): number => (usual === 0 ? 0 : Math.log(scale / usual) / SCALE_DEVIATION);
  return (
    -(
      off(scales.channels, prior.channels) ** 2 +
      off(scales.features, prior.features) ** 2 +
      off(scales.contents, prior.contents) ** 2
    ) / 2
  );
}
