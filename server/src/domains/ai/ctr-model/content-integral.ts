import { HERMITE, logistic, softplus } from './normal.ts';

const MAX_STEPS = 60;
/** The longest step of the search for the peak: the logistic curve is nearly straight over it. */
const LONGEST_STEP = 1.5;
const TOLERANCE = 1e-9;

/** A content whose logit is normal about a centre, after its clicks were seen. */
export interface ContentIntegral {
  /** Logarithm of the probability of the clicks, but for the binomial coefficient. */
  logLikelihood: number;
  /** The logit after the clicks were seen. */
  mean: number;
  variance: number;
}

/**
 * Integrates the logit of one content out: `clicks` of `impressions` are binomial with σ(x), x normal with `centre` and
 * `variance`. That x varies beyond the centre is what makes counts scatter more than binomial ones. Gauss and Hermite's
 * rule is laid around the peak, so it holds for one impression and for a million. Writes into `out`, since it runs some
 * million times.
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
