import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HoldRules, hasBlockedWord, whyHeld } from './hold-rules.ts';

describe('blocked words', () => {
  const cases: [string, string[], boolean][] = [
    ['What a Spam!', ['spam'], true],
    ['spamming is something else', ['spam'], false],
    ['un spâm', ['SPAM'], true],
    ['СПАМ здесь', ['спам'], true],
    ['ｓｐａｍ in wide letters', ['spam'], true],
    ['buy   now, friends', ['Buy now'], true],
    ['buy it now', ['buy now'], false],
    ['class dismissed', ['ass'], false],
    ['a 🍆 here', ['🍆'], true],
    ['nothing', [], false],
    ['a.s.s', ['ass'], false],
  ];
  for (const [body, words, expected] of cases) {
    it(`${expected ? 'finds' : 'does not find'} ${JSON.stringify(words)} in ${JSON.stringify(body)}`, () => {
      assert.equal(hasBlockedWord(body, words), expected);
    });
  }
});

describe('what is held', () => {
  const none: HoldRules = { mode: 'ENABLED', blockedWords: [], holdLinks: false };
  const cases: [string, HoldRules, ReturnType<typeof whyHeld>][] = [
    ['see https://example.com', none, null],
    ['see https://example.com', { ...none, holdLinks: true }, 'LINK'],
    ['see www.example.com', { ...none, holdLinks: true }, 'LINK'],
    ['see example.com/offer', { ...none, holdLinks: true }, 'LINK'],
    ['1/2 of it, and/or more. Really', { ...none, holdLinks: true }, null],
    ['fine', { ...none, mode: 'HOLD_ALL' }, 'ALL'],
    ['a bad https://x.y', { mode: 'ENABLED', blockedWords: ['bad'], holdLinks: true }, 'BLOCKED_WORD'],
  ];
  for (const [body, rules, expected] of cases) {
    it(`${JSON.stringify(body)} is held for ${expected}`, () => assert.equal(whyHeld(body, rules), expected));
  }
});
