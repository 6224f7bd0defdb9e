import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';

const ADD = 'mutation ($id: DID!) { addToWatchLater(id: $id) { content { id isInWatchLater } } }';
const REMOVE = 'mutation ($id: DID!) { removeFromWatchLater(id: $id) { ok } }';
const READ = 'query ($id: DID!) { content(id: $id) { isInWatchLater } }';
const LIST =
  'query ($first: Int, $after: String) { me { watchLater(first: $first, after: $after) ' +
  '{ totalCount pageInfo { endCursor hasNextPage } edges { node { id } } } } }';
const MISSING = 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e';

describe('watch later', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const listOf = async (who: Person, variables: Record<string, unknown> = {}) => {
    const { watchLater } = (await api.ok(who, LIST, variables)).me;
    return { ...watchLater, ids: watchLater.edges.map((edge: { node: { id: string } }) => edge.node.id) };
  };

  it('has what its account adds, last added first, until it is removed; repeating changes nothing', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const id = await api.content(anna, { status: 'PUBLISHED', title: `Wanted ${index}` });
      ids.unshift(id);
      api.clock.advance(1000);
      const { result, roundTrips } = await api.counted(() => api.ok(bert, ADD, { id }));
      assert.deepEqual(result.addToWatchLater.content, { id, isInWatchLater: true });
      assert.equal(roundTrips, 1);
    }
    api.clock.advance(1000);
    await api.ok(bert, ADD, { id: ids[2] });
    const first = await listOf(bert, { first: 2 });
    assert.deepEqual([first.totalCount, first.ids, first.pageInfo.hasNextPage], [3, ids.slice(0, 2), true]);
    assert.deepEqual((await listOf(bert, { after: first.pageInfo.endCursor })).ids, ids.slice(2));
    assert.equal((await listOf(anna)).totalCount, 0);
    assert.equal((await api.ok(anna, READ, { id: ids[0] })).content.isInWatchLater, false);
    assert.equal((await api.ok(bert, READ, { id: ids[0] })).content.isInWatchLater, true);

    for (let time = 0; time < 2; time += 1)
      assert.deepEqual((await api.ok(bert, REMOVE, { id: ids[1] })).removeFromWatchLater, { ok: true });
    assert.deepEqual((await listOf(bert)).ids, [ids[0], ids[2]]);
  });

  it('shows no content that the account may no longer see, which can still be removed', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    await api.ok(bert, ADD, { id });
    const before = await listOf(bert);
    const hide = 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PRIVATE }) { id } }';
    await api.ok(anna, hide, { id });
    const { totalCount, ids } = await listOf(bert);
    assert.deepEqual([totalCount, ids.includes(id)], [before.totalCount - 1, false]);
    await api.ok(bert, REMOVE, { id });
    const rows = await api.rows('select 1 from watch_later where content_id = $1', [uuidOf(id)]);
    assert.equal(rows.length, 0);
  });

  it('is not a playlist: it is in no list of playlists, and is gone with its account', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    await api.ok(bert, ADD, { id });
    const { channel } = await api.ok(bert, '{ channel { playlists { totalCount } } }');
    assert.equal(channel.playlists.totalCount, 0);
    const events = await api.rows('select type from events where subject_id = $1 and type like $2', [
      uuidOf(id),
      'playlist%',
    ]);
    assert.equal(events.length, 0);
  });

  it('refuses contents that are hidden or missing alike, and visitors without an account', async () => {
    const hidden = [await api.content(anna), MISSING];
    const [first, second] = await Promise.all(hidden.map((id) => api.refused(bert, ADD, { id })));
    assert.deepEqual(first, second);
    assert.deepEqual([first?.code, first?.field], ['RESOURCE_NOT_FOUND', 'id']);
    assert.equal((await api.refused(bert, ADD, { id: anna.channel })).code, 'INVALID_INPUT');
    assert.equal((await api.refused(null, ADD, { id: MISSING })).code, 'UNAUTHENTICATED');
  });

  it('holds 5,000 contents; beyond, only those it has can be added', async () => {
    const cleo = await api.person('cleo');
    const id = await api.content(anna, { status: 'PUBLISHED' });
    await api.ok(cleo, ADD, { id });
    await api.rows(
      `with made as (
         insert into contents (id, kind, channel_id, title, status, created_at, updated_at)
         select gen_random_uuid(), 'FEATURE', $1, 'One of many', 'DRAFT', now(), now() from generate_series(1, 4999)
         returning id)
       insert into watch_later (content_id, account_id, created_at) select id, $2, now() from made`,
      [anna.channelId, cleo.accountId],
    );
    const other = await api.content(anna, { status: 'PUBLISHED' });
    const refused = await api.refused(cleo, ADD, { id: other });
    assert.deepEqual(
      [refused.code, refused.field, refused.message],
      ['INVALID_INPUT', 'id', 'Watch later holds at most 5,000 videos.'],
    );
    await api.ok(cleo, ADD, { id });
    await api.ok(cleo, REMOVE, { id });
    await api.ok(cleo, ADD, { id: other });
  });
});
