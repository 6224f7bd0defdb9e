import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertPasswordStrong } from './password-strength.ts';

const OWNER = { email: 'jane.wanderer@example.com', username: 'jane_w' };

describe('passwords', () => {
  for (const password of [
    'password',
    'Password1',
    'P@ssw0rd!',
    'qwertyuiop',
    '1q2w3e4r5t',
    'sunshine1',
    'drowssap',
    'aaaaaaaaaaaa',
    'abcdefghij',
    '19901231',
    '0123456789'.repeat(12),
    'x'.repeat(128),
    'aB3$'.repeat(32),
  ]) {
    it(`that are guessed soon are refused: ${password.slice(0, 20)}`, () =>
      assert.rejects(assertPasswordStrong(password, OWNER, 'newPassword'), {
        code: 'INVALID_INPUT',
        field: 'newPassword',
        message: /too easy to guess/,
        suggestedFix: /unrelated words/,
      }));
  }

  for (const password of [
    'jane.wanderer@example.com',
    'Jane.Wanderer',
    'jane.wanderer1',
    'JANE_W2024',
    'rerednaw.enaj',
  ]) {
    it(`that are the email address or the username are refused: ${password}`, () =>
      assert.rejects(assertPasswordStrong(password, OWNER), {
        field: 'password',
        message: /email address or the username/,
      }));
  }

  for (const password of [
    'correct horse',
    'battery staple',
    'zq8Kf2mP',
    'tulpe-regen-92-hafen',
    'пароль надолго вперёд',
  ]) {
    it(`that are not are accepted: ${password}`, () => assertPasswordStrong(password, OWNER));
  }
});
