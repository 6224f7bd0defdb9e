/** Normal distributions on the logit scale, and their probabilities. */

/** 1 / (1 + e^-x): the share whose logit is `x`. */
export function logistic(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** The logit of a probability. */
export function logit(share: number): number {
  return Math.log(share / (1 - share));
}

/** log(1 + e^x), without overflow. */
export function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/** The standard normal distribution function, with an error below 1.5e-7 (Abramowitz and Stegun 7.1.26). */
export function normalShareBelow(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-z * z);
  return x >= 0 ? 1 - tail / 2 : tail / 2;
}

/** Quantiles of the standard normal distribution. */
export const NORMAL_QUARTILE = 0.6744897501960817;
export const NORMAL_DECILE = 1.2815515655446004;

interface Node {
  readonly at: number;
  readonly weight: number;
}

const NODES = 15;
/** Nodes and weights for integrals of f(z)·e^(-z²): exact for polynomials f of a degree below twice their number. */
export const HERMITE: readonly Node[] = hermiteNodes(NODES);

/** The mean of σ(x) for a normal x; with `power` 2, that of σ(x)². */
export function expectedShare(mean: number, variance: number, power = 1): number {
  const spread = Math.sqrt(2 * variance);
  let sum = 0;
  for (const { at, weight } of HERMITE) sum += weight * logistic(mean + spread * at) ** power;
  return sum / Math.sqrt(Math.PI);
}

/** The roots of the Hermite polynomial of degree `count` by Newton's method, each starting beyond the previous ones. */
function hermiteNodes(count: number): Node[] {
  const found: Node[] = [];
  for (let index = 0; index < count; index += 1) {
    // Deflation: p/∏(x − root) has only the remaining roots, so that no root is found twice.
    let x = Math.sqrt(2 * count + 1);
    for (let step = 0; step < 100; step += 1) {
      const { value, slope } = hermite(count, x);
      const pull = found.reduce((sum, { at }) => sum + 1 / (x - at), 0);
      const change = value / (slope - value * pull);
      x -= change;
      if (Math.abs(change) < 1e-14) break;
    }
    found.push({ at: x, weight: 2 / hermite(count, x).slope ** 2 });
  }
  return found;
}

/** The orthonormal Hermite polynomial and its derivative. */
function hermite(degree: number, x: number): { value: number; slope: number } {
  let before = 0;
  let value = Math.PI ** -0.25;
  for (let k = 1; k <= degree; k += 1)
    [before, value] = [value, x * Math.sqrt(2 / k) * value - Math.sqrt((k - 1) / k) * before];
  return { value, slope: Math.sqrt(2 * degree) * before };
}
