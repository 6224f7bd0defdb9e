import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';

const CREATE =
  'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { channel ' +
  '{ id handle timeZone viewerRole metadata ' +
  '{ name title } } } }';
const UPDATE =
  'mutation ($channel: DID!, $username: String!, $role: ChannelRole!) { updateChannelMember(id: $channel, ' +
  'input: { username: $username, role: $role }) { member { role account { username } } } }';
const REMOVE =
  'mutation ($channel: DID!, $username: String!) { removeChannelMember(id: $channel, input: { username: $username }) ' +
  '{ removed channel { id } } }';
const TRANSFER =
  'mutation ($channel: DID!, $username: String!) { transferChannel(id: $channel, input: { username: $username }) ' +
  '{ channel { id viewerRole } } }';
const MEMBERS =
  'query ($id: DID!, $first: Int, $after: String, $last: Int, $before: String) { channel(id: $id) ' +
  '{ members(first: $first, after: $after, last: $last, before: $before) { totalCount edges { cursor node ' +
  '{ role createdAt account { username channel { handle } } } } pageInfo ' +
  '{ hasNextPage hasPreviousPage startCursor endCursor } } } }';

describe('members of a channel', () => {
  let api: TestCatalog;
  const people: Record<string, Person> = {};
  const who = (name: string): Person => {
    const person = people[name];
    assert.ok(person, name);
    return person;
  };
  before(async () => {
    api = await openTestCatalog();
    for (const name of ['owner', 'manager', 'editor', 'viewer', 'stranger', 'other'])
      people[name] = await api.person(name === 'owner' ? 'olga' : name);
  });
  after(() => api.close());

  let created = 0;
  async function channel(): Promise<string> {
    created += 1;
    await api.rows("update subscriptions set plan = 'CREATOR_PLUS'");
    const { channel } = (
      await api.ok(who('owner'), CREATE, {
        input: { name: `Hills ${created}`, handle: `hills${created}` },
      })
    ).createChannel;
    for (const role of ['VIEWER', 'EDITOR', 'MANAGER'] as const) {
      api.clock.advance(1);
      await api.join(channel.id, who(role.toLowerCase()), role);
    }
    return channel.id;
  }
  const rolesOf = async (id: string) =>
    Object.fromEntries(
      (
        await api.rows<{ username: string; role: string }>(
          'select a.username, m.role from channel_members m join accounts a on a.id = m.account_id ' +
            'where m.channel_id = $1',
          [uuidOf(id)],
        )
      ).map(({ username, role }) => [username, role]),
    );
  const ALL = { olga: 'OWNER', manager: 'MANAGER', editor: 'EDITOR', viewer: 'VIEWER' };

  it('are listed for members only, in one statement', async () => {
    const id = await channel();
    const counted = await api.counted(() => api.ok(who('viewer'), MEMBERS, { id }));
    assert.deepEqual([counted.roundTrips, counted.statements], [1, 1]);
    const { members } = counted.result.channel;
    assert.equal(members.totalCount, 4);
    assert.deepEqual(
      members.edges.map(({ node }: { node: { role: string; account: { username: string } } }) => [
        node.account.username,
        node.role,
      ]),
      [
        ['manager', 'MANAGER'],
        ['editor', 'EDITOR'],
        ['viewer', 'VIEWER'],
        ['olga', 'OWNER'],
      ],
    );
    assert.deepEqual((await api.ok(who('stranger'), MEMBERS, { id })).channel, { members: null });
  });

  it('are nodes for members of the channel; an account’s memberships are nodes for that account only', async () => {
    const id = await channel();
    const { me } = await api.ok(
      who('viewer'),
      '{ me { channels(first: 1) { edges { node { id role channel { id } } } } } }',
    );
    const [{ node: membership }] = me.channels.edges;
    assert.deepEqual([membership.role, membership.channel.id], ['VIEWER', id]);
    const listed = await api.ok(
      who('viewer'),
      'query ($id: DID!) { channel(id: $id) { members { edges { node { id role } } } } }',
      { id },
    );
    const member = listed.channel.members.edges[2].node;
    assert.equal(uuidOf(member.id), uuidOf(membership.id));
    const NODES = 'query ($ids: [DID!]!) { nodes(ids: $ids) { __typename id } }';
    const seen = async (name: string) => (await api.ok(who(name), NODES, { ids: [member.id, membership.id] })).nodes;
    const asMember = { __typename: 'ChannelMember', id: member.id };
    assert.deepEqual(await seen('viewer'), [asMember, { __typename: 'ChannelMembership', id: membership.id }]);
    assert.deepEqual(await seen('owner'), [asMember, null]);
    assert.deepEqual(await seen('stranger'), [null, null]);
  });

  it('page forwards and backwards without gaps or duplicates', async () => {
    const id = await channel();
    const names = (list: { edges: { node: { account: { username: string } } }[] }) =>
      list.edges.map(({ node }) => node.account.username);
    const one = (await api.ok(who('owner'), MEMBERS, { id, first: 3 })).channel.members;
    const two = (await api.ok(who('owner'), MEMBERS, { id, first: 3, after: one.pageInfo.endCursor })).channel.members;
    assert.deepEqual(
      [names(one), names(two), two.pageInfo.hasNextPage],
      [['manager', 'editor', 'viewer'], ['olga'], false],
    );
    const back = (await api.ok(who('owner'), MEMBERS, { id, last: 3, before: two.pageInfo.startCursor })).channel
      .members;
    assert.deepEqual(names(back), ['manager', 'editor', 'viewer']);
  });

  it('list an account’s channels with its role, in one statement', async () => {
    const id = await channel();
    const query =
      'query ($first: Int) { me { channels(first: $first) { totalCount edges { node { role createdAt channel ' +
      '{ id viewerRole } } } } } }';
    const before = (await api.ok(who('other'), query)).me.channels.totalCount;
    await api.join(id, who('other'), 'EDITOR');
    const { result, statements } = await api.counted(() => api.ok(who('other'), query, { first: 1 }));
    assert.equal(statements, 1);
    assert.equal(result.me.channels.totalCount, before + 1);
    const [{ node }] = result.me.channels.edges;
    assert.deepEqual([node.role, node.channel], ['EDITOR', { id, viewerRole: 'EDITOR' }]);
    await api.ok(who('other'), REMOVE, { channel: id, username: 'other' });
    assert.equal((await api.ok(who('other'), query)).me.channels.totalCount, before);
  });

  it('are changed and removed once, each with an event', async () => {
    const id = await channel();
    const args = { channel: id, username: 'other', role: 'VIEWER' };
    await api.join(id, who('other'), 'VIEWER');
    assert.equal(
      (await api.ok(who('manager'), UPDATE, { ...args, role: 'MANAGER' })).updateChannelMember.member.role,
      'MANAGER',
    );
    await api.ok(who('manager'), UPDATE, { ...args, role: 'MANAGER' });
    assert.deepEqual((await api.ok(who('manager'), REMOVE, { channel: id, username: 'other' })).removeChannelMember, {
      removed: true,
      channel: { id },
    });
    assert.equal(
      (await api.ok(who('manager'), REMOVE, { channel: id, username: 'other' })).removeChannelMember.removed,
      false,
    );
    const events = await api.rows<{ type: string; payload: object }>(
      'select type, payload from events where channel_id = $1 and subject_id = $2 order by id',
      [uuidOf(id), who('other').accountId],
    );
    assert.deepEqual(events, [
      { type: 'member.updated', payload: { username: 'other', role: 'MANAGER' } },
      { type: 'member.removed', payload: { username: 'other' } },
    ]);
    assert.deepEqual(await rolesOf(id), ALL);
  });

  const refusals: [string, string, string, Record<string, unknown>, string, string][] = [
    ['a viewer removes another', 'viewer', REMOVE, { username: 'editor' }, 'UNAUTHORIZED', 'id'],
    ['an editor gives itself more', 'editor', UPDATE, { username: 'editor', role: 'MANAGER' }, 'UNAUTHORIZED', 'id'],
    [
      'a manager makes itself the owner',
      'manager',
      UPDATE,
      { username: 'manager', role: 'OWNER' },
      'INVALID_INPUT',
      'input.role',
    ],
    [
      'a manager changes the owner',
      'manager',
      UPDATE,
      { username: 'olga', role: 'VIEWER' },
      'UNAUTHORIZED',
      'input.username',
    ],
    ['a manager removes the owner', 'manager', REMOVE, { username: 'olga' }, 'UNAUTHORIZED', 'input.username'],
    ['the owner leaves', 'owner', REMOVE, { username: 'olga' }, 'INVALID_INPUT', 'input.username'],
    [
      'the owner takes another role',
      'owner',
      UPDATE,
      { username: 'olga', role: 'MANAGER' },
      'INVALID_INPUT',
      'input.username',
    ],
    [
      'someone who is no member is changed',
      'owner',
      UPDATE,
      { username: 'other', role: 'VIEWER' },
      'RESOURCE_NOT_FOUND',
      'input.username',
    ],
    ['a manager transfers', 'manager', TRANSFER, { username: 'manager' }, 'UNAUTHORIZED', 'id'],
    ['a stranger transfers', 'stranger', TRANSFER, { username: 'stranger' }, 'UNAUTHORIZED', 'id'],
    [
      'a channel is transferred to an unknown account',
      'owner',
      TRANSFER,
      { username: 'nobody' },
      'RESOURCE_NOT_FOUND',
      'input.username',
    ],
    [
      'a channel is transferred to someone who is no member',
      'owner',
      TRANSFER,
      { username: 'stranger' },
      'INVALID_INPUT',
      'input.username',
    ],
  ];
  it('are unchanged when', async (test) => {
    const id = await channel();
    for (const [name, person, document, variables, code, field] of refusals) {
      await test.test(name, async () => {
        const error = await api.refused(who(person), document, { channel: id, ...variables });
        assert.deepEqual([error.code, error.field], [code, field]);
        assert.deepEqual(await rolesOf(id), ALL);
      });
    }
  });

  it('cannot be changed in a missing channel or by an anonymous viewer', async () => {
    const missing = 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e';
    for (const [document, variables] of [
      [UPDATE, { role: 'VIEWER' }],
      [REMOVE, {}],
      [TRANSFER, {}],
    ] as const) {
      const error = await api.refused(who('owner'), document, { channel: missing, username: 'other', ...variables });
      assert.deepEqual([error.code, error.field], ['RESOURCE_NOT_FOUND', 'id']);
      assert.equal(
        (await api.refused(null, document, { channel: missing, username: 'other', ...variables })).code,
        'UNAUTHENTICATED',
      );
    }
  });

  it('can leave in every role but owner', async () => {
    const id = await channel();
    for (const name of ['viewer', 'editor', 'manager'])
      assert.equal(
        (await api.ok(who(name), REMOVE, { channel: id, username: name })).removeChannelMember.removed,
        true,
      );
    assert.deepEqual(await rolesOf(id), { olga: 'OWNER' });
  });

  it('transfer the channel: the previous owner becomes a manager', async () => {
    const id = await channel();
    await api.join(id, who('stranger'), 'EDITOR');
    const { channel: transferChannel } = (await api.ok(who('owner'), TRANSFER, { channel: id, username: 'stranger' }))
      .transferChannel;
    assert.deepEqual(transferChannel, { id, viewerRole: 'MANAGER' });
    assert.deepEqual(await rolesOf(id), { ...ALL, olga: 'MANAGER', stranger: 'OWNER' });
    assert.deepEqual(await api.row('select account_id from channels where id = $1', [uuidOf(id)]), {
      account_id: who('stranger').accountId,
    });
    assert.equal((await api.refused(who('owner'), TRANSFER, { channel: id, username: 'olga' })).code, 'UNAUTHORIZED');
    await api.ok(who('stranger'), TRANSFER, { channel: id, username: 'olga' });
    assert.deepEqual(await rolesOf(id), { ...ALL, stranger: 'MANAGER' });
    assert.equal(
      (await api.rows("select 1 from events where type = 'channel.transferred' and channel_id = $1", [uuidOf(id)]))
        .length,
      2,
    );
  });

  it('keep one owner when a channel is transferred to two accounts concurrently', async () => {
    const id = await channel();
    const responses = await Promise.all(
      ['manager', 'editor'].map((username) => api.run(who('owner'), TRANSFER, { channel: id, username })),
    );
    assert.equal(responses.filter(({ errors }) => errors.length === 0).length, 1);
    assert.equal(Object.values(await rolesOf(id)).filter((role) => role === 'OWNER').length, 1);
  });

  it('cannot transfer an account’s first channel', async () => {
    const error = await api.refused(who('owner'), TRANSFER, { channel: who('owner').channel, username: 'manager' });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
    assert.match(error.message, /primary channel of your account/);
  });

  it('cannot transfer a channel to an account at its limit', async () => {
    const id = await channel();
    await api.rows("update subscriptions set plan = 'FREE' where account_id = $1", [who('stranger').accountId]);
    const owned = (await api.rows('select id from channels where account_id = $1', [who('stranger').accountId])).length;
    for (let count = owned; count < 2; count += 1)
      await api.ok(who('owner'), TRANSFER, { channel: await channelWithStranger(), username: 'stranger' });
    await api.join(id, who('stranger'), 'EDITOR');
    const error = await api.refused(who('owner'), TRANSFER, { channel: id, username: 'stranger' });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.username']);
    assert.match(error.message, /Free plan allows 2 channels/);
  });

  async function channelWithStranger(): Promise<string> {
    created += 1;
    const { channel } = (
      await api.ok(who('owner'), CREATE, {
        input: { name: 'More', handle: `hills${created}` },
      })
    ).createChannel;
    await api.join(channel.id, who('stranger'), 'EDITOR');
    return channel.id;
  }

  it('are counted exactly', async () => {
    const wrong = await api.rows(
      `select ch.id from channels ch where counter_value('channel:members', ch.id) <> (select count(*)
        from channel_members m where m.channel_id = ch.id)
       union all select a.id from accounts a where counter_value('account:channels', a.id) <> (select count(*)
         from channel_members m where m.account_id = a.id)`,
    );
    assert.deepEqual(wrong, []);
  });
});
