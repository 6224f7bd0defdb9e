import { cholesky, dot, solve } from './linear-algebra.ts';

/** A line through standardized features. */
export interface LinearModel {
  readonly means: readonly number[];
  readonly scales: readonly number[];
  readonly intercept: number;
  readonly coefficients: readonly number[];
  /** The lowest and the highest value that it learned from; it never gives others. */
  readonly range: readonly [low: number, high: number];
}

/** Weight of small coefficients, in rows. */
const RIDGE = 5;
/** Rounds of reweighting, after which the line is close to that of least absolute errors. */
const ROUNDS = 8;
/** Deviations from the mean beyond so many scales count as so many: single features do not decide by themselves. */
const MAX_DEVIATION = 6;
/** Columns that vary less, relative to their mean, are constant. */
const CONSTANT = 1e-9;
/** Errors below this count as equal. */
const SMALL_ERROR = 0.05;

/**
 * The line with the least absolute errors, by iteratively reweighted least squares: bursts of single videos do not
 * move it. `x` is row by row; only `rows` count.
 */
export function fitLinear(x: Float64Array, columns: number, y: Float64Array, rows: Int32Array): LinearModel {
  const means = averages(x, columns, rows, (value) => value);
  const variances = averages(x, columns, rows, (value, column) => (value - means[column]!) ** 2);
  const scales = Array.from(variances, (variance, column) => {
    const scale = Math.sqrt(variance);
    return scale > CONSTANT * (1 + Math.abs(means[column]!)) ? scale : 1;
  });
  const z = new Float64Array(rows.length * columns);
  for (const [index, row] of rows.entries())
    for (let column = 0; column < columns; column += 1)
      z[index * columns + column] = deviation(x[row * columns + column]!, means[column]!, scales[column]!);
  const weights = new Float64Array(rows.length).fill(1);
  let solution: Float64Array = new Float64Array(columns + 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    solution = weighted(z, columns, y, rows, weights);
    for (const [index, row] of rows.entries()) {
      const own = z.subarray(index * columns, (index + 1) * columns);
      const error = y[row]! - solution[columns]! - dot(own, solution);
      weights[index] = 1 / Math.max(Math.abs(error), SMALL_ERROR);
    }
  }
  return {
    means: [...means],
    scales,
    intercept: solution[columns]!,
    coefficients: [...solution.subarray(0, columns)],
    range: [
      rows.reduce((low, row) => Math.min(low, y[row]!), 0),
      rows.reduce((high, row) => Math.max(high, y[row]!), 0),
    ],
  };
}

/** Its value for one row of features. */
export function linearValue(model: LinearModel, features: ArrayLike<number>, start = 0): number {
  let sum = model.intercept;
  for (const [column, coefficient] of model.coefficients.entries())
    sum += coefficient * deviation(features[start + column]!, model.means[column]!, model.scales[column]!);
  return Math.min(Math.max(sum, model.range[0]), model.range[1]);
}

function deviation(value: number, mean: number, scale: number): number {
  return Math.min(Math.max((value - mean) / scale, -MAX_DEVIATION), MAX_DEVIATION);
}

function averages(
  x: Float64Array,
  columns: number,
  rows: Int32Array,
  of: (value: number, column: number) => number,
): Float64Array {
  const sums = new Float64Array(columns);
  for (const row of rows)
    for (let column = 0; column < columns; column += 1) sums[column]! += of(x[row * columns + column]!, column);
  return sums.map((sum) => sum / rows.length);
}

/** Coefficients of the columns, then the intercept. */
function weighted(
  z: Float64Array,
  columns: number,
  y: Float64Array,
  rows: Int32Array,
  weights: Float64Array,
): Float64Array {
  const size = columns + 1;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  const own = new Float64Array(size).fill(1);
  let total = 0;
  for (const [index, row] of rows.entries()) {
    own.set(z.subarray(index * columns, (index + 1) * columns));
    const weight = weights[index]!;
    total += weight;
    for (let a = 0; a < size; a += 1) {
      right[a]! += weight * own[a]! * y[row]!;
      for (let b = 0; b <= a; b += 1) matrix[a * size + b]! += weight * own[a]! * own[b]!;
    }
  }
  // The ridge counts as rows of a mean weight.
  const ridge = (RIDGE * total) / rows.length;
  for (let column = 0; column < columns; column += 1) matrix[column * size + column]! += ridge;
  return solve(cholesky(matrix, size), size, right);
}
