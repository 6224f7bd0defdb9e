import { setImmediate as pause } from 'node:timers/promises';
import { wordsOf } from './ctr-model/features.ts';

/** A category. */
export interface Category {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** A text with its category. */
export interface LabelledText {
  /** Identifier of the category. */
  readonly category: string;
  readonly words: readonly string[];
}

/**
 * A model trained on labelled texts: multinomial naive Bayes over words, each counted once per text. Stored as JSON.
 */
export interface CategoryModel {
  readonly categories: readonly { readonly id: string; readonly texts: number; readonly words: number }[];
  /** Number of words. */
  readonly size: number;
  /** Number of texts that contain a word, by category index. */
  readonly words: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /**
   * Temperature: divides the log-likelihood of words, because words of a text are not independent and naive Bayes is
   * overconfident. Measured on held-out texts; null when there are too few of them.
   */
  readonly temperature: number | null;
}

const FOLDS = 5;
/** Minimum of labelled texts to measure the accuracy. */
const MIN_FOR_TEMPERATURE = 50;
const MAX_WORDS = 5_000;
/** Maximum number of distinct words of a text, the title's first: more add little. */
const MAX_TEXT_WORDS = 60;
/** Number of texts for measuring the temperature. */
const MAX_MEASURED = 2_000;
/** Number of texts between yields to the event loop. */
const BETWEEN_PAUSES = 100;
/** From 0.4, since Laplace smoothing makes rare words underconfident, to about 40. */
const TEMPERATURES = Array.from({ length: 26 }, (_, index) => 0.4 * 1.2 ** index);
/** Stop words in names are short: "and", "to". */
const SHORTEST_NAME_WORD = 4;

/** Learns the words of each category from labelled texts, and from its name, which counts as one text. */
export async function learnCategories(
  texts: readonly LabelledText[],
  categories: readonly Category[],
): Promise<CategoryModel> {
  return { ...count(texts, categories), temperature: await measureTemperature(texts.slice(-MAX_MEASURED), categories) };
}

function count(texts: readonly LabelledText[], categories: readonly Category[]): Omit<CategoryModel, 'temperature'> {
  const named = new Set<string>();
  const names = categories.map(({ id, name }) => {
    const words = wordsOf(name).filter((word) => word.length >= SHORTEST_NAME_WORD);
    for (const word of words) named.add(word);
    return { category: id, words };
  });
  const indexes = new Map(categories.map(({ id }, index) => [id, index]));
  const found = new Map<string, { total: number; by: Map<number, number> }>();
  const totals = categories.map(({ id }) => ({ id, texts: 0, words: 0 }));
  const add = ({ category, words }: LabelledText): void => {
    const index = indexes.get(category) ?? -1;
    const total = totals[index];
    if (!total) return;
    total.texts += 1;
    for (const word of distinctWords(words)) {
      const entry = found.get(word) ?? { total: 0, by: new Map<number, number>() };
      found.set(word, entry);
      entry.total += 1;
      entry.by.set(index, (entry.by.get(index) ?? 0) + 1);
    }
  };
  for (const text of [...names, ...texts]) add(text);
  const usual = [...found]
    .filter(([word, { total }]) => total > 1 || named.has(word))
    .sort(([a, m], [b, n]) => n.total - m.total || (a < b ? -1 : 1));
  const kept = usual.slice(0, MAX_WORDS);
  for (const [, { by }] of kept) for (const [index, times] of by) (totals[index] ?? { words: 0 }).words += times;
  return {
    categories: totals,
    size: kept.length,
    words: Object.fromEntries(kept.map(([word, { by }]) => [word, Object.fromEntries(by)])),
  };
}

/** The temperature that maximizes the likelihood of held-out texts. */
async function measureTemperature(
  texts: readonly LabelledText[],
  categories: readonly Category[],
): Promise<number | null> {
  if (texts.length < MIN_FOR_TEMPERATURE) return null;
  const scores = new Array<number>(TEMPERATURES.length).fill(0);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = count(
      texts.filter((_, index) => index % FOLDS !== fold),
      categories,
    );
    for (const [index, text] of texts.entries()) {
      if (index % BETWEEN_PAUSES === 0) await pause();
      if (index % FOLDS !== fold) continue;
      const category = model.categories.findIndex(({ id }) => id === text.category);
      const likelihoods = logLikelihoods(model, text.words);
      for (const [at, temperature] of TEMPERATURES.entries()) {
        scores[at] =
          (scores[at] ?? 0) + Math.log(Math.max(1e-12, shares(model, likelihoods, temperature)[category] ?? 1));
      }
    }
  }
  return TEMPERATURES[scores.indexOf(Math.max(...scores))] ?? null;
}

/**
 * The most probable category of a text; null when none of its words is known, or when they raise no category above its
 * base rate. `probability` is null without a measured temperature.
 */
export function inferCategory(
  model: CategoryModel,
  text: string,
): { readonly id: string; readonly probability: number | null } | null {
  const words = wordsOf(text);
  if (!words.some((word) => Object.hasOwn(model.words, word))) return null;
  const after = shares(model, logLikelihoods(model, words), model.temperature ?? 1);
  const before = shares(
    model,
    model.categories.map(() => 0),
    1,
  );
  const index = after.indexOf(Math.max(...after));
  const category = model.categories[index];
  if (!category || (after[index] ?? 0) <= (before[index] ?? 0)) return null;
  return { id: category.id, probability: model.temperature === null ? null : (after[index] ?? 0) };
}

function distinctWords(words: readonly string[]): string[] {
  return [...new Set(words)].slice(0, MAX_TEXT_WORDS);
}

/** By category, the log-likelihood of the words, with Laplace smoothing. */
function logLikelihoods(
  { categories, size, words }: Omit<CategoryModel, 'temperature'>,
  text: readonly string[],
): number[] {
  const known = distinctWords(text).flatMap((word) => (Object.hasOwn(words, word) ? [words[word] ?? {}] : []));
  return categories.map((category, index) =>
    known.reduce((sum, by) => sum + Math.log(((by[index] ?? 0) + 1) / (category.words + size)), 0),
  );
}

function shares(
  { categories }: Omit<CategoryModel, 'temperature'>,
  likelihoods: readonly number[],
  temperature: number,
): number[] {
  const all = categories.reduce((sum, { texts }) => sum + texts, 0);
  const logs = categories.map(({ texts }, index) => Math.log(texts / all) + (likelihoods[index] ?? 0) / temperature);
  const top = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - top));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
