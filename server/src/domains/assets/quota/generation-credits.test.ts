import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCredits, creditsFor, creditsLeft } from './generation-credits.policy.ts';

const MINUTE = 60_000;

test('credits count started minutes, and the pixels of enlarged pictures', () => {
  const sound = [0, 1, MINUTE, MINUTE + 1, 90 * MINUTE].map((ms) => creditsFor({ kind: 'UPMIX' }, ms));
  assert.deepEqual(sound, [1, 1, 1, 2, 90]);
  assert.deepEqual([creditsFor({ kind: 'SPEECH' }, MINUTE), creditsFor({ kind: 'TRANSLATION' }, MINUTE)], [1, 1]);
  const targets = [360, 480, 720, 1080, 1440, 2160, 4320];
  assert.deepEqual(
    targets.map((target) => creditsFor({ kind: 'UPSCALE', target }, 3 * MINUTE)),
    [6, 6, 6, 12, 24, 48, 192],
  );
});

test('what is left is never negative, as after a change of plan', () => {
  const limits = { name: 'Free', generationCredits: 60 };
  assert.deepEqual([creditsLeft(limits, 0), creditsLeft(limits, 59), creditsLeft(limits, 300)], [60, 1, 0]);
});

test('an order that just fits is accepted; a larger one is refused with what is left, and when there are more', () => {
  const facts = { limits: { name: 'Free', generationCredits: 60 }, nowMs: Date.UTC(2026, 11, 31), field: 'id' };
  assert.equal(checkCredits({ ...facts, spent: 50, credits: 10 }), null);
  const error = checkCredits({ ...facts, spent: 50, credits: 11 }) ?? assert.fail('it is accepted');
  assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
  assert.equal(
    error.message,
    "This takes 11 credits, but 10 of the 60 credits per month in the Free plan of the channel's owner are left.",
  );
  assert.match(error.suggestedFix ?? '', /^Order it from 2027-01-01 on, or choose a plan with more credits/);
});
