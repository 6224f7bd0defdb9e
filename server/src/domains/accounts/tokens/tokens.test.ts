import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';

const CREATE =
  'mutation ($input: CreateTokenInput!) { createToken(input: $input) { value curlCommand token ' +
  '{ id name hint permissions channels createdAt expiresAt lastUsedAt } } }';
const REVOKE = 'mutation ($id: DID!) { revokeToken(id: $id) { id } }';
const TOKENS = '{ tokens(first: 10) { totalCount edges { node { id name lastUsedAt } } } }';
const CREATE_CONTENT = 'mutation ($channel: DID) { createContent(channel: $channel, input: { title: "New" }) { id } }';
const VERIFY = '{ verifyConnection { permissions channel { id } user { username } } }';
const DAY_MS = 86_400_000;

let api: TestCatalog;
before(async () => {
  api = await openTestCatalog();
});
after(() => api?.close());

type Input = Readonly<Record<string, unknown>>;

async function created(who: Person, input: Input = {}): Promise<{ id: string; value: string; person: Person }> {
  const all = { name: 'Script', permissions: ['content:create'], ...input };
  const { value, token } = (await api.ok(who, CREATE, { input: all })).createToken;
  return { id: token.id, value, person: { ...who, credential: api.domains.accounts.credentialFromKey(value) } };
}

const otherChannel = async (owner: Person, handle: string): Promise<string> => {
  const mutation =
    'mutation ($handle: String!) { createChannel(input: { name: "Other", handle: $handle }) { channel { id } } }';
  return (await api.ok(owner, mutation, { handle })).createChannel.channel.id;
};

describe('a scoped token', () => {
  it('is created with the key, shown once, and works until it is revoked', async () => {
    const key = await api.person('anna');
    const { createToken } = await api.ok(key, CREATE, {
      input: { name: ' Upload script ', permissions: ['asset:upload', 'content:create', 'asset:upload'] },
    });
    assert.match(createToken.value, /^rgt_[0-9A-Za-z]{38}$/);
    assert.equal(createToken.token.name, 'Upload script');
    assert.equal(createToken.token.hint, `${createToken.value.slice(0, 8)}…${createToken.value.slice(-4)}`);
    assert.deepEqual(createToken.token.permissions, ['content:read', 'content:create', 'asset:upload']);
    assert.deepEqual([createToken.token.channels, createToken.token.expiresAt], [null, null]);
    assert.ok(createToken.curlCommand.includes(createToken.value));
    const stored = await api.row<{ text: string }>('select t::text as text from api_tokens t where name = $1', [
      'Upload script',
    ]);
    assert.ok(!stored.text.includes(createToken.value.slice(8, 30)));

    const token = { ...key, credential: api.domains.accounts.credentialFromKey(createToken.value) };
    await api.ok(token, CREATE_CONTENT);
    await api.domains.accounts.writeKeyUses();
    const { tokens } = await api.ok(key, TOKENS);
    assert.equal(tokens.totalCount, 1);
    assert.equal(Date.parse(tokens.edges[0].node.lastUsedAt), api.clock.now());

    await api.ok(key, REVOKE, { id: createToken.token.id });
    const refused = await api.refused(token, CREATE_CONTENT);
    assert.deepEqual([refused.code, refused.message], ['UNAUTHENTICATED', 'This token has expired or was revoked.']);
    assert.equal((await api.refused(key, REVOKE, { id: createToken.token.id })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await api.ok(key, TOKENS)).tokens.totalCount, 0);
  });

  it('has the permissions it was given, and no more than the plan', async () => {
    const key = await api.person('bert');
    const owner = await api.signedIn(key);
    const { person } = await created(owner, { permissions: ['content:update', 'account:read', 'content:enhance'] });
    const permissions = async () => (await api.ok(person, VERIFY)).verifyConnection.permissions;
    assert.deepEqual(await permissions(), ['account:read', 'content:read', 'content:update', 'content:enhance']);
    const refused = await api.refused(person, CREATE_CONTENT);
    assert.equal(refused.code, 'UNAUTHORIZED');
    assert.equal(refused.message, 'The token "Script" does not have the permission content:create.');
    assert.match(refused.suggestedFix, /Create a token with content:create/);
    await api.rows(`update subscriptions set plan = 'PREMIUM_PLUS' where account_id = $1`, [key.accountId]);
    assert.deepEqual(await permissions(), ['account:read', 'content:read', 'content:update']);
    await api.rows(`update subscriptions set state = 'EXPIRED', access_until = '-infinity' where account_id = $1`, [
      key.accountId,
    ]);
    const lapsed = await api.refused(person, VERIFY);
    assert.equal(lapsed.code, 'UNAUTHORIZED');
    assert.match(lapsed.message, /The token is not accepted/);
  });

  it('cannot manage keys, tokens or operators, whatever it is stored with', async () => {
    const key = await api.person('cleo');
    const { person, id } = await created(key);
    await api.rows(
      `update api_tokens set permissions = array['token:manage', 'api_key:manage', 'operator:claim'] where id = $1`,
      [uuidOf(id)],
    );
    const input = { name: 'Second', permissions: ['content:read'] };
    assert.equal((await api.refused(person, CREATE, { input })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(person, REVOKE, { id })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(person, TOKENS)).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(person, 'mutation { revealApiKey { key } }')).code, 'UNAUTHORIZED');
    assert.equal((await api.ok(person, 'query ($id: DID!) { node(id: $id) { id } }', { id })).node, null);
  });

  it('expires, and is forgotten 30 days later', async () => {
    const key = await api.person('dave');
    const expiresAt = new Date(api.clock.now() + DAY_MS).toISOString();
    const { person } = await created(key, { expiresAt, permissions: ['account:read'] });
    await api.ok(person, VERIFY);
    api.clock.advance(DAY_MS);
    assert.equal((await api.refused(person, VERIFY)).code, 'UNAUTHENTICATED');
    assert.equal((await api.ok(key, TOKENS)).tokens.totalCount, 1);
  });

  it('is refused without the database when it is mistyped', async () => {
    const key = await api.person('emma');
    const { value } = await created(key);
    const test = (await created(key, { name: 'Tests', test: true })).value;
    const mistyped = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
    for (const text of [
      value.slice(0, -1),
      `${value}0`,
      mistyped(value),
      mistyped(test),
      value.replace('rgt_', 'test_'),
    ]) {
      assert.throws(() => api.domains.accounts.credentialFromKey(text), { code: 'UNAUTHENTICATED' });
    }
  });

  it('is named in the audit log, and keeps the usage limits of the account', async () => {
    const key = await api.person('finn');
    const owner = await api.signedIn(key);
    await api.ok(owner, 'mutation { setKeyBudgets(input: { deletesPerDay: 1 }) { budgets { deletesPerDay } } }');
    const { person } = await created(key, { name: 'Cleaner', permissions: ['content:delete'] });
    const remove = 'mutation ($id: DID!) { deleteContent(id: $id) { id } }';
    await api.ok(person, remove, { id: await api.content(key) });
    assert.equal((await api.refused(person, remove, { id: await api.content(key) })).code, 'RATE_LIMIT_EXCEEDED');
    await api.domains.accounts.writeKeyUses();
    const activity = '{ developerSettings { activity(first: 9) { edges { node { operation token outcome } } } } }';
    const { edges } = (await api.ok(owner, activity)).developerSettings.activity;
    assert.deepEqual(
      edges.map(({ node }: { node: unknown }) => node),
      [
        { operation: 'deleteContent', token: 'Cleaner', outcome: 'RATE_LIMIT_EXCEEDED' },
        { operation: 'deleteContent', token: 'Cleaner', outcome: 'OK' },
        { operation: 'createToken', token: null, outcome: 'OK' },
      ],
    );
  });

  it('has idempotency keys of its own', async () => {
    const key = await api.person('gina');
    const { person } = await created(key, { permissions: ['content:update'] });
    const send = (who: Person) =>
      api.domains.engine.execute({
        query: 'mutation { createContent(input: { title: "Once" }) { id } }',
        credential: who.credential,
        queriesOnly: false,
        requestId: 'test',
        idempotencyKey: 'same',
        signal: new AbortController().signal,
      });
    assert.equal((await send(key)).failure, null);
    assert.equal((await send(person)).failure, 'UNAUTHORIZED');
  });
});

describe('a token for some channels', () => {
  it('acts for the first of them, and sees of the others what is public', async () => {
    const key = await api.person('hugo');
    const other = await otherChannel(key, 'hugo-other');
    const [own, hidden] = [await api.content(key), await api.content(key, { status: 'PUBLISHED' })];
    const { person } = await created(key, {
      channels: [other],
      permissions: ['account:read', 'content:create', 'content:update', 'member:read', 'analytics:read', 'event:read'],
    });
    assert.equal((await api.ok(person, VERIFY)).verifyConnection.channel.id, other);
    const made = (await api.ok(person, CREATE_CONTENT)).createContent.id;
    const read =
      'query ($id: DID!) { content(id: $id) { id channel { id viewerRole members(first: 1) { totalCount } } } }';
    assert.deepEqual((await api.ok(person, read, { id: made })).content.channel, {
      id: other,
      viewerRole: 'OWNER',
      members: { totalCount: 1 },
    });
    assert.equal((await api.refused(person, read, { id: own })).code, 'RESOURCE_NOT_FOUND');
    assert.deepEqual((await api.ok(person, read, { id: hidden })).content.channel, {
      id: key.channel,
      viewerRole: null,
      members: null,
    });
    const { me } = await api.ok(
      person,
      '{ me { channels(first: 9) { totalCount edges { node { channel { id } } } } } }',
    );
    assert.deepEqual(me.channels, { totalCount: 1, edges: [{ node: { channel: { id: other } } }] });
    const events = await api.ok(person, '{ events(first: 50) { edges { node { channel { id } } } } }');
    assert.ok(
      events.events.edges.every(({ node }: { node: { channel: { id: string } } }) => node.channel.id === other),
    );
    const refused = await api.refused(person, CREATE_CONTENT, { channel: key.channel });
    assert.deepEqual([refused.code, refused.field], ['UNAUTHORIZED', 'channel']);
    assert.equal(
      refused.message,
      'The token "Script" is limited to other channels than the one of the argument channel.',
    );
  });

  it('may still act on what belongs to other people', async () => {
    const [key, stranger] = [await api.person('ida'), await api.person('ivan')];
    const { person } = await created(key, { channels: [key.channel], permissions: ['like:manage'] });
    const id = await api.content(stranger, { status: 'PUBLISHED' });
    await api.ok(person, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id });
  });

  it('loses a channel with the membership', async () => {
    const [owner, member] = [await api.person('jane'), await api.person('john')];
    await api.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR')`, [
      owner.channelId,
      member.accountId,
    ]);
    const { person } = await created(member, {
      channels: [owner.channel],
      permissions: ['content:publish', 'content:create', 'asset:upload'],
    });
    const publish =
      'mutation { publishVideo(input: { title: "New", filename: "a.mp4", size: 1000 }) { content { id } } }';
    await api.ok(person, publish);
    await api.rows('delete from channel_members where channel_id = $1 and account_id = $2', [
      owner.channelId,
      member.accountId,
    ]);
    assert.equal((await api.refused(person, publish)).code, 'UNAUTHORIZED');
  });
});

describe('a test token', () => {
  const test = (permissions: readonly string[]) => ({ name: 'Tests', test: true, permissions });
  const IS_TEST = '{ tokens(first: 9) { edges { node { name isTest channels } } } }';

  it('acts for the test channel, which is made with the first of them and does not count as one of the plan', async () => {
    const key = await api.person('tess');
    const credits = '{ me { credits { channels { used } } } }';
    const before = await api.ok(key, credits);
    const { person, value } = await created(key, test(['account:read', 'content:create']));
    assert.match(value, /^test_[0-9A-Za-z]{38}$/);
    const { channel } = (await api.ok(person, VERIFY.replace('{ id }', '{ id name }'))).verifyConnection;
    assert.equal(channel.name, 'Test channel');
    assert.notEqual(channel.id, key.channel);
    await created(key, { ...test(['content:create']), name: 'More tests' });
    const { tokens } = await api.ok(key, IS_TEST);
    assert.deepEqual(
      tokens.edges.map(({ node }: { node: unknown }) => node),
      ['More tests', 'Tests'].map((name) => ({ name, isTest: true, channels: [channel.id] })),
    );
    assert.deepEqual(await api.ok(key, credits), before);
  });

  it('leaves no test channel when it is refused', async () => {
    const key = await api.person('tina');
    await created(key, { name: 'Taken' });
    const refused = await api.refused(key, CREATE, { input: { ...test(['content:create']), name: 'Taken' } });
    assert.equal(refused.code, 'RESOURCE_ALREADY_EXISTS');
    const channels = 'select 1 from channels where account_id = $1 and is_test';
    assert.deepEqual(await api.rows(channels, [key.accountId]), []);
  });

  it('makes contents and playlists that nobody else sees, whatever their visibility', async () => {
    const [key, other] = [await api.person('theo'), await api.person('thea')];
    const { person } = await created(key, test(['content:create', 'content:publish', 'playlist:manage']));
    const { id } = (await api.ok(person, CREATE_CONTENT)).createContent;
    await api.rows(`update contents set status = 'PUBLISHED', published_at = now() where id = $1`, [uuidOf(id)]);
    const create = 'mutation { createPlaylist(input: { title: "Mine", visibility: PUBLIC }) { id visibility } }';
    const { createPlaylist } = await api.ok(person, create);
    assert.equal(createPlaylist.visibility, 'PUBLIC');
    const read = 'query ($id: DID!, $playlist: DID!) { content(id: $id) { id } playlist(id: $playlist) { id } }';
    const variables = { id, playlist: createPlaylist.id };
    for (const who of [person, key])
      assert.deepEqual(await api.ok(who, read, variables), { content: { id }, playlist: { id: createPlaylist.id } });
    assert.deepEqual(
      (await api.run(other, read, variables)).errors.map(({ code }) => code),
      ['RESOURCE_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
    );
  });

  it('cannot act on what was not made in test mode, nor be used for the account itself', async () => {
    const [key, stranger] = [await api.person('todd'), await api.person('toni')];
    const { person } = await created(key, test(['like:manage', 'content:update', 'account:read']));
    const like = 'mutation ($id: DID!) { likeContent(id: $id) { id } }';
    for (const owner of [key, stranger]) {
      const refused = await api.refused(person, like, { id: await api.content(owner, { status: 'PUBLISHED' }) });
      assert.deepEqual(
        [refused.code, refused.field, refused.message],
        ['UNAUTHORIZED', 'id', 'The test token "Tests" cannot act on the object of the argument id.'],
      );
    }
    assert.deepEqual(await api.rows('select 1 from likes where account_id = $1', [key.accountId]), []);
    const profile = 'mutation { updateProfile(input: { displayName: "Other" }) { profile { displayName } } }';
    assert.equal((await api.refused(person, profile)).code, 'UNAUTHORIZED');
  });

  it('has a channel that stays: it cannot be deleted or transferred, and has no other members', async () => {
    const [key] = [await api.person('tara'), await api.person('tony')];
    const { person } = await created(key, test(['account:read']));
    const { channel } = (await api.ok(person, VERIFY)).verifyConnection;
    const owner = await api.signedIn(key);
    for (const [change, field] of [
      ['deleteChannel(id: $id) { id }', 'id'],
      ['transferChannel(id: $id, input: { username: "tony" }) { channel { id } }', 'id'],
      ['inviteChannelMember(id: $id, input: { username: "tony", role: EDITOR }) { invitation { id } }', 'id'],
    ]) {
      const refused = await api.refused(owner, `mutation ($id: DID!) { ${change} }`, { id: channel.id });
      assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', field]);
      assert.equal(refused.message, 'This is your test channel, which belongs to your account alone.');
    }
    const members = 'select account_id as id from channel_members where channel_id = $1';
    assert.deepEqual(await api.rows(members, [uuidOf(channel.id)]), [{ id: key.accountId }]);
  });
});

it('tokens are listed newest first', async () => {
  const key = await api.person('paul');
  for (const name of ['one', 'two']) await created(key, { name });
  const page = await api.ok(key, '{ tokens(first: 1) { edges { node { name } } } }');
  assert.equal(page.tokens.edges[0].node.name, 'two');
});
