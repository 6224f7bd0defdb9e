/**
 * Compares variants by the viewers who clicked, each counted once. Viewers are assigned by chance in equal shares, so
 * if two variants are clicked equally often, whoever clicks one of them is the first one's with a probability of
 * exactly 1/2. The likelihood of the clicks, averaged over a Beta prior of that share and divided by their likelihood
 * at 1/2, is then a martingale: it ever exceeds 1/e with a probability of at most e, however often and whenever one
 * looks (Ville 1939; Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm", 1970; for counts of
 * an experiment: Lindon and Malek, "Anytime-Valid Inference for Multinomial Count Data", 2022).
 */

/** The probability that a test ever names a winner that is not clicked more often than every other variant. */
export const ERROR_RATE = 0.05;
/**
 * Both parameters of the Beta prior. Its deviation of 0.05 is what a variant has that is clicked 1.2 times as often as
 * another one.
 */
const PRIOR = 50;
const BISECTIONS = 50;
const GRID = 4_000;
/** Deviations of the posterior that the grid spans to each side. */
const SPAN = 9;

/** How much more often a variant is clicked than another one: 0.2 is 1.2 times as often. */
export interface Lift {
  /** Null without clicks on the other one. */
  readonly measured: number | null;
  /** Contains the true lift with a probability of 95 %, for all comparisons of a test and all instants together. */
  readonly low: number;
  /** Null: without limit. */
  readonly high: number | null;
}

/**
 * The variant that is clicked more often than every other one, by its place; null while that is not certain. `viewers`
 * are the viewers who clicked each variant.
 */
export function findWinner(viewers: readonly number[]): number | null {
  const leader = viewers.indexOf(Math.max(...viewers));
  const limit = Math.log(1 / errorRateOfPair(viewers.length));
  const isAhead = viewers.every((count, place) => place === leader || evidence(viewers[leader] ?? 0, count) >= limit);
  return isAhead ? leader : null;
}

/** The lift of the variant at `place` over the first one. */
export function liftOver(viewers: readonly number[], place: number): Lift {
  const [first = 0, own = 0] = [viewers[0], viewers[place]];
  const [low, high] = shareRange(own, first, errorRateOfPair(viewers.length));
  return {
    measured: first === 0 ? null : own / first - 1,
    low: oddsOf(low) - 1,
    high: high === 1 ? null : oddsOf(high) - 1,
  };
}

/** The probability of each variant to be the one that is clicked most often, given the clicks and the prior. */
export function chancesToBeBest(viewers: readonly number[]): number[] {
  // Shares with a Dirichlet distribution compare like independent variables with Gamma distributions.
  const shapes = viewers.map((count) => count + PRIOR);
  const from = Math.max(0, Math.min(...shapes.map((shape) => shape - SPAN * Math.sqrt(shape))));
  const to = Math.max(...shapes.map((shape) => shape + SPAN * Math.sqrt(shape)));
  const step = (to - from) / GRID;
  const densities = shapes.map((shape) =>
    Array.from({ length: GRID }, (_, index) => Math.exp(logGammaDensity(from + (index + 0.5) * step, shape)) * step),
  );
  const below = densities.map(() => 0);
  const chances = densities.map(() => 0);
  for (let index = 0; index < GRID; index += 1) {
    const middle = densities.map((density, place) => (below[place] ?? 0) + (density[index] ?? 0) / 2);
    densities.forEach((density, place) => {
      const others = middle.reduce((product, each, other) => (other === place ? product : product * each), 1);
      chances[place] = (chances[place] ?? 0) + (density[index] ?? 0) * others;
      below[place] = (below[place] ?? 0) + (density[index] ?? 0);
    });
  }
  const sum = chances.reduce((total, chance) => total + chance, 0);
  return chances.map((chance) => chance / sum);
}

/** Bonferroni: the pairs of variants share the error rate. */
function errorRateOfPair(variants: number): number {
  return ERROR_RATE / ((variants * (variants - 1)) / 2);
}

/** Natural logarithm of the evidence that these counts do not come from this share of the first. */
function evidence(first: number, second: number, share = 0.5): number {
  const mixed = logBeta(first + PRIOR, second + PRIOR) - logBeta(PRIOR, PRIOR);
  return mixed - first * Math.log(share) - second * Math.log(1 - share);
}

/** The shares of the first count that the evidence does not exclude at this error rate. */
function shareRange(first: number, second: number, errorRate: number): readonly [low: number, high: number] {
  const limit = Math.log(1 / errorRate);
  const middle = first + second === 0 ? 0.5 : first / (first + second);
  const bound = (outside: number): number => {
    let inside = middle;
    for (let count = 0; count < BISECTIONS; count += 1) {
      const share = (inside + outside) / 2;
      if (evidence(first, second, share) < limit) inside = share;
      else outside = share;
    }
    return inside;
  };
  return [first === 0 ? 0 : bound(0), second === 0 ? 1 : bound(1)];
}

function oddsOf(share: number): number {
  return share / (1 - share);
}

function logGammaDensity(x: number, shape: number): number {
  return (shape - 1) * Math.log(x) - x - logGamma(shape);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Stirling's series; the arguments are at least 50, where its error is below 1e-11. */
function logGamma(x: number): number {
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3);
}
