import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

const CREATE =
  'mutation ($channel: DID, $input: PlaylistInput!) { createPlaylist(channel: $channel, input: $input) ' +
  '{ id visibility } }';
const UPDATE =
  'mutation ($id: DID!, $input: PlaylistInput!) { updatePlaylist(id: $id, input: $input) ' +
  '{ id visibility metadata { title summary shortSummary keywords } } }';
const DELETE = 'mutation ($id: DID!) { deletePlaylist(id: $id) { id } }';
const READ =
  '{ id visibility metadata { name title summary shortSummary keywords } channel { id ' +
  '} itemsCount createdAt updatedAt }';

describe('playlists', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let editor: Person;
  let viewer: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, editor, viewer] = [
      await api.person('anna'),
      await api.person('bert'),
      await api.person('editor'),
      await api.person('viewer'),
    ];
    for (const [person, role] of [
      [editor, 'EDITOR'],
      [viewer, 'VIEWER'],
    ] as const)
      await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
        anna.channelId,
        person.accountId,
        role,
      ]);
  });
  after(() => api.close());

  async function create(owner: Person, input: Record<string, unknown> = {}): Promise<string> {
    api.clock.advance(1);
    return (await api.ok(owner, CREATE, { channel: null, input: { title: 'Evening', ...input } })).createPlaylist.id;
  }
  const totals = async (who: Person) => {
    const { playlists, channel } = await api.ok(
      who,
      'query ($id: DID!) { playlists { totalCount edges { node { id } } } channel(id: $id) { playlists ' +
        '{ totalCount edges { node { id } } } } }',
      { id: anna.channel },
    );
    for (const list of [playlists, channel.playlists]) assert.equal(list.totalCount, list.edges.length);
    return [playlists.totalCount, channel.playlists.totalCount];
  };

  it('are created with all fields, in one round trip, with an event', async () => {
    const input = {
      title: ' Noir ',
      summary: 'Dark\nfilms',
      shortSummary: 'Dark',
      keywords: ['noir', 'Noir', 'night'],
      visibility: 'UNLISTED',
    };
    const created = await api.counted(() => api.ok(anna, CREATE, { channel: anna.channel, input }));
    assert.deepEqual([created.roundTrips, created.statements], [1, 1]);
    const { id } = created.result.createPlaylist;
    const { playlist } = await api.ok(anna, `query ($id: DID!) { playlist(id: $id) ${READ} }`, { id });
    const { createdAt, updatedAt, ...rest } = playlist;
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(rest, {
      id,
      visibility: 'UNLISTED',
      metadata: {
        name: 'Noir',
        title: 'Noir',
        summary: 'Dark\nfilms',
        shortSummary: 'Dark',
        keywords: ['noir', 'night'],
      },
      channel: { id: anna.channel },
      itemsCount: 0,
    });
    const events = await api.rows<{ type: string }>('select type from events where subject_id = $1', [uuidOf(id)]);
    assert.deepEqual(events, [{ type: 'playlist.created' }]);
  });

  it('update the given fields only', async () => {
    const id = await create(anna, { summary: 'Long', keywords: ['a'] });
    const { updatePlaylist } = await api.ok(editor, UPDATE, { id, input: { title: 'Night', visibility: 'PRIVATE' } });
    assert.deepEqual(updatePlaylist, {
      id,
      visibility: 'PRIVATE',
      metadata: { title: 'Night', summary: 'Long', shortSummary: '', keywords: ['a'] },
    });
  });

  const full = { title: 'Noir', summary: 'Long', shortSummary: 'Short', keywords: ['a'] };
  for (const [name, cleared] of Object.entries({ summary: '', shortSummary: '', keywords: [] })) {
    it(`clear their ${name} with null and keep the rest`, async () => {
      const id = await create(anna, { ...full, visibility: 'PRIVATE' });
      const { updatePlaylist } = await api.ok(anna, UPDATE, { id, input: { [name]: null } });
      assert.deepEqual(updatePlaylist, { id, visibility: 'PRIVATE', metadata: { ...full, [name]: cleared } });
    });
  }
  for (const name of ['title', 'visibility']) {
    it(`refuse null for the ${name}, without a change`, async () => {
      const id = await create(anna, { visibility: 'PRIVATE' });
      const row = () => api.row('select * from playlists where id = $1', [uuidOf(id)]);
      const before = await row();
      const error = await api.refused(anna, UPDATE, { id, input: { summary: 'changed', [name]: null } });
      assert.deepEqual([error.code, error.field], ['FIELD_REQUIRED', `input.${name}`]);
      assert.deepEqual(await row(), before);
    });
  }

  it('are returned by node and counted exactly, for members and for others', async () => {
    const [allBefore, ownBefore] = await totals(anna);
    const [, foreignBefore] = await totals(bert);
    assert.ok(allBefore !== undefined && ownBefore !== undefined && foreignBefore !== undefined);
    const shown = await create(anna);
    const hidden = await create(anna, { visibility: 'PRIVATE' });
    const linked = await create(anna, { visibility: 'UNLISTED' });
    assert.deepEqual(await totals(anna), [allBefore + 1, ownBefore + 3]);
    assert.deepEqual(await totals(viewer), [allBefore + 1, ownBefore + 3]);
    assert.deepEqual(await totals(bert), [allBefore + 1, foreignBefore + 1]);
    const nodes = async (who: Person) =>
      (await api.ok(who, 'query ($ids: [DID!]!) { nodes(ids: $ids) { id } }', { ids: [shown, hidden, linked] })).nodes;
    assert.deepEqual(await nodes(bert), [{ id: shown }, null, { id: linked }]);
    assert.deepEqual(await nodes(viewer), [{ id: shown }, { id: hidden }, { id: linked }]);
    await api.ok(anna, UPDATE, { id: shown, input: { visibility: 'PRIVATE' } });
    await api.ok(anna, DELETE, { id: hidden });
    await api.ok(anna, DELETE, { id: linked });
    assert.deepEqual(await totals(bert), [allBefore, foreignBefore]);
    assert.deepEqual(await totals(anna), [allBefore, ownBefore + 1]);
  });

  it('page newest first, in both directions', async () => {
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.unshift(await create(bert, { title: `List ${index}` }));
    const page =
      'query ($id: DID!, $first: Int, $after: String, $last: Int, $before: String) { channel(id: $id) ' +
      '{ playlists(first: $first, after: $after, last: $last, before: $before) { edges { node { id } } pageInfo ' +
      '{ hasNextPage hasPreviousPage startCursor endCursor } } } }';
    const read = async (variables: Record<string, unknown>) =>
      (await api.ok(anna, page, { id: bert.channel, ...variables })).channel.playlists;
    const first = await read({ first: 3 });
    const second = await read({ first: 3, after: first.pageInfo.endCursor });
    const back = await read({ last: 3, before: second.pageInfo.startCursor });
    const seen = (list: { edges: { node: { id: string } }[] }) => list.edges.map(({ node }) => node.id);
    assert.deepEqual([...seen(first), ...seen(second)], ids);
    assert.deepEqual(seen(back), ids.slice(0, 3));
    assert.deepEqual(
      [first.pageInfo.hasNextPage, second.pageInfo.hasNextPage, back.pageInfo.hasPreviousPage],
      [true, false, false],
    );
  });

  it('are hidden from others when private, and never changed by them', async () => {
    const [open, closed] = [await create(anna), await create(anna, { visibility: 'PRIVATE' })];
    const cases: [Person, string, string][] = [
      [bert, open, 'UNAUTHORIZED'],
      [bert, closed, 'RESOURCE_NOT_FOUND'],
      [viewer, open, 'UNAUTHORIZED'],
      [viewer, closed, 'UNAUTHORIZED'],
      [anna, open.replace(/.{12}$/, '000000000000'), 'RESOURCE_NOT_FOUND'],
      [anna, anna.channel, 'INVALID_INPUT'],
    ];
    for (const [who, id, code] of cases) {
      for (const [document, more] of [
        [UPDATE, { input: { title: 'Mine' } }],
        [DELETE, {}],
      ] as const) {
        const error = await api.refused(who, document, { id, ...more });
        assert.deepEqual([error.code, error.field], [code, 'id'], `${document} ${id}`);
      }
    }
    assert.equal(
      (await api.refused(bert, `query ($id: DID!) { playlist(id: $id) ${READ} }`, { id: closed })).code,
      'RESOURCE_NOT_FOUND',
    );
    const foreign = await api.refused(bert, CREATE, { channel: anna.channel, input: { title: 'X' } });
    assert.deepEqual([foreign.code, foreign.field], ['UNAUTHORIZED', 'channel']);
    assert.equal((await api.refused(null, DELETE, { id: open })).code, 'UNAUTHENTICATED');
    assert.equal(
      (await api.ok(anna, `query ($id: DID!) { playlist(id: $id) ${READ} }`, { id: open })).playlist.metadata.title,
      'Evening',
    );
  });

  it('refuse invalid texts, naming the field', async () => {
    const cases: [Record<string, unknown>, string, string][] = [
      [{ title: ' ' }, 'FIELD_REQUIRED', 'input.title'],
      [{ title: 'x'.repeat(201) }, 'INVALID_INPUT', 'input.title'],
      [{ title: 'a\u0007b' }, 'INVALID_INPUT', 'input.title'],
      [{ title: 'x', summary: 'x'.repeat(5001) }, 'INVALID_INPUT', 'input.summary'],
      [{ title: 'x', shortSummary: 'x'.repeat(301) }, 'INVALID_INPUT', 'input.shortSummary'],
      [{ title: 'x', keywords: ['x'.repeat(51)] }, 'INVALID_INPUT', 'input.keywords.0'],
    ];
    for (const [input, code, field] of cases) {
      const error = await api.refused(anna, CREATE, { input });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
  });
});
