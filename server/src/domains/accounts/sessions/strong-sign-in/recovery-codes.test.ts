import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';

describe('recovery codes', () => {
  it('have one case and no characters that look alike', () => {
    const codes = newRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){2}$/);
  });

  for (const [typed, code] of [
    ['k7mw-q2fd-x9ha', 'k7mw-q2fd-x9ha'],
    ['k7mwq2fdx9ha', 'k7mw-q2fd-x9ha'],
    [' K7MW Q2FD\u2011X9HA ', 'k7mw-q2fd-x9ha'],
    ['Ab3De-fGh1J', 'Ab3De-fGh1J'],
    ['Ab3DefGh1J', 'Ab3De-fGh1J'],
    ['', ''],
  ] as const)
    it(`are read from ${JSON.stringify(typed)}`, () => assert.equal(readRecoveryCode(typed), code));
});
