import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { operatorOf } from '../testing.ts';

const STORED = '{ originalBytes otherBytes derivedBytes totalBytes }';
const STORAGE = `{ serverStorage { total ${STORED} } }`;
const CHANNELS = `query ($first: Int, $after: String) { serverChannels(first: $first, after: $after) { totalCount
  pageInfo { endCursor } edges { node {
    channel { handle } owner originalBytes otherBytes derivedBytes totalBytes } } } }`;
const VIDEOS = `query ($after: String) { serverVideos(first: 2, after: $after) { totalCount pageInfo { endCursor }
  edges { node { contentTitle originalBytes derivedBytes totalBytes channel { handle } } } } }`;

describe('what is stored', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let operator: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, operator] = [await api.person('anna'), await api.person('bert'), await operatorOf(api, 'olga')];
    await video(anna, 'Small', 100, 50);
    await video(bert, 'Derived', 10, 900);
    await video(bert, 'Without its original', 700, 60, true);
  });
  after(() => api.close());

  async function video(owner: Person, title: string, size: number, derived: number, isDeleted = false): Promise<void> {
    const content = await api.content(owner, { title });
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, derived_bytes)
       values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/example', $3, $4)`,
      [owner.channelId, uuidOf(content), size, derived],
    );
    if (isDeleted)
      await api.rows('update video_assets set original_deleted_at = now() where content_id = $1', [uuidOf(content)]);
  }
  const stored = (originalBytes: number, derivedBytes: number) => ({
    ...{ originalBytes, otherBytes: 0, derivedBytes, totalBytes: originalBytes + derivedBytes },
  });

  it('is summed in one statement', async () => {
    const { result, statements } = await api.counted(() => api.ok(operator, STORAGE));
    assert.ok(statements <= 2, 'the account, and the storage');
    assert.deepEqual(result.serverStorage, { total: stored(110, 1_010) });
  });

  it('is listed by channel in pages, the largest first', async () => {
    const { serverChannels: first } = await api.ok(operator, CHANNELS, { first: 1 });
    assert.deepEqual(
      [first.totalCount, first.edges[0].node],
      [3, { channel: { handle: 'bert' }, owner: 'bert', ...stored(10, 960) }],
    );
    const { serverChannels: rest } = await api.ok(operator, CHANNELS, { first: 5, after: first.pageInfo.endCursor });
    assert.deepEqual(
      rest.edges.map(({ node }: { node: object }) => node),
      [
        { channel: { handle: 'anna' }, owner: 'anna', ...stored(100, 50) },
        { channel: { handle: 'olga' }, owner: 'olga', ...stored(0, 0) },
      ],
    );
  });

  it('lists the largest videos by pages', async () => {
    const page = async (after: string | null) => (await api.ok(operator, VIDEOS, { after })).serverVideos;
    const first = await page(null);
    assert.equal(first.totalCount, 3);
    assert.deepEqual(first.edges[0].node, {
      ...{ contentTitle: 'Derived', originalBytes: 10, derivedBytes: 900, totalBytes: 910 },
      channel: { handle: 'bert' },
    });
    const titles = [...first.edges, ...(await page(first.pageInfo.endCursor)).edges].map(
      ({ node }: { node: { contentTitle: string } }) => node.contentTitle,
    );
    assert.deepEqual(titles, ['Derived', 'Small', 'Without its original']);
  });

  it('counts the original of a trimmed video, as the storage of its channel does', async () => {
    const content = await api.content(anna, { title: 'Trimmed' });
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, derived_bytes,
         edit, kept_ranges, original_key, original_bytes)
       values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/cut', 40, 5, 'TRIM',
         '[{"startMs":0,"endMs":1000}]', 'sources/whole', 2000)`,
      [anna.channelId, uuidOf(content)],
    );
    const { serverVideos } = await api.ok(operator, VIDEOS, { after: null });
    const [{ node }] = serverVideos.edges;
    assert.deepEqual([node.contentTitle, node.originalBytes, node.totalBytes], ['Trimmed', 2_040, 2_045]);
    const { serverChannels } = await api.ok(operator, CHANNELS, { first: 1 });
    assert.deepEqual(serverChannels.edges[0].node, {
      ...{ channel: { handle: 'anna' }, owner: 'anna' },
      ...stored(2_140, 55),
    });
  });

  it('is for signed-in operators', async () => {
    const who = await api.signedIn(anna);
    for (const document of [STORAGE, CHANNELS, VIDEOS])
      assert.equal((await api.refused(who, document)).code, 'UNAUTHORIZED');
  });
});
