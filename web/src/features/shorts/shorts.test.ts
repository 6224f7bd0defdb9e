import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedCommand, hasPlayer, placeAfter } from './feed-keys.ts';

test('keys move through the feed, and stay within it', () => {
  assert.deepEqual(['ArrowDown', 'k', ' ', 'm', 'x'].map(feedCommand), ['next', 'previous', 'toggle', 'mute', null]);
  assert.deepEqual([placeAfter('next', 0, 3), placeAfter('next', 2, 3), placeAfter('previous', 0, 3)], [1, 2, 0]);
  assert.deepEqual([placeAfter('first', 2, 3), placeAfter('toggle', 1, 3), placeAfter('next', 0, 0)], [0, 1, 0]);
});

test('the shown short and the next one have a player', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((place) => hasPlayer(place, 1)),
    [false, true, true, false],
  );
});
