import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_MENTIONS, mentionedNames } from './comment-input.ts';

describe('mentioned names', () => {
  const cases: [string, string[]][] = [
    ['hello @anna and @Bert_2', ['anna', 'bert_2']],
    ['thanks @anna.', ['anna.', 'anna']],
    ['@anna @ANNA', ['anna']],
    ['mail me at a@example.com', []],
    ['(@anna), "@bert"', ['anna', 'bert']],
    ['@@anna @ anna', []],
    ['no one', []],
  ];
  for (const [body, names] of cases) {
    it(`in ${JSON.stringify(body)} are ${JSON.stringify(names)}`, () => assert.deepEqual(mentionedNames(body), names));
  }

  it(`are the first ${MAX_MENTIONS}`, () => {
    const body = Array.from({ length: 50 }, (_, index) => `@name${index}`).join(' ');
    assert.equal(mentionedNames(body).length, MAX_MENTIONS);
  });
});
