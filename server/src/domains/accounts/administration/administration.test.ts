import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { folderTransport } from '../../../platform/mail/folder-transport.ts';
import { mailHandler } from '../../../platform/mail/mail.ts';
import { until } from '../../../testing/until.ts';
import { forgetActions } from '../operator-actions/operator-actions.store.ts';
import { type Data, ORIGIN, openWorld, PASSWORD, type Person, type World } from '../operators/testing.ts';

const DAY_MS = 86_400_000;

describe('an operator', () => {
  let world: World;
  let folder: string;
  let operator: Person;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-mail-'));
    world = await openWorld({ SIGN_UP: 'open', DID_NAMESPACE: 'test', DATA_DIR: folder, CONTACT: 'help@example.com' });
    operator = await world.person('olga');
    await world.admin('grant-operator', '--username', 'olga');
    const { jobs } = world.platform;
    await jobs.start();
    await jobs.work(
      mailHandler(world.platform, async () => folderTransport(join(folder, 'mail'), 'no-reply@example.com')),
    );
  });
  after(async () => {
    await world.platform.jobs.stop({ graceMs: 1_000 });
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const asOperator = (query: string) => world.run(operator.session, query);
  const did = ({ accountId }: Person) => `did:test:user/${accountId}`;
  /** Everything that these mutations write. */
  const rows = (): Promise<Data> =>
    world.platform.db.first(
      sql(
        'test_administration_rows',
        `select (select json_agg(a order by a.id)::text from accounts a) as accounts,
           (select json_agg(s order by s.account_id)::text from subscriptions s) as subscriptions,
           (select json_agg(o order by o.id)::text from operator_actions o) as actions,
           (select count(*)::int from sessions) as sessions, (select count(*)::int from password_resets) as resets,
           (select count(*)::int from pgboss.job where name = 'send-mail') as mails`,
      ),
      [],
    );
  async function mail(subject: string, to: string): Promise<{ text: string }> {
    let found: { text: string } | undefined;
    await until(async () => {
      const { data, error } = await asOperator('{ mailMessages(first: 100) { edges { node { to subject text } } } }');
      assert.equal(error, null);
      found = data.mailMessages.edges
        .map(({ node }: Data) => node)
        .find((each: Data) => each.subject === subject && each.to === to);
      return found !== undefined;
    });
    return found ?? assert.fail();
  }
  const signIn = (username: string) =>
    fetch(`${world.address}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ email: `${username}@example.com`, password: PASSWORD }),
    });

  it('suspends an account: its session and key are refused at once, and so is its sign-in, until it ends', async () => {
    const anna = await world.person('anna');
    const cookies = (await signIn('anna')).headers.getSetCookie();
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    const ME = '{ me { username } }';
    for (const credential of [anna.session, anna.key]) assert.equal((await world.run(credential, ME)).error, null);
    const { data, error } = await asOperator(
      `mutation { suspendAccount(id: "${did(anna)}", input: { reason: " Published spam. " }) { account {
        username suspendedAt suspensionReason } } }`,
    );
    assert.equal(error, null);
    const { suspendedAt, ...account } = data.suspendAccount.account;
    assert.deepEqual(account, { username: 'anna', suspensionReason: 'Published spam.' });
    assert.equal(Date.parse(suspendedAt), world.platform.clock.now());
    const refusal = {
      code: 'ACCOUNT_SUSPENDED',
      message: 'This account is suspended. Reason: Published spam.',
      suggestedFix: 'Contact help@example.com if you think that this is a mistake.',
    };
    for (const credential of [anna.session, anna.key]) {
      const { code, message, fix } = (await world.run(credential, ME)).error ?? assert.fail();
      assert.deepEqual({ code, message, suggestedFix: fix }, refusal);
      await assert.rejects(world.accounts.requireViewer(credential, 'asset:upload'), refusal);
    }
    const { sessions } = await rows();
    const page = await fetch(`${world.address}/api/auth/get-session`, { headers: { cookie } });
    const { refusal: explained, ...none } = (await page.json()) as Data;
    assert.deepEqual([page.status, none, (await rows()).sessions], [200, { user: null, session: null }, sessions]);
    assert.deepEqual(
      { code: explained.code, message: explained.message, suggestedFix: explained.suggestedFix },
      refusal,
    );
    const headers = { cookie, origin: world.address, 'content-type': 'application/json' };
    for (const [method, path] of [
      ['GET', 'list-sessions'],
      ['POST', 'revoke-other-sessions'],
      ['POST', 'delete-account'],
      ['POST', 'two-factor/enable'],
      ['GET', 'passkey/list-user-passkeys'],
    ] as const) {
      const body = method === 'POST' ? { body: '{}' } : {};
      const response = await fetch(`${world.address}/api/auth/${path}`, { method, headers, ...body });
      const [{ code, message, suggestedFix }] = ((await response.json()) as Data).errors;
      assert.deepEqual([path, response.status, { code, message, suggestedFix }], [path, 403, refusal]);
    }
    assert.deepEqual((await rows()).sessions, sessions);
    const refused = await signIn('anna');
    assert.equal(refused.status, 403);
    const [{ code, message, suggestedFix }] = ((await refused.clone().json()) as Data).errors;
    assert.deepEqual({ code, message, suggestedFix }, refusal);
    assert.deepEqual(
      refused.headers.getSetCookie().filter((cookie) => !/Max-Age=0/i.test(cookie)),
      [],
    );
    const { text } = await mail('Your account was suspended', 'anna@example.com');
    assert.match(text, /Reason: Published spam\./);
    assert.match(text, /Contact help@example\.com if you think that this is a mistake\./);

    const again = await rows();
    await asOperator(`mutation { suspendAccount(id: "${did(anna)}", input: { reason: "Again." }) { account { id } } }`);
    assert.deepEqual(await rows(), again, 'a suspended account is not suspended again');
    const ended = await asOperator(`mutation { reinstateAccount(id: "${did(anna)}") { account { suspendedAt } } }`);
    assert.deepEqual(ended.data.reinstateAccount.account, { suspendedAt: null });
    assert.equal((await signIn('anna')).status, 200);
    assert.equal((await world.run(anna.key, ME)).error, null);
    assert.equal((await world.run(anna.session, ME)).error?.code, 'UNAUTHENTICATED', 'its sessions are over');
    await mail('Your account works again', 'anna@example.com');
  });

  it('sets a plan and sends a link that resets a password; both are in the log, newest first', async () => {
    const bert = await world.person('bert');
    await asOperator(`mutation { setAccountPlan(id: "${did(bert)}", input: { plan: PREMIUM }) { account { id } } }`);
    const { data } = await asOperator(
      `mutation { sendPasswordReset(id: "${did(bert)}") {
        account { username subscription { state plan { name } } } } }`,
    );
    assert.deepEqual(data.sendPasswordReset.account, {
      username: 'bert',
      subscription: { state: 'ACTIVE', plan: { name: 'Premium' } },
    });
    assert.match((await mail('Reset your password', 'bert@example.com')).text, /#token=[\w-]{43}\n/);
    const log = await asOperator(
      '{ operatorActions(first: 2) { edges { node { operator kind subject details account { username } } } } }',
    );
    const entry = { operator: 'olga', subject: 'bert', account: { username: 'bert' } };
    assert.deepEqual(
      log.data.operatorActions.edges.map(({ node }: Data) => node),
      [
        { ...entry, kind: 'PASSWORD_RESET_SENT', details: '' },
        { ...entry, kind: 'PLAN_SET', details: 'Premium, active' },
      ],
    );
  });

  it('finds accounts by parts of their names and addresses, and by their suspension', async () => {
    for (const username of ['carla_50', 'carlos-50']) await world.person(username);
    const found = async (args: string) => {
      const { data, error } = await asOperator(`{ accounts(${args}) { totalCount edges { node { username } } } }`);
      assert.equal(error, null);
      const names = data.accounts.edges.map(({ node }: Data) => node.username);
      assert.equal(data.accounts.totalCount, names.length);
      return names;
    };
    assert.deepEqual(await found('search: "CARL"'), ['carlos-50', 'carla_50']);
    assert.deepEqual(await found('search: "a_5"'), ['carla_50'], '_ is no wildcard');
    assert.deepEqual(await found('search: "%"'), []);
    assert.deepEqual(await found(String.raw`search: "\\"`), []);
    assert.deepEqual(await found('search: "carlos-50@example.com"'), ['carlos-50']);
    assert.deepEqual(await found('search: "carl", suspended: true'), []);
    assert.deepEqual((await found('search: "carl", suspended: false')).length, 2);
    assert.deepEqual(await found('search: "carl", closed: true'), []);
    await world.platform.db.run(
      sql(
        'test_close',
        `update accounts set closed_at = '2026-11-01', deletes_at = '2026-12-01' where username =
          (select min(username) from accounts where username like '%carl%')`,
      ),
      [],
    );
    const closed = await asOperator(
      '{ accounts(search: "carl", closed: true) { totalCount edges { node { deletesAt } } } }',
    );
    const node = { deletesAt: '2026-12-01T00:00:00.000Z' };
    assert.deepEqual(closed.data.accounts, { totalCount: 1, edges: [{ node }] });
    assert.deepEqual((await found('search: "carl", closed: false')).length, 1);
  });

  it('cannot suspend an operator, or without a reason, or an account that does not exist', async () => {
    const dora = await world.person('dora');
    const before = await rows();
    const missing = 'did:test:user/01920000-0000-7000-8000-000000000000';
    for (const [mutation, code, field] of [
      [`suspendAccount(id: "${did(operator)}", input: { reason: "x" })`, 'INVALID_INPUT', 'id'],
      [`suspendAccount(id: "${did(dora)}", input: { reason: " " })`, 'FIELD_REQUIRED', 'input.reason'],
      [`suspendAccount(id: "${did(dora)}", input: { reason: "${'x'.repeat(501)}" })`, 'INVALID_INPUT', 'input.reason'],
      [`suspendAccount(id: "${did(dora)}", input: { reason: "\\u0000" })`, 'INVALID_INPUT', 'input.reason'],
      [`suspendAccount(id: "${missing}", input: { reason: "x" })`, 'RESOURCE_NOT_FOUND', 'id'],
      [`reinstateAccount(id: "${missing}")`, 'RESOURCE_NOT_FOUND', 'id'],
      [`sendPasswordReset(id: "${missing}")`, 'RESOURCE_NOT_FOUND', 'id'],
      [`setAccountPlan(id: "${missing}", input: { plan: FREE })`, 'RESOURCE_NOT_FOUND', 'id'],
      [`suspendAccount(id: "did:test:channel/${dora.accountId}", input: { reason: "x" })`, 'INVALID_INPUT', 'id'],
    ] as const) {
      const { error } = await asOperator(`mutation { ${mutation} { account { id } } }`);
      assert.deepEqual([mutation, error?.code, error?.field], [mutation, code, field]);
    }
    assert.deepEqual(await rows(), before);
  });

  it('is the only one who may: others, also with the key of an operator, change and see nothing', async () => {
    const emil = await world.person('emil');
    const before = await rows();
    for (const credential of [emil.session, emil.key, operator.key]) {
      for (const operation of [
        `mutation { suspendAccount(id: "${did(emil)}", input: { reason: "x" }) { account { id } } }`,
        `mutation { reinstateAccount(id: "${did(emil)}") { account { id } } }`,
        `mutation { sendPasswordReset(id: "${did(emil)}") { account { id } } }`,
        `mutation { setAccountPlan(id: "${did(emil)}", input: { plan: CREATOR_PLUS }) { account { id } } }`,
        '{ accounts { totalCount } }',
        '{ operatorActions { totalCount } }',
        '{ mailMessages { totalCount } }',
      ])
        assert.equal((await world.run(credential, operation)).error?.code, 'UNAUTHORIZED');
      const node = await world.run(credential, `{ node(id: "${did(operator)}") { id } }`);
      assert.deepEqual(node.data, { node: null });
    }
    assert.deepEqual(await rows(), before);
  });

  it('reads mail by pages', async () => {
    const page = async (args: string) => {
      const { data } = await asOperator(
        `{ mailMessages(${args}) {
          totalCount edges { node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
      );
      const { edges, ...rest } = data.mailMessages;
      return { ids: edges.map(({ node }: Data) => node.id), ...rest };
    };
    const all = await page('first: 100');
    assert.equal(all.totalCount, all.ids.length);
    assert.match(all.ids[0], /^did:test:server\/mail\//);
    const first = await page('first: 1');
    assert.deepEqual([first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage], [true, false]);
    const rest = await page(`first: 100, after: "${first.pageInfo.endCursor}"`);
    assert.deepEqual([...first.ids, ...rest.ids], all.ids);
    assert.deepEqual([rest.pageInfo.hasNextPage, rest.pageInfo.hasPreviousPage], [false, true]);
    assert.deepEqual((await page('last: 1')).ids, all.ids.slice(-1));
  });

  it('leaves a log of two years', async () => {
    const later = new Date(world.platform.clock.now() + 731 * DAY_MS).toISOString();
    await forgetActions(world.platform.db, later);
    assert.equal((await rows()).actions, null);
  });
});
