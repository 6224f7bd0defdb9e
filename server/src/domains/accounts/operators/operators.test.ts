import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Credential, createEngine, type Engine, Graph, type Services } from '../../../gql/index.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type Accounts, declareAccounts, makeOperatorCode, registerAccounts, runAdminCommand } from '../index.ts';
import { createAuth } from '../sessions/auth.ts';
import { CLIENT_ADDRESS_HEADER } from '../sessions/auth-requests.ts';
import { createAccount } from '../sessions/create-account.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform, createTestAccount, serveRoutes } from '../testing.ts';
import { DEMO_EMAIL } from './operator.policy.ts';

const DAY_MS = 86_400_000;
const ORIGIN = 'http://reelgraph.test';
const PASSWORD = 'correct horse';

// biome-ignore lint/suspicious/noExplicitAny: responses are compared, not typed
type Data = any;

interface Person {
  readonly accountId: string;
  readonly session: Credential;
  readonly key: Credential;
}

interface World {
  readonly platform: AccountsTestPlatform;
  readonly accounts: Accounts;
  readonly address: string;
  person(username: string): Promise<Person>;
  run(
    credential: Credential,
    query: string,
  ): Promise<{ data: Data; error: { code: string; field?: string; message: string; fix: string } | null }>;
  admin(...argv: string[]): Promise<Data>;
  signUp(
    account: object,
  ): Promise<{ status: number; error: { code: string; field?: string; message: string; suggestedFix: string } | null }>;
  /** Everything a sign-up, an invitation or a claim writes. */
  rows(): Promise<Data>;
  close(): Promise<void>;
}

async function openWorld(env: Record<string, string>): Promise<World> {
  const platform = await createAccountsTestPlatform(env);
  let engine: Engine;
  const accounts = registerAccounts(platform, {
    databaseUrl: platform.databaseUrl,
    version: '1.2.3',
    quotaOf: (id) => engine.quotaOf(id),
  });
  const graph = new Graph();
  declareAccounts(graph);
  // Only this domain is declared, so only its services are needed.
  const services = { accounts: accounts.services } as Services;
  const { db, clock, log } = platform;
  const { viewerSource, authorize } = accounts;
  engine = createEngine({
    schema: graph.schema(),
    db,
    clock,
    viewerSource,
    authorize,
    services,
    env: { baseUrl: ORIGIN, namespace: 'test' },
    log,
  });
  const server = await serveRoutes(accounts.routes);
  let calls = 0;
  return {
    platform,
    accounts,
    address: server.address,
    async person(username) {
      const { accountId, apiKey } = await createTestAccount(platform, username);
      const token = `token-of-${username}`;
      await db.run(
        sql(
          'test_add_session',
          `insert into sessions (id, account_id, token, expires_at) values (gen_random_uuid(), $1, $2, 'infinity')`,
        ),
        [accountId, token],
      );
      return { accountId, session: { kind: 'session', token }, key: accounts.credentialFromKey(apiKey ?? '') };
    },
    async run(credential, query) {
      const signal = new AbortController().signal;
      const { body } = await engine.execute({ query, credential, queriesOnly: false, requestId: 'test', signal });
      const [first] = body.errors ?? [];
      const extensions = first?.extensions as { code: string; field?: string; suggestedFix: string } | undefined;
      return {
        data: body.data,
        error: first && extensions ? { ...extensions, message: first.message, fix: extensions.suggestedFix } : null,
      };
    },
    async admin(...argv) {
      const { exitCode, stdout, stderr } = await runAdminCommand(argv, platform);
      return exitCode === 0 ? JSON.parse(stdout) : JSON.parse(stderr);
    },
    async signUp(account) {
      calls += 1;
      const response = await fetch(`${server.address}/api/auth/sign-up/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: ORIGIN, 'x-test-address': `192.0.2.${calls}` },
        body: JSON.stringify({ password: PASSWORD, ...account }),
      });
      const body: Data = await response.json();
      return { status: response.status, error: body.errors?.[0] ?? null };
    },
    rows: () =>
      db.first(
        sql(
          'test_rows',
          `select (select json_agg(a order by a.id) from accounts a) as accounts, (select json_agg(i order by i.id)
            from invitations i) as invitations,
             (select json_agg(c) from operator_codes c) as codes, (select count(*) from channels) as channels,
               (select count(*) from credentials) as credentials`,
        ),
        [],
      ),
    async close() {
      await server.close();
      await accounts.stop();
      await platform.close();
    },
  };
}

describe('a server with sign-up by invitation', () => {
  let fixture: World;
  let operator: Person;
  before(async () => {
    fixture = await openWorld({ SIGN_UP: 'invite', DID_NAMESPACE: 'test' });
    operator = await fixture.person('olga');
    await fixture.admin('grant-operator', '--username', 'olga');
  });
  after(() => fixture.close());

  async function invite(input = ''): Promise<{
    code: string;
    link: string;
    invitation: { id: string; state: string; email: string | null; note: string };
  }> {
    const { data, error } = await fixture.run(
      operator.session,
      `mutation { createInvitation(input: { ${input} }) { code link invitation { id state email note } } }`,
    );
    assert.equal(error, null);
    return data.createInvitation;
  }
  const guest = (username: string, more: object = {}) => ({ email: `${username}@example.com`, username, ...more });
  async function refused(
    account: object,
  ): Promise<{ code: string; field?: string; message: string; suggestedFix: string }> {
    const before = await fixture.rows();
    const { error } = await fixture.signUp(account);
    assert.ok(error, 'a refusal was expected');
    assert.deepEqual(await fixture.rows(), before);
    return error;
  }

  it('refuses a sign-up without an invitation, with a suggested fix', async () => {
    for (const invitation of [undefined, '', 7]) {
      const { code, field, suggestedFix } = await refused(guest('anna', { invitation }));
      assert.deepEqual([code, field], ['UNAUTHORIZED', 'invitation']);
      assert.match(suggestedFix, /Ask an operator of this server for an invitation/);
    }
  });

  it('accepts one account per invitation, and stores no code', async () => {
    const { code, link, invitation } = await invite('note: "For Bea"');
    assert.match(code, /^rgi_[0-9A-Za-z]{24}$/);
    assert.equal(link, `${ORIGIN}/sign-up?invitation=${code}`);
    assert.deepEqual([invitation.state, invitation.email, invitation.note], ['OPEN', null, 'For Bea']);
    assert.equal(JSON.stringify(await fixture.rows()).includes(code.slice(4)), false);
    assert.equal((await fixture.signUp(guest('bea', { invitation: code }))).status, 200);
    assert.match((await refused(guest('bea2', { invitation: code }))).message, /used already/);
    const { data } = await fixture.run(
      operator.session,
      `{ node(id: "${invitation.id}") { ... on Invitation { state usedBy createdBy usedAt } } }`,
    );
    assert.deepEqual([data.node.state, data.node.usedBy, data.node.createdBy], ['USED', 'bea', 'olga']);
    assert.ok(data.node.usedAt);
  });

  it('creates one account when an invitation is used twice concurrently', async () => {
    const { code } = await invite();
    const responses = await Promise.all(
      ['cleo', 'cora', 'cara'].map((name) => fixture.signUp(guest(name, { invitation: code }))),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400]);
    for (const { status, error } of responses) if (status === 400) assert.match(error?.message ?? '', /used already/);
  });

  it('accepts only the address of an invitation that has one', async () => {
    const { code } = await invite('email: "Dora@Example.com"');
    const { field, message } = await refused(guest('dina', { invitation: code }));
    assert.deepEqual([field, message], ['email', 'This invitation is for another e-mail address.']);
    assert.equal((await fixture.signUp(guest('dora', { invitation: code }))).status, 200);
  });

  it('refuses unknown, expired and revoked invitations', async () => {
    assert.match((await refused(guest('emma', { invitation: 'rgi_nothing' }))).message, /no such invitation/);
    const over = await invite();
    const revoked = await invite();
    const { data } = await fixture.run(
      operator.session,
      `mutation { revokeInvitation(id: "${revoked.invitation.id}") { state revokedAt } }`,
    );
    assert.equal(data.revokeInvitation.state, 'REVOKED');
    assert.match((await refused(guest('emma', { invitation: revoked.code }))).message, /was revoked/);
    fixture.platform.clock.advance(7 * DAY_MS);
    assert.match((await refused(guest('emma', { invitation: over.code }))).message, /has expired/);
  });

  it('does not use up an invitation when the account is refused', async () => {
    const { code } = await invite();
    assert.equal((await refused(guest('frida', { invitation: code, password: 'Password1' }))).field, 'password');
    assert.equal((await refused(guest('olga', { email: 'other@example.com', invitation: code }))).field, 'username');
    assert.equal((await fixture.signUp(guest('frida', { invitation: code }))).status, 200);
  });

  it('creates no account through other endpoints of the library', async () => {
    const auth = createAuth(fixture.platform, fixture.platform.databaseUrl);
    const before = await fixture.rows();
    try {
      const body = JSON.stringify({ ...guest('gina'), name: 'gina', password: PASSWORD });
      const headers = { 'content-type': 'application/json', origin: ORIGIN, [CLIENT_ADDRESS_HEADER]: '192.0.2.99' };
      const response = await auth.handler(
        new Request(`${ORIGIN}/api/auth/sign-up/email`, { method: 'POST', headers, body }),
      );
      assert.equal(response.ok, false);
    } finally {
      await auth.close();
    }
    const registration = await fetch(`${fixture.address}/api/auth/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'An agent',
        redirect_uris: ['http://127.0.0.1/callback'],
        email: 'gina@example.com',
      }),
    });
    assert.ok(registration.ok, 'an application may register; it is no account');
    assert.deepEqual(await fixture.rows(), before);
  });

  it('lets the admin create accounts, operators and invitations', async () => {
    const { isOperator } =
      (await fixture.admin('create-account', '--email', 'hanna@example.com', '--username', 'hanna', '--operator')) &&
      (await listed('hanna'));
    assert.equal(isOperator, true);
    const { id, link } = await fixture.admin('create-invitation', '--note', 'By hand', '--email', 'ida@example.com');
    const { invitations } = await fixture.admin('list-invitations');
    assert.deepEqual(
      invitations.filter((each: { id: string }) => each.id === id).map(({ note, email }: Data) => [note, email]),
      [['By hand', 'ida@example.com']],
    );
    const code = new URL(link).searchParams.get('invitation');
    assert.deepEqual(await fixture.admin('revoke-invitation', '--id', id), { id, revoked: true });
    assert.match((await refused(guest('ida', { invitation: code }))).message, /was revoked/);
    assert.equal((await fixture.admin('revoke-invitation', '--id', 'nonsense')).error.code, 'INVALID_INPUT');
  });

  for (const [name, input, field, code] of [
    ['an address that is none', 'email: "nobody"', 'input.email', 'INVALID_INPUT'],
    ['the address of an account', 'email: "OLGA@example.com"', 'input.email', 'RESOURCE_ALREADY_EXISTS'],
    ['an end in the past', 'expiresAt: "2020-01-01T00:00:00Z"', 'input.expiresAt', 'INVALID_INPUT'],
    ['an end years ahead', 'expiresAt: "2099-01-01T00:00:00Z"', 'input.expiresAt', 'INVALID_INPUT'],
    ['a note that is too long', `note: "${'x'.repeat(201)}"`, 'input.note', 'INVALID_INPUT'],
  ] as const) {
    it(`refuses an invitation with ${name}`, async () => {
      const before = await fixture.rows();
      const { error } = await fixture.run(
        operator.session,
        `mutation { createInvitation(input: { ${input} }) { code } }`,
      );
      assert.deepEqual([error?.code, error?.field], [code, field]);
      assert.deepEqual(await fixture.rows(), before);
    });
  }

  it('does not revoke a used invitation', async () => {
    const { code, invitation } = await invite();
    await fixture.signUp(guest('jana', { invitation: code }));
    const before = await fixture.rows();
    const { error } = await fixture.run(
      operator.session,
      `mutation { revokeInvitation(id: "${invitation.id}") { id } }`,
    );
    assert.match(error?.message ?? '', /created with this invitation already/);
    assert.deepEqual(await fixture.rows(), before);
  });

  it('lists and creates invitations for signed-in operators only, not for their keys', async () => {
    const stranger = await fixture.person('karla');
    const { invitation } = await invite();
    const before = await fixture.rows();
    for (const who of [stranger.session, stranger.key, operator.key]) {
      for (const operation of [
        'mutation { createInvitation(input: {}) { code } }',
        `mutation { revokeInvitation(id: "${invitation.id}") { id } }`,
        '{ invitations { totalCount edges { node { id } } } }',
      ]) {
        const { error } = await fixture.run(who, operation);
        assert.equal(error?.code, 'UNAUTHORIZED', operation);
      }
      const { data } = await fixture.run(who, `{ node(id: "${invitation.id}") { id } me { isOperator } }`);
      assert.deepEqual([data.node, data.me.isOperator], [null, false]);
    }
    assert.deepEqual(await fixture.rows(), before);
    const { data } = await fixture.run(
      operator.session,
      '{ me { isOperator } verifyConnection { permissions } invitations(first: 1) { edges { node { id } } } }',
    );
    assert.equal(data.me.isOperator, true);
    assert.ok(data.verifyConnection.permissions.includes('invitation:manage'));
    assert.equal(data.invitations.edges[0].node.id, invitation.id);
  });

  it('removes the role immediately', async () => {
    const helper = await fixture.person('lena');
    await fixture.admin('grant-operator', '--username', 'lena');
    assert.equal((await fixture.run(helper.session, '{ invitations(first: 1) { totalCount } }')).error, null);
    await fixture.admin('revoke-operator', '--username', 'lena');
    assert.equal(
      (await fixture.run(helper.session, '{ invitations(first: 1) { totalCount } }')).error?.code,
      'UNAUTHORIZED',
    );
  });

  async function listed(username: string): Promise<Data> {
    const { accounts } = await fixture.admin('list-accounts');
    return accounts.find((account: { username: string }) => account.username === username);
  }
});

describe('a server with closed sign-up', () => {
  let fixture: World;
  before(async () => {
    fixture = await openWorld({ SIGN_UP: 'closed' });
  });
  after(() => fixture.close());

  it('refuses every sign-up, also with an invitation, and says whom to ask', async () => {
    const { code } = await fixture.admin('create-invitation');
    const before = await fixture.rows();
    const { error } = await fixture.signUp({ email: 'anna@example.com', username: 'anna', invitation: code });
    assert.deepEqual([error?.code, error?.message], ['UNAUTHORIZED', 'Sign-up is closed on this server.']);
    assert.match(error?.suggestedFix ?? '', /Ask an operator/);
    assert.deepEqual(await fixture.rows(), before);
    await createAccount(fixture.platform, { email: 'anna@example.com', username: 'anna', password: PASSWORD });
  });
});

describe('the operator code of the first start', () => {
  let fixture: World;
  let person: Person;
  let count = 0;
  before(async () => {
    fixture = await openWorld({});
  });
  after(() => fixture.close());
  beforeEach(async () => {
    count += 1;
    person = await fixture.person(`person${count}`);
  });
  afterEach(() => fixture.platform.db.run(sql('test_no_operators', 'update accounts set is_operator = false'), []));

  const claim = (who: Credential, code: string) =>
    fixture.run(who, `mutation { claimOperator(code: "${code}") { isOperator } }`);
  async function refusal(who: Credential, code: string) {
    const before = await fixture.rows();
    const { error } = await claim(who, code);
    assert.deepEqual(await fixture.rows(), before);
    return error;
  }

  it('makes one account an operator', async () => {
    const code = await makeOperatorCode(fixture.platform);
    assert.match(code, /^rgo_[0-9A-Za-z]{24}$/);
    assert.equal(JSON.stringify(await fixture.rows()).includes(code.slice(4)), false);
    assert.equal((await claim(person.session, ` ${code} `)).data.claimOperator.isOperator, true);
    const other = await fixture.person('second');
    assert.deepEqual(
      [(await refusal(other.session, code))?.code, (await refusal(other.session, code))?.field],
      ['INVALID_INPUT', 'code'],
    );
  });

  it('is valid for a day, or until it is replaced', async () => {
    const first = await makeOperatorCode(fixture.platform);
    const second = await makeOperatorCode(fixture.platform);
    assert.equal((await refusal(person.session, first))?.code, 'INVALID_INPUT');
    fixture.platform.clock.advance(DAY_MS);
    assert.equal((await refusal(person.session, second))?.code, 'INVALID_INPUT');
  });

  it('is invalid once the admin command has made an operator', async () => {
    const code = await makeOperatorCode(fixture.platform);
    await fixture.admin('grant-operator', '--username', `person${count}`);
    const other = await fixture.person('third');
    assert.equal((await refusal(other.session, code))?.code, 'INVALID_INPUT');
  });

  it('requires a session, not a key', async () => {
    const code = await makeOperatorCode(fixture.platform);
    assert.equal((await refusal(person.key, code))?.code, 'UNAUTHORIZED');
    assert.equal((await refusal({ kind: 'anonymous' }, code))?.code, 'UNAUTHENTICATED');
  });

  it('allows five attempts', async () => {
    const code = await makeOperatorCode(fixture.platform);
    for (let n = 0; n < 5; n += 1) assert.equal((await refusal(person.session, 'rgo_guess'))?.code, 'INVALID_INPUT');
    assert.equal((await refusal(person.session, code))?.code, 'RATE_LIMIT_EXCEEDED');
    fixture.platform.clock.advance(30_000);
    assert.equal((await claim(person.session, code)).error, null);
  });

  it('never makes the demo account an operator', async () => {
    const demo = await createAccount(fixture.platform, { email: DEMO_EMAIL, username: 'demo', password: PASSWORD });
    await fixture.platform.db.run(
      sql(
        'test_demo_session',
        `insert into sessions (id, account_id, token, expires_at) values (gen_random_uuid(), $1, 'demo', 'infinity')`,
      ),
      [demo.accountId],
    );
    const code = await makeOperatorCode(fixture.platform);
    const error = await refusal({ kind: 'session', token: 'demo' }, code);
    assert.deepEqual([error?.code, error?.message], ['UNAUTHORIZED', 'The demo account cannot be an operator.']);
    const before = await fixture.rows();
    assert.equal((await fixture.admin('grant-operator', '--username', 'demo')).error.code, 'UNAUTHORIZED');
    await assert.rejects(
      fixture.platform.db.run(sql('test_force', `update accounts set is_operator = true where username = 'demo'`), []),
      /accounts_demo_not_operator/,
    );
    assert.deepEqual(await fixture.rows(), before);
    await assert.rejects(
      createAccount(fixture.platform, {
        email: 'DEMO@reelgraph.localhost',
        username: 'demo2',
        password: PASSWORD,
        isOperator: true,
      }),
    );
    assert.deepEqual(await fixture.rows(), before);
  });
});
