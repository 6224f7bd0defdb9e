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
    server = await startTestServer({ routes: api.domains.assets.routes, db: api.platform.db });
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
    ['a series', { kind: 'SERIE', status: 'READY' }, 400, 201],
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
});
