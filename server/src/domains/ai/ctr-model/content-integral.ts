import { HERMITE, logistic, softplus } from './normal.ts';

const MAX_STEPS = 60;
/** Maximum step of the search for the peak: the logistic curve is nearly linear over it. */
const LONGEST_STEP = 1.5;
const TOLERANCE = 1e-9;

/** The posterior of a content whose logit has a normal prior. */
export interface ContentIntegral {
  /** Log-likelihood of the clicks, without the binomial coefficient. */
  logLikelihood: number;
  /** The posterior logit. */
  mean: number;
  variance: number;
}

/**
 * Integrates out the logit of one content: `clicks` of `impressions` are binomial with σ(x), x is normal with `centre`
 * and `variance`, which models overdispersion. Gauss–Hermite quadrature is centred on the peak, so it is accurate from
 * one impression to a million. Writes into `out`, since it runs about a million times.
 */
export function integrateContent(
  impressions: number,
  clicks: number,
  centre: number,
  variance: number,
  out: ContentIntegral,
): void {
  const log = (x: number): number => clicks * x - impressions * softplus(x) - (x - centre) ** 2 / (2 * variance);
  let peak = centre;
  let width = variance;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const share = logistic(peak);
    width = 1 / (impressions * share * (1 - share) + 1 / variance);
    const change = width * (clicks - impressions * share - (peak - centre) / variance);
    peak += Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, change));
    if (Math.abs(change) < TOLERANCE) break;
  }
  const spread = Math.sqrt(2 * width);
  const top = log(peak);
  let total = 0;
  let first = 0;
  let second = 0;
  for (const { at, weight } of HERMITE) {
    const density = weight * Math.exp(at * at + log(peak + spread * at) - top);
    total += density;
    first += density * at;
    second += density * at * at;
  }
  const mean = first / total;
  out.logLikelihood = top + Math.log(total * spread) - Math.log(2 * Math.PI * variance) / 2;
  out.mean = peak + spread * mean;
  out.variance = spread * spread * (second / total - mean * mean);
}
