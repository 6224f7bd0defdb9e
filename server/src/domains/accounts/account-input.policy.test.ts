import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkAccountInput, checkEmail, checkPassword, checkUsername } from './account-input.policy.ts';

const field = (name: string, code: string) => ({ code, field: name });

describe('account input', () => {
  for (const email of ['a@example.com', 'First.Last+tag@sub.example.co.uk', "o'brien@example.com", ' a@example.com ']) {
    it(`accepts the address ${email}, in lower case`, () =>
      assert.equal(checkEmail(email), email.trim().toLowerCase()));
  }
  for (const email of [
    'a',
    'a@b',
    'ü@example.com',
    '@example.com',
    'a@example',
    'a b@example.com',
    'a@exa mple.com',
    'a@@example.com',
    'a@-x.com',
    'a\r\n@example.com',
    '<a@example.com>',
    `a@${'b'.repeat(250)}.com`,
  ]) {
    it(`refuses the address ${JSON.stringify(email).slice(0, 40)}`, () =>
      assert.throws(() => checkEmail(email), field('email', 'INVALID_INPUT')));
  }

  for (const username of ['jo', '_x', '0day', 'Jane.Doe-1', 'a'.repeat(39)]) {
    it(`accepts the username ${username}`, () => assert.equal(checkUsername(username), username));
  }
  for (const username of ['j', '-x', '.x', 'a b', 'ä1', 'a/b', 'a\u0000b', 'a'.repeat(40)]) {
    it(`refuses the username ${JSON.stringify(username)}`, () =>
      assert.throws(() => checkUsername(username), field('username', 'INVALID_INPUT')));
  }

  it('does not trim passwords', () => {
    assert.equal(checkPassword('  eight ch '), '  eight ch ');
    assert.throws(() => checkPassword('1234567'), field('password', 'INVALID_INPUT'));
    assert.throws(() => checkPassword(12345678), field('password', 'FIELD_REQUIRED'));
    assert.throws(() => checkPassword('', 'newPassword'), field('newPassword', 'FIELD_REQUIRED'));
  });

  it('defaults the name to the username', () => {
    const input = { email: 'a@example.com', username: 'jane', password: 'correct horse', name: undefined };
    assert.equal(checkAccountInput(input).name, 'jane');
    assert.equal(checkAccountInput({ ...input, name: ' Jane Doe ' }).name, 'Jane Doe');
    assert.throws(() => checkAccountInput({ ...input, name: 'x'.repeat(101) }), field('name', 'INVALID_INPUT'));
    assert.throws(() => checkAccountInput({ ...input, name: 'a\nb' }), field('name', 'INVALID_INPUT'));
    assert.throws(() => checkAccountInput({ ...input, name: '  ' }), field('name', 'FIELD_REQUIRED'));
  });

  it('reads every address in linear time', () => {
    const started = process.cpuUsage();
    assert.throws(() => checkEmail(`a@${'a-'.repeat(100_000)}`));
    assert.throws(() => checkEmail(`a@${'a.'.repeat(120)}`));
    assert.ok(process.cpuUsage(started).user < 200_000);
  });
});
