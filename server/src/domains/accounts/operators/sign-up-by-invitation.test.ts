import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mailHandler } from '../../../platform/mail/mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';
import { until } from '../../../testing/until.ts';
import { CLIENT_ADDRESS_HEADER } from '../auth-requests.ts';
import { createAuth } from '../sessions/auth.ts';
import { createAccount } from '../sessions/create-account.ts';
import { type Data, ORIGIN, openWorld, PASSWORD, type Person, type World } from './testing.ts';

const DAY_MS = 86_400_000;

describe('a server with sign-up by invitation', () => {
  let world: World;
  let operator: Person;
  before(async () => {
    world = await openWorld({ SIGN_UP: 'invite', DID_NAMESPACE: 'test' });
    operator = await world.person('olga');
    await world.admin('grant-operator', '--username', 'olga');
  });
  after(() => world.close());

  async function invite(input = ''): Promise<{
    code: string;
    url: string;
    invitation: { id: string; state: string; email: string | null; note: string };
  }> {
    const { data, error } = await world.run(
      operator.session,
      `mutation { createInvitation(input: { ${input} }) { code url invitation { id state email note } } }`,
    );
    assert.equal(error, null);
    return data.createInvitation;
  }
  const guest = (username: string, more: object = {}) => ({ email: `${username}@example.com`, username, ...more });
  async function refused(
    account: object,
  ): Promise<{ code: string; field?: string; message: string; suggestedFix: string }> {
    const before = await world.rows();
    const { error } = await world.signUp(account);
    assert.ok(error, 'a refusal was expected');
    assert.deepEqual(await world.rows(), before);
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
    const { code, url, invitation } = await invite('note: "For Bea"');
    assert.match(code, /^rgi_[0-9A-Za-z]{24}$/);
    assert.equal(url, `${ORIGIN}/sign-up?invitation=${code}`);
    assert.deepEqual([invitation.state, invitation.email, invitation.note], ['OPEN', null, 'For Bea']);
    assert.equal(JSON.stringify(await world.rows()).includes(code.slice(4)), false);
    assert.equal((await world.signUp(guest('bea', { invitation: code }))).status, 200);
    assert.match((await refused(guest('bea2', { invitation: code }))).message, /used already/);
    const { data } = await world.run(
      operator.session,
      `{ node(id: "${invitation.id}") { ... on Invitation { state usedBy createdBy usedAt } } }`,
    );
    assert.deepEqual([data.node.state, data.node.usedBy, data.node.createdBy], ['USED', 'bea', 'olga']);
    assert.ok(data.node.usedAt);
  });

  it('creates one account when an invitation is used twice concurrently', async () => {
    const { code } = await invite();
    const answers = await Promise.all(
      ['cleo', 'cora', 'cara'].map((name) => world.signUp(guest(name, { invitation: code }))),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    for (const { status, error } of answers) if (status === 400) assert.match(error?.message ?? '', /used already/);
  });

  it('accepts only the address of an invitation that has one', async () => {
    const { code, url } = await invite('email: "Dora@Example.com"');
    assert.match(url, /^http:\/\/reelgraph\.test\/sign-up\?invitation=rgi_[0-9A-Za-z]{24}&email=dora%40example\.com$/i);
    const { field, message } = await refused(guest('dina', { invitation: code }));
    assert.deepEqual([field, message], ['email', 'This invitation is for another email address.']);
    assert.equal((await world.signUp(guest('dora', { invitation: code }))).status, 200);
  });

  it('refuses unknown, expired and revoked invitations', async () => {
    assert.match((await refused(guest('emma', { invitation: 'rgi_nothing' }))).message, /no such invitation/);
    const over = await invite();
    const revoked = await invite();
    const { data } = await world.run(
      operator.session,
      `mutation { revokeInvitation(id: "${revoked.invitation.id}") { invitation { state revokedAt } } }`,
    );
    assert.equal(data.revokeInvitation.invitation.state, 'REVOKED');
    assert.match((await refused(guest('emma', { invitation: revoked.code }))).message, /was revoked/);
    world.platform.clock.advance(7 * DAY_MS);
    assert.match((await refused(guest('emma', { invitation: over.code }))).message, /has expired/);
  });

  it('does not use up an invitation when the account is refused', async () => {
    const { code } = await invite();
    assert.equal((await refused(guest('frida', { invitation: code, password: 'Password1' }))).field, 'password');
    assert.equal((await refused(guest('olga', { email: 'other@example.com', invitation: code }))).field, 'username');
    assert.equal((await world.signUp(guest('frida', { invitation: code }))).status, 200);
  });

  it('creates no account through other endpoints of the library', async () => {
    const auth = createAuth(world.platform, world.platform.databaseUrl);
    const before = await world.rows();
    try {
      const body = JSON.stringify({ ...guest('gina'), name: 'gina', password: PASSWORD });
      const headers = { 'content-type': 'application/json', origin: ORIGIN, [CLIENT_ADDRESS_HEADER]: '192.0.2.99' };
      const answer = await auth.handler(
        new Request(`${ORIGIN}/api/auth/sign-up/email`, { method: 'POST', headers, body }),
      );
      assert.equal(answer.ok, false);
    } finally {
      await auth.close();
    }
    const registration = await fetch(`${world.address}/api/auth/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'An agent',
        redirect_uris: ['http://127.0.0.1/callback'],
        email: 'gina@example.com',
      }),
    });
    assert.ok(registration.ok, 'an application may register; it is no account');
    assert.deepEqual(await world.rows(), before);
  });

  it('lets the admin create accounts, operators and invitations', async () => {
    const { isOperator } =
      (await world.admin('create-account', '--email', 'hanna@example.com', '--username', 'hanna', '--operator')) &&
      (await listed('hanna'));
    assert.equal(isOperator, true);
    const { id, link } = await world.admin('create-invitation', '--note', 'By hand', '--email', 'ida@example.com');
    const { invitations } = await world.admin('list-invitations');
    assert.deepEqual(
      invitations.filter((each: { id: string }) => each.id === id).map(({ note, email }: Data) => [note, email]),
      [['By hand', 'ida@example.com']],
    );
    const code = new URL(link).searchParams.get('invitation');
    assert.deepEqual(await world.admin('revoke-invitation', '--id', id), { id, revoked: true });
    assert.match((await refused(guest('ida', { invitation: code }))).message, /was revoked/);
    assert.equal((await world.admin('revoke-invitation', '--id', 'nonsense')).error.code, 'INVALID_INPUT');
  });

  for (const [name, input, field, code] of [
    ['an invalid address', 'email: "nobody"', 'input.email', 'INVALID_INPUT'],
    ['the address of an account', 'email: "OLGA@example.com"', 'input.email', 'RESOURCE_ALREADY_EXISTS'],
    ['an end in the past', 'expiresAt: "2020-01-01T00:00:00Z"', 'input.expiresAt', 'INVALID_INPUT'],
    ['an end years ahead', 'expiresAt: "2099-01-01T00:00:00Z"', 'input.expiresAt', 'INVALID_INPUT'],
    ['a note that is too long', `note: "${'x'.repeat(201)}"`, 'input.note', 'INVALID_INPUT'],
  ] as const) {
    it(`refuses an invitation with ${name}`, async () => {
      const before = await world.rows();
      const { error } = await world.run(
        operator.session,
        `mutation { createInvitation(input: { ${input} }) { code } }`,
      );
      assert.deepEqual([error?.code, error?.field], [code, field]);
      assert.deepEqual(await world.rows(), before);
    });
  }

  it('does not revoke a used invitation', async () => {
    const { code, invitation } = await invite();
    await world.signUp(guest('jana', { invitation: code }));
    const before = await world.rows();
    const { error } = await world.run(
      operator.session,
      `mutation { revokeInvitation(id: "${invitation.id}") { invitation { id } } }`,
    );
    assert.match(error?.message ?? '', /created with this invitation already/);
    assert.deepEqual(await world.rows(), before);
  });

  it('lists and creates invitations for signed-in operators only, not for their keys', async () => {
    const stranger = await world.person('karla');
    const { invitation } = await invite();
    const before = await world.rows();
    for (const who of [stranger.session, stranger.key, operator.key]) {
      for (const operation of [
        'mutation { createInvitation(input: {}) { code } }',
        `mutation { revokeInvitation(id: "${invitation.id}") { invitation { id } } }`,
        '{ invitations { totalCount edges { node { id } } } }',
      ]) {
        const { error } = await world.run(who, operation);
        assert.equal(error?.code, 'UNAUTHORIZED', operation);
      }
      const { data } = await world.run(who, `{ node(id: "${invitation.id}") { id } me { isOperator } }`);
      assert.deepEqual([data.node, data.me.isOperator], [null, false]);
    }
    assert.deepEqual(await world.rows(), before);
    const { data } = await world.run(
      operator.session,
      '{ me { isOperator } verifyConnection { permissions } invitations(first: 1) { edges { node { id } } } }',
    );
    assert.equal(data.me.isOperator, true);
    assert.ok(data.verifyConnection.permissions.includes('invitation:manage'));
    assert.equal(data.invitations.edges[0].node.id, invitation.id);
  });

  it('removes the role immediately', async () => {
    const helper = await world.person('lena');
    await world.admin('grant-operator', '--username', 'lena');
    assert.equal((await world.run(helper.session, '{ invitations(first: 1) { totalCount } }')).error, null);
    await world.admin('revoke-operator', '--username', 'lena');
    assert.equal(
      (await world.run(helper.session, '{ invitations(first: 1) { totalCount } }')).error?.code,
      'UNAUTHORIZED',
    );
  });

  async function listed(username: string): Promise<Data> {
    const { accounts } = await world.admin('list-accounts');
    return accounts.find((account: { username: string }) => account.username === username);
  }
});

describe('a server with closed sign-up', () => {
  let world: World;
  before(async () => {
    world = await openWorld({ SIGN_UP: 'closed' });
  });
  after(() => world.close());

  it('refuses every sign-up, also with an invitation, and names whom to ask', async () => {
    const { code } = await world.admin('create-invitation');
    const before = await world.rows();
    const { error } = await world.signUp({ email: 'anna@example.com', username: 'anna', invitation: code });
    assert.deepEqual([error?.code, error?.message], ['UNAUTHORIZED', 'Sign-up is closed on this server.']);
    assert.match(error?.suggestedFix ?? '', /Ask an operator/);
    assert.deepEqual(await world.rows(), before);
    await createAccount(world.platform, { email: 'anna@example.com', username: 'anna', password: PASSWORD });
  });
});

describe('an invitation to a server that sends mail', () => {
  let world: World;
  before(async () => {
    world = await openWorld({ MAIL: 'smtp', SMTP_URL: 'smtp://127.0.0.1:9' });
  });
  after(() => world.close());

  it('is sent to the address that it is for, in the language of the operator; one for anybody is not', async () => {
    const { platform } = world;
    const operator = await world.person('olga');
    await world.admin('grant-operator', '--username', 'olga');
    const sent: MailMessage[] = [];
    const transport = { deliver: async (_id: string, mail: MailMessage) => void sent.push(mail), close: () => {} };
    await platform.jobs.start();
    await platform.jobs.work(mailHandler(platform, async () => transport));
    const invite = async (input: string) => {
      const { data, error } = await world.run(
        operator.session,
        `mutation { createInvitation(input: { ${input} }) { url mailed } }`,
      );
      assert.equal(error, null);
      return data.createInvitation;
    };
    assert.equal((await invite('note: "Anybody"')).mailed, false);
    const { url, mailed } = await invite('email: "dora@example.com"');
    assert.equal(mailed, true);
    await until(async () => sent.length === 1);
    await platform.jobs.stop({ graceMs: 1_000 });
    assert.deepEqual([sent[0]?.to, sent[0]?.subject], ['dora@example.com', 'You are invited to Reelgraph']);
    assert.ok(sent[0]?.text.includes(`Create an account:\n${url}\n`));
    assert.ok(sent[0]?.html.includes(url.replace('&', '&amp;')));
  });
});
