import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { clearDeletedChannel } from '../channels/index.ts';
import { countsAndRecount, eventsOf, member } from './testing.ts';

const LIKE = 'mutation ($id: DID!) { likeContent(id: $id) { id likes { count isLiked } } }';
const UNLIKE = 'mutation ($id: DID!) { unlikeContent(id: $id) { likes { count isLiked } } }';
const LIKES =
  'query ($id: DID!) { content(id: $id) { likes { count isLiked } } feature(id: $id) { likes { count isLiked } } }';
const FOLLOW =
  'mutation ($channel: DID!) { followChannel(channel: $channel) { ok channel { followersCount isFollowed } } }';
const UNFOLLOW =
  'mutation ($channel: DID!) { unfollowChannel(channel: $channel) { ok channel { followersCount isFollowed } } }';
const MISSING = 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e';

describe('likes', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let cleo: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, cleo] = [await api.person('anna'), await api.person('bert'), await api.person('cleo')];
  });
  after(() => api.close());

  it('count once, belong to the viewer, and write one event, in one round trip', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    const { result, roundTrips } = await api.counted(() => api.ok(bert, LIKE, { id }));
    assert.deepEqual(result.likeContent, { id, likes: { count: 1, isLiked: true } });
    assert.equal(roundTrips, 1);
    await api.ok(bert, LIKE, { id });
    await api.ok(anna, LIKE, { id });
    const likes = { count: 2, isLiked: true };
    assert.deepEqual(await api.ok(bert, LIKES, { id }), { content: { likes }, feature: { likes } });
    assert.deepEqual((await api.ok(cleo, LIKES, { id })).content, { likes: { count: 2, isLiked: false } });
    assert.deepEqual((await api.ok(bert, UNLIKE, { id })).unlikeContent, { likes: { count: 1, isLiked: false } });
    assert.deepEqual((await api.ok(bert, UNLIKE, { id })).unlikeContent, { likes: { count: 1, isLiked: false } });
    assert.deepEqual(await eventsOf(api, id), ['content.liked', 'content.liked', 'content.unliked']);
  });

  it('return the same error for hidden and missing contents', async () => {
    const hidden = [
      await api.content(anna),
      await api.content(anna, { status: 'PUBLISHED', visibility: 'PRIVATE' }),
      MISSING,
    ];
    const responses = await Promise.all(hidden.map((id) => api.refused(bert, LIKE, { id })));
    assert.deepEqual(responses[0], responses[2]);
    assert.deepEqual(responses[1], responses[2]);
    assert.deepEqual([responses[0]?.code, responses[0]?.field], ['RESOURCE_NOT_FOUND', 'id']);
    assert.equal((await api.refused(bert, LIKE, { id: anna.channel })).code, 'INVALID_INPUT');
    assert.equal((await api.refused(null, LIKE, { id: MISSING })).code, 'UNAUTHENTICATED');
  });

  it('are listed on me, newest first, without contents that are no longer visible', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const id = await api.content(anna, { status: 'PUBLISHED', title: `Liked ${index}` });
      api.clock.advance(1_000);
      await api.ok(cleo, LIKE, { id });
      ids.unshift(id);
    }
    const page =
      'query ($first: Int, $after: String, $last: Int, $before: String) { me { likedContents(first: $first, ' +
      'after: $after, last: $last, before: $before) { totalCount edges { node { id } } pageInfo ' +
      '{ hasNextPage hasPreviousPage startCursor endCursor } } } }';
    const read = async (variables: Record<string, unknown>) => {
      const { result, roundTrips, statements } = await api.counted(() => api.ok(cleo, page, variables));
      assert.deepEqual([roundTrips, statements], [1, 1]);
      const { likedContents } = result.me;
      return { ...likedContents, ids: likedContents.edges.map((edge: { node: { id: string } }) => edge.node.id) };
    };
    const first = await read({ first: 3 });
    assert.deepEqual([first.totalCount, first.ids], [5, ids.slice(0, 3)]);
    assert.deepEqual((await read({ first: 3, after: first.pageInfo.endCursor })).ids, ids.slice(3));
    const last = await read({ last: 2 });
    assert.deepEqual(last.ids, ids.slice(3));
    assert.deepEqual((await read({ last: 9, before: last.pageInfo.startCursor })).ids, ids.slice(0, 3));
    await api.rows("update contents set visibility = 'PRIVATE' where id = $1", [uuidOf(ids[1] ?? '')]);
    const seen = await read({ first: 9 });
    assert.deepEqual([seen.totalCount, seen.ids], [4, ids.filter((_, index) => index !== 1)]);
  });

  it('support the deprecated mutations', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    const older = (name: string) => `mutation ($id: DID!) { ${name}(targetLrn: $id) { ok targetLrn } }`;
    assert.deepEqual((await api.ok(bert, older('like'), { id })).like, { ok: true, targetLrn: id });
    assert.equal((await api.ok(bert, LIKES, { id })).content.likes.count, 1);
    assert.deepEqual((await api.ok(bert, older('unlike'), { id })).unlike, { ok: true, targetLrn: id });
    assert.equal((await api.ok(bert, LIKES, { id })).content.likes.count, 0);
    const missing = await api.refused(bert, older('like'), { id: MISSING });
    assert.deepEqual([missing.code, missing.field], ['RESOURCE_NOT_FOUND', 'targetLrn']);
    const returned = `mutation ($id: DID!, $channel: DID!) {
      like(targetLrn: $id) { content { id likes { count } } }
      follow(targetLrn: $channel) { channel { id isFollowed } }
      unfollow(targetLrn: $channel) { channel { isFollowed } }
      unlike(targetLrn: $id) { content { likes { count } } }
    }`;
    assert.deepEqual(await api.ok(bert, returned, { id, channel: anna.channel }), {
      like: { content: { id, likes: { count: 1 } } },
      follow: { channel: { id: anna.channel, isFollowed: true } },
      unfollow: { channel: { isFollowed: false } },
      unlike: { content: { likes: { count: 0 } } },
    });
    const follow = await api.ok(bert, older('follow'), { id: anna.channel });
    assert.deepEqual(follow.follow, { ok: true, targetLrn: anna.channel });
    assert.deepEqual((await api.ok(bert, older('unfollow'), { id: anna.channel })).unfollow, {
      ok: true,
      targetLrn: anna.channel,
    });
  });

  it('are exact after random likes and unlikes of 64 clients', async () => {
    const people = await Promise.all(Array.from({ length: 64 }, (_, index) => api.person(`fan${index}`)));
    const contents = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED' }),
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const wants = people.map(() =>
      Array.from({ length: 12 }, () => [random(2), random(2) === 0 ? LIKE : UNLIKE] as const),
    );
    await Promise.all(
      people.map(async (who, index) => {
        for (const [content, document] of wants[index] ?? []) await api.ok(who, document, { id: contents[content] });
      }),
    );
    for (const [index, id] of contents.entries()) {
      const expected = wants.filter(
        (steps) => steps.filter(([content]) => content === index).at(-1)?.[1] === LIKE,
      ).length;
      const { n } = await api.row<{ n: number }>('select count(*) as n from likes where content_id = $1', [uuidOf(id)]);
      assert.equal(n, expected);
      assert.equal((await api.ok(anna, LIKES, { id })).content.likes.count, expected);
    }
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('are exact when contents and accounts are deleted', async () => {
    const dora = await api.person('dora');
    const [gone, stays] = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED' }),
    ];
    for (const id of [gone, stays]) for (const who of [bert, dora]) await api.ok(who, LIKE, { id });
    await api.rows('delete from contents where id = $1', [uuidOf(gone)]);
    await api.rows('delete from accounts where id = $1', [dora.accountId]);
    assert.equal((await api.ok(bert, LIKES, { id: stays })).content.likes.count, 1);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
    assert.deepEqual(
      await api.rows("select * from counters where key = $1 and scope like 'content:%'", [uuidOf(gone)]),
      [],
    );
  });
});

describe('follows', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const changes = () =>
    api.rows('select account_id, delta, created_at from follow_changes where channel_id = $1 order by id', [
      anna.channelId,
    ]);

  it('count once, belong to the viewer, and keep a history of changes, in one round trip', async () => {
    const at = new Date(api.clock.now()).toISOString();
    const { result, roundTrips } = await api.counted(() => api.ok(bert, FOLLOW, { channel: anna.channel }));
    assert.deepEqual(result.followChannel, { ok: true, channel: { followersCount: 1, isFollowed: true } });
    assert.equal(roundTrips, 1);
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    assert.deepEqual(await changes(), [{ account_id: bert.accountId, delta: 1, created_at: at }]);
    const { channel } = await api.ok(anna, 'query ($id: DID!) { channel(id: $id) { followersCount isFollowed } }', {
      id: anna.channel,
    });
    assert.deepEqual(channel, { followersCount: 1, isFollowed: false });
    await api.ok(bert, UNFOLLOW, { channel: anna.channel });
    const again = await api.ok(bert, UNFOLLOW, { channel: anna.channel });
    assert.deepEqual(again.unfollowChannel, { ok: true, channel: { followersCount: 0, isFollowed: false } });
    assert.deepEqual((await changes()).length, 2);
    assert.deepEqual(await eventsOf(api, anna.channel), ['channel.followed', 'channel.unfollowed']);
  });

  it('are not possible for the owner of a channel, also of an additional one, but for its other members', async () => {
    const created = 'mutation { createChannel(input: { name: "Second", handle: "anna-second" }) { channel { id } } }';
    const second = (await api.ok(anna, created)).createChannel.channel.id;
    const older = 'mutation ($id: DID!) { follow(targetLrn: $id) { ok } }';
    const before = await api.rows('select * from follows');
    for (const channel of [anna.channel, second]) {
      const { code, field, message } = await api.refused(anna, FOLLOW, { channel });
      assert.deepEqual([code, field, message], ['INVALID_INPUT', 'channel', 'This channel is your own.']);
      assert.equal((await api.refused(anna, older, { id: channel })).field, 'targetLrn');
    }
    assert.deepEqual(await api.rows('select * from follows'), before);
    await api.rows(
      `insert into channel_members (channel_id, account_id, role, created_at) values ($1, $2, 'MANAGER', now())`,
      [uuidOf(second), bert.accountId],
    );
    assert.equal((await api.ok(bert, FOLLOW, { channel: second })).followChannel.channel.followersCount, 1);
    // One that was followed before it was one's own.
    assert.equal((await api.ok(anna, UNFOLLOW, { channel: second })).unfollowChannel.channel.followersCount, 1);
  });

  it('refuse a missing channel', async () => {
    const error = await api.refused(bert, FOLLOW, {
      channel: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e',
    });
    assert.deepEqual([error.code, error.field], ['RESOURCE_NOT_FOUND', 'channel']);
    assert.equal((await api.refused(null, FOLLOW, { channel: anna.channel })).code, 'UNAUTHENTICATED');
  });

  it('are listed on me, and for members of the channel only, newest first', async () => {
    const fans = await Promise.all(['cleo', 'dora', 'emil'].map((name) => api.person(name)));
    for (const fan of fans) {
      api.clock.advance(1_000);
      await api.ok(fan, FOLLOW, { channel: anna.channel });
    }
    await api.ok(fans[0] ?? null, FOLLOW, { channel: bert.channel });
    const own =
      '{ me { followedChannels(first: 1) { totalCount edges { cursor node { handle isFollowed } } pageInfo ' +
      '{ hasNextPage endCursor } } } }';
    const { result, statements } = await api.counted(() => api.ok(fans[0] ?? null, own));
    assert.equal(statements, 1);
    const [edge] = result.me.followedChannels.edges;
    assert.deepEqual(
      [result.me.followedChannels.totalCount, edge.node, result.me.followedChannels.pageInfo.hasNextPage],
      [2, { handle: 'bert', isFollowed: true }, true],
    );
    const rest = await api.ok(
      fans[0] ?? null,
      'query ($after: String) { me { followedChannels(after: $after) { edges { node { handle } } } } }',
      { after: edge.cursor },
    );
    assert.deepEqual(rest.me.followedChannels.edges, [{ node: { handle: 'anna' } }]);

    const followers =
      'query ($id: DID!) { channel(id: $id) { followers(first: 2) { totalCount edges { node { id handle } } } } }';
    const viewer = await api.person('vera');
    await member(api, anna, viewer, 'VIEWER');
    for (const who of [anna, viewer]) {
      const counted = await api.counted(() => api.ok(who, followers, { id: anna.channel }));
      assert.equal(counted.statements, 1);
      const { totalCount, edges } = counted.result.channel.followers;
      assert.deepEqual(
        [totalCount, edges.map((entry: { node: { handle: string } }) => entry.node.handle)],
        [3, ['emil', 'dora']],
      );
      assert.equal(edges[0].node.id, fans[2]?.channel);
    }
    for (const who of [bert, fans[1] ?? null])
      assert.deepEqual((await api.ok(who, followers, { id: anna.channel })).channel, { followers: null });
  });

  it('end with the account, with an entry in the history', async () => {
    const fred = await api.person('fred');
    await api.ok(fred, FOLLOW, { channel: anna.channel });
    await api.rows('delete from accounts where id = $1', [fred.accountId]);
    assert.deepEqual(
      (await changes()).slice(-2).map((row) => (row as { delta: number }).delta),
      [1, -1],
    );
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
    await api.rows('delete from accounts where id = $1', [anna.accountId]);
    while (await clearDeletedChannel(api.platform.db));
    assert.deepEqual(await changes(), []);
  });
});
