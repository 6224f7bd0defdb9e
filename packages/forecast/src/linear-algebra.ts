/**
 * Linear algebra for symmetric positive definite matrices of up to about sixty rows, row by row in one array. Loops
 * stay within the given size, on which every `!` below relies.
 */

/** The lower triangle L with L·Lᵀ = `matrix`. Throws when the matrix is not positive definite. */
export function cholesky(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * size + column]!;
      for (let k = 0; k < column; k += 1) sum -= lower[row * size + k]! * lower[column * size + k]!;
      if (row !== column) lower[row * size + column] = sum / lower[column * size + column]!;
      else if (sum > 0) lower[row * size + row] = Math.sqrt(sum);
      else throw new Error(`The matrix is not positive definite at row ${row}.`);
    }
  }
  return lower;
}

/** Solves matrix·x = `right`, given the Cholesky factor. */
export function solve(lower: Float64Array, size: number, right: Float64Array): Float64Array {
  const x = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    for (let k = 0; k < row; k += 1) x[row]! -= lower[row * size + k]! * x[k]!;
    x[row]! /= lower[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let k = row + 1; k < size; k += 1) x[row]! -= lower[k * size + row]! * x[k]!;
    x[row]! /= lower[row * size + row]!;
  }
  return x;
}

/** The inverse of the matrix, given its Cholesky factor. */
export function inverse(lower: Float64Array, size: number): Float64Array {
  const result = new Float64Array(size * size);
  for (let column = 0; column < size; column += 1) {
    const unit = new Float64Array(size);
    unit[column] = 1;
    const solved = solve(lower, size, unit);
    for (let row = 0; row < size; row += 1) result[row * size + column] = solved[row]!;
  }
  return result;
}

/** The log determinant of the matrix, given its Cholesky factor. */
export function logDeterminant(lower: Float64Array, size: number): number {
  let sum = 0;
  for (let row = 0; row < size; row += 1) sum += 2 * Math.log(lower[row * size + row]!);
  return sum;
}

/** a·b. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

/** xᵀ·matrix·x: the variance of x·β when the matrix is the covariance of β. */
export function quadraticForm(matrix: ArrayLike<number>, x: ArrayLike<number>): number {
  let sum = 0;
  for (let row = 0; row < x.length; row += 1) {
    const left = x[row]!;
    if (left === 0) continue;
    for (let column = 0; column < x.length; column += 1) sum += left * matrix[row * x.length + column]! * x[column]!;
  }
  return sum;
}
