import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { createInvitation, revokeInvitation } from '../operators/invitations.ts';
import { createAccount } from '../sessions/create-account.ts';
import { type MailServer, ORIGIN, openMailServer } from '../sessions/testing.ts';
import { createTestAccount } from '../testing.ts';
import { forgetConfirmations } from './email-confirmations.store.ts';
import { forgetPendingSignUps } from './pending-sign-ups.store.ts';

const PASSWORD = 'correct horse';
const DAY_MS = 86_400_000;

/** Everything that a sign-up or a change of address writes. */
const STATE = sql(
  'test_confirmation_state',
  `select (select json_agg(a order by a.id) from accounts a)::text as accounts,
     (select json_agg(p order by p.email) from pending_sign_ups p)::text as pending,
     (select json_agg(e order by e.email) from email_confirmations e)::text as confirmations,
     (select count(*)::int from channels) as channels, (select count(*)::int from sessions) as sessions,
     (select json_agg(i order by i.id) from invitations i)::text as invitations`,
);

describe('where mail reaches people', () => {
  let server: MailServer;
  let platform: MailServer['platform'];
  let mails: MailServer['mails'];
  const post: MailServer['post'] = (...call) => server.post(...call);
  const state = () => platform.db.run(STATE, []);
  const person = (username: string, more: object = {}) => ({
    ...{ email: `${username}@example.com`, username, name: username, password: PASSWORD },
    ...more,
  });
  const subjects = () => mails.map(({ to, subject }) => `${to}: ${subject}`).sort();
  before(async () => {
    server = await openMailServer({ MAIL: 'smtp', SMTP_URL: 'smtp://localhost:1' });
    ({ platform, mails } = server);
    await createTestAccount(platform, 'anna', 'FREE');
  });
  after(() => server.close());
  beforeEach(() => server.settle());

  async function signUpLink(username: string, more: object = {}): Promise<string> {
    const asked = mails.length + 1;
    const { status, rest, cookie, error } = await post('sign-up/email', person(username, more));
    assert.deepEqual([status, rest, cookie], [200, { status: 'CONFIRMATION_SENT' }, ''], JSON.stringify(error));
    return server.tokenOf(await server.mailTo(asked));
  }
  async function signedIn(username: string): Promise<Record<string, string>> {
    const { cookie, error } = await post('sign-in/email', person(username));
    assert.notEqual(cookie, '', JSON.stringify(error));
    return { cookie };
  }

  describe('a sign-up', () => {
    it('creates the account by the link in the message, once, signed in and with a confirmed address', async () => {
      const token = await signUpLink('bert');
      assert.deepEqual(subjects(), ['bert@example.com: Confirm your email address']);
      assert.ok(mails[0]?.html.includes(`href="${ORIGIN}/confirm-sign-up#token=${token}"`));
      assert.equal((await post('sign-in/email', person('bert'))).status, 401, 'there is no account yet');
      const created = await post('confirm-sign-up', { token }, { 'user-agent': 'Mozilla/5.0 Firefox/134.0' });
      assert.equal(created.status, 200, JSON.stringify(created.error));
      const session = await server.get('get-session', { cookie: created.cookie });
      assert.deepEqual([session.rest.user.username, session.rest.user.emailVerified], ['bert', true]);
      assert.deepEqual([session.rest.session.userAgent], ['Mozilla/5.0 Firefox/134.0']);
      assert.equal((await post('sign-in/email', person('bert'))).status, 200);
      const rows = await state();
      const again = await post('confirm-sign-up', { token });
      assert.deepEqual([again.status, again.error?.code, again.error?.field], [400, 'INVALID_INPUT', 'token']);
      assert.deepEqual(await state(), rows);
    });

    it('is in the language of its page, and so is the account from then on', async () => {
      const spanish = { 'accept-language': 'es-MX' };
      assert.equal((await post('sign-up/email', person('elena'), spanish)).status, 200);
      const mail = await server.mailTo(1);
      assert.equal(mail.subject, 'Confirma tu dirección de correo electrónico');
      assert.match(mail.html, /<html lang="es">/);
      assert.equal((await post('confirm-sign-up', { token: server.tokenOf(mail) }, spanish)).status, 200);
      await post('request-password-reset', { email: 'elena@example.com' }, { 'accept-language': 'de' });
      assert.equal((await server.mailTo(2)).subject, 'Restablece tu contraseña');
      const refused = await post('confirm-sign-up', { token: 'x' }, spanish);
      assert.deepEqual([refused.status, refused.error?.code], [400, 'INVALID_INPUT']);
    });

    it('does not reveal whether an address has an account; only its owner gets a message that says so', async () => {
      const rows = await state();
      const [known, unknown] = [
        await post('sign-up/email', person('annas-other-name', { email: 'Anna@example.com' })),
        await post('sign-up/email', person('carl')),
      ];
      assert.deepEqual([known.status, known.rest], [unknown.status, unknown.rest]);
      await server.mailTo(2);
      assert.deepEqual(subjects(), [
        'anna@example.com: You already have an account',
        'carl@example.com: Confirm your email address',
      ]);
      assert.ok(!mails.find(({ to }) => to === 'anna@example.com')?.text.includes('token='));
      const [before] = rows as { accounts: string }[];
      const [now] = (await state()) as { accounts: string; pending: string }[];
      assert.equal(now?.accounts, before?.accounts);
      assert.equal(now?.pending.includes('anna@example.com'), false);
    });

    it('is not completed by the link of another purpose, a guessed one or one that has expired', async () => {
      const token = await signUpLink('dora');
      const { cookie } = await post('sign-in/email', person('anna'));
      await post('request-email-confirmation', {}, { cookie });
      const other = server.tokenOf(await server.mailTo(2));
      const rows = await state();
      for (const wrong of [other, 'A'.repeat(43), '', 7, null, undefined]) {
        const { status, error } = await post('confirm-sign-up', { token: wrong });
        assert.deepEqual([status, error?.field], [400, 'token']);
      }
      assert.deepEqual(await state(), rows);
      platform.clock.advance(DAY_MS);
      assert.equal((await post('confirm-sign-up', { token })).status, 400);
      await forgetPendingSignUps(platform.db, new Date(platform.clock.now()).toISOString());
      const left = await platform.db.run(sql('test_pending', 'select 1 from pending_sign_ups'), []);
      assert.deepEqual(left, []);
    });

    it('can take another username when its own was taken before the link was opened', async () => {
      const token = await signUpLink('emil');
      await createAccount(platform, person('emil', { email: 'other@example.com' }));
      const rows = await state();
      const taken = await post('confirm-sign-up', { token });
      assert.deepEqual(
        [taken.status, taken.error?.code, taken.error?.field],
        [409, 'RESOURCE_ALREADY_EXISTS', 'username'],
      );
      const refused = await post('confirm-sign-up', { token, username: '-x' });
      assert.deepEqual([refused.status, refused.error?.field], [400, 'username']);
      assert.deepEqual(await state(), rows);
      const { cookie } = await post('confirm-sign-up', { token, username: 'emil2' });
      assert.equal((await server.get('get-session', { cookie })).rest.user.username, 'emil2');
    });

    it('creates one account when a link is opened by two at once', async () => {
      const token = await signUpLink('fritz');
      const results = await Promise.all([1, 2, 3].map(() => post('confirm-sign-up', { token })));
      assert.deepEqual(results.map(({ status }) => status === 200).sort(), [false, false, true]);
    });

    it('sends at most three messages in a row to an address, with an account or not', async () => {
      for (const email of ['anna@example.com', 'nobody@example.com']) {
        const statuses = [];
        for (let n = 0; n < 4; n += 1)
          statuses.push((await post('sign-up/email', person(`name${n}`, { email }))).status);
        assert.deepEqual(statuses, [200, 200, 200, 429]);
      }
      await server.mailTo(6);
    });

    it('says which input is refused, and sends nothing', async () => {
      const rows = await state();
      for (const [more, field] of [
        [{ email: 'x' }, 'email'],
        [{ username: 'anna' }, 'username'],
        [{ password: 'password' }, 'password'],
        [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
      ] as const) {
        const { status, error } = await post('sign-up/email', person('gina', more));
        assert.deepEqual([status >= 400, error?.field], [true, field]);
      }
      assert.deepEqual(await state(), rows);
      assert.deepEqual(mails, []);
    });

    it('stores no token and no password', async () => {
      const token = await signUpLink('hans');
      const [row] = await platform.db.run<{ text: string }>(
        sql(
          'test_all_text',
          `select (select json_agg(p)::text from pending_sign_ups p) ||
             (select coalesce(json_agg(j)::text, '') from pgboss.job j) as text`,
        ),
        [],
      );
      for (const secret of [token, PASSWORD]) assert.equal(row?.text.includes(secret), false);
    });
  });

  describe('a change of address', () => {
    it('happens by the link in a message to the new one; the old one gets a message, and its links end', async () => {
      await createTestAccount(platform, 'ida', 'FREE');
      const session = await signedIn('ida');
      await post('request-password-reset', { email: 'ida@example.com' });
      const reset = server.tokenOf(await server.mailTo(1));
      const asked = await post('change-email', { email: 'Ida@Example.org', password: PASSWORD }, session);
      assert.deepEqual([asked.status, asked.rest], [200, { status: 'CONFIRMATION_SENT' }]);
      const token = server.tokenOf(await server.mailTo(2));
      assert.equal((await post('sign-in/email', person('ida'))).status, 200, 'nothing has changed yet');
      assert.deepEqual((await post('confirm-email', { token })).rest, { status: 'CONFIRMED' });
      await server.mailTo(3);
      assert.deepEqual(subjects(), [
        'ida@example.com: Reset your password',
        'ida@example.com: Your email address was changed',
        'ida@example.org: Confirm your email address',
      ]);
      assert.equal((await post('sign-in/email', person('ida'))).status, 401);
      const moved = await post('sign-in/email', person('ida', { email: 'ida@example.org' }));
      assert.equal((await server.get('get-session', { cookie: moved.cookie })).rest.user.emailVerified, true);
      const rows = await state();
      for (const [path, body] of [
        ['confirm-email', { token }],
        ['reset-password', { token: reset, newPassword: 'battery staple in the rain' }],
      ] as const)
        assert.deepEqual([(await post(path, body)).error?.field], ['token']);
      const [before, now] = [rows, await state()];
      assert.deepEqual(now, before);
    });

    it('does not reveal whether an address has an account', async () => {
      await createTestAccount(platform, 'jan', 'FREE');
      const session = await signedIn('jan');
      const rows = await state();
      const [taken, free] = [
        await post('change-email', { email: 'anna@example.com', password: PASSWORD }, session),
        await post('change-email', { email: 'free@example.com', password: PASSWORD }, session),
      ];
      assert.deepEqual([taken.status, taken.rest], [free.status, free.rest]);
      await server.mailTo(2);
      assert.deepEqual(subjects(), [
        'anna@example.com: This address has an account',
        'free@example.com: Confirm your email address',
      ]);
      const token = server.tokenOf(mails.find(({ to }) => to === 'free@example.com') ?? assert.fail());
      await createTestAccount(platform, 'free', 'FREE');
      const late = await post('confirm-email', { token });
      assert.deepEqual([late.status, late.error?.code, late.error?.field], [409, 'RESOURCE_ALREADY_EXISTS', 'email']);
      const [before] = rows as { accounts: string }[];
      const [account] = await platform.db.run<{ email: string }>(
        sql('test_jan', `select email from accounts where username = 'jan'`),
        [],
      );
      assert.deepEqual([account?.email, before?.accounts.includes('"jan@example.com"')], ['jan@example.com', true]);
    });

    it('is refused without a session, with a wrong password, and to the same or no address', async () => {
      await createTestAccount(platform, 'kai', 'FREE');
      const session = await signedIn('kai');
      const rows = await state();
      const email = 'kai@example.org';
      for (const [body, headers, code, field] of [
        [{ email, password: PASSWORD }, {}, 'UNAUTHENTICATED', undefined],
        [{ email, password: 'wrong horse' }, session, 'INVALID_INPUT', 'password'],
        [{ email }, session, 'FIELD_REQUIRED', 'password'],
        [{ email: 'kai', password: PASSWORD }, session, 'INVALID_INPUT', 'email'],
        [{ email: 'KAI@example.com', password: PASSWORD }, session, 'INVALID_INPUT', 'email'],
      ] as const) {
        const { error } = await post('change-email', body, headers);
        assert.deepEqual([error?.code, error?.field], [code, field]);
      }
      assert.equal((await post('request-email-confirmation', {})).error?.code, 'UNAUTHENTICATED');
      assert.deepEqual(await state(), rows);
      for (let n = 0; n < 5; n += 1) await post('change-email', { email, password: 'wrong horse' }, session);
      assert.equal((await post('change-email', { email, password: PASSWORD }, session)).status, 429);
    });

    it('does not outlive its link', async () => {
      await createTestAccount(platform, 'lea', 'FREE');
      const session = await signedIn('lea');
      await post('change-email', { email: 'lea@example.org', password: PASSWORD }, session);
      const token = server.tokenOf(await server.mailTo(1));
      platform.clock.advance(DAY_MS);
      assert.deepEqual([(await post('confirm-email', { token })).error?.field], ['token']);
      await forgetConfirmations(platform.db, new Date(platform.clock.now()).toISOString());
      const left = await platform.db.run(sql('test_confirmations', 'select 1 from email_confirmations'), []);
      assert.deepEqual(left, []);
    });
  });
});

describe('a sign-up by invitation where mail reaches people', () => {
  let server: MailServer;
  before(async () => {
    server = await openMailServer({ MAIL: 'smtp', SMTP_URL: 'smtp://localhost:1', SIGN_UP: 'invite' });
  });
  after(() => server.close());

  it('uses the invitation up when the link is opened, and fails when it was revoked before', async () => {
    const { platform } = server;
    const bodies = [];
    for (const username of ['mia', 'nils']) {
      const { id, code } = await createInvitation(platform, null, {});
      const email = `${username}@example.com`;
      const asked = await server.post('sign-up/email', { email, username, password: PASSWORD, invitation: code });
      assert.equal(asked.status, 200, JSON.stringify(asked.error));
      bodies.push({ id, token: server.tokenOf(await server.mailTo(bodies.length + 1)) });
    }
    const [mia, nils] = bodies;
    await revokeInvitation(platform, nils?.id ?? '');
    assert.equal((await server.post('confirm-sign-up', { token: mia?.token })).status, 200);
    const rows = await platform.db.run(STATE, []);
    const refused = await server.post('confirm-sign-up', { token: nils?.token });
    assert.deepEqual([refused.status, refused.error?.field], [400, 'invitation']);
    assert.deepEqual(await platform.db.run(STATE, []), rows);
    const used = sql('test_used', 'select used_at is not null as used from invitations where id = $1');
    assert.deepEqual(await platform.db.run(used, [mia?.id]), [{ used: true }]);
  });

  it('needs one', async () => {
    const body = { email: 'otto@example.com', username: 'otto', password: PASSWORD };
    assert.equal((await server.post('sign-up/email', body)).status, 403);
  });
});

describe('where mail goes to a folder', () => {
  let server: MailServer;
  before(async () => {
    server = await openMailServer();
    await createAccount(server.platform, {
      ...{ email: 'paul@example.com', username: 'paul', name: 'Paul', password: PASSWORD },
    });
    await createAccount(server.platform, {
      ...{ email: 'rosa@example.com', username: 'rosa', name: 'Rosa', password: PASSWORD },
    });
  });
  after(() => server.close());

  it('an address changes at once, unconfirmed, with a message to the one before', async () => {
    const { cookie } = await server.post('sign-in/email', { email: 'paul@example.com', password: PASSWORD });
    const rows = await server.platform.db.run(STATE, []);
    const taken = await server.post('change-email', { email: 'Rosa@example.com', password: PASSWORD }, { cookie });
    assert.deepEqual([taken.error?.code, taken.error?.field], ['RESOURCE_ALREADY_EXISTS', 'email']);
    assert.deepEqual(await server.platform.db.run(STATE, []), rows);
    const changed = await server.post('change-email', { email: 'paul@example.org', password: PASSWORD }, { cookie });
    assert.deepEqual([changed.status, changed.rest], [200, { status: 'CHANGED' }]);
    const mail = await server.mailTo(1);
    assert.deepEqual([mail.to, mail.subject], ['paul@example.com', 'Your email address was changed']);
    const { user } = (await server.get('get-session', { cookie })).rest;
    assert.deepEqual([user.email, user.emailVerified], ['paul@example.org', false]);
  });

  it('has no links to confirm', async () => {
    for (const path of ['confirm-email', 'confirm-sign-up', 'request-email-confirmation'])
      assert.equal((await server.post(path, { token: 'A'.repeat(43) })).status, 404);
  });
});
