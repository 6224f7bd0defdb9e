import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decideTest } from './decide-test.ts';
import { explainTest } from './explain-test.ts';

const DAY_MS = 86_400_000;
const FACTS = { startedAtMs: 0, minDays: 2, maxDays: 7, viewers: [100, 159, 100], isPublic: true, isChanged: false };

it('a test is decided by its time, its clicks and its content', () => {
  const decided = (days: number, more: Partial<typeof FACTS> = {}) => {
    const end = decideTest({ ...FACTS, ...more }, days * DAY_MS);
    return end && [end.state, end.reason, end.winner];
  };
  assert.equal(decided(1.99), null);
  assert.deepEqual(decided(2), ['WON', 'WINNER_FOUND', 1]);
  assert.equal(decided(2, { viewers: [100, 158, 100] }), null);
  assert.equal(decided(6.99, { viewers: [100, 158, 100] }), null);
  assert.deepEqual(decided(7, { viewers: [100, 158, 100] }), ['NO_DIFFERENCE', 'TIME_OVER', null]);
  assert.deepEqual(decided(7, { viewers: [100, 151] }), ['WON', 'WINNER_FOUND', 1]);
  assert.deepEqual(decided(0, { isChanged: true }), ['STOPPED', 'CONTENT_CHANGED', null]);
  assert.deepEqual(decided(7, { isChanged: true, isPublic: false }), ['STOPPED', 'NOT_PUBLIC', null]);
});

it('a test is explained in a sentence', () => {
  const facts = { reason: null, winner: null, maxDays: 14 } as const;
  const cases = [
    [{ ...facts, state: 'RUNNING', viewers: [0, 0] }, 'Running; no clicks yet.'],
    [{ ...facts, state: 'RUNNING', viewers: [1, 0] }, 'Running; 1 viewer clicked: 1 A, 0 B.'],
    [{ ...facts, state: 'RUNNING', viewers: [9, 8, 7] }, 'Running; 24 viewers clicked: 9 A, 8 B, 7 C.'],
    [
      { ...facts, state: 'WON', reason: 'WINNER_FOUND', winner: 1, viewers: [100, 151] },
      'B is clicked 51 % more often than the original (251 viewers clicked).',
    ],
    [
      { ...facts, state: 'WON', reason: 'WINNER_FOUND', winner: 1, viewers: [0, 29] },
      'B is clicked more often than every other variant (29 viewers clicked).',
    ],
    [
      { ...facts, state: 'WON', reason: 'WINNER_FOUND', winner: 0, viewers: [151, 100] },
      'A, the original, is clicked more often than every other variant (251 viewers clicked).',
    ],
    [
      { ...facts, state: 'NO_DIFFERENCE', reason: 'TIME_OVER', viewers: [4, 5], maxDays: 1 },
      'In 1 day no variant was clicked measurably more often (9 viewers clicked).',
    ],
    [
      { ...facts, state: 'STOPPED', reason: 'CONTENT_CHANGED', viewers: [1, 0] },
      'Stopped because the title or an image of the content was changed (1 viewer clicked).',
    ],
    [
      { ...facts, state: 'STOPPED', reason: 'NOT_PUBLIC', viewers: [1, 1] },
      'Stopped because the content is no longer public (2 viewers clicked).',
    ],
  ] as const;
  for (const [test, sentence] of cases) assert.equal(String(explainTest(test)), sentence);
});
