import { quantileOf } from './quantiles.ts';
import { randomFrom, shuffled } from './random.ts';

/**
 * Gradient-boosted trees for one quantile of an outcome (Friedman, "Greedy function approximation", 2001). Each tree
 * splits the rows where the gradient of the pinball loss separates best, over at most 32 bins a feature, and adds a
 * share of the quantile of the remaining errors of each leaf.
 */

/** A tree of a fixed depth: the children of node n are 2n + 1 (at most the threshold) and 2n + 2. */
export interface Tree {
  /** By inner node: the column that decides; -1: all rows go to the first child. */
  readonly columns: readonly number[];
  readonly thresholds: readonly number[];
  /** By leaf: what it adds. */
  readonly values: readonly number[];
}

/** Rows of features, in bins by column. */
export interface BinnedRows {
  readonly rows: number;
  readonly columns: number;
  /** Column by column, the bin of each row. */
  readonly bins: Uint8Array;
  /** By column: the highest value of each bin but the last. */
  readonly edges: readonly Float64Array[];
}

export interface BoostOptions {
  /** From 0 to 1: 0.5 is the median. */
  readonly quantile: number;
  readonly trees: number;
  /** Share of each leaf's quantile that a tree adds. */
  readonly rate: number;
  readonly depth: number;
  /** Rows that each side of a split has at least. */
  readonly minRows: number;
  readonly seed: number;
}

const MAX_BINS = 32;
/** Shares of the rows and columns that each tree may use to find its splits. */
const ROW_SHARE = 0.6;
const COLUMN_SHARE = 0.5;

/** Sorts the values of each column into bins of about as many rows. `x` is row by row. */
export function binRows(x: Float64Array, rows: number, columns: number): BinnedRows {
  const bins = new Uint8Array(rows * columns);
  const edges = Array.from({ length: columns }, (_, column) => {
    const values = new Float64Array(rows);
    for (let row = 0; row < rows; row += 1) values[row] = x[row * columns + column]!;
    const found = edgesOf(values.slice().sort());
    for (let row = 0; row < rows; row += 1) bins[column * rows + row] = binOf(values[row]!, found);
    return found;
  });
  return { rows, columns, bins, edges };
}

function edgesOf(sorted: Float64Array): Float64Array {
  const edges = new Set<number>();
  for (let bin = 1; bin < MAX_BINS; bin += 1) edges.add(sorted[Math.floor((bin * sorted.length) / MAX_BINS)]!);
  // Nothing lies above the highest value.
  edges.delete(sorted.at(-1)!);
  return Float64Array.from(edges);
}

function binOf(value: number, edges: Float64Array): number {
  let bin = 0;
  while (bin < edges.length && value > edges[bin]!) bin += 1;
  return bin;
}

/** What `boost` calls after each tree, with the predictions of all rows so far. */
export type AfterTree = (trees: number, predictions: Float64Array) => void;

/**
 * Grows trees on some of the rows. `predictions` are those of all rows to begin with, and are changed: so rows that
 * are not learned from are predicted on the way.
 */
export function boost(
  data: BinnedRows,
  outcomes: Float64Array,
  predictions: Float64Array,
  learnFrom: Int32Array,
  options: BoostOptions,
  afterTree: AfterTree = () => {},
): Tree[] {
  const random = randomFrom(options.seed);
  const errors = new Float64Array(data.rows);
  const trees: Tree[] = [];
  for (let count = 1; count <= options.trees; count += 1) {
    for (const row of learnFrom) errors[row] = outcomes[row]! - predictions[row]!;
    const order = shuffled(learnFrom.length, random);
    const sample = order.subarray(0, Math.ceil(ROW_SHARE * learnFrom.length)).map((index) => learnFrom[index]!);
    const columns = shuffled(data.columns, random).subarray(0, Math.ceil(COLUMN_SHARE * data.columns));
    const tree = growTree(data, errors, { sample, learnFrom, columns }, options);
    trees.push(tree.tree);
    for (let row = 0; row < data.rows; row += 1) predictions[row]! += tree.tree.values[tree.leafOf(row)]!;
    afterTree(count, predictions);
  }
  return trees;
}

interface Growing {
  readonly sample: Int32Array;
  readonly learnFrom: Int32Array;
  readonly columns: Int32Array;
}

function growTree(
  data: BinnedRows,
  errors: Float64Array,
  { sample, learnFrom, columns }: Growing,
  { quantile, rate, depth, minRows }: BoostOptions,
): { tree: Tree; leafOf: (row: number) => number } {
  const inner = 2 ** depth - 1;
  const chosen = new Int32Array(inner).fill(-1);
  const bins = new Int32Array(inner);
  const grow = (node: number, rows: Int32Array): void => {
    if (node >= inner || rows.length < 2 * minRows) return;
    const split = bestSplit(data, errors, rows, columns, quantile, minRows);
    if (split === null) return;
    chosen[node] = split.column;
    bins[node] = split.bin;
    const offset = split.column * data.rows;
    grow(
      2 * node + 1,
      side(rows, data.bins, offset, (bin) => bin <= split.bin),
    );
    grow(
      2 * node + 2,
      side(rows, data.bins, offset, (bin) => bin > split.bin),
    );
  };
  grow(0, sample);
  const leafOf = (row: number): number => {
    let node = 0;
    while (node < inner) {
      const column = chosen[node]!;
      node = 2 * node + (column >= 0 && data.bins[column * data.rows + row]! > bins[node]! ? 2 : 1);
    }
    return node - inner;
  };
  return {
    leafOf,
    tree: {
      columns: [...chosen],
      thresholds: Array.from(chosen, (column, node) => (column < 0 ? 0 : data.edges[column]![bins[node]!]!)),
      values: leafQuantiles(errors, learnFrom, leafOf, { leaves: inner + 1, quantile }).map((value) => rate * value),
    },
  };
}

/** The quantile of the errors in each leaf. */
function leafQuantiles(
  errors: Float64Array,
  rows: Int32Array,
  leafOf: (row: number) => number,
  { leaves, quantile }: { leaves: number; quantile: number },
): number[] {
  const starts = new Int32Array(leaves + 1);
  const found = new Uint8Array(rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    found[index] = leafOf(rows[index]!);
    starts[found[index]! + 1]! += 1;
  }
  for (let leaf = 0; leaf < leaves; leaf += 1) starts[leaf + 1]! += starts[leaf]!;
  const sorted = new Float64Array(rows.length);
  const next = starts.slice();
  for (let index = 0; index < rows.length; index += 1) {
    sorted[next[found[index]!]!] = errors[rows[index]!]!;
    next[found[index]!]! += 1;
  }
  return Array.from({ length: leaves }, (_, leaf) =>
    quantileOf(sorted.subarray(starts[leaf]!, starts[leaf + 1]!).sort(), quantile),
  );
}

/** The rows on one side of a split. */
function side(rows: Int32Array, bins: Uint8Array, offset: number, isFirst: (bin: number) => boolean): Int32Array {
  const kept = new Int32Array(rows.length);
  let count = 0;
  for (let index = 0; index < rows.length; index += 1)
    if (isFirst(bins[offset + rows[index]!]!)) {
      kept[count] = rows[index]!;
      count += 1;
    }
  return kept.subarray(0, count);
}

/** The split with the largest gain in squared gradients; null where none gains. */
function bestSplit(
  data: BinnedRows,
  errors: Float64Array,
  rows: Int32Array,
  columns: Int32Array,
  quantile: number,
  minRows: number,
): { column: number; bin: number } | null {
  // The gradient is `quantile` above the prediction and `quantile - 1` below it, so counting the rows above suffices.
  let above = 0;
  for (const row of rows) if (errors[row]! > 0) above += 1;
  const total = above - (1 - quantile) * rows.length;
  let best = (total * total) / rows.length + 1e-9;
  let found: { column: number; bin: number } | null = null;
  const [counts, aboves] = [new Int32Array(MAX_BINS), new Int32Array(MAX_BINS)];
  for (const column of columns) {
    counts.fill(0);
    aboves.fill(0);
    const offset = column * data.rows;
    for (const row of rows) {
      const bin = data.bins[offset + row]!;
      counts[bin]! += 1;
      if (errors[row]! > 0) aboves[bin]! += 1;
    }
    let [left, leftAbove] = [0, 0];
    for (let bin = 0; bin < data.edges[column]!.length; bin += 1) {
      left += counts[bin]!;
      leftAbove += aboves[bin]!;
      const right = rows.length - left;
      if (left < minRows || right < minRows) continue;
      const leftSum = leftAbove - (1 - quantile) * left;
      const rightSum = total - leftSum;
      const gain = (leftSum * leftSum) / left + (rightSum * rightSum) / right;
      if (gain > best) [best, found] = [gain, { column, bin }];
    }
  }
  return found;
}

/** The sum of the trees for one row of features. */
export function sumOfTrees(trees: readonly Tree[], features: ArrayLike<number>): number {
  let sum = 0;
  for (const { columns, thresholds, values } of trees) {
    let node = 0;
    while (node < columns.length) {
      const column = columns[node]!;
      node = 2 * node + (column >= 0 && features[column]! > thresholds[node]! ? 2 : 1);
    }
    sum += values[node - columns.length]!;
  }
  return sum;
}
