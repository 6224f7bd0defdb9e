import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forcedFor } from './forced-captions.ts';

const cases: [audio: string, tracks: string[], shown: string | null][] = [
  ['de', ['en', 'de'], 'de'],
  ['de-AT', ['de', 'de-AT'], 'de-AT'],
  ['de-AT', ['en', 'de-DE'], 'de-DE'],
  ['fr', ['en', 'de'], null],
  ['', ['en', 'de'], 'en'],
  ['de', [], null],
  ['', [], null],
];
for (const [audio, tracks, shown] of cases)
  test(`of forced captions in ${tracks.join(', ') || 'no language'}, audio in "${audio}" gets ${shown}`, () => {
    const found = forcedFor(
      audio,
      tracks.map((language) => ({ language })),
    );
    assert.equal(found?.language ?? null, shown);
  });
