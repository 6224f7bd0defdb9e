import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, mock } from 'node:test';
import { THOROUGH } from '../../../../../../scripts/test-runner/cases.ts';
import { sql } from '../../../../platform/db/statement.ts';
import { totp } from '../../../../testing/totp.ts';
import { runAdminCommand } from '../../admin-commands.ts';
import { createTestAccount } from '../../testing.ts';
import { type MailServer, ORIGIN, openMailServer } from '../testing.ts';

const PASSWORD = 'correct horse';
/** For how long a code is shown. */
const STEP_MS = 30_000;

/** What these endpoints write. */
const STATE = sql(
  'test_strong_sign_in_state',
  `select (select json_agg(t order by t.id)::text from two_factors t) as factors,
     (select json_agg(a.two_factor_enabled order by a.id)::text from accounts a) as accounts,
     (select json_agg(p order by p.id)::text from passkeys p) as passkeys,
     (select count(*)::int from sessions) as sessions`,
);

describe('two-factor authentication', () => {
  let server: MailServer;
  let mails: MailServer['mails'];
  const post: MailServer['post'] = (...call) => server.post(...call);
  const state = () => server.platform.db.run(STATE, []);
  before(async () => {
    server = await openMailServer();
    ({ mails } = server);
  });
  after(() => server.close());
  beforeEach(() => server.settle());

  let people = 0;
  async function person() {
    people += 1;
    const username = `person${people}`;
    const email = `${username}@example.com`;
    await createTestAccount(server.platform, username, 'FREE');
    const signIn = (headers = {}) => post('sign-in/email', { email, password: PASSWORD }, headers);
    return { username, signIn, session: { cookie: (await signIn()).cookie } };
  }
  /** A person with two-factor authentication, who has used the code before the present one. */
  async function strongPerson() {
    const someone = await person();
    const enabled = await post('two-factor/enable', { password: PASSWORD }, someone.session);
    assert.equal(enabled.status, 200, JSON.stringify(enabled.error));
    const secret = new URL(enabled.rest.totpURI).searchParams.get('secret') ?? '';
    const verified = await post(
      'two-factor/verify-totp',
      { code: totp(secret, Date.now() - STEP_MS) },
      someone.session,
    );
    assert.equal(verified.status, 200, JSON.stringify(verified.error));
    await server.mailTo(1);
    const codes: string[] = enabled.rest.backupCodes;
    return { ...someone, secret, codes, session: { cookie: verified.cookie }, uri: new URL(enabled.rest.totpURI) };
  }

  it('asks for a code of the authenticator after the password, and only then signs in', async () => {
    const { signIn, secret, uri, username } = await strongPerson();
    assert.deepEqual([uri.protocol, uri.host, uri.searchParams.get('issuer')], ['otpauth:', 'totp', 'Reelgraph']);
    assert.equal(mails[0]?.subject, 'Two-factor authentication was turned on');
    const first = await signIn();
    assert.deepEqual(first.rest, { twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    const cookie = first.cookie;
    assert.equal((await server.get('get-session', { cookie })).rest, null, 'the password alone is no session');
    const wrong = await post('two-factor/verify-totp', { code: '000000' }, { cookie });
    assert.deepEqual([wrong.error?.code, wrong.error?.field], ['INVALID_INPUT', 'code']);
    const right = await post('two-factor/verify-totp', { code: totp(secret, Date.now()) }, { cookie });
    assert.equal(right.status, 200, JSON.stringify(right.error));
    const session = await server.get('get-session', { cookie: right.cookie });
    assert.deepEqual([session.rest.user.username, session.rest.user.twoFactorEnabled], [username, true]);
    const again = await post('two-factor/verify-totp', { code: totp(secret, Date.now()) }, { cookie });
    assert.equal(again.status, 401, 'a sign-in is completed once');
  });

  it('accepts each code once, and none that is older', async () => {
    const now = Math.floor(Date.now() / STEP_MS) * STEP_MS;
    mock.timers.enable({ apis: ['Date'], now });
    try {
      const { signIn, secret, session } = await strongPerson();
      const verify = (atMs: number, cookie: string) =>
        post('two-factor/verify-totp', { code: totp(secret, atMs) }, { cookie });
      const first = await signIn();
      assert.equal((await verify(now, first.cookie)).status, 200);

      const { cookie } = await signIn();
      const rows = await state();
      for (const atMs of [now, now - STEP_MS])
        for (const who of [cookie, session.cookie]) {
          const { error } = await verify(atMs, who);
          assert.deepEqual([error?.code, error?.field], ['INVALID_INPUT', 'code']);
        }
      assert.deepEqual(await state(), rows, 'a used code changes nothing');
      assert.equal((await verify(now + STEP_MS, cookie)).status, 200, 'the next one completes the same sign-in');

      mock.timers.setTime(now + 2 * STEP_MS);
      const [one, other] = [await signIn(), await signIn()];
      const both = await Promise.all([one, other].map((each) => verify(now + 2 * STEP_MS, each.cookie)));
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400], 'at the same time, too');
      mock.timers.setTime(now + 3 * STEP_MS);
      assert.equal((await verify(now + 3 * STEP_MS, (await signIn()).cookie)).status, 200);
    } finally {
      mock.timers.reset();
    }
  });

  it('accepts each recovery code once, and new ones replace them', THOROUGH, async () => {
    const { signIn, codes, session } = await strongPerson();
    assert.deepEqual([codes.length, new Set(codes).size], [10, 10]);
    const recover = async (code = '') =>
      post('two-factor/verify-backup-code', { code }, { cookie: (await signIn()).cookie });
    assert.equal((await recover(codes[0]?.replaceAll('-', '').toUpperCase())).status, 200);
    assert.deepEqual([(await recover(codes[0])).error?.field], ['code']);
    const renewed = await post('two-factor/generate-backup-codes', { password: PASSWORD }, session);
    assert.equal((await server.mailTo(2)).subject, 'New recovery codes were made');
    assert.deepEqual([(await recover(codes[1])).error?.field], ['code']);
    assert.equal((await recover(renewed.rest.backupCodes[0])).status, 200);
  });

  it('does not ask a browser again that was trusted, but others', THOROUGH, async () => {
    const { signIn, secret } = await strongPerson();
    const { cookie } = await signIn();
    const trusted = await post(
      'two-factor/verify-totp',
      { code: totp(secret, Date.now()), trustDevice: true },
      { cookie },
    );
    assert.equal((await signIn({ cookie: trusted.cookie })).rest.user?.username.startsWith('person'), true);
    assert.equal((await signIn()).rest.twoFactorRedirect, true);
  });

  it('ends the sign-in after five wrong codes, and locks the account after ten', async () => {
    const { signIn, secret } = await strongPerson();
    const codes: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { cookie } = await signIn();
      for (let n = 0; n < 6; n += 1)
        codes.push((await post('two-factor/verify-totp', { code: '000000' }, { cookie })).error?.code);
    }
    const wrong = Array(5).fill('INVALID_INPUT');
    assert.deepEqual(codes, [...wrong, 'UNAUTHENTICATED', ...wrong, 'RATE_LIMIT_EXCEEDED']);
    const { cookie } = await signIn();
    const rows = await state();
    const right = await post('two-factor/verify-totp', { code: totp(secret, Date.now()) }, { cookie });
    assert.equal(right.error?.code, 'RATE_LIMIT_EXCEEDED');
    assert.deepEqual(await state(), rows, 'the code is not used up');
  });

  it('is turned off with the password, which then is enough', async () => {
    const { signIn, session } = await strongPerson();
    assert.equal((await post('two-factor/disable', { password: PASSWORD }, session)).status, 200);
    assert.equal((await server.mailTo(2)).subject, 'Two-factor authentication was turned off');
    assert.equal(typeof (await signIn()).rest.user?.username, 'string');
  });

  it('does not ask for codes before one was entered', async () => {
    const { signIn, session } = await person();
    await post('two-factor/enable', { password: PASSWORD }, session);
    assert.equal(typeof (await signIn()).rest.user?.username, 'string');
    const { error } = await post('two-factor/generate-backup-codes', { password: PASSWORD }, session);
    assert.equal(error?.code, 'INVALID_INPUT');
  });

  it('changes nothing without a session or with a wrong password', async () => {
    const { session } = await strongPerson();
    const rows = await state();
    for (const path of ['enable', 'disable', 'generate-backup-codes']) {
      const at = `two-factor/${path}`;
      assert.equal((await post(at, { password: PASSWORD })).error?.code, 'UNAUTHENTICATED');
      assert.deepEqual([(await post(at, { password: 'wrong' }, session)).error?.field], ['password']);
      assert.deepEqual([(await post(at, {}, session)).error?.code], ['FIELD_REQUIRED']);
    }
    const twice = await post('two-factor/enable', { password: PASSWORD }, session);
    assert.equal(twice.error?.code, 'INVALID_INPUT');
    assert.deepEqual(await state(), rows);
  });

  it('is removed by an operator for an account that lost it', async () => {
    const { signIn, username } = await strongPerson();
    const { exitCode, stdout } = await runAdminCommand(
      ['remove-second-factor', '--username', username],
      server.platform,
    );
    assert.deepEqual(
      [exitCode, JSON.parse(stdout)],
      [0, { email: `${username}@example.com`, username, removed: { twoFactor: true, passkeys: 0 } }],
    );
    assert.equal(typeof (await signIn()).rest.user?.username, 'string');
  });

  it('keeps neither secret nor recovery codes readable', async () => {
    const { secret, codes } = await strongPerson();
    const [row] = (await state()) as { factors: string }[];
    for (const text of [secret, codes[0] ?? '']) assert.equal(row?.factors.includes(text), false);
  });

  describe('passkeys', () => {
    it('are offered to a session that proves its password, for this server and a verified person', async () => {
      const { session } = await person();
      const { status, rest } = await post('passkey/generate-register-options', { password: PASSWORD }, session);
      assert.equal(status, 200);
      assert.deepEqual(rest.rp, { name: 'Reelgraph', id: new URL(ORIGIN).hostname });
      assert.deepEqual(
        [rest.authenticatorSelection.residentKey, rest.authenticatorSelection.userVerification, rest.attestation],
        ['required', 'required', 'none'],
      );
    });

    it('change nothing without a session, with a wrong password, or with an answer that is none', async () => {
      const { session } = await person();
      const offered = await post('passkey/generate-register-options', { password: PASSWORD }, session);
      const cookie = `${session.cookie}; ${offered.cookie}`;
      const rows = await state();
      const response = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} };
      for (const [path, body, headers, code, field] of [
        ['generate-register-options', { password: PASSWORD }, {}, 'UNAUTHENTICATED', undefined],
        ['generate-register-options', { password: 'wrong' }, session, 'INVALID_INPUT', 'password'],
        ['verify-registration', { response, name: 'Phone' }, { cookie }, 'INVALID_INPUT', undefined],
        ['verify-registration', { response, name: 'Phone' }, session, 'INVALID_INPUT', undefined],
        ['verify-registration', { response, name: '' }, { cookie }, 'INVALID_INPUT', 'name'],
        ['verify-registration', { response, name: 'Phone' }, {}, 'UNAUTHENTICATED', undefined],
        ['verify-authentication', { response }, {}, 'INVALID_INPUT', undefined],
        ['delete-passkey', { id: '01920000-0000-7000-8000-000000000000' }, session, 'INVALID_INPUT', undefined],
      ] as const) {
        const { error } = await post(`passkey/${path}`, body, headers);
        assert.deepEqual([path, error?.code, error?.field], [path, code, field]);
      }
      assert.deepEqual(await state(), rows);
    });
  });
});
