import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchingSearches, withSearch } from './recent-searches.ts';

test('a search is remembered once, at the beginning, and the oldest ones are forgotten', () => {
  assert.deepEqual(withSearch(['boats', 'Lamps'], 'lamps'), ['lamps', 'boats']);
  const many = Array.from({ length: 12 }, (_, index) => `search ${index}`);
  assert.deepEqual(withSearch(many, 'new'), ['new', ...many.slice(0, 11)]);
});

test('searches match by the beginnings of their words', () => {
  const known = ['Harbour at night', 'night trains', 'jazz'];
  assert.deepEqual(matchingSearches(known, 'NIG'), ['Harbour at night', 'night trains']);
  assert.deepEqual(matchingSearches(known, 'ight'), []);
  assert.deepEqual(matchingSearches(known, 'jazz'), []);
  assert.deepEqual(matchingSearches(known, ''), known);
});
