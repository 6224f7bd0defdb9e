import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

const CREATE =
  'mutation ($input: CreatePlaylistWithItemsInput!) { createPlaylistWithItems(input: $input) { playlist ' +
  '{ id itemsCount } results { id ok itemId error { code field message suggestedFix } } } }';
const ADD =
  'mutation ($id: DID!, $input: AddPlaylistItemsInput!) { addPlaylistItems(id: $id, input: $input) { playlist ' +
  '{ itemsCount } results { id ok itemId error { code field } } } }';
const MOVE =
  'mutation ($id: DID!, $input: MovePlaylistItemInput!) { movePlaylistItem(id: $id, input: $input) { item ' +
  '{ id index } } }';
const MOVE_ALL =
  'mutation ($id: DID!, $input: MovePlaylistItemsInput!) { movePlaylistItems(id: $id, input: $input) { results ' +
  '{ id ok error { code field } } } }';
const REMOVE =
  'mutation ($id: DID!, $itemIds: [DID!]!) { removePlaylistItems(id: $id, input: { itemIds: $itemIds }) { playlist ' +
  '{ itemsCount } results { id ok error { code field } } } }';
const ITEMS =
  'query ($id: DID!, $first: Int, $after: String, $last: Int, $before: String) { playlist(id: $id) ' +
  '{ itemsCount items(first: $first, after: $after, last: $last, before: $before) { totalCount edges { node ' +
  '{ id index content { metadata { title } } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } ' +
  '} }';

interface Result {
  id: string;
  ok: boolean;
  itemId: string;
  error: { code: string; field: string } | null;
}

describe('items of playlists', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let viewer: Person;
  /** Anna's published contents by title. */
  const videos = new Map<string, string>();
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, viewer] = [await api.person('anna'), await api.person('bert'), await api.person('viewer')];
    await api.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'VIEWER')`, [
      anna.channelId,
      viewer.accountId,
    ]);
    for (const title of ['A', 'B', 'C', 'D', 'E'])
      videos.set(title, await api.content(anna, { status: 'PUBLISHED', title }));
  });
  after(() => api.close());

  const video = (title: string) => videos.get(title) ?? assert.fail(`there is no video ${title}`);
  const ids = (titles: string) => [...titles].map(video);
  /** A playlist of the videos named by letters, and its items in order. */
  async function playlist(titles: string): Promise<{ id: string; items: string[] }> {
    const { createPlaylistWithItems } = await api.ok(anna, CREATE, {
      input: { title: 'List', contentIds: ids(titles) },
    });
    return {
      id: createPlaylistWithItems.playlist.id,
      items: createPlaylistWithItems.results.map(({ itemId }: Result) => itemId),
    };
  }
  /** The titles in order; every index must match the position. */
  async function titlesOf(id: string, who: Person = anna): Promise<string> {
    const { items, itemsCount } = (await api.ok(who, ITEMS, { id, first: 100 })).playlist;
    const edges: { node: { index: number; content: { metadata: { title: string } } | null } }[] = items.edges;
    assert.deepEqual([items.totalCount, itemsCount], [edges.length, edges.length]);
    assert.deepEqual(
      edges.map(({ node }) => node.index),
      edges.map((_, place) => place),
    );
    return edges.map(({ node }) => node.content?.metadata.title ?? '-').join('');
  }

  it('keep the given order, with duplicates', async () => {
    const { id, items } = await playlist('ABAC');
    assert.equal(await titlesOf(id), 'ABAC');
    assert.equal(new Set(items).size, 4);
    const events = await api.rows<{ type: string; payload: unknown }>(
      'select type, payload from events where subject_id = $1 order by id',
      [uuidOf(id)],
    );
    assert.deepEqual(events, [
      { type: 'playlist.created', payload: {} },
      { type: 'playlist.updated', payload: { added: 4 } },
    ]);
  });

  it('are added at the end, at an index and beside another item', async () => {
    const { id, items } = await playlist('AB');
    for (const [input, expected] of [
      [{ contentIds: ids('C') }, 'ABC'],
      [{ contentIds: ids('DE'), index: 0 }, 'DEABC'],
      [{ contentIds: ids('C'), index: 1 }, 'DCEABC'],
      [{ contentIds: ids('EE'), before: items[0] }, 'DCEEEABC'],
      [{ contentIds: ids('D'), after: items[1] }, 'DCEEEABDC'],
      [{ contentIds: ids('A'), index: 4_000 }, 'DCEEEABDCA'],
    ] as const) {
      await api.ok(anna, ADD, { id, input });
      assert.equal(await titlesOf(id), expected);
    }
  });

  it('are moved one by one and together, and report their position', async () => {
    const { id, items } = await playlist('ABCDE');
    const [a, b, c, d, e] = items;
    const { item } = (await api.ok(anna, MOVE, { id: e, input: { before: b } })).movePlaylistItem;
    assert.deepEqual(item, { id: e, index: 1 });
    assert.equal(await titlesOf(id), 'AEBCD');
    for (const [input, expected] of [
      [{ itemIds: [d, a], index: 1 }, 'EDABC'],
      [{ itemIds: [c, e, b], after: a }, 'DACEB'],
      [{ itemIds: [d] }, 'ACEBD'],
      [{ itemIds: [a, c, e, b, d], index: 3 }, 'ACEBD'],
    ] as const) {
      await api.ok(anna, MOVE_ALL, { id, input });
      assert.equal(await titlesOf(id), expected);
    }
    await api.ok(anna, MOVE, { id: a, input: { index: 0 } });
    assert.equal(await titlesOf(id), 'ACEBD');
    const { node } = await api.ok(
      viewer,
      'query ($id: DID!) { node(id: $id) { ... on PlaylistItem { index content { metadata { title } } } } }',
      { id: b },
    );
    assert.deepEqual(node, { index: 3, content: { metadata: { title: 'B' } } });
  });

  it('are removed while the contents stay, each with its own result', async () => {
    const [{ id, items }, other] = [await playlist('ABC'), await playlist('A')];
    const itemIds = [items[1], other.items[0], items[1], 'nonsense', items[0]];
    const { removePlaylistItems } = await api.ok(anna, REMOVE, { id, itemIds });
    assert.deepEqual(
      removePlaylistItems.results.map(({ id: sent, ok, error }: Result) => [sent, ok, error?.code, error?.field]),
      [
        [items[1], true, undefined, undefined],
        [other.items[0], false, 'RESOURCE_NOT_FOUND', 'input.itemIds.1'],
        [items[1], false, 'INVALID_INPUT', 'input.itemIds.2'],
        ['nonsense', false, 'INVALID_INPUT', 'input.itemIds.3'],
        [items[0], true, undefined, undefined],
      ],
    );
    assert.equal(removePlaylistItems.playlist.itemsCount, 1);
    assert.deepEqual([await titlesOf(id), await titlesOf(other.id)], ['C', 'A']);
  });

  it('report each content that cannot be added, and add the others', async () => {
    const hidden = await api.content(bert, { status: 'PUBLISHED', visibility: 'PRIVATE' });
    const gone = await api.content(anna, { status: 'PUBLISHED' });
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: gone });
    const draft = await api.content(anna, { status: 'DRAFT', title: 'Draft' });
    const wrongKind = video('A').replace('/feature/', '/short/');
    const contentIds = [hidden, gone, draft, wrongKind, anna.channel, video('B')];
    const { createPlaylistWithItems } = await api.ok(anna, CREATE, { input: { title: 'Mixed', contentIds } });
    assert.deepEqual(
      createPlaylistWithItems.results.map(({ id, ok, itemId, error }: Result) => [
        id,
        ok,
        itemId !== null,
        error?.code,
        error?.field,
      ]),
      [
        [hidden, false, false, 'RESOURCE_NOT_FOUND', 'input.contentIds.0'],
        [gone, false, false, 'RESOURCE_NOT_FOUND', 'input.contentIds.1'],
        [draft, true, true, undefined, undefined],
        [wrongKind, false, false, 'RESOURCE_NOT_FOUND', 'input.contentIds.3'],
        [anna.channel, false, false, 'INVALID_INPUT', 'input.contentIds.4'],
        [video('B'), true, true, undefined, undefined],
      ],
    );
    const { id } = createPlaylistWithItems.playlist;
    assert.deepEqual(
      [await titlesOf(id), await titlesOf(id, viewer), await titlesOf(id, bert)],
      ['DraftB', 'DraftB', 'B'],
    );
  });

  it('follow changes of their contents, with exact counts for members and for others', async () => {
    const shared = await api.content(anna, { status: 'PUBLISHED', title: 'X' });
    const { createPlaylistWithItems } = await api.ok(bert, CREATE, {
      input: { title: 'Of others', contentIds: [shared, video('A'), shared] },
    });
    const { id } = createPlaylistWithItems.playlist;
    const hide = (visibility: string) =>
      api.ok(anna, 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }', {
        id: shared,
        input: { visibility },
      });
    await hide('UNLISTED');
    assert.deepEqual([await titlesOf(id, bert), await titlesOf(id, viewer)], ['XAX', 'XAX']);
    await hide('PRIVATE');
    // Bert's own list keeps the items without their contents; others do not see them.
    assert.deepEqual([await titlesOf(id, bert), await titlesOf(id, viewer)], ['-A-', 'A']);
    await hide('PUBLIC');
    assert.equal(await titlesOf(id, viewer), 'XAX');
    await api.rows('delete from contents where id = $1', [uuidOf(shared)]);
    assert.deepEqual([await titlesOf(id, bert), await titlesOf(id, viewer)], ['A', 'A']);
  });

  it('are none in a playlist that is created with an empty list, as without one', async () => {
    for (const list of [{}, { contentIds: null }, { contentIds: [] }]) {
      const created = (await api.ok(anna, CREATE, { input: { title: 'Empty', ...list } })).createPlaylistWithItems;
      assert.deepEqual(created.results, []);
    }
  });

  it('refuse invalid positions and lists as a whole, without a change', async () => {
    const [{ id, items }, other] = [await playlist('ABC'), await playlist('A')];
    const [a, b] = items;
    const contentIds = ids('D');
    const cases: [string, Record<string, unknown>, string, string][] = [
      [MOVE, { id: a, input: { before: a } }, 'INVALID_INPUT', 'input.before'],
      [MOVE, { id: a, input: { after: other.items[0] } }, 'RESOURCE_NOT_FOUND', 'input.after'],
      [MOVE, { id: a, input: { index: -1 } }, 'INVALID_INPUT', 'input.index'],
      [MOVE, { id: a, input: { index: 0, after: b } }, 'INVALID_INPUT', 'input.after'],
      [MOVE, { id: a?.replace(/.{12}$/, '000000000000'), input: { index: 0 } }, 'RESOURCE_NOT_FOUND', 'id'],
      [MOVE_ALL, { id, input: { itemIds: [], index: 0 } }, 'FIELD_REQUIRED', 'input.itemIds'],
      [MOVE_ALL, { id, input: { itemIds: [a, b], after: b } }, 'INVALID_INPUT', 'input.after'],
      [ADD, { id, input: { contentIds: [] } }, 'FIELD_REQUIRED', 'input.contentIds'],
      [ADD, { id, input: { contentIds: Array(101).fill(video('A')) } }, 'INVALID_INPUT', 'input.contentIds'],
      [ADD, { id, input: { contentIds, before: other.items[0] } }, 'RESOURCE_NOT_FOUND', 'input.before'],
      [ADD, { id, input: { contentIds, before: video('A') } }, 'INVALID_INPUT', 'input.before'],
      [REMOVE, { id, itemIds: [] }, 'FIELD_REQUIRED', 'input.itemIds'],
    ];
    for (const [document, variables, code, field] of cases) {
      const error = await api.refused(anna, document, variables);
      assert.deepEqual([error.code, error.field], [code, field], JSON.stringify(variables).slice(0, 200));
    }
    for (const who of [bert, viewer]) {
      for (const [document, variables] of [
        [ADD, { id, input: { contentIds } }],
        [MOVE, { id: a, input: {} }],
        [MOVE_ALL, { id, input: { itemIds: [a] } }],
        [REMOVE, { id, itemIds: [a] }],
      ] as const)
        assert.equal((await api.refused(who, document, variables)).code, 'UNAUTHORIZED');
    }
    assert.deepEqual([await titlesOf(id), await titlesOf(other.id)], ['ABC', 'A']);
  });

  it('of a private playlist are hidden from others', async () => {
    const { id, items } = await playlist('A');
    await api.ok(anna, 'mutation ($id: DID!) { updatePlaylist(id: $id, input: { visibility: PRIVATE }) { id } }', {
      id,
    });
    assert.equal((await api.refused(bert, MOVE, { id: items[0], input: {} })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await api.ok(bert, 'query ($id: DID!) { node(id: $id) { id } }', { id: items[0] })).node, null);
  });

  it('page in both directions without gaps or duplicates, each with its position', async () => {
    const { id } = await playlist('ABCDEAB');
    interface Page {
      totalCount: number;
      edges: { node: { index: number } }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    }
    const read = async (page: Record<string, unknown>): Promise<Page> =>
      (await api.ok(bert, ITEMS, { id, ...page })).playlist.items;
    const placesOf = ({ edges }: Page) => edges.map(({ node }) => node.index);
    let page = await read({ first: 3 });
    const places = placesOf(page);
    while (page.pageInfo.hasNextPage) {
      page = await read({ first: 3, after: page.pageInfo.endCursor });
      assert.equal(page.totalCount, 7);
      places.push(...placesOf(page));
    }
    assert.deepEqual(places, [0, 1, 2, 3, 4, 5, 6]);
    page = await read({ last: 3 });
    const back = placesOf(page);
    while (page.pageInfo.hasPreviousPage) {
      page = await read({ last: 3, before: page.pageInfo.startCursor });
      back.unshift(...placesOf(page));
    }
    assert.deepEqual(back, [0, 1, 2, 3, 4, 5, 6]);
  });

  it('are read in one statement with their contents and positions, for every playlist of a page', async () => {
    await playlist('AB');
    const document =
      '{ playlists(first: 5) { totalCount edges { node { metadata { title } itemsCount items(first: 2) ' +
      '{ totalCount edges { node { index content { id metadata { title } channel { handle } } } } } } } } }';
    const { result, roundTrips, statements } = await api.counted(() => api.ok(bert, document));
    assert.deepEqual([roundTrips, statements], [1, 1]);
    const edges: { node: { items: { edges: { node: { index: number } }[] } } }[] = result.playlists.edges;
    assert.ok(edges.length > 2);
    for (const { node } of edges)
      assert.deepEqual(
        node.items.edges.map((edge) => edge.node.index),
        node.items.edges.map((_, place) => place),
      );
  });

  it('keep one order when twenty clients insert at the same position concurrently', async () => {
    const { id, items } = await playlist('AB');
    const results = await Promise.all(
      Array.from({ length: 20 }, () => api.ok(anna, ADD, { id, input: { contentIds: ids('CD'), after: items[0] } })),
    );
    assert.equal(results.length, 20);
    assert.equal(await titlesOf(id), `A${'CD'.repeat(20)}B`);
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => api.ok(anna, MOVE, { id: items[index % 2], input: { index } })),
      api.ok(anna, REMOVE, { id, itemIds: [results[0].addPlaylistItems.results[0].itemId] }),
    ]);
    assert.equal((await titlesOf(id)).length, 41);
    const distinct = await api.row<{ n: number }>(
      'select count(distinct position)::int as n from playlist_items where playlist_id = $1',
      [uuidOf(id)],
    );
    assert.equal(distinct.n, 41);
  });

  it('are renumbered when their positions become long, and keep their order', async () => {
    const { id, items } = await playlist('AB');
    await api.rows('update playlist_items set position = $2 where id = $1', [
      uuidOf(items[1] ?? ''),
      `a0${'0'.repeat(64)}1`,
    ]);
    await api.ok(anna, ADD, { id, input: { contentIds: ids('C'), before: items[1] } });
    assert.equal(await titlesOf(id), 'ACB');
    const { longest } = await api.row<{ longest: number }>(
      'select max(length(position)) as longest from playlist_items where playlist_id = $1',
      [uuidOf(id)],
    );
    assert.ok(longest < 10, `${longest} characters`);
  });

  it('are limited to 10,000; the others are reported', async () => {
    const { id } = await playlist('A');
    await api.rows(
      `insert into playlist_items (id, playlist_id, content_id, position, open)
       select gen_random_uuid(), $1, $2, 'b' || lpad(n::text, 6, '0') || '1', true from generate_series(1, 9997) n`,
      [uuidOf(id), uuidOf(video('A'))],
    );
    const { addPlaylistItems } = await api.ok(anna, ADD, { id, input: { contentIds: ids('BCD'), index: 0 } });
    assert.equal(addPlaylistItems.playlist.itemsCount, 10_000);
    assert.deepEqual(
      addPlaylistItems.results.map(({ ok, error }: Result) => [ok, error?.code, error?.field]),
      [
        [true, undefined, undefined],
        [true, undefined, undefined],
        [false, 'INVALID_INPUT', 'input.contentIds.2'],
      ],
    );
    const { items } = (await api.ok(bert, ITEMS, { id, last: 2 })).playlist;
    assert.deepEqual(
      items.edges.map((edge: { node: { index: number } }) => edge.node.index),
      [9_998, 9_999],
    );
  });
});
