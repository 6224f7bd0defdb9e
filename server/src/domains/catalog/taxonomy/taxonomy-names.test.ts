import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type TestCatalog } from '../testing.ts';
import { categoryNamed, genreNamed, ratingNamed } from './taxonomy-names.ts';
import type { RatingSystem } from './taxonomy-types.graphql.ts';

const GERMAN = { language: 'de' } as const;

describe('terms by their names', () => {
  let api: TestCatalog;
  before(async () => {
    api = await openTestCatalog();
  });
  after(() => api.close());

  it('are those of the database, by name and by slug', async () => {
    const tables = [
      ['categories', categoryNamed],
      ['genres', genreNamed],
    ] as const;
    for (const [table, named] of tables) {
      const terms = await api.rows<{ id: string; slug: string; name: string }>(`select id, slug, name from ${table}`);
      assert.ok(terms.length >= 20);
      for (const { id, slug, name } of terms)
        assert.deepEqual(
          [named(name, 'f', GERMAN), named(name.toUpperCase(), 'f', GERMAN), named(slug, 'f', GERMAN)],
          [id, id, id],
          name,
        );
    }
    const ratings = await api.rows<{ id: string; system: RatingSystem; code: string }>(
      'select id, system, code from ratings',
    );
    assert.ok(ratings.length >= 20);
    for (const { id, system, code } of ratings) assert.equal(ratingNamed(system, code, 'f'), id, code);
  });

  it('are also those of the language', () => {
    assert.equal(categoryNamed('essen und trinken', 'f', GERMAN), categoryNamed('food-drink', 'f', GERMAN));
    assert.equal(genreNamed('Abenteuer', 'f', GERMAN), genreNamed('Adventure', 'f', GERMAN));
    assert.throws(() => genreNamed('Abenteuer', 'f', { language: 'en' }), { code: 'RESOURCE_NOT_FOUND' });
  });

  it('are refused with the field and the query that lists them', () => {
    assert.throws(() => genreNamed('Polka', 'input.metadata.genre.name', GERMAN), {
      code: 'RESOURCE_NOT_FOUND',
      field: 'input.metadata.genre.name',
      suggestedFix: 'Use a name that the query genres lists.',
    });
    assert.throws(() => ratingNamed('TV', 'PG-13', 'f'), { code: 'RESOURCE_NOT_FOUND' });
    assert.throws(() => categoryNamed('', 'f', GERMAN), { code: 'RESOURCE_NOT_FOUND' });
  });
});
