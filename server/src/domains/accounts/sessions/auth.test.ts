import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { attemptsOf } from '../attempts/attempts.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform, serveRoutes } from '../testing.ts';
import { viewerSource } from '../viewer.sql.ts';
import { authRoutes } from './auth.routes.ts';
import { type Auth, createAuth } from './auth.ts';
import { createAccount } from './create-account.ts';
import { sessionTokenReader } from './session-cookie.ts';

const ORIGIN = 'http://reelgraph.test';
const VIEWER = sql('test_session_viewer', viewerSource.session);

describe('sign-up, sign-in and sessions', () => {
  let platform: AccountsTestPlatform;
  let server: Awaited<ReturnType<typeof serveRoutes>>;
  let closeAuth: () => Promise<void>;
  before(async () => {
    platform = await createAccountsTestPlatform();
    const auth = createAuth(platform, platform.databaseUrl);
    closeAuth = auth.close;
    server = await serveRoutes(routesOver(auth));
  });
  const routesOver = (auth: Auth) =>
    authRoutes({
      auth,
      platform,
      attempts: attemptsOf(platform),
      sessionTokenFrom: sessionTokenReader(platform.secrets, ORIGIN),
    });
  after(async () => {
    await server.close();
    await closeAuth();
    await platform.close();
  });

  let lastAddress = 0;
  /** Each call has its own address unless one is given, so that tests do not use up each other's attempts. */
  async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    lastAddress += 1;
    const from = `10.0.0.${lastAddress}`;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, 'x-test-address': from, ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${server.address}/api/auth${path}`, init);
    const text = await response.text();
    return { status: response.status, cookies: response.headers.getSetCookie(), body: JSON.parse(text) };
  }
  const cookieOf = (cookies: string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');
  const readToken = (cookie: string) => sessionTokenReader(platform.secrets, ORIGIN)({ headers: { cookie } });
  const viewerOf = (token: string | null) =>
    platform.db.first<Record<string, string>>(VIEWER, [token, new Date().toISOString()]);
  const person = (username: string) => ({
    email: `${username}@example.com`,
    username,
    password: 'correct horse',
    name: `Name of ${username}`,
  });
  async function countOf(username: string): Promise<unknown> {
    const text = `select (select count(*) from accounts where username = $1::citext) as accounts, (select count(*)
      from channels where handle = $1::citext) as channels,
      (select count(*) from credentials c join accounts a on a.id = c.account_id
        where a.username = $1::citext) as credentials`;
    return platform.db.first(sql('test_count', text), [username]);
  }

  it('creates an account, its channel, a Free subscription and a session', async () => {
    const response = await post('/sign-up/email', person('alice'));
    assert.equal(response.status, 200, JSON.stringify(response.body));
    assert.match(response.cookies[0] ?? '', /^reelgraph\.session_token=.*; HttpOnly; SameSite=Lax$/i);
    const token = readToken(cookieOf(response.cookies));
    const viewer = await viewerOf(token);
    assert.equal(viewer?.username, 'alice');
    assert.equal(viewer?.plan, 'FREE');
    assert.equal(viewer?.access_until, '-infinity');
    assert.match(String(viewer?.account_id), /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.match(String(viewer?.channel_id), /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.deepEqual(await countOf('alice'), { accounts: 1, channels: 1, credentials: 1 });
  });

  it('signs in with an address in any case; signing out ends the session immediately', async () => {
    await post('/sign-up/email', person('bob'));
    const signedIn = await post('/sign-in/email', { email: 'BOB@Example.com', password: 'correct horse' });
    assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body));
    const cookie = cookieOf(signedIn.cookies);
    const session = await fetch(`${server.address}/api/auth/get-session`, { headers: { cookie } });
    assert.match(await session.text(), /"username":"bob"/);
    const token = readToken(cookie);
    assert.ok(await viewerOf(token));
    assert.equal((await post('/sign-out', {}, { cookie })).status, 200);
    assert.equal(await viewerOf(token), null);
    const ended = await fetch(`${server.address}/api/auth/get-session`, { headers: { cookie } });
    assert.equal(await ended.json(), null);
  });

  it('returns the same response for a wrong password and an unknown address', async () => {
    await post('/sign-up/email', person('carol'));
    const wrong = await post('/sign-in/email', { email: 'carol@example.com', password: 'wrong horse' });
    const unknown = await post('/sign-in/email', { email: 'nobody@example.com', password: 'wrong horse' });
    assert.equal(wrong.status, 401);
    assert.equal(wrong.body.errors[0].code, 'UNAUTHENTICATED');
    assert.deepEqual(unknown, wrong);
    assert.deepEqual(wrong.cookies, []);
  });

  for (const [name, change, code, field] of [
    ['no email', { email: undefined }, 'FIELD_REQUIRED', 'email'],
    ['an email that is none', { email: 'carol' }, 'INVALID_INPUT', 'email'],
    ['an email that breaks lines', { email: 'a@example.com\nbcc: b@example.com' }, 'INVALID_INPUT', 'email'],
    ['no username', { username: undefined }, 'FIELD_REQUIRED', 'username'],
    ['a username of one letter', { username: 'x' }, 'INVALID_INPUT', 'username'],
    ['a username with a blank', { username: 'x y' }, 'INVALID_INPUT', 'username'],
    ['a username of the wrong type', { username: { a: 1 } }, 'INVALID_INPUT', 'username'],
    ['a short password', { password: 'short' }, 'INVALID_INPUT', 'password'],
    ['a huge password', { password: 'x'.repeat(129) }, 'INVALID_INPUT', 'password'],
    ['a name with control characters', { name: 'a\u0007b' }, 'INVALID_INPUT', 'name'],
  ] as const) {
    it(`refuses a sign-up with ${name}, naming the field, and writes nothing`, async () => {
      const response = await post('/sign-up/email', { ...person('dave'), ...change });
      assert.deepEqual([response.body.errors?.[0]?.code, response.body.errors?.[0]?.field], [code, field]);
      assert.deepEqual(await countOf('dave'), { accounts: 0, channels: 0, credentials: 0 });
    });
  }

  it('names what is in use: the address, the username, or the handle of a channel', async () => {
    await post('/sign-up/email', person('erin'));
    const sameEmail = await post('/sign-up/email', { ...person('erin2'), email: 'Erin@example.com' });
    assert.deepEqual(
      [sameEmail.status, sameEmail.body.errors[0].code, sameEmail.body.errors[0].field],
      [409, 'RESOURCE_ALREADY_EXISTS', 'email'],
    );
    const sameName = await post('/sign-up/email', { ...person('ERIN'), email: 'other@example.com' });
    assert.deepEqual([sameName.status, sameName.body.errors[0].field], [409, 'username']);
    await platform.db.run(sql('test_rename', `update channels set handle = 'famous' where handle = 'erin'`), []);
    const sameHandle = await post('/sign-up/email', person('famous'));
    assert.deepEqual([sameHandle.status, sameHandle.body.errors[0].field], [409, 'username']);
    assert.deepEqual(await countOf('famous'), { accounts: 0, channels: 1, credentials: 0 });
  });

  it('creates no account when the channel cannot be created', async () => {
    await platform.db.run(
      sql('test_no_frank', `alter table channels add constraint no_frank check (handle <> 'frank')`),
      [],
    );
    const response = await post('/sign-up/email', person('frank'));
    assert.equal(response.status, 503);
    assert.deepEqual(response.cookies, []);
    assert.deepEqual(await countOf('frank'), { accounts: 0, channels: 0, credentials: 0 });
    await assert.rejects(createAccount(platform, person('frank')), /no_frank/);
    assert.deepEqual(await countOf('frank'), { accounts: 0, channels: 0, credentials: 0 });
  });

  it('can be retried when the database is unreachable', async () => {
    const away = createAuth(platform, 'postgres://nobody@127.0.0.1:1/none');
    const elsewhere = await serveRoutes(routesOver(away));
    try {
      const response = await fetch(`${elsewhere.address}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: ORIGIN },
        body: JSON.stringify({ email: 'alice@example.com', password: 'correct horse' }),
      });
      const { errors } = (await response.json()) as { errors: { code: string }[] };
      assert.deepEqual([response.status, errors[0]?.code], [503, 'SERVICE_UNAVAILABLE']);
    } finally {
      await elsewhere.close();
      await away.close();
    }
  });

  it('creates one account for concurrent sign-ups with the same name', async () => {
    const responses = await Promise.all(
      [1, 2, 3].map((n) => post('/sign-up/email', { ...person('grace'), email: `grace${n}@example.com` })),
    );
    assert.deepEqual(responses.map((response) => response.status).sort(), [200, 409, 409]);
    for (const response of responses)
      if (response.status === 409) assert.equal(response.body.errors[0].field, 'username');
    assert.deepEqual(await countOf('grace'), { accounts: 1, channels: 1, credentials: 1 });
  });

  it('ignores a channel, a verified address or an id at sign-up', async () => {
    const response = await post('/sign-up/email', {
      ...person('heidi'),
      id: 'x',
      emailVerified: true,
      primaryChannelId: '00000000-0000-0000-0000-000000000000',
      image: 'javascript:1',
    });
    assert.equal(response.status, 200);
    assert.equal(response.body.user.emailVerified, false);
    assert.equal(response.body.user.image ?? null, null);
  });

  it('refuses requests with cookies from other sites', async () => {
    const { cookies } = await post('/sign-up/email', person('ivan'));
    const foreign = await post('/sign-out', {}, { cookie: cookieOf(cookies), origin: 'https://evil.example' });
    assert.deepEqual([foreign.status, foreign.body.errors[0].code], [403, 'UNAUTHORIZED']);
    assert.ok(await viewerOf(readToken(cookieOf(cookies))));
    const form = await fetch(`${server.address}/api/auth/sign-in/email`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'ivan@example.com', password: 'correct horse' }),
    });
    assert.equal(form.status, 400);
  });

  it('limits attempts from one address and says how long to wait', async () => {
    const attempt = () =>
      post('/sign-in/email', { email: 'carol@example.com', password: 'guess' }, { 'x-test-address': '192.0.2.1' });
    const responses: Awaited<ReturnType<typeof attempt>>[] = [];
    for (let n = 0; n < 22; n += 1) responses.push(await attempt());
    const last = responses.at(-1);
    assert.equal(last?.status, 429);
    assert.match(last?.body.errors[0].suggestedFix, /Wait \d+ seconds/);
    assert.equal(responses[0]?.status, 401);
  });

  it('changes the password and ends the other sessions', async () => {
    const first = await post('/sign-up/email', person('judy'));
    const second = await post('/sign-in/email', { email: 'judy@example.com', password: 'correct horse' });
    const cookie = cookieOf(second.cookies);
    const wrong = await post(
      '/change-password',
      { currentPassword: 'nope', newPassword: 'battery staple' },
      { cookie },
    );
    assert.equal(wrong.body.errors[0].field, 'currentPassword');
    const changed = await post(
      '/change-password',
      { currentPassword: 'correct horse', newPassword: 'battery staple' },
      { cookie },
    );
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal(await viewerOf(readToken(cookieOf(first.cookies))), null);
    assert.equal((await post('/sign-in/email', { email: 'judy@example.com', password: 'correct horse' })).status, 401);
    assert.equal((await post('/sign-in/email', { email: 'judy@example.com', password: 'battery staple' })).status, 200);
  });

  it('exposes no other endpoint of the library', async () => {
    for (const path of ['/update-user', '/delete-user', '/sign-in/social', '/update-session', '/change-email']) {
      assert.equal((await post(path, {})).status, 404, path);
    }
  });

  it('refuses a body that is too large, not JSON or not an object', async () => {
    for (const body of ['x'.repeat(20_000), '{', '[]', '"text"']) {
      const response = await fetch(`${server.address}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      assert.equal(response.status, 400, body.slice(0, 20));
    }
  });

  it('ends a session when it expires', async () => {
    const { cookies } = await post('/sign-up/email', person('kim'));
    const token = readToken(cookieOf(cookies));
    await platform.db.run(
      sql('test_age', `update sessions set expires_at = now() - interval '1 second' where token = $1`),
      [token],
    );
    assert.equal(await viewerOf(token), null);
  });

  it('lets an account created by an operator sign in', async () => {
    await createAccount(platform, { email: 'leo@example.com', username: 'leo', password: 'correct horse' });
    assert.equal((await post('/sign-in/email', { email: 'leo@example.com', password: 'correct horse' })).status, 200);
  });
});

describe('session cookies over https', () => {
  const key = { derive: () => 'a'.repeat(64) };
  const secrets = { accepted: [key] } as unknown as AccountsTestPlatform['secrets']; // only these are used
  const read = sessionTokenReader(secrets, 'https://video.example');
  const token = 'A'.repeat(32);
  const genuine = `${token}.${createHmac('sha256', 'a'.repeat(64)).update(token).digest('base64')}`;
  const name = '__Host-reelgraph.session_token';

  for (const [what, cookie] of [
    ['no cookie', undefined],
    ['an unsigned token', `${name}=${token}`],
    ['a wrong signature', `${name}=${token}.${Buffer.alloc(32).toString('base64')}`],
    ['the name without its prefix', `reelgraph.session_token=${genuine}`],
    ['the prefix that other hosts of the domain may use', `__Secure-reelgraph.session_token=${genuine}`],
    ['broken percent encoding', `${name}=%E0%A4%A`],
    ['nothing', `${name}=`],
  ] as const) {
    it(`are not accepted: ${what}`, () =>
      assert.equal(read({ headers: cookie === undefined ? {} : { cookie } }), null));
  }

  it('are accepted with a genuine signature', () =>
    assert.equal(read({ headers: { cookie: `${name}=${genuine}` } }), token));
});
