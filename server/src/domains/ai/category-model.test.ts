import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inferCategory, type LabelledText, learnCategories } from './category-model.ts';
import { randomOf } from './ctr-model/simulated.fixture.ts';

const CATEGORIES = [
  { id: 'm', slug: 'music', name: 'Music' },
  { id: 's', slug: 'science-technology', name: 'Science and technology' },
  { id: 'f', slug: 'food-drink', name: 'Food and drink' },
];
const WORDS: Record<string, string[]> = {
  m: ['song', 'guitar', 'live', 'concert', 'night'],
  s: ['atom', 'light', 'live', 'engine', 'night'],
  f: ['bread', 'soup', 'oven', 'night', 'light'],
};

/** Texts of six words, some from their own category and the others from any. */
function texts(seed: number, count: number, own: number): LabelledText[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)] as T; // never empty
  const all = Object.values(WORDS).flat();
  return Array.from({ length: count }, () => {
    const category = pick(['m', 's', 'f']);
    const words = Array.from({ length: 6 }, (_, index) => (index < own ? pick(WORDS[category] ?? all) : pick(all)));
    return { category, words };
  });
}

describe('category model', () => {
  it('matches names of categories before any assignment, without a probability', async () => {
    const model = await learnCategories([], CATEGORIES);
    assert.deepEqual(inferCategory(model, 'The SCIENCE of bubbles'), { id: 's', probability: null });
    assert.deepEqual(inferCategory(model, 'Street food of Lima'), { id: 'f', probability: null });
  });

  it('returns null without evidence', async () => {
    const model = await learnCategories(texts(1, 200, 3), CATEGORIES);
    for (const text of ['', '…', 'and to', 'Zebras', 'constructor __proto__ toString'])
      assert.equal(inferCategory(model, text), null, text);
  });

  it('learns from labelled texts, with a probability that matches its accuracy', async () => {
    const model = await learnCategories(texts(2, 600, 2), CATEGORIES);
    const fresh = texts(3, 1_500, 2);
    const guesses = fresh.map(({ category, words }) => ({
      category,
      guess: inferCategory(model, words.join(' ')) ?? assert.fail('words are known'),
    }));
    const sure = guesses.reduce((sum, { guess }) => sum + (guess.probability ?? Number.NaN), 0) / guesses.length;
    const right = guesses.filter(({ category, guess }) => guess.id === category).length / guesses.length;
    assert.ok(right > 0.6, `right ${right}`);
    assert.ok(Math.abs(sure - right) < 0.05, `said ${sure}, were ${right}`);
    const surest = guesses.filter(({ guess }) => (guess.probability ?? 0) > 0.8);
    const rightOfThem = surest.filter(({ category, guess }) => guess.id === category).length / surest.length;
    assert.ok(surest.length > 100 && rightOfThem > 0.75, `${rightOfThem} of ${surest.length}`);
  });

  it('is less confident about correlated words than naive Bayes', async () => {
    const doubled = (all: LabelledText[]) =>
      all.map(({ category, words }) => ({
        category,
        words: words.flatMap((word) => [1, 2, 3, 4].map((n) => `${word}${n}`)),
      }));
    const model = await learnCategories(doubled(texts(2, 600, 2)), CATEGORIES);
    const plain = (await learnCategories(texts(2, 600, 2), CATEGORIES)).temperature ?? Number.NaN;
    assert.ok((model.temperature ?? 0) > 2.5 * plain, `${model.temperature} against ${plain}`);
  });
});
