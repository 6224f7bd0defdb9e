import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectedTypes, wildcardMeaning, withTypes } from './event-patterns.ts';

const ALL = ['content.created', 'content.liked', 'playlist.created', 'playlist.deleted'];

test('names and wildcards select types', () => {
  assert.deepEqual(selectedTypes(['playlist.*', 'content.liked'], ALL), ALL.slice(1));
  assert.deepEqual(selectedTypes(['*'], ALL), ALL);
  assert.deepEqual(selectedTypes(['content'], ALL), []);
});

test('a wildcard stays until one of its types is deselected', () => {
  const chosen = new Set(['playlist.*', 'content.liked']);
  assert.deepEqual(
    [...withTypes(chosen, { types: ['playlist.created', 'content.created'], on: true }, ALL)],
    ['playlist.*', 'content.liked', 'content.created'],
  );
  assert.deepEqual(
    [...withTypes(chosen, { types: ['playlist.created'], on: false }, ALL)],
    ['content.liked', 'playlist.deleted'],
  );
  assert.deepEqual(
    [...withTypes(new Set(['*', 'playlist.*']), { types: ['playlist.created'], on: false }, ALL)],
    ['content.created', 'content.liked', 'playlist.deleted'],
  );
});

test('wildcards are explained', () => {
  assert.equal(wildcardMeaning('content.liked'), null);
  assert.match(wildcardMeaning('content.*') ?? '', /begin with content\.,/);
  assert.match(wildcardMeaning('*') ?? '', /^All events,/);
});
