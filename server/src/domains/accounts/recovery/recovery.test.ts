import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { sql } from '../../../platform/db/statement.ts';
import { mailHandler } from '../../../platform/mail/mail.ts';
import { createAccount } from '../sessions/create-account.ts';
import { type MailServer, ORIGIN, openMailServer } from '../sessions/testing.ts';
import { forgetResets } from './password-resets.store.ts';

const OLD = 'correct horse';
const NEW = 'battery staple in the rain';
const HOUR_MS = 3_600_000;

describe('an account', () => {
  let server: MailServer;
  let platform: MailServer['platform'];
  let mails: MailServer['mails'];
  before(async () => {
    server = await openMailServer();
    ({ platform, mails } = server);
    await createAccount(platform, { email: 'anna@example.com', username: 'anna', name: 'Anna', password: OLD });
  });
  after(() => server.close());
  beforeEach(() => server.settle());
  const post: MailServer['post'] = (...call) => server.post(...call);
  const mailTo = (count: number) => server.mailTo(count);
  const signIn = (password: string) => post('sign-in/email', { email: 'anna@example.com', password });
  async function link(): Promise<string> {
    const asked = mails.length + 1;
    await post('request-password-reset', { email: 'Anna@Example.com' });
    return server.tokenOf(await mailTo(asked));
  }
  const state = () =>
    platform.db.run(
      sql(
        'test_recovery_state',
        `select (select json_agg(c order by c.id) from credentials c)::text as credentials,
           (select json_agg(r order by r.created_at) from password_resets r)::text as resets,
           (select count(*)::int from sessions) as sessions`,
      ),
      [],
    );

  describe('with a forgotten password', () => {
    it('is replaced by a link in a message, once, which ends all sessions and is reported by mail', async () => {
      const { cookie } = await signIn(OLD);
      const token = await link();
      const [mail] = mails;
      assert.deepEqual([mail?.to, mail?.subject], ['anna@example.com', 'Reset your password']);
      assert.ok(mail?.text.includes(`${ORIGIN}/reset-password#token=${token}`));
      assert.ok(mail?.html.includes(`href="${ORIGIN}/reset-password#token=${token}"`));
      assert.equal((await signIn(OLD)).status, 200, 'the password works until it is replaced');

      const reset = await post('reset-password', { token, newPassword: NEW });
      assert.deepEqual([reset.status, reset.rest, reset.cookie], [200, { status: true }, '']);
      assert.equal((await signIn(OLD)).status, 401);
      assert.equal((await signIn(NEW)).status, 200);
      const session = await fetch(`${server.address}/api/auth/get-session`, { headers: { cookie } });
      assert.equal(await session.json(), null);
      assert.equal((await mailTo(2)).subject, 'Your password was changed');

      const before = await state();
      const again = await post('reset-password', { token, newPassword: 'another one of these' });
      assert.deepEqual([again.status, again.error?.code, again.error?.field], [400, 'INVALID_INPUT', 'token']);
      assert.deepEqual(await state(), before);
      await post('change-password', { currentPassword: NEW, newPassword: OLD }, { cookie: (await signIn(NEW)).cookie });
      assert.equal((await mailTo(3)).subject, 'Your password was changed');
    });

    it('has one link at a time: a newer one ends the older, also of several that are requested at once', async () => {
      const older = await link();
      const newer = await link();
      const before = await state();
      const { status, error } = await post('reset-password', { token: older, newPassword: NEW });
      assert.deepEqual([status, error?.code, error?.field], [400, 'INVALID_INPUT', 'token']);
      assert.deepEqual(await state(), before);
      assert.equal((await post('reset-password', { token: newer, newPassword: OLD })).status, 200);
      await Promise.all([1, 2, 3].map(() => post('request-password-reset', { email: 'anna@example.com' })));
      const left = await platform.db.run(sql('test_links_left', 'select 1 from password_resets'), []);
      assert.equal(left.length, 1);
    });

    it('stays as it is with a link that is used by two at once, but for one of them', async () => {
      const token = await link();
      const results = await Promise.all(
        [1, 2, 3].map(() => post('reset-password', { token, newPassword: `${OLD} and more` })),
      );
      assert.deepEqual(results.map(({ status }) => status).sort(), [200, 400, 400]);
      await createdAgain();
    });

    /** The password as it was. */
    async function createdAgain() {
      await server.settle(); // the message about the change has come
      const token = await link();
      assert.equal((await post('reset-password', { token, newPassword: OLD })).status, 200);
    }

    it('gets no link without an account, and the response is the same', async () => {
      const before = await state();
      const [known, unknown] = [
        await post('request-password-reset', { email: 'anna@example.com' }),
        await post('request-password-reset', { email: 'nobody@example.com' }),
      ];
      assert.deepEqual([known.status, known.rest], [unknown.status, unknown.rest]);
      await mailTo(1);
      assert.deepEqual(
        mails.map(({ to }) => to),
        ['anna@example.com'],
      );
      assert.notDeepEqual(await state(), before);
    });

    it('is not replaced by a weak one, and the link works on', async () => {
      const token = await link();
      const before = await state();
      for (const newPassword of ['short', 'password', 'anna@example.com', undefined]) {
        const { status, error } = await post('reset-password', { token, newPassword });
        assert.deepEqual([status, error?.field], [400, 'newPassword'], String(newPassword));
      }
      assert.deepEqual(await state(), before);
      assert.equal((await post('reset-password', { token, newPassword: OLD })).status, 200);
    });

    it('is not replaced by a link that has expired, nor is such a link sent', async () => {
      const token = await link();
      platform.clock.advance(HOUR_MS);
      const sealed = platform.secrets.seal('mail', JSON.stringify(mails[0])).toString('base64');
      const { handle } = mailHandler(platform, async () => assert.fail('it is sent'));
      const run = { signal: new AbortController().signal, attempt: 1 };
      await handle({ id: 'late', sealed, expiresAtMs: platform.clock.now() }, run);
      const { status, error } = await post('reset-password', { token, newPassword: NEW });
      assert.deepEqual([status, error?.field], [400, 'token']);
      await forgetResets(platform.db, new Date(platform.clock.now()).toISOString());
      assert.deepEqual(await platform.db.run(sql('test_resets', 'select 1 from password_resets'), []), []);
    });

    it('is not replaced by a guessed link, whatever it contains', async () => {
      const before = await state();
      for (const token of ['x', 'A'.repeat(43), 'A'.repeat(2_000), '', 7, null, { token: 1 }]) {
        const { status, error } = await post('reset-password', { token, newPassword: NEW });
        assert.deepEqual([status, error?.field], [400, 'token']);
      }
      assert.deepEqual(await state(), before);
    });

    it('sends at most three links in a row to an address, known or not, and 20 for a client', THOROUGH, async () => {
      for (const email of ['anna@example.com', 'nobody@example.com']) {
        const results = [];
        for (let n = 0; n < 4; n += 1) results.push((await post('request-password-reset', { email })).status);
        assert.deepEqual(results, [200, 200, 200, 429]);
      }
      const statuses = await Promise.all(
        Array.from({ length: 22 }, (_, n) =>
          post('request-password-reset', { email: `nobody${n}@example.com` }, { 'x-test-address': '10.1.0.1' }),
        ),
      );
      assert.equal(statuses.filter(({ status }) => status === 429).length >= 1, true);
    });

    it('stores no token that could be read from the database', async () => {
      const token = await link();
      const [row] = await platform.db.run<{ text: string }>(
        sql(
          'test_everything',
          `select (select json_agg(r)::text from password_resets r) ||
        (select coalesce(json_agg(j)::text, '') from pgboss.job j) as text`,
        ),
        [],
      );
      assert.equal(row?.text.includes(token), false);
    });
  });

  describe('at a sign-in', () => {
    it('with a new browser is reported to the account by mail, with a known one it is not', async () => {
      const firefox = (version: number) =>
        `Mozilla/5.0 (Windows NT 10.0; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
      const iphone =
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'Version/18.3 Mobile/15E148 Safari/604.1';
      const person = { email: 'bert@example.com', username: 'bert', name: 'Bert', password: 'lanterns by the harbour' };
      const deviceOf = ({ cookie }: { cookie: string }) => /reelgraph\.device=[\w-]{43}/.exec(cookie)?.[0] ?? '';
      const signedUp = await post('sign-up/email', person, { 'user-agent': firefox(134) });
      assert.equal(signedUp.status, 200);
      const signInBert = (userAgent: string, cookie: string) =>
        post('sign-in/email', person, { 'user-agent': userAgent, cookie });
      const own = deviceOf(signedUp);
      assert.match(own, /device=/);
      assert.equal(deviceOf(await signInBert(firefox(134), own)), own);
      await signInBert(firefox(135), own);
      const phone = deviceOf(await signInBert(iphone, 'reelgraph.device='));
      assert.notEqual(phone, own);
      await signInBert(iphone, phone);
      await mailTo(1);
      // The same name and system is another browser without the cookie; what is no value of ours is replaced.
      assert.match(deviceOf(await signInBert(firefox(134), 'reelgraph.device=guessed')), /device=[\w-]{43}$/);
      await mailTo(2);
      assert.deepEqual(
        mails.map(({ to, subject }) => [to, subject]),
        [
          ['bert@example.com', 'New sign-in to your account'],
          ['bert@example.com', 'New sign-in to your account'],
        ],
      );
      const seen = /^The account bert was signed in to with (.*), from the address 10\.0\.0\.\d+/;
      assert.deepEqual(
        mails.map(({ text }) => seen.exec(text)?.[1]),
        ['Safari on iOS', 'Firefox on Windows'],
      );
      assert.ok(mails[0]?.text.includes(`${ORIGIN}/settings/security`));
      assert.equal(
        (await post('sign-in/email', { ...person, password: 'wrong' }, { 'user-agent': 'Mozilla/5.0 X' })).status,
        401,
      );
      const bound =
        'select count(*)::int as count from known_browsers k join accounts a on a.id = k.account_id ' +
        "where a.username = 'bert'";
      const count = sql('test_known_of_bert', bound);
      assert.deepEqual(await platform.db.run(count, []), [{ count: 3 }]);
      await platform.db.run(
        sql(
          'test_many_known',
          `insert into known_browsers (account_id, browser_hash, seen_at)
           select a.id, sha256(n::text::bytea), now() - interval '1 day' from accounts a, generate_series(1, 60) n
           where a.username = 'bert'`,
        ),
        [],
      );
      await signInBert(firefox(135), own);
      assert.deepEqual(await platform.db.run(count, []), [{ count: 50 }], 'the last 50 are known');
    });
  });
});
