import assert from 'node:assert/strict';
import { it } from 'node:test';
import { totpStepOf } from './totp-step.ts';

/** Of RFC 6238, appendix B, with the last six digits of its codes. */
const SECRET = '12345678901234567890';

it('a code is of the step in which RFC 6238 has it, seen from the steps around it', () => {
  assert.equal(totpStepOf(SECRET, '287082', 59_000), 1);
  for (const [code, step] of [
    ['081804', 37_037_036],
    ['353130', 666_666_666],
  ] as const) {
    const seenFrom = [-3, -2, -1, 0, 1, 2].map((offset) => totpStepOf(SECRET, code, (step + offset) * 30_000 + 29_999));
    assert.deepEqual(seenFrom, [null, step, step, step, step, null]);
  }
});

it('other codes are of none', () => {
  for (const code of ['000000', '28708', '2870820', '']) assert.equal(totpStepOf(SECRET, code, 59_000), null, code);
});
