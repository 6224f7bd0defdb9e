import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtersSet, readSearchParams, searchVariables } from './search-params.ts';

const NOW = Date.parse('2026-05-10T12:34:56Z');
const CATEGORIES = [{ id: 'did:x:content/category/1', slug: 'music' }];

test('a URL without a query searches for nothing', () => {
  assert.deepEqual(readSearchParams({ q: '   ', type: 'videos' }), { type: 'videos' });
  assert.equal(searchVariables({ type: 'videos' }, CATEGORIES, NOW), null);
});

test('invalid search parameters are dropped', () => {
  assert.deepEqual(readSearchParams({ q: 1984, type: 'people', length: 'endless', date: 3, category: {}, x: 1 }), {
    q: '1984',
  });
});

test('a query alone searches everything', () => {
  assert.deepEqual(searchVariables({ q: 'sea' }, CATEGORIES, NOW), { query: 'sea', types: null, filter: null });
});

test('tabs and filters become query variables', () => {
  const params = readSearchParams({
    q: 'sea',
    type: 'videos',
    length: 'long',
    date: 'day',
    category: 'music',
    language: 'en',
  });
  assert.deepEqual(searchVariables(params, CATEGORIES, NOW), {
    query: 'sea',
    types: ['CONTENT'],
    filter: {
      kinds: ['FEATURE', 'SHORT', 'EPISODE', 'STREAM'],
      length: 'LONG',
      publishedAfter: '2026-05-09T12:00:00.000Z',
      categories: ['did:x:content/category/1'],
      language: 'en',
    },
  });
  assert.equal(filtersSet(params), 4);
});

test('an unknown category is ignored', () => {
  assert.equal(searchVariables({ q: 'sea', category: 'gone' }, CATEGORIES, NOW)?.filter, null);
});

test('a query is cut to the maximum length of the API', () => {
  assert.equal(readSearchParams({ q: 'x'.repeat(500) }).q?.length, 200);
});
