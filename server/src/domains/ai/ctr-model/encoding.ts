import { type ContentFeatures, NUMBER_NAMES, NUMBERS, type NumberName } from './features.ts';

/** How features become columns: learned from the training contents, and stored with the model. */
export interface Encoding {
  /** Numeric features that vary between contents, with mean and deviation. */
  readonly numbers: readonly { readonly name: NumberName; readonly mean: number; readonly deviation: number }[];
  /** Categories in the training data, with their share of contents. */
  readonly categories: readonly { readonly id: string; readonly share: number }[];
}

/** Words are hashed into this many columns, with a random sign, so that collisions do not add up. */
const WORD_COLUMNS = 16;
/** Values are clipped at this many deviations: beyond it there was no data. */
const FURTHEST = 3;

export interface Encoded {
  readonly x: Float64Array;
  /** Columns of missing numbers: 0 in `x`, which is their mean, with variance 1. */
  readonly unknown: readonly number[];
}

/** Encodes nothing: a model of the mean alone. */
export const NO_ENCODING: Encoding = { numbers: [], categories: [] };

export function learnEncoding(contents: readonly ContentFeatures[]): Encoding {
  const numbers = NUMBER_NAMES.flatMap((name) => {
    const values = contents.flatMap(({ numbers }) => numbers[name] ?? []);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    return deviation > 1e-6 ? [{ name, mean, deviation }] : [];
  });
  const counts = new Map<string, number>();
  for (const { category } of contents) if (category !== null) counts.set(category, (counts.get(category) ?? 0) + 1);
  const labelled = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const categories = [...counts]
    .map(([id, count]) => ({ id, share: count / labelled }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return { numbers, categories };
}

/** The number of columns that `encode` fills, and of groups of variance 1 among them, without the first. */
export function sizeOf({ numbers, categories }: Encoding): { columns: number; groups: number } {
  if (numbers.length === 0) return { columns: 1, groups: 0 };
  const columns = numbers.reduce((sum, { name }) => sum + (NUMBERS[name].curved ? 2 : 1), 0);
  return { columns: 1 + columns + categories.length + WORD_COLUMNS, groups: columns + 2 };
}

/** The columns of a content: 1, its standardized numbers, its category, its words. */
export function encode(encoding: Encoding, { numbers, category, words }: ContentFeatures): Encoded {
  const { columns } = sizeOf(encoding);
  const x = new Float64Array(columns);
  x[0] = 1;
  if (columns === 1) return { x, unknown: [] };
  const unknown: number[] = [];
  let column = 1;
  for (const { name, mean, deviation } of encoding.numbers) {
    const value = numbers[name];
    const { curved } = NUMBERS[name];
    if (value === null) {
      unknown.push(column, ...(curved ? [column + 1] : []));
    } else {
      const z = Math.max(-FURTHEST, Math.min(FURTHEST, (value - mean) / deviation));
      x[column] = z;
      // Has mean 0 and variance 1 for a normal z.
      if (curved) x[column + 1] = (z * z - 1) / Math.SQRT2;
    }
    column += curved ? 2 : 1;
  }
  // A missing or unknown category counts as a mixture of all.
  const known = encoding.categories.some(({ id }) => id === category);
  for (const { id, share } of encoding.categories) {
    x[column] = known ? Number(id === category) : share;
    column += 1;
  }
  for (const word of new Set(words)) {
    const hash = hashOf(word);
    const place = column + (hash % WORD_COLUMNS);
    x[place] = (x[place] ?? 0) + (hash & 0x8000 ? 1 : -1);
  }
  const length = Math.sqrt(new Set(words).size);
  for (let place = column; place < columns && length > 0; place += 1) x[place] = (x[place] ?? 0) / length;
  return { x, unknown };
}

/** FNV-1a with a final mix, since its low bits vary little. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 8;
}
