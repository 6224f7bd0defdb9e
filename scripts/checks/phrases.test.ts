import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findPhrases, phrasesIn } from './phrases.ts';

describe('phrases with an established term', () => {
  for (const [what, text, found] of [
    [
      'in code',
      "const fix = 'ok';\nlog.warn('it will be tried again');\n",
      ['a.ts:2 says "will be tried again": write will be retried'],
    ],
    [
      'whatever their case',
      '/** House rules of imports. */\n',
      ['a.ts:1 says "House rules": write architecture checks'],
    ],
    [
      'across the lines of a comment',
      '/**\n * The sums are made\n * anew.\n */\n',
      ['a.ts:2 says "made anew": write again, or a verb such as rebuild'],
    ],
    ['never within other words', 'const trailerMade = anewton;\n', []],
    ['not where the term is used', "log.warn('it will be retried');\n", []],
  ] as const) {
    test(`are found ${what}`, () => {
      assert.deepEqual(phrasesIn('a.ts', text), found);
    });
  }

  test('are not in the repository', async () => {
    assert.deepEqual(await findPhrases(), []);
  });
});
