import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../../http/testing.ts';
import { openTestCatalog, type Person, type TestCatalog, type TestContent } from '../testing.ts';

/** POST /uploads and createContentAsset must refuse the same uploads. */
describe('uploads opened by POST /uploads', () => {
  let api: TestCatalog;
  let server: TestServer;
  let owner: Person;
  before(async () => {
    api = await openTestCatalog();
    server = await startTestServer({ routes: api.domains.media.routes, db: api.platform.db });
    owner = await api.person('olga');
  });
  after(async () => {
    await server.close();
    await api.close();
  });

  async function open(
    contentId: string,
    hint: string,
  ): Promise<{ status: number; error: { code?: string; field?: string } }> {
    const metadata = { contentId, filename: 'a.bin', hint };
    const response = await server.fetch('/uploads', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.key}`,
        'tus-resumable': '1.0.0',
        'upload-length': '9',
        'upload-metadata': Object.entries(metadata)
          .map(([name, value]) => `${name} ${btoa(value)}`)
          .join(','),
      },
    });
    const text = await response.text();
    return { status: response.status, error: text === '' ? {} : JSON.parse(text).errors[0] };
  }

  const STATES: readonly [what: string, content: TestContent, video: number, image: number][] = [
    ['a draft', { status: 'DRAFT' }, 201, 201],
    ['a content that is ready', { status: 'READY' }, 201, 201],
    ['a published content', { status: 'PUBLISHED' }, 400, 201],
    ['a content that is processed', { status: 'PROCESSING' }, 400, 201],
    ['a series', { kind: 'SERIES', status: 'READY' }, 400, 201],
  ];
  for (const [what, content, video, image] of STATES) {
    it(`for ${what}: videos ${video}, images ${image}, as by createContentAsset`, async () => {
      const id = await api.content(owner, content);
      const uploads = () => api.row('select count(*) from ingestions');
      for (const [hint, media, presentation, status] of [
        ['LANDSCAPE_VIDEO', 'video', 'NONE', video],
        ['THUMBNAIL', 'image', 'THUMBNAIL', image],
      ] as const) {
        const before = await uploads();
        const response = await open(id, hint);
        assert.equal(response.status, status, JSON.stringify(response.error));
        if (status !== 201) assert.deepEqual(await uploads(), before, 'no row is left');
        const mutation =
          `mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.bin", size: 9, ${media}: ` +
          `{ hint: ${presentation} } }) { id } }`;
        const { errors } = await api.run(owner, mutation, { id });
        assert.equal(errors.length === 0, status === 201, JSON.stringify(errors));
        assert.equal(response.error.code, errors[0]?.code);
        assert.equal(response.error.field, status === 201 ? undefined : 'Upload-Metadata.contentId');
      }
    });
  }

  it('of a size that is not known tell so until it is, and cannot be processed before', async () => {
    const id = await api.content(owner);
    const headers = { authorization: `Bearer ${owner.key}`, 'tus-resumable': '1.0.0' };
    const opened = await server.fetch('/uploads', {
      method: 'POST',
      headers: {
        ...headers,
        'upload-defer-length': '1',
        'upload-metadata': `contentId ${btoa(id)},filename ${btoa('a.mp4')}`,
      },
    });
    assert.equal(opened.status, 201);
    const path = new URL(opened.headers.get('location') ?? '').pathname;
    const patch = (offset: number, body: string, length: object = {}) =>
      server.fetch(path, {
        method: 'PATCH',
        headers: {
          ...headers,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
          ...length,
        },
        body,
      });
    await patch(0, '12345');
    const list =
      '{ me { ingestions(first: 1) { edges { node { state direct { partCount } ' +
      'progress { current total totalKnown } } } } } }';
    const upload = async () => (await api.ok(owner, list)).me.ingestions.edges[0].node;
    assert.deepEqual(await upload(), {
      state: 'OPEN',
      direct: null,
      progress: { current: 5, total: 64 * 1024 ** 2, totalKnown: false },
    });
    const submit = 'mutation ($id: DID!) { submitContentForProcessing(id: $id) { content { id } } }';
    const refused = await api.refused(owner, submit, { id });
    assert.deepEqual(
      [refused.code, refused.message],
      ['INVALID_INPUT', 'The upload is not finished: 5 bytes have arrived, and its size is not known yet.'],
    );
    await patch(5, '67890', { 'upload-length': '10' });
    const { state, progress } = await upload();
    assert.deepEqual([state, progress], ['FINISHED', { current: 10, total: 10, totalKnown: true }]);
  });

  it('of an empty file are complete, and processing says why it cannot begin', async () => {
    const id = await api.content(owner);
    const headers = { authorization: `Bearer ${owner.key}`, 'tus-resumable': '1.0.0', 'upload-length': '0' };
    const metadata = { 'upload-metadata': `contentId ${btoa(id)},filename ${btoa('empty.mp4')}` };
    assert.equal(
      (await server.fetch('/uploads', { method: 'POST', headers: { ...headers, ...metadata } })).status,
      201,
    );
    const submit = 'mutation ($id: DID!) { submitContentForProcessing(id: $id) { content { id } } }';
    const refused = await api.refused(owner, submit, { id });
    assert.deepEqual([refused.code, refused.message], ['UPLOAD_FAILED', 'The file is empty.']);
  });

  it('in parts are one upload in all lists, and a part is in none', async () => {
    const headers = { authorization: `Bearer ${owner.key}`, 'tus-resumable': '1.0.0' };
    const lists = `{ me { ingestions(first: 50) { totalCount edges { node { id } } } }
      channelDashboard { recentUploads(first: 50) { totalCount edges { node { id } } } } }`;
    const listed = async () => {
      const { me, channelDashboard } = await api.ok(owner, lists);
      return [me.ingestions, channelDashboard.recentUploads].map(({ totalCount, edges }) => [
        totalCount,
        edges.map(({ node }: { node: { id: string } }) => node.id),
      ]);
    };
    const before = await listed();
    const post = (concat: string, more: object) =>
      server.fetch('/uploads', { method: 'POST', headers: { ...headers, 'upload-concat': concat, ...more } });
    const part = await post('partial', { 'upload-length': '5' });
    const path = new URL(part.headers.get('location') ?? '').pathname;
    const bytes = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const patched = await server.fetch(path, { method: 'PATCH', headers: { ...headers, ...bytes }, body: '12345' });
    assert.equal(patched.status, 204);
    assert.deepEqual(await listed(), before);
    const did = (address: string) => `did:reelgraph:ingestion/${address.split('/uploads/')[1]?.slice(0, 36)}`;
    const one = 'query ($id: IngestionID!, $node: ID!) { me { ingestion(id: $id) { id } } node(id: $node) { id } }';
    assert.deepEqual(await api.ok(owner, one, { id: did(path), node: did(path) }), {
      me: { ingestion: null },
      node: null,
    });
    const metadata = { 'upload-metadata': `contentId ${btoa(await api.content(owner))}` };
    const created = await post(`final;${path}`, metadata);
    assert.equal(created.status, 201);
    const id = did(created.headers.get('location') ?? '');
    assert.deepEqual(
      await listed(),
      before.map(([totalCount, ids]) => [totalCount + 1, [id, ...ids]]),
    );
  });
});
