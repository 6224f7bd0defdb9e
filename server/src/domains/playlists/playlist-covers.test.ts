import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { createHttpServer, type HttpServer } from '../../http/server.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

const OPEN =
  'mutation ($id: DID!, $input: PlaylistAssetInput!) { createPlaylistAsset(id: $id, input: $input) ' +
  '{ id endpoint metadata { contentId playlistId channelId hint } } }';
const COVERS =
  'query ($id: DID!) { playlist(id: $id) { assets { images { totalCount edges { node ' +
  '{ id purpose alt url variants { width } } } } } } }';
const INPUT = { filename: 'cover.png', size: 100, image: { hint: 'THUMBNAIL', alt: 'A square' } };

describe('covers of playlists', () => {
  let api: TestCatalog;
  let surface: HttpServer;
  let address: string;
  let anna: Person;
  let bert: Person;
  let playlist: string;
  before(async () => {
    api = await openTestCatalog();
    const { platform, domains } = api;
    surface = createHttpServer({
      platform,
      version: 'test',
      routes: domains.media.routes,
      engine: domains.engine,
      credentials: domains.accounts,
    });
    address = `http://127.0.0.1:${await surface.listen(0, '127.0.0.1')}`;
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    playlist = (await api.ok(anna, 'mutation { createPlaylist(input: { title: "List" }) { id } }')).createPlaylist.id;
  });
  after(async () => {
    await surface.close({ graceMs: 0 });
    await api.close();
  });

  const served = (url: string) => url.replace('http://reelgraph.test', address);
  const covers = async (who: Person) => (await api.ok(who, COVERS, { id: playlist })).playlist.assets.images;
  const show = (visibility: string) =>
    api.ok(anna, 'mutation ($id: DID!, $input: PlaylistInput!) { updatePlaylist(id: $id, input: $input) { id } }', {
      id: playlist,
      input: { visibility },
    });

  async function upload(background: string): Promise<void> {
    const bytes = await sharp({ create: { width: 640, height: 360, channels: 3, background } })
      .png()
      .toBuffer();
    const { createPlaylistAsset } = await api.ok(anna, OPEN, { id: playlist, input: { ...INPUT, size: bytes.length } });
    assert.deepEqual(createPlaylistAsset.metadata, {
      contentId: null,
      playlistId: playlist,
      channelId: anna.channel,
      hint: 'THUMBNAIL',
    });
    const response = await fetch(served(createPlaylistAsset.endpoint), { method: 'PUT', body: new Uint8Array(bytes) });
    assert.equal(response.status, 200, await response.text());
  }

  it('become public variants; a new one replaces the previous one', async () => {
    await upload('#c81e1e');
    const [first] = (await covers(bert)).edges;
    await upload('#1e1ec8');
    const { totalCount, edges } = await covers(bert);
    assert.equal(totalCount, 1);
    const { node } = edges[0];
    assert.notEqual(node.id, first.node.id);
    assert.deepEqual([node.purpose, node.alt], ['THUMBNAIL', 'A square']);
    assert.ok(node.variants.length >= 3);
    assert.equal((await fetch(served(node.url))).status, 200);
  });

  it('are listed among the assets of a playlist', async () => {
    const files =
      '... on EntityMediaAssets { images { totalCount } videos { ' +
      'totalCount edges { node { id } } pageInfo { hasNextPage } } }';
    const { playlist: found } = await api.ok(bert, `query ($id: DID!) { playlist(id: $id) { assets { ${files} } } }`, {
      id: playlist,
    });
    assert.deepEqual(found.assets, {
      images: { totalCount: 1 },
      videos: { totalCount: 0, edges: [], pageInfo: { hasNextPage: false } },
    });
  });

  it('are not listed as images of the channel', async () => {
    const { me } = await api.ok(anna, '{ me { channel { assets { images { totalCount edges { node { id } } } } } } }');
    assert.deepEqual(me.channel.assets.images, { totalCount: 0, edges: [] });
  });

  it('of a private playlist have signed addresses for its members', async () => {
    const { node } = (await covers(anna)).edges[0];
    await show('PRIVATE');
    const closed = (await covers(anna)).edges[0].node;
    assert.notEqual(closed.url, node.url);
    assert.equal((await fetch(served(closed.url))).status, 200);
    api.clock.advance(3_000);
    assert.equal((await fetch(served(node.url))).status, 404);
    const ofBert = await api.ok(bert, 'query ($id: DID!) { node(id: $id) { id } }', { id: node.id });
    assert.equal(ofBert.node, null);
    const ofAnna = await api.ok(anna, 'query ($id: DID!) { node(id: $id) { id } }', { id: node.id });
    assert.deepEqual(ofAnna.node, { id: node.id });
    await show('PUBLIC');
  });

  it('are uploaded by members of its channel only', async () => {
    const error = await api.refused(bert, OPEN, { id: playlist, input: INPUT });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'id']);
    const large = await api.refused(anna, OPEN, { id: playlist, input: { ...INPUT, size: 26 * 1024 * 1024 } });
    assert.deepEqual([large.code, large.field], ['INVALID_INPUT', 'input.size']);
  });

  it('are purged with their playlist', async () => {
    await api.ok(anna, OPEN, { id: playlist, input: INPUT });
    const { prefix } = await api.row<{ prefix: string }>(
      'select object_prefix as prefix from image_assets where playlist_id = $1',
      [uuidOf(playlist)],
    );
    const open = await api.row<{ key: string }>(
      `select object_key as key from ingestions where playlist_id = $1 and state = 'OPEN'`,
      [uuidOf(playlist)],
    );
    await api.ok(anna, 'mutation ($id: DID!) { deletePlaylist(id: $id) { id } }', { id: playlist });
    const purges = await api.rows<{ key_prefix: string }>(
      'select distinct key_prefix from object_purges where key_prefix = any($1)',
      [[prefix, open.key]],
    );
    assert.deepEqual(purges.map(({ key_prefix }) => key_prefix).sort(), [prefix, open.key].sort());
    assert.deepEqual(await api.rows('select id from image_assets'), []);
  });
});
