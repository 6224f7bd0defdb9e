import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { until } from '../../../testing/until.ts';
import { createTestAccount } from '../testing.ts';
import { openSignOnWorld, type SignOnWorld } from './testing.ts';

const IDENTITIES = sql(
  'test_identities',
  `select c.provider_id as issuer, c.provider_account_id as subject from credentials c
   join accounts a on a.id = c.account_id where a.username = $1::citext and c.provider_id <> 'credential'`,
);
const SET_CONFIRMED = sql('test_confirmed', 'update accounts set email_verified = true where username = $1::citext');
const SET_FACTOR = sql('test_factor', 'update accounts set two_factor_enabled = true where username = $1::citext');

describe('signing in at a provider', () => {
  let world: SignOnWorld;
  before(async () => {
    world = await openSignOnWorld();
  });
  after(() => world.close());

  const person = (subject: string, more: object = {}) =>
    world.provider.people.set(subject, {
      ...{ email: `${subject}@example.com`, email_verified: true, name: `Person ${subject}` },
      ...{ preferred_username: subject, ...more },
    });
  const identities = (username: string) => world.platform.db.run(IDENTITIES, [username]);
  /** What a person is refused with; every row must be as before. */
  async function refusal(subject: string) {
    const rows = await world.rows();
    const { error, cookie } = await world.signIn(subject);
    assert.deepEqual(await world.rows(), rows);
    assert.doesNotMatch(cookie, /session_token/);
    return error;
  }

  it('creates an account, and finds it again', async () => {
    person('ada');
    const first = await world.signIn('ada', { next: '/studio' });
    assert.deepEqual(first.body, { status: 'SIGNED_IN', next: '/studio' });
    const { body: session } = await world.get('get-session', first.cookie);
    assert.deepEqual(
      [session.user.username, session.user.email, session.user.emailVerified, session.user.name],
      ['ada', 'ada@example.com', true, 'Person ada'],
    );
    person('ada', { email: 'ada.new@example.com', preferred_username: 'other' });
    const second = await world.signIn('ada');
    const { body: again } = await world.get('get-session', second.cookie);
    assert.deepEqual([again.user.id, again.user.email], [session.user.id, 'ada@example.com']);
    assert.deepEqual(await identities('ada'), [{ issuer: `${world.provider.issuer}/`, subject: 'ada' }]);
  });

  it('chooses a free username', async () => {
    person('bob1', { preferred_username: 'Ada' });
    const { cookie } = await world.signIn('bob1');
    assert.match((await world.get('get-session', cookie)).body.user.username, /^Ada_\d{1,3}$/);
    person('bob2', { preferred_username: 'Zoë van Dam@example.com' });
    const other = await world.signIn('bob2');
    assert.equal((await world.get('get-session', other.cookie)).body.user.username, 'Zoe_van_Dam');
  });

  it('is linked to the account with the verified address', async () => {
    await createTestAccount(world.platform, 'carl', 'FREE');
    await world.platform.db.run(SET_CONFIRMED, ['carl']);
    person('c-1', { email: 'CARL@example.com' });
    const { cookie } = await world.signIn('c-1');
    assert.equal((await world.get('get-session', cookie)).body.user.username, 'carl');
    assert.equal((await identities('carl')).length, 1);
  });

  it('is not linked to an account whose address nobody confirmed', async () => {
    await createTestAccount(world.platform, 'dora', 'FREE');
    person('d-1', { email: 'dora@example.com' });
    assert.deepEqual((await refusal('d-1'))?.code, 'RESOURCE_ALREADY_EXISTS');
  });

  it('is not linked to an account with a second factor', async () => {
    await createTestAccount(world.platform, 'emil', 'FREE');
    await world.platform.db.run(SET_CONFIRMED, ['emil']);
    await world.platform.db.run(SET_FACTOR, ['emil']);
    person('e-1', { email: 'emil@example.com' });
    assert.deepEqual((await refusal('e-1'))?.code, 'RESOURCE_ALREADY_EXISTS');
  });

  it('is refused with an address that the provider has not verified', async () => {
    await createTestAccount(world.platform, 'frida', 'FREE');
    await world.platform.db.run(SET_CONFIRMED, ['frida']);
    for (const more of [{ email_verified: false }, { email_verified: 'true' }, { email: undefined }]) {
      person('f-1', { email: 'frida@example.com', ...more });
      assert.equal((await refusal('f-1'))?.code, 'UNAUTHORIZED', JSON.stringify(more));
    }
  });

  it('is refused for a suspended account', async () => {
    await world.platform.db.run(
      sql(
        'test_suspend',
        `update accounts set suspended_at = now(), suspension_reason = 'Spam' where username = 'carl'`,
      ),
      [],
    );
    assert.equal((await refusal('c-1'))?.code, 'ACCOUNT_SUSPENDED');
  });

  for (const [what, tamper] of [
    ['issuer', { iss: 'https://elsewhere.example' }],
    ['audience', { aud: 'another-client' }],
    ['nonce', { nonce: 'another' }],
    ['expiry', { exp: 1_700_000_000 }],
  ] as const)
    it(`is refused with a wrong ${what}`, async () => {
      world.provider.tamper = (claims) => ({ ...claims, ...tamper });
      try {
        assert.equal((await refusal('ada'))?.code, 'UNAUTHENTICATED');
      } finally {
        world.provider.tamper = null;
      }
    });

  it('needs the state of the same browser, once', async () => {
    const { body, cookie } = await world.post('oidc/start', { provider: 'sso' });
    const query = await world.provider.signIn(body.url, 'ada');
    const rows = await world.rows();
    for (const [sent, cookies] of [
      [query, ''],
      [query, (await world.post('oidc/start', { provider: 'sso' })).cookie],
      [query.replace(/state=[^&]+/, 'state=other'), cookie],
      ['', cookie],
    ] as const)
      assert.equal((await world.post('oidc/finish', { provider: 'sso', query: sent }, cookies)).status, 400);
    assert.deepEqual(await world.rows(), rows);
    assert.equal((await world.post('oidc/finish', { provider: 'sso', query }, cookie)).status, 200);
    const replayed = await world.post('oidc/finish', { provider: 'sso', query }, cookie);
    assert.equal(replayed.error?.code, 'UNAUTHENTICATED');
  });

  it('says that the person declined', async () => {
    const { body, cookie } = await world.post('oidc/start', { provider: 'sso' });
    const state = new URL(body.url).searchParams.get('state') ?? '';
    const query = `${new URLSearchParams({ error: 'access_denied', state, iss: world.provider.issuer })}`;
    const { error } = await world.post('oidc/finish', { provider: 'sso', query }, cookie);
    assert.match(error?.message ?? '', /cancelled/);
  });

  it('sends a challenge, a state and a nonce', async () => {
    const { body } = await world.post('oidc/start', { provider: 'sso' });
    const { searchParams: sent } = new URL(body.url);
    assert.equal(sent.get('code_challenge_method'), 'S256');
    assert.equal(sent.get('redirect_uri'), 'http://reelgraph.test/sign-in/sso');
    for (const name of ['code_challenge', 'state', 'nonce']) assert.match(sent.get(name) ?? '', /^[\w-]{43}$/, name);
  });

  it('follows a provider that changes its keys', async () => {
    await world.provider.rotateKeys();
    await until(async () => (await world.signIn('ada')).status === 200, 'the new key is read');
  });

  it('follows a provider whose endpoints move', async () => {
    await world.provider.move('/moved');
    world.platform.clock.advance(61_000);
    assert.equal((await world.signIn('ada')).status, 200);
    assert.ok(world.provider.requests.includes('/moved/token'));
  });

  it('fails after a bound at a provider that hangs, and works again afterwards', async () => {
    world.platform.clock.advance(61_000);
    world.provider.hangs = true;
    const startedMs = performance.now();
    const { error } = await world.post('oidc/start', { provider: 'sso' });
    assert.deepEqual([error?.code, error?.message], ['SERVICE_UNAVAILABLE', 'Example SSO does not respond.']);
    assert.ok(performance.now() - startedMs < 10_000);
    world.provider.hangs = false;
    assert.equal((await world.signIn('ada')).status, 200);
  });

  it('names no provider that does not exist', async () => {
    assert.equal((await world.post('oidc/start', { provider: 'other' })).error?.code, 'RESOURCE_NOT_FOUND');
  });
});

describe('sign-up at a provider', () => {
  for (const [mode, code] of [
    ['closed', 'UNAUTHORIZED'],
    ['invite', 'UNAUTHORIZED'],
  ] as const)
    it(`is refused where sign-up is ${mode}`, async () => {
      const world = await openSignOnWorld({ SIGN_UP: mode });
      try {
        world.provider.people.set('gus', { email: 'gus@example.com', email_verified: true });
        const rows = await world.rows();
        assert.equal((await world.signIn('gus')).error?.code, code);
        assert.deepEqual(await world.rows(), rows);
      } finally {
        await world.close();
      }
    });

  it('takes an invitation', async () => {
    const world = await openSignOnWorld({ SIGN_UP: 'invite' });
    try {
      const { createInvitation } = await import('../operators/invitations.ts');
      const { code } = await createInvitation(world.platform, null, {});
      world.provider.people.set('hal', { email: 'hal@example.com', email_verified: true });
      assert.equal((await world.signIn('hal', { invitation: `${code}x` })).error?.code, 'INVALID_INPUT');
      assert.equal((await world.signIn('hal', { invitation: code })).status, 200);
      world.provider.people.set('ida', { email: 'ida@example.com', email_verified: true });
      assert.equal((await world.signIn('ida', { invitation: code })).error?.code, 'INVALID_INPUT');
    } finally {
      await world.close();
    }
  });
});
