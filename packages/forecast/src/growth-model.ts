import { fitLinear, type LinearModel, linearValue } from './linear-growth.ts';
import { type BoostOptions, binRows, boost, sumOfTrees, type Tree } from './quantile-trees.ts';
import { pinballLoss, quantileOf } from './quantiles.ts';
import { randomFrom, shuffled } from './random.ts';

/** The quantiles of a forecast: 80 of 100 outcomes lie between the first and the last. */
export const QUANTILES = [0.1, 0.5, 0.9] as const;
const MEDIAN = 1;

/** A low, a middle and a high value. */
export type Band = readonly [p10: number, p50: number, p90: number];

/**
 * How much the views of a video grow, as a logarithm (`growthOf`). SCALE: the growth of all videos alike (Szabo and
 * Huberman, "Predicting the popularity of online content", 2010, with the median for the mean). TREES: a line, and
 * boosted trees for what it leaves. To both, `offsets` are added, which make the quantiles right for held-out videos
 * (Romano, Patterson and Candès, "Conformalized quantile regression", 2019, with an offset for each end).
 */
export type GrowthModel =
  | { readonly kind: 'SCALE'; readonly offsets: Band }
  | {
      readonly kind: 'TREES';
      readonly line: LinearModel;
      /** For each quantile. */
      readonly trees: readonly (readonly Tree[])[];
      readonly offsets: Band;
    };

/** Videos to learn from. */
export interface GrowthRows {
  /** Features, row by row. */
  readonly x: Float64Array;
  readonly columns: number;
  /** Growth of each row. */
  readonly y: Float64Array;
}

export interface TrainOptions {
  /** At most this many trees for each quantile. */
  readonly trees: number;
  readonly seed: number;
}

/** A model and how good it was for held-out videos. */
export interface TrainedGrowth {
  readonly model: GrowthModel;
  /** Predictions of each row by models that had not seen it, with offsets of other rows. */
  readonly heldOut: readonly Band[];
}

export const FOLDS = 5;
/** How often the number of trees is compared. */
const CHECK_EVERY = 10;
const BOOSTING = { rate: 0.1, depth: 3 } as const;
const MIN_LEAF_ROWS = 8;
const MIN_LEAF_SHARE = 1 / 150;

/** The middle of the growth of all rows, whatever their features. */
export function trainScale(rows: GrowthRows, seed: number): TrainedGrowth {
  return conformal({ kind: 'SCALE' }, rows.y, rows.y.length, foldsOf(rows.y.length, seed), (_row) => [0, 0, 0]);
}

/** A line and trees. The number of trees is the one that predicts held-out rows best. */
export function trainTrees(rows: GrowthRows, { trees, seed }: TrainOptions): TrainedGrowth {
  const count = rows.y.length;
  const folds = foldsOf(count, seed);
  const tried = heldOutPredictions(rows, folds, { trees, seed });
  const learnFrom = Int32Array.from({ length: count }, (_, row) => row);
  const { line, fits } = fitAll(
    rows,
    learnFrom,
    tried.map(({ trees: best }) => best),
    seed,
  );
  const raw = (row: number): Band => tried.map(({ predictions }) => predictions[row]!) as [number, number, number];
  return conformal({ kind: 'TREES', line, trees: fits }, rows.y, count, folds, raw);
}

/** The band of the growth for one row of features, in order. */
export function predictGrowth(model: GrowthModel, features: ArrayLike<number>): Band {
  const { offsets } = model;
  if (model.kind === 'SCALE') return ordered(offsets);
  const base = linearValue(model.line, features);
  const all = [...Array.from(features), base];
  return ordered(
    model.trees.map((trees, index) => base + sumOfTrees(trees, all) + offsets[index]!) as [number, number, number],
  );
}

/** Views never fall, and the quantiles are in order. */
function ordered([low, middle, high]: Band): Band {
  const p50 = Math.max(0, middle);
  return [Math.max(0, Math.min(low, p50)), p50, Math.max(high, p50)];
}

function foldsOf(count: number, seed: number): Int32Array {
  const folds = new Int32Array(count);
  for (const [index, row] of shuffled(count, randomFrom(seed)).entries()) folds[row] = index % FOLDS;
  return folds;
}

interface Tried {
  /** The best number of trees. */
  readonly trees: number;
  /** Predictions of all rows by models that had not seen them. */
  readonly predictions: Float64Array;
}

/** For each quantile. */
function heldOutPredictions(rows: GrowthRows, folds: Int32Array, { trees, seed }: TrainOptions): Tried[] {
  const checks = Math.floor(trees / CHECK_EVERY) + 1;
  const found = QUANTILES.map(() => ({
    losses: new Float64Array(checks),
    predictions: Array.from({ length: checks }, () => new Float64Array(rows.y.length)),
  }));
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const learnFrom = rowsWhere(folds, (each) => each !== fold);
    const heldOut = rowsWhere(folds, (each) => each === fold);
    const { data, base } = withLine(rows, learnFrom);
    for (const [index, quantile] of QUANTILES.entries()) {
      const { losses, predictions } = found[index]!;
      const start = startOf(rows.y, base, learnFrom, quantile);
      const note = (count: number, values: Float64Array): void => {
        if (count % CHECK_EVERY !== 0) return;
        const check = count / CHECK_EVERY;
        for (const row of heldOut) {
          predictions[check]![row] = values[row]!;
          losses[check]! += pinballLoss(rows.y[row]! - values[row]!, quantile);
        }
      };
      const values = base.map((value) => value + start);
      note(0, values);
      boost(data, rows.y, values, learnFrom, optionsFor(quantile, trees, learnFrom.length, seed + fold), note);
    }
  }
  return found.map(({ losses, predictions }) => {
    const best = losses.indexOf(Math.min(...losses));
    return { trees: best * CHECK_EVERY, predictions: predictions[best]! };
  });
}

/** Fits the line and the trees for each quantile to the rows; the first tree of each moves all rows alike. */
function fitAll(
  rows: GrowthRows,
  learnFrom: Int32Array,
  counts: readonly number[],
  seed: number,
): { line: LinearModel; fits: Tree[][] } {
  const { line, data, base } = withLine(rows, learnFrom);
  const fits = QUANTILES.map((quantile, index) => {
    const start = startOf(rows.y, base, learnFrom, quantile);
    const values = base.map((value) => value + start);
    const grown = boost(data, rows.y, values, learnFrom, optionsFor(quantile, counts[index]!, learnFrom.length, seed));
    return [{ columns: [], thresholds: [], values: [start] }, ...grown];
  });
  return { line, fits };
}

function optionsFor(quantile: number, trees: number, rows: number, seed: number): BoostOptions {
  return { ...BOOSTING, quantile, trees, seed, minRows: Math.max(MIN_LEAF_ROWS, Math.ceil(rows * MIN_LEAF_SHARE)) };
}

/** The line fitted to some rows, its values for all, and the features of all with that value as the last one. */
function withLine({ x, columns, y }: GrowthRows, learnFrom: Int32Array) {
  const line = fitLinear(x, columns, y, learnFrom);
  const base = new Float64Array(y.length);
  const all = new Float64Array(y.length * (columns + 1));
  for (let row = 0; row < y.length; row += 1) {
    base[row] = linearValue(line, x, row * columns);
    all.set(x.subarray(row * columns, (row + 1) * columns), row * (columns + 1));
    all[row * (columns + 1) + columns] = base[row]!;
  }
  return { line, base, data: binRows(all, y.length, columns + 1) };
}

function startOf(y: Float64Array, base: Float64Array, rows: Int32Array, quantile: number): number {
  return quantileOf(Float64Array.from(rows, (row) => y[row]! - base[row]!).sort(), quantile);
}

function rowsWhere(folds: Int32Array, wanted: (fold: number) => boolean): Int32Array {
  return Int32Array.from(folds.keys()).filter((row) => wanted(folds[row]!));
}

type Unadjusted = { kind: 'SCALE' } | { kind: 'TREES'; line: LinearModel; trees: Tree[][] };

/** Adds offsets: those of all held-out rows to the model, those of the other folds to the held-out predictions. */
function conformal(
  model: Unadjusted,
  y: Float64Array,
  count: number,
  folds: Int32Array,
  raw: (row: number) => Band,
): TrainedGrowth {
  const errors = QUANTILES.map((_, index) =>
    Float64Array.from({ length: count }, (_, row) => y[row]! - raw(row)[index]!),
  );
  const offsetsWithout = (fold: number): Band => {
    const used = rowsWhere(folds, (each) => each !== fold);
    return errors.map((all, index) =>
      offsetOf(
        Float64Array.from(used, (row) => all[row]!),
        index,
      ),
    ) as [number, number, number];
  };
  const byFold = Array.from({ length: FOLDS }, (_, fold) => offsetsWithout(fold));
  const heldOut = Array.from({ length: count }, (_, row) => {
    const band = raw(row);
    const offsets = byFold[folds[row]!]!;
    return ordered(band.map((value, index) => value + offsets[index]!) as [number, number, number]);
  });
  return { model: { ...model, offsets: offsetsWithout(-1) }, heldOut };
}

/** The quantile of the errors; at the ends with the correction for a finite number, which widens the band. */
function offsetOf(errors: Float64Array, index: number): number {
  const share = QUANTILES[index]!;
  const correction = index === MEDIAN ? 0 : (share > 0.5 ? share : share - 1) / errors.length;
  return quantileOf(errors.sort(), share + correction);
}
