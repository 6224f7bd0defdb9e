import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatDid } from '../../../gql/index.ts';
import { startTestServer, type TestServer } from '../../../http/testing.ts';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const SIGNED_SOURCE = /\/media\/s\/\d+\.[\w-]{43}\/sources\/[0-9a-f-]{36}\/video\.mov$/;
const UPLOAD = /^http:\/\/reelgraph\.test\/uploads\/[0-9a-f-]{36}-[\w-]{43}$/;

/** Every query for the address of an uploaded file or of an open upload. */
const READS: Readonly<Record<string, string>> = {
  'content.assets.videos':
    'query ($content: DID!) { content(id: $content) { assets { videos(first: 5) { edges { node { url } } } } } }',
  'feature.assets.videos':
    'query ($content: DID!) { feature(id: $content) { assets { videos(first: 5) { edges { node { url } } } } } }',
  'channel.assets.videos':
    'query ($channel: DID!) { channel(id: $channel) { assets { videos(first: 5) { edges { node { url } } } } } }',
  'node(videoAsset)': 'query ($video: DID!) { node(id: $video) { ... on VideoAsset { url } } }',
  'nodes(videoAsset)': 'query ($video: DID!) { nodes(ids: [$video]) { ... on VideoAsset { url } } }',
  'me.media.videos': '{ me { media { videos(first: 5) { edges { node { url } } } } } }',
  'node(ingestion)': 'query ($upload: DID!) { node(id: $upload) { ... on IngestionSession { endpoint } } }',
  'nodes(ingestion)': 'query ($upload: DID!) { nodes(ids: [$upload]) { ... on IngestionSession { endpoint } } }',
  'me.ingestion': 'query ($upload: DID!) { me { ingestion(id: $upload) { endpoint } } }',
  'me.ingestions': '{ me { ingestions(first: 5) { edges { node { endpoint } } } } }',
  'channelDashboard.recentUploads':
    'query ($channel: DID!) { channelDashboard(input: { channel: $channel }) { recentUploads { edges { node ' +
    '{ endpoint } } } } }',
};
/** Returns those of the account's own channel only. */
const OWN = ['me.media.videos', 'me.ingestions'];

/** Mutations that return an upload address. */
const OPENS: Readonly<Record<string, string>> = {
  createContentAsset:
    'mutation ($draft: DID!) { createContentAsset(id: $draft, input: { filename: "b.mp4", size: 9, video: ' +
    '{ hint: NONE } }) { endpoint } }',
  createChannelAsset:
    'mutation ($channel: DID!) { createChannelAsset(id: $channel, input: { filename: "b.png", size: 9, image: ' +
    '{ hint: BANNER } }) { ingestion { endpoint } } }',
  createPlaylistAsset:
    'mutation ($playlist: DID!) { createPlaylistAsset(id: $playlist, input: { filename: "b.png", size: 9, image: ' +
    '{ hint: THUMBNAIL } }) { endpoint } }',
  publishVideo:
    'mutation ($channel: DID!) { publishVideo(input: { channel: $channel, title: "B", filename: "b.mp4", size: 9 ' +
    '}) { upload { endpoint curlCommand } } }',
};

describe('addresses of sources and of uploads', () => {
  let api: TestCatalog;
  let server: TestServer;
  let people: Record<'owner' | 'editor' | 'viewer' | 'stranger', Person>;
  let ids: Record<'content' | 'draft' | 'channel' | 'playlist' | 'video' | 'upload', string>;
  before(async () => {
    api = await openTestCatalog();
    server = await startTestServer({ routes: api.domains.media.routes, db: api.platform.db });
    people = {
      owner: await api.person('olga'),
      editor: await api.person('ed'),
      viewer: await api.person('vi'),
      stranger: await api.person('sam'),
    };
    for (const role of ['editor', 'viewer'] as const)
      await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
        people.owner.channelId,
        people[role].accountId,
        role.toUpperCase(),
      ]);
    const content = await api.content(people.owner, { status: 'PUBLISHED' });
    const draft = await api.content(people.owner, { status: 'DRAFT' });
    const video = newId();
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, ready_at)
       values ($1, $2, $3, 'SHORT', 'video.mov', $4, 4, now())`,
      [video, people.owner.channelId, uuidOf(content), `sources/${video}`],
    );
    const { createContentAsset } = await api.ok(
      people.owner,
      'mutation ($draft: DID!) { createContentAsset(id: $draft, input: { filename: "a.mp4", size: 9, video: ' +
        '{ hint: NONE } }) { id } }',
      { draft },
    );
    const playlist = newId();
    await api.rows(`insert into playlists (id, channel_id, title, visibility) values ($1, $2, 'A list', 'PUBLIC')`, [
      playlist,
      people.owner.channelId,
    ]);
    const did = (kind: 'playlist' | 'videoAsset', id: string) => formatDid(api.platform.config.DID_NAMESPACE, kind, id);
    ids = {
      content,
      draft,
      channel: people.owner.channel,
      playlist: did('playlist', playlist),
      video: did('videoAsset', video),
      upload: createContentAsset.id,
    };
  });
  after(async () => {
    await server.close();
    await api.close();
  });

  /** All addresses in a response. */
  async function addressesFor(who: Person, query: string): Promise<string[]> {
    const { data } = await api.run(who, query, ids);
    return [...JSON.stringify(data ?? null).matchAll(/"(http[^"]+)"/g)].map(([, address = '']) => address);
  }

  for (const [name, query] of Object.entries(READS)) {
    it(`${name} returns them to members who may upload only`, async () => {
      const address = name.includes('video') || name.includes('media') ? SIGNED_SOURCE : UPLOAD;
      for (const role of OWN.includes(name) ? (['owner'] as const) : (['owner', 'editor'] as const)) {
        const [first = 'no address', ...more] = await addressesFor(people[role], query);
        assert.match(first, address, role);
        assert.deepEqual(more, [], role);
      }
      for (const role of ['viewer', 'stranger'] as const)
        assert.deepEqual(await addressesFor(people[role], query), [], role);
    });
  }

  for (const [name, mutation] of Object.entries(OPENS)) {
    it(`${name} refuses a VIEWER and a non-member`, async () => {
      const uploads = () =>
        api.row('select count(*) as uploads, (select count(*) from contents) as contents from ingestions');
      const before = await uploads();
      assert.equal((await api.refused(people.viewer, mutation, ids)).code, 'UNAUTHORIZED');
      assert.match((await api.refused(people.stranger, mutation, ids)).code, /^(UNAUTHORIZED|RESOURCE_NOT_FOUND)$/);
      assert.deepEqual(await uploads(), before);
      // Only managers change images of a channel.
      const least = name === 'createChannelAsset' ? people.owner : people.editor;
      assert.match((await addressesFor(least, mutation))[0] ?? '', UPLOAD);
    });
  }

  it('the address of an upload without its token requires the key of a member who may upload', async () => {
    const address = `${server.address}/uploads/${uuidOf(ids.upload)}`;
    const send = async (who: Person, method: string) => {
      const headers = { authorization: `Bearer ${who.key}`, 'tus-resumable': '1.0.0' };
      return (await fetch(address, { method, headers })).status;
    };
    for (const role of ['owner', 'editor'] as const) assert.equal(await send(people[role], 'HEAD'), 200, role);
    for (const role of ['viewer', 'stranger'] as const)
      for (const method of ['HEAD', 'PATCH', 'DELETE', 'PUT'])
        assert.equal(await send(people[role], method), 404, `${role} ${method}`);
    assert.deepEqual(
      await api.row('select state, received_bytes::int as received from ingestions where id = $1', [
        uuidOf(ids.upload),
      ]),
      {
        state: 'OPEN',
        received: 0,
      },
    );
  });

  it('the address of a channel image’s upload requires permission to change the channel', async () => {
    const open =
      'mutation ($channel: DID!) { createChannelAsset(id: $channel, input: { filename: "c.png", size: 9, image: ' +
      '{ hint: BANNER } }) { ingestion { id } } }';
    const { ingestion } = (await api.ok(people.owner, open, ids)).createChannelAsset;
    const upload = ingestion.id as string;
    const one =
      'query ($upload: DID!) { node(id: $upload) { ... on IngestionSession { endpoint } } me ' +
      '{ ingestion(id: $upload) { endpoint } } }';
    const list =
      'query ($channel: DID!) { channelDashboard(input: { channel: $channel }) { recentUploads { edges { node ' +
      '{ id endpoint } } } } }';
    const endpointIn = async (who: Person) => {
      const { recentUploads } = (await api.ok(who, list, ids)).channelDashboard;
      return recentUploads.edges.find(({ node }: { node: { id: string } }) => node.id === upload)?.node.endpoint;
    };
    assert.match(await endpointIn(people.owner), UPLOAD);
    assert.equal(await endpointIn(people.editor), null);
    const all = (who: Person) => api.run(who, one, { upload });
    assert.match((await all(people.owner)).data.node.endpoint, UPLOAD);
    const { data } = await all(people.editor);
    assert.deepEqual([data.node, data.me.ingestion], [null, null]);
    const headers = { authorization: `Bearer ${people.editor.key}`, 'tus-resumable': '1.0.0' };
    assert.equal((await server.fetch(`/uploads/${uuidOf(upload)}`, { method: 'DELETE', headers })).status, 404);
  });

  it('POST /uploads refuses a VIEWER and a non-member', async () => {
    const count = () => api.row('select count(*) from ingestions');
    const before = await count();
    const metadata = [`contentId ${btoa(ids.draft)}`, `filename ${btoa('b.mp4')}`].join(',');
    for (const role of ['viewer', 'stranger'] as const) {
      const headers = {
        authorization: `Bearer ${people[role].key}`,
        'tus-resumable': '1.0.0',
        'upload-length': '9',
        'upload-metadata': metadata,
      };
      const response = await fetch(`${server.address}/uploads`, { method: 'POST', headers });
      // Members may know that the draft exists.
      assert.deepEqual([response.status, response.headers.get('location')], [role === 'viewer' ? 403 : 404, null]);
    }
    assert.deepEqual(await count(), before);
  });
});
