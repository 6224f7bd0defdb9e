import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../platform/db/statement.ts';
import { adminUsage, isAdminCommand, runAdminCommand } from './admin-commands.ts';
import { authorizeViewer } from './keys/key-access.policy.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform } from './testing.ts';
import { keyReader } from './tokens/key-reader.ts';
import { readViewer } from './viewers.store.ts';

describe('operator commands', () => {
  let platform: AccountsTestPlatform;
  before(async () => {
    platform = await createAccountsTestPlatform({ DID_NAMESPACE: 'demo' });
  });
  after(() => platform.close());

  async function done(...argv: string[]) {
    const result = await runAdminCommand(argv, platform);
    assert.equal(result.exitCode, 0, result.stderr);
    return JSON.parse(result.stdout);
  }
  async function refused(...argv: string[]) {
    const result = await runAdminCommand(argv, platform);
    assert.deepEqual([result.exitCode, result.stdout], [1, '']);
    return JSON.parse(result.stderr).error;
  }
  async function verdictOn(apiKey: string) {
    const viewer = await readViewer(platform.db, keyReader(platform.secrets)(apiKey), platform.clock.now());
    return viewer === null ? 'unknown' : authorizeViewer(viewer, 'content:create', platform.clock.now()).kind;
  }
  const create = (name: string, ...more: string[]) =>
    done('create-account', '--email', `${name}@example.com`, '--username', name, ...more);

  it('create an account with a working key, and print identifiers, key and the generated password', async () => {
    const account = await create('anna', '--plan', 'CREATOR_PLUS', '--api-key');
    assert.match(account.accountId, /^did:demo:user\/[0-9a-f-]{36}$/);
    assert.match(account.channelId, /^did:demo:channel\/[0-9a-f-]{36}$/);
    assert.match(account.apiKey, /^rg_/);
    assert.equal(account.password.length, 20);
    assert.equal(await verdictOn(account.apiKey), 'allow');
  });

  it('do not print a given password, and create no key unless requested', async () => {
    assert.deepEqual(Object.keys(await create('berta', '--password', 'correct horse')), [
      'accountId',
      'channelId',
      'email',
      'username',
    ]);
  });

  it('leave nothing when the key is not possible on the plan', async () => {
    const error = await refused(
      'create-account',
      '--email',
      'cora@example.com',
      '--username',
      'cora',
      '--plan',
      'FREE',
      '--api-key',
    );
    assert.deepEqual([error.code, /no developer access/.test(error.message)], ['UNAUTHORIZED', true]);
    assert.equal(
      await platform.db.first(sql('test_cora', `select 1 as one from channels where handle = 'cora'`), []),
      null,
    );
  });

  it('say which name is taken', async () => {
    await create('dora');
    const error = await refused('create-account', '--email', 'dora@example.com', '--username', 'dora2');
    assert.deepEqual([error.code, error.field], ['RESOURCE_ALREADY_EXISTS', 'email']);
  });

  it('set a subscription so that a key stops and starts working', async () => {
    const { apiKey } = await create('emma', '--plan', 'CREATOR_PLUS', '--api-key');
    const expired = await done(
      'set-subscription',
      '--username',
      'emma',
      '--plan',
      'CREATOR_PLUS',
      '--state',
      'TRIALING',
      '--ends-at',
      '2020-01-01T00:00:00Z',
    );
    assert.deepEqual([expired.state, expired.accessUntil], ['TRIALING', '2020-01-01T00:00:00.000Z']);
    assert.equal(await verdictOn(apiKey), 'deny');
    const active = await done('set-subscription', '--email', 'Emma@Example.com', '--plan', 'premium_plus');
    assert.deepEqual([active.plan, active.state, active.accessUntil], ['PREMIUM_PLUS', 'ACTIVE', 'infinity']);
    assert.equal(await verdictOn(apiKey), 'allow');
  });

  it('list accounts without keys or passwords', async () => {
    const { apiKey } = await create('fina', '--plan', 'CREATOR_PLUS', '--api-key');
    const text = JSON.stringify(await done('list-accounts'));
    assert.match(text, /"username":"fina"/);
    assert.match(text, new RegExp(`"apiKeyHint":"${apiKey.slice(0, 7)}…${apiKey.slice(-4)}"`));
    assert.equal(text.includes(apiKey), false);
  });

  it('revoke a key at once', async () => {
    const { apiKey } = await create('gina', '--plan', 'CREATOR_PLUS', '--api-key');
    assert.equal((await done('revoke-key', '--username', 'gina')).revoked, true);
    assert.equal(await verdictOn(apiKey), 'unknown');
    assert.equal((await done('revoke-key', '--username', 'gina')).revoked, false);
  });

  it('reset a password and end the sessions', async () => {
    await create('hanna');
    const add =
      `insert into sessions (id, account_id, token, expires_at) select gen_random_uuid(), id, 'hanna-token', ` +
      `now() + interval '1 day' from accounts where username = 'hanna'`;
    await platform.db.run(sql('test_session', add), []);
    const { password } = await done('reset-password', '--username', 'hanna');
    assert.equal(password.length, 20);
    assert.equal(
      await platform.db.first(sql('test_sessions', `select 1 as one from sessions where token = 'hanna-token'`), []),
      null,
    );
    assert.equal((await refused('reset-password', '--username', 'hanna', '--password', 'short')).field, 'password');
  });

  it('report an account that does not exist', async () => {
    assert.equal((await refused('revoke-key', '--username', 'nobody')).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await refused('revoke-key', '--email', 'nobody@example.com')).code, 'RESOURCE_NOT_FOUND');
  });

  for (const [name, argv] of [
    ['no command', []],
    ['an unknown command', ['drop-everything']],
    ['a name of Object.prototype', ['toString']],
    ['an unknown flag', ['list-accounts', '--all']],
    ['a missing flag', ['create-account', '--email', 'x@example.com']],
    ['a flag without its value', ['create-account', '--email']],
    ['a word too many', ['list-accounts', 'now']],
    ['an unknown plan', ['set-subscription', '--username', 'emma', '--plan', 'GOLD']],
    ['a state without a plan', ['create-account', '--email', 'x@example.com', '--username', 'xx', '--state', 'ACTIVE']],
    [
      'a time that is none',
      ['set-subscription', '--username', 'emma', '--plan', 'CREATOR_PLUS', '--state', 'TRIALING', '--ends-at', 'soon'],
    ],
    ['neither email nor username', ['revoke-key']],
    ['both email and username', ['revoke-key', '--username', 'emma', '--email', 'emma@example.com']],
  ] as const) {
    it(`end with status 2 and the usage when called with ${name}`, async () => {
      const result = await runAdminCommand(argv, platform);
      assert.equal(result.exitCode, 2);
      assert.equal(result.stdout, '');
      assert.ok(result.stderr.endsWith(adminUsage()));
    });
  }

  it('tell without a database whether a call can work', () => {
    assert.equal(isAdminCommand(['list-accounts']), true);
    assert.equal(isAdminCommand(['list-accounts', '--all']), false);
    assert.equal(isAdminCommand([]), false);
  });
});
