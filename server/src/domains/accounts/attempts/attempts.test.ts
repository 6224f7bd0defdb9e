import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import type { PasswordHashing } from '../passwords/hash-password.ts';
import { authRoutes } from '../sessions/auth.routes.ts';
import { type Auth, createAuth } from '../sessions/auth.ts';
import { storeAccount } from '../sessions/create-account.ts';
import { sessionTokenReader } from '../sessions/session-cookie.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform, serveRoutes } from '../testing.ts';
import { forgetAttempts } from './attempts.store.ts';
import { attemptsOf } from './attempts.ts';

const ORIGIN = 'http://reelgraph.test';
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PASSWORD = 'correct horse';
/** To hash takes a tenth of a second, and here passwords are compared a hundred times. */
const UNHASHED: PasswordHashing = {
  hash: async (password) => `unhashed ${password}`,
  verify: async ({ hash, password }) => hash === `unhashed ${password}`,
};

/** Limits for an account and an address, on two instances with one database. */
describe('attempt limits', () => {
  let platform: AccountsTestPlatform;
  const instances: { auth: Auth; server: Awaited<ReturnType<typeof serveRoutes>> }[] = [];
  before(async () => {
    platform = await createAccountsTestPlatform();
    for (let count = 0; count < 2; count += 1) {
      const auth = createAuth(platform, platform.databaseUrl, UNHASHED);
      const sessionTokenFrom = sessionTokenReader(platform.secrets, ORIGIN);
      const server = await serveRoutes(
        authRoutes({ auth, platform, attempts: attemptsOf(platform), sessionTokenFrom }),
      );
      instances.push({ auth, server });
    }
    for (const username of ['alice', 'bob']) {
      const passwordHash = await UNHASHED.hash(PASSWORD);
      await storeAccount(platform, { email: `${username}@example.com`, username, name: username, passwordHash }, {});
    }
  });
  after(async () => {
    for (const { auth, server } of instances) {
      await server.close();
      await auth.close();
    }
    await platform.close();
  });
  beforeEach(() => platform.db.run(sql('test_no_attempts', 'delete from attempt_counters'), []));

  let calls = 0;
  /** Instances alternate; each call has its own address unless one is given. */
  async function post(path: string, body: object, from?: string, headers: Record<string, string> = {}) {
    calls += 1;
    const { server } = instances[calls % 2] ?? assert.fail();
    const response = await fetch(`${server.address}/api/auth${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: ORIGIN,
        'x-test-address': from ?? `198.51.${Math.floor(calls / 250)}.${calls % 250}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.json();
    const error = (text as { errors?: { code: string; message: string; suggestedFix: string }[] }).errors?.[0];
    return {
      status: response.status,
      error,
      cookie: response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    };
  }
  const signIn = (email: string, password: string, from?: string) => post('/sign-in/email', { email, password }, from);
  async function statuses(times: number, call: (n: number) => Promise<{ status: number }>): Promise<number[]> {
    const all: number[] = [];
    for (let n = 0; n < times; n += 1) all.push((await call(n)).status);
    return all;
  }
  const repeated = (status: number, times: number): number[] => Array.from({ length: times }, () => status);
  const rowsOf = () =>
    platform.db.run<Record<string, unknown>>(
      sql('test_counters', 'select * from attempt_counters order by kind, subject'),
      [],
    );

  it('allow five password attempts per account, from any address and on all instances', async () => {
    assert.deepEqual(await statuses(6, () => signIn('alice@example.com', 'guess')), [...repeated(401, 5), 429]);
    const right = await signIn('ALICE@example.com', PASSWORD);
    assert.deepEqual([right.status, right.error?.code], [429, 'RATE_LIMIT_EXCEEDED']);
    assert.match(right.error?.suggestedFix ?? '', /^Wait (30|29) seconds/);
    assert.equal((await signIn('bob@example.com', PASSWORD)).status, 200);
  });

  it('are the same for an email address without an account', async () => {
    const known = [];
    const unknown = [];
    for (let n = 0; n < 6; n += 1) {
      known.push(await signIn('alice@example.com', 'guess'));
      unknown.push(await signIn('nobody@example.com', 'guess'));
    }
    assert.deepEqual(unknown, known);
    assert.equal(unknown.at(-1)?.status, 429);
  });

  it('double the wait up to 15 minutes, and reset with the right password', async () => {
    await statuses(5, () => signIn('alice@example.com', 'guess'));
    for (const waitSeconds of [30, 60, 120, 240, 480, 900, 900]) {
      platform.clock.advance(waitSeconds * 1_000 - 1_000);
      assert.equal((await signIn('alice@example.com', PASSWORD)).status, 429, `after ${waitSeconds - 1} s`);
      platform.clock.advance(1_000);
      assert.equal((await signIn('alice@example.com', 'guess')).status, 401, `after ${waitSeconds} s`);
    }
    platform.clock.advance(15 * MINUTE_MS);
    assert.equal((await signIn('alice@example.com', PASSWORD)).status, 200);
    assert.deepEqual(await statuses(6, () => signIn('alice@example.com', 'guess')), [...repeated(401, 5), 429]);
  });

  it('reset after an hour without an attempt', async () => {
    await statuses(4, () => signIn('alice@example.com', 'guess'));
    platform.clock.advance(HOUR_MS);
    assert.deepEqual(await statuses(6, () => signIn('alice@example.com', 'guess')), [...repeated(401, 5), 429]);
  });

  it('hold for concurrent attempts on both instances', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => signIn('alice@example.com', 'guess')));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [...repeated(401, 5), ...repeated(429, 7)]);
  });

  it('allow twenty failed attempts per address over many accounts; successful ones do not count', async () => {
    const guess = (n: number) => signIn(`person${n}@example.com`, 'guess', '192.0.2.1');
    await statuses(30, () => signIn('bob@example.com', PASSWORD, '192.0.2.1'));
    assert.deepEqual(await statuses(21, guess), [...repeated(401, 20), 429]);
    assert.equal((await signIn('bob@example.com', PASSWORD, '192.0.2.1')).status, 429);
    assert.equal((await signIn('bob@example.com', PASSWORD, '192.0.2.2')).status, 200);
  });

  it('treat an IPv6 network as one address', async () => {
    const guess = (n: number) => signIn(`person${n}@example.com`, 'guess', `2001:db8:1:2::${n + 1}`);
    assert.deepEqual(await statuses(21, guess), [...repeated(401, 20), 429]);
    assert.equal((await signIn('bob@example.com', PASSWORD, '2001:db8:1:3::1')).status, 200);
  });

  it('allow twenty sign-ups per address, whether they succeed or not', async () => {
    const signUp = (n: number) =>
      post('/sign-up/email', { email: 'alice@example.com', username: `taken${n}`, password: PASSWORD }, '192.0.2.9');
    assert.deepEqual(await statuses(21, signUp), [...repeated(409, 20), 429]);
    const later = await signUp(21);
    assert.match(later.error?.suggestedFix ?? '', /Wait (59|60) seconds/);
    const { count } =
      (await platform.db.first<{ count: string }>(
        sql('test_taken', `select count(*) from accounts where username like 'taken%'`),
        [],
      )) ?? {};
    assert.equal(Number(count), 0);
  });

  it('allow five attempts at the current password when changing it', async () => {
    const { cookie } = await signIn('bob@example.com', PASSWORD);
    const change = (currentPassword: string, newPassword = 'battery staple') =>
      post('/change-password', { currentPassword, newPassword }, undefined, { cookie });
    assert.deepEqual(await statuses(5, () => change('guess')), repeated(400, 5));
    assert.equal((await change(PASSWORD)).status, 429);
    platform.clock.advance(MINUTE_MS);
    const weak = await change(PASSWORD, 'Password1');
    assert.match(weak.error?.message ?? '', /too easy to guess/);
    assert.equal((await signIn('bob@example.com', PASSWORD)).status, 200);
  });

  it('store no plain addresses, and delete expired counters', async () => {
    await signIn('alice@example.com', 'guess', '192.0.2.55');
    const rows = await rowsOf();
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['SIGN_IN_ACCOUNT', 'SIGN_IN_ADDRESS'],
    );
    assert.doesNotMatch(
      JSON.stringify(rows.map((row) => ({ ...row, subject: (row.subject as Buffer).toString('latin1') }))),
      /alice|192\.0\.2/,
    );
    await forgetAttempts(platform.db, new Date(platform.clock.now() + HOUR_MS - 1).toISOString());
    assert.equal((await rowsOf()).length, 2);
    await forgetAttempts(platform.db, new Date(platform.clock.now() + HOUR_MS).toISOString());
    assert.deepEqual(await rowsOf(), []);
  });

  it('reset when an admin sets a new password', async () => {
    await statuses(6, () => signIn('alice@example.com', 'guess'));
    const { id } =
      (await platform.db.first<{ id: string }>(
        sql('test_alice', `select id from accounts where username = 'alice'`),
        [],
      )) ?? assert.fail();
    await attemptsOf(platform).forgive({ id, email: 'alice@example.com' });
    assert.equal((await signIn('alice@example.com', PASSWORD)).status, 200);
  });
});
