import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

const CREATE = 'mutation ($input: PlaylistInput!) { createPlaylist(input: $input) { id } }';
const STATE = '{ id itemsCount containsContent(id: $content) items { edges { node { content { id } } } } }';
const SAVE = `mutation ($id: DID!, $content: DID!) {
  saveToPlaylist(id: $id, input: { contentId: $content }) { playlist ${STATE} }
}`;
const REMOVE = `mutation ($id: DID!, $content: DID!) {
  removeFromPlaylist(id: $id, input: { contentId: $content }) { playlist ${STATE} }
}`;
const ADD =
  'mutation ($id: DID!, $content: DID!) { addPlaylistItems(id: $id, input: { contentIds: [$content, $content] }) ' +
  '{ playlist { id } } }';
const MISSING = 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e';

describe('saving to playlists', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const create = async (owner: Person, input: object = {}): Promise<string> => {
    api.clock.advance(1);
    return (await api.ok(owner, CREATE, { input: { title: 'Evening', visibility: 'PRIVATE', ...input } }))
      .createPlaylist.id;
  };

  it('adds a content once, and removes every item with it', async () => {
    const [id, content, other] = [
      await create(bert),
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED' }),
    ];
    await api.ok(bert, SAVE, { id, content: other });
    for (let time = 0; time < 2; time += 1) {
      const { playlist } = (await api.ok(bert, SAVE, { id, content })).saveToPlaylist;
      assert.deepEqual(playlist, {
        id,
        itemsCount: 2,
        containsContent: true,
        items: { edges: [{ node: { content: { id: other } } }, { node: { content: { id: content } } }] },
      });
    }
    await api.ok(bert, ADD, { id, content });
    for (let time = 0; time < 2; time += 1) {
      const { playlist } = (await api.ok(bert, REMOVE, { id, content })).removeFromPlaylist;
      assert.deepEqual([playlist.itemsCount, playlist.containsContent], [1, false]);
    }
    const events = await api.rows<{ payload: object }>(
      'select payload from events where subject_id = $1 and type = $2 order by id',
      [uuidOf(id), 'playlist.updated'],
    );
    assert.deepEqual(
      events.map(({ payload }) => payload),
      [{ added: 1 }, { added: 1 }, { added: 2 }, { removed: 3 }],
    );
  });

  it('is refused for playlists of others and for contents that are hidden', async () => {
    const [shared, hidden] = [await create(anna, { visibility: 'PUBLIC' }), await create(anna)];
    const content = await api.content(anna, { status: 'PUBLISHED' });
    for (const document of [SAVE, REMOVE]) {
      assert.equal((await api.refused(bert, document, { id: shared, content })).code, 'UNAUTHORIZED');
      assert.equal((await api.refused(bert, document, { id: hidden, content })).code, 'RESOURCE_NOT_FOUND');
    }
    const own = await create(bert);
    for (const missing of [MISSING, await api.content(anna)]) {
      const refused = await api.refused(bert, SAVE, { id: own, content: missing });
      assert.deepEqual([refused.code, refused.field], ['RESOURCE_NOT_FOUND', 'input.contentId']);
    }
  });

  it('finds playlists of a channel by a part of their title', async () => {
    const cleo = await api.person('cleo');
    for (const title of ['Jazz at night', 'Night trains', '100% jazz', 'Cooking']) await create(cleo, { title });
    const find =
      'query ($title: String) { channel { playlists(title: $title) ' +
      '{ totalCount edges { node { metadata { title } } } } } }';
    const found = async (title: string | null) => {
      const { channel } = await api.ok(cleo, find, { title });
      const { totalCount, edges } = channel.playlists;
      return [totalCount, ...edges.map((edge: { node: { metadata: { title: string } } }) => edge.node.metadata.title)];
    };
    assert.deepEqual(await found(' NIGHT '), [2, 'Night trains', 'Jazz at night']);
    assert.deepEqual(await found('%'), [1, '100% jazz']);
    assert.deepEqual(await found('_'), [0]);
    assert.equal((await found(null))[0], 4);
  });
});
