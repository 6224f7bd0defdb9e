import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { JWTPayload } from 'jose';
import { CLIENT_ID } from './provider.fixture.ts';
import { openSignOnWorld, type SignOnWorld } from './testing.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const PATH = 'oidc/sso/back-channel-logout';

describe('logout by the back channel', () => {
  let world: SignOnWorld;
  before(async () => {
    world = await openSignOnWorld();
    for (const subject of ['ann', 'ben'])
      world.provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true });
  });
  after(() => world.close());
  let [first, second, other] = ['', '', ''];
  beforeEach(async () => {
    [first, second, other] = [
      (await world.signIn('ann')).cookie,
      (await world.signIn('ann')).cookie,
      (await world.signIn('ben')).cookie,
    ];
  });

  const nowSeconds = () => Math.floor(world.platform.clock.now() / 1_000);
  const claims = (more: JWTPayload = {}): JWTPayload => ({
    ...{ iss: world.provider.issuer, aud: CLIENT_ID, iat: nowSeconds(), exp: nowSeconds() + 120, jti: randomUUID() },
    ...{ sub: 'ann', events: { [EVENT]: {} } },
    ...more,
  });
  const logOut = async (token: JWTPayload | string) =>
    world.form(PATH, { logout_token: typeof token === 'string' ? token : await world.provider.sign(token) });
  const isSignedIn = async (cookie: string) => (await world.get('get-session', cookie)).body !== null;
  const signedIn = async () => [await isSignedIn(first), await isSignedIn(second), await isSignedIn(other)];

  it('ends all sessions of the person', async () => {
    assert.deepEqual(await signedIn(), [true, true, true]);
    assert.equal((await logOut(claims())).status, 200);
    assert.deepEqual(await signedIn(), [false, false, true]);
  });

  it('ends the sessions of one session at the provider', async () => {
    const sids: string[] = [];
    world.provider.tamper = (token) => {
      sids.push(String(token.sid));
      return token;
    };
    const third = (await world.signIn('ann')).cookie;
    world.provider.tamper = null;
    const { sub: _, ...rest } = claims({ sid: sids[0] });
    assert.match(sids[0] ?? '', /^[\w-]+$/);
    assert.equal((await logOut(rest)).status, 200);
    assert.deepEqual([await isSignedIn(third), ...(await signedIn())], [false, true, true, true]);
  });

  const refused: readonly (readonly [string, (valid: JWTPayload) => JWTPayload])[] = [
    ['another issuer', (valid) => ({ ...valid, iss: 'https://elsewhere.example' })],
    ['another audience', (valid) => ({ ...valid, aud: 'another-client' })],
    ['no audience', ({ aud: __, ...valid }) => valid],
    ['an expired one', (valid) => ({ ...valid, exp: nowSeconds() - 120 })],
    ['an old one', (valid) => ({ ...valid, iat: nowSeconds() - 600 })],
    ['one of the future', (valid) => ({ ...valid, iat: nowSeconds() + 600 })],
    ['no iat', ({ iat: __, ...valid }) => valid],
    ['no jti', ({ jti: __, ...valid }) => valid],
    ['a nonce', (valid) => ({ ...valid, nonce: 'any' })],
    ['no events', ({ events: __, ...valid }) => valid],
    ['another event', (valid) => ({ ...valid, events: { 'https://example.com/event': {} } })],
    ['an event that is no object', (valid) => ({ ...valid, events: { [EVENT]: true } })],
    ['neither sub nor sid', ({ sub: __, ...valid }) => valid],
  ];
  for (const [what, change] of refused)
    it(`refuses ${what}`, async () => {
      const rows = await world.rows();
      const { status, body } = await logOut(change(claims()));
      assert.deepEqual([status, body.error], [400, 'invalid_request']);
      assert.deepEqual(await world.rows(), rows);
    });

  it('refuses other signatures, ID tokens and what is no token', async () => {
    let idToken = '';
    world.provider.tamper = (token) => {
      idToken = JSON.stringify(token);
      return token;
    };
    await world.signIn('ann');
    world.provider.tamper = null;
    const rows = await world.rows();
    const signed = await world.provider.sign(claims());
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${signed.split('.')[1]}.`;
    for (const token of [
      await world.provider.sign(claims(), { foreign: true }),
      await world.provider.sign(claims(), { alg: 'HS256' }),
      await world.provider.sign(JSON.parse(idToken) as JWTPayload),
      unsigned,
      `${signed.slice(0, -4)}AAAA`,
      'nonsense',
      '',
    ])
      assert.equal((await logOut(token)).status, 400, token.slice(0, 20));
    assert.deepEqual(await world.rows(), rows);
  });

  it('takes a token once', async () => {
    const token = await world.provider.sign(claims({ sub: 'ben' }));
    assert.equal((await logOut(token)).status, 200);
    other = (await world.signIn('ben')).cookie;
    assert.deepEqual((await logOut(token)).body, {
      error: 'invalid_request',
      error_description: 'the token was used before',
    });
    assert.equal(await isSignedIn(other), true);
  });
});
