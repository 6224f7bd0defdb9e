import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import {
  errorOf,
  offsetOf,
  openTestClientSurface,
  patchHeaders,
  type TestClientSurface,
  TUS,
  tusUpload,
} from '../client-surface.fixture.ts';

describe('uploads', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());

  const stateOf = async (id: string) =>
    await surface.row<{ state: string; error_code: string | null }>(
      'select state, error_code from ingestions where id = $1',
      [id],
    );
  const storedBytes = async (key: string) => {
    const found = await surface.platform.store.read(key);
    return found && buffer(found.stream);
  };

  it('accept a file in chunks from a tus client and create a video asset', async () => {
    const owner = await surface.owner();
    const bytes = randomBytes(150_000);
    const opened = await surface.open(owner, { sizeBytes: bytes.length, filename: 'my video.mp4' });
    await tusUpload(opened.endpoint, bytes);
    const asset = await surface.row<Record<string, unknown>>('select * from video_assets where ingestion_id = $1', [
      opened.id,
    ]);
    assert.deepEqual(
      [asset.content_id, asset.filename, asset.size_bytes, asset.hint, asset.source_key],
      [owner.contentId, 'my video.mp4', 150_000, 'LANDSCAPE_VIDEO', `uploads/${opened.id}`],
    );
    assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
    const ingestion = await surface.row('select state, received_bytes from ingestions where id = $1', [opened.id]);
    assert.deepEqual(ingestion, { state: 'FINISHED', received_bytes: 150_000 });
    const event = await surface.row<{ payload: object }>(
      "select payload from events where type = 'upload.finished' and subject_id = $1",
      [opened.id],
    );
    assert.deepEqual(event.payload, {
      contentId: owner.contentId,
      assetName: opened.assetName,
      videoAssetId: asset.id,
    });
    assert.deepEqual(await surface.rows('select id from transcode_jobs where content_id = $1', [owner.contentId]), []);
    assert.equal(await offsetOf(opened.endpoint), 150_000, 'a client that missed the last response gets success');
  });

  it('start processing automatically if requested', async () => {
    const owner = await surface.owner();
    const opened = await surface.open(owner, { sizeBytes: 3, autoProcess: true });
    await tusUpload(opened.endpoint, Buffer.from('abc'));
    const job = await surface.row<{ status: string }>('select status from transcode_jobs where content_id = $1', [
      owner.contentId,
    ]);
    assert.equal(job.status, 'QUEUED');
  });

  it('respond to HEAD and PATCH with offset, length, expiry and no caching', async () => {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 10, filename: 'a.mp4' });
    const head = await fetch(opened.endpoint, { method: 'HEAD', headers: TUS });
    assert.equal(head.status, 200);
    const names = ['upload-offset', 'upload-length', 'tus-resumable', 'cache-control'];
    assert.deepEqual(
      names.map((name) => head.headers.get(name)),
      ['0', '10', '1.0.0', 'no-store'],
    );
    assert.match(head.headers.get('upload-metadata') ?? '', /filename YS5tcDQ=/);
    const patch = await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: '12345' });
    assert.equal(patch.status, 204);
    assert.equal(patch.headers.get('upload-offset'), '5');
    const expires = Date.parse(patch.headers.get('upload-expires') ?? '');
    assert.ok(Math.abs(expires - Date.parse(opened.expiresAt)) < 60_000);
  });

  it('report supported features', async () => {
    const response = await fetch(`${surface.baseUrl}/uploads`, { method: 'OPTIONS' });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('tus-version'), '1.0.0');
    assert.equal(
      response.headers.get('tus-extension'),
      'creation,creation-defer-length,creation-with-upload,termination,expiration,checksum,concatenation',
    );
  });

  it('are created by a tus client with a key, also with the first bytes', async () => {
    const owner = await surface.owner();
    const bytes = randomBytes(100_000);
    const metadata = {
      contentId: `did:reelgraph:content/feature/${owner.contentId}`,
      filename: 'holiday.mov',
      filetype: 'video/quicktime',
      hint: 'SHORT',
    };
    for (const uploadDataDuringCreation of [false, true]) {
      await tusUpload('', bytes, {
        endpoint: `${surface.baseUrl}/uploads`,
        uploadUrl: null,
        metadata,
        uploadDataDuringCreation,
        headers: { Authorization: owner.authorization },
      });
    }
    const rows = await surface.rows('select state, filename, filetype, hint from ingestions where content_id = $1', [
      owner.contentId,
    ]);
    const expected = { state: 'FINISHED', filename: 'holiday.mov', filetype: 'video/quicktime', hint: 'SHORT' };
    assert.deepEqual(rows, [expected, expected]);
  });

  describe('creation refuses', () => {
    const encode = (metadata: Record<string, string>) =>
      Object.entries(metadata)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(',');
    const create = (
      authorization: string,
      metadata: Record<string, string>,
      headers: Record<string, string> = { 'Upload-Length': '10' },
    ) =>
      fetch(`${surface.baseUrl}/uploads`, {
        method: 'POST',
        headers: { ...TUS, authorization, 'Upload-Metadata': encode(metadata), ...headers },
      });
    const did = (id: string, kind = 'content/feature') => `did:reelgraph:${kind}/${id}`;

    it('a missing or unknown key', async () => {
      const owner = await surface.owner();
      const error = await errorOf(await create('Bearer wrong', { contentId: did(owner.contentId), filename: 'a.mp4' }));
      assert.deepEqual([error.status, error.code], [401, 'UNAUTHENTICATED']);
    });

    it("another account's content, with the same error as a missing one", async () => {
      const [owner, other] = [await surface.owner(), await surface.owner()];
      const theirs = await errorOf(
        await create(owner.authorization, { contentId: did(other.contentId), filename: 'a.mp4' }),
      );
      const nobodys = await errorOf(
        await create(owner.authorization, { contentId: did(crypto.randomUUID()), filename: 'a.mp4' }),
      );
      assert.deepEqual(theirs, nobodys);
      assert.deepEqual(
        [theirs.status, theirs.code, theirs.field],
        [404, 'RESOURCE_NOT_FOUND', 'Upload-Metadata.contentId'],
      );
    });

    it('incomplete or invalid input, naming the field', async () => {
      const { authorization, contentId, channelId } = await surface.owner();
      const good = { contentId: did(contentId), filename: 'a.mp4' };
      const cases: [Record<string, string>, Record<string, string> | undefined, string, string][] = [
        [{ filename: 'a.png', hint: 'POSTER' }, undefined, 'FIELD_REQUIRED', 'Upload-Metadata.contentId'],
        [{ ...good, contentId: 'nonsense' }, undefined, 'INVALID_INPUT', 'Upload-Metadata.contentId'],
        [{ ...good, contentId: did(channelId, 'channel') }, undefined, 'INVALID_INPUT', 'Upload-Metadata.contentId'],
        [{ ...good, hint: 'MOVIE' }, undefined, 'INVALID_INPUT', 'Upload-Metadata.hint'],
        [{ ...good, channelId: did(channelId, 'channel') }, undefined, 'FIELD_REQUIRED', 'Upload-Metadata.contentId'],
      ];
      for (const [metadata, headers, code, field] of cases) {
        const error = await errorOf(await create(authorization, metadata, headers));
        assert.deepEqual([error.status, error.code, error.field], [400, code, field]);
        assert.ok(error.suggestedFix.length > 20);
      }
      assert.deepEqual(await surface.rows('select id from ingestions where channel_id = $1', [channelId]), []);
    });

    it('a negative or missing length', async () => {
      const { authorization, contentId } = await surface.owner();
      const good = { contentId: did(contentId), filename: 'a.mp4' };
      const negative = await errorOf(await create(authorization, good, { 'Upload-Length': '-1' }));
      assert.deepEqual([negative.status, negative.code, negative.field], [400, 'INVALID_INPUT', 'Upload-Length']);
      const missing = await errorOf(await create(authorization, good, {}));
      assert.deepEqual([missing.status, missing.code, missing.field], [400, 'FIELD_REQUIRED', 'Upload-Length']);
    });
  });

  it('leave no open upload when the bytes of the creation request are refused', async () => {
    const owner = await surface.owner();
    const metadata = `contentId ${btoa(`did:reelgraph:content/feature/${owner.contentId}`)},filename ${btoa('a.mp4')}`;
    const headers = { ...TUS, authorization: owner.authorization, 'Upload-Metadata': metadata, 'Upload-Length': '5' };
    const type = { 'Content-Type': 'application/offset+octet-stream' };
    const error = await errorOf(
      await fetch(`${surface.baseUrl}/uploads`, {
        method: 'POST',
        headers: { ...headers, ...type },
        body: '0123456789',
      }),
    );
    assert.deepEqual([error.status, error.code], [413, 'UPLOAD_FAILED']);
    assert.deepEqual(await surface.rows('select state from ingestions where content_id = $1', [owner.contentId]), [
      { state: 'FAILED' },
    ]);
  });

  describe('at an upload address', () => {
    it('require the token, or a member who may upload to the channel', async () => {
      const [owner, other] = [await surface.owner(), await surface.owner()];
      const opened = await surface.open(owner, { sizeBytes: 10 });
      const bare = `${surface.baseUrl}/uploads/${opened.id}`;
      const head = async (address: string, authorization?: string) =>
        (await fetch(address, { method: 'HEAD', headers: { ...TUS, ...(authorization ? { authorization } : {}) } }))
          .status;
      assert.equal(await head(opened.endpoint), 200);
      assert.equal(await head(opened.endpoint, other.authorization), 200);
      assert.equal(await head(bare, owner.authorization), 200);
      assert.equal(await head(bare, other.authorization), 404);
      const join = (role: string) =>
        surface.rows(
          `insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)
           on conflict (channel_id, account_id) do update set role = excluded.role`,
          [owner.channelId, other.accountId, role],
        );
      await join('VIEWER');
      assert.equal(await head(bare, other.authorization), 404, 'a member who may not upload');
      await join('EDITOR');
      assert.equal(await head(bare, other.authorization), 200, 'a member who may upload');
      assert.equal(await head(bare), 401);
      assert.equal(
        await head(`${opened.endpoint.slice(0, -1)}${opened.endpoint.endsWith('A') ? 'B' : 'A'}`, owner.authorization),
        404,
      );
      assert.equal(await head(`${surface.baseUrl}/uploads/nonsense`, owner.authorization), 404);
      assert.equal(await head(`${surface.baseUrl}/uploads/${crypto.randomUUID()}`, owner.authorization), 404);
    });

    it('are deleted with their content', async () => {
      const owner = await surface.owner();
      const opened = await surface.open(owner, { sizeBytes: 10 });
      await surface.rows('update contents set deleted_at = now() where id = $1', [owner.contentId]);
      assert.equal((await fetch(opened.endpoint, { method: 'HEAD', headers: TUS })).status, 404);
    });

    it('refuse protocol violations, in the common error form', async () => {
      const opened = await surface.open(await surface.owner(), { sizeBytes: 10 });
      const patch = async (headers: Record<string, string>, body = '12345') =>
        errorOf(await fetch(opened.endpoint, { method: 'PATCH', headers, body }));
      const { 'Tus-Resumable': _, ...withoutVersion } = patchHeaders(0);
      assert.deepEqual(
        [(await patch(withoutVersion)).status, (await patch(withoutVersion)).code],
        [412, 'INVALID_INPUT'],
      );
      const wrongOffset = await patch(patchHeaders(3));
      assert.deepEqual([wrongOffset.status, wrongOffset.code], [409, 'UPLOAD_FAILED']);
      const tooLong = await patch(patchHeaders(0), 'x'.repeat(11));
      assert.deepEqual([tooLong.status, tooLong.code], [413, 'UPLOAD_FAILED']);
      const wrongType = await patch({ ...patchHeaders(0), 'Content-Type': 'video/mp4' });
      assert.deepEqual([wrongType.status, wrongType.code], [415, 'INVALID_INPUT']);
      const wrongNumber = await patch({ ...patchHeaders(0), 'Upload-Offset': '-1' });
      assert.deepEqual([wrongNumber.status, wrongNumber.field], [400, 'Upload-Offset']);
      const oldVersion = await fetch(opened.endpoint, {
        method: 'PATCH',
        headers: { ...patchHeaders(0), 'Tus-Resumable': '0.2' },
        body: '12345',
      });
      assert.deepEqual([oldVersion.status, oldVersion.headers.get('tus-version')], [412, '1.0.0']);
      const noOffset = await patch({ ...TUS, 'Content-Type': 'application/offset+octet-stream' });
      assert.deepEqual([noOffset.status, noOffset.code, noOffset.field], [400, 'FIELD_REQUIRED', 'Upload-Offset']);
      assert.equal(await offsetOf(opened.endpoint), 0, 'nothing was stored');
    });

    it('are deleted when terminated', async () => {
      const opened = await surface.open(await surface.owner(), { sizeBytes: 10 });
      await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: '12345' });
      assert.equal((await fetch(opened.endpoint, { method: 'DELETE', headers: TUS })).status, 204);
      assert.deepEqual(await stateOf(opened.id), { state: 'FAILED', error_code: 'UPLOAD_FAILED' });
      assert.equal(await surface.receiving.receivedBytes(`uploads/${opened.id}`), 0);
      const error = await errorOf(
        await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(5), body: '67890' }),
      );
      assert.match(error.message, /cancelled/);
      assert.equal(
        (await surface.rows("select id from events where type = 'upload.failed' and subject_id = $1", [opened.id]))
          .length,
        1,
      );
    });

    it('that have finished are not terminated by others, and no row changes', async () => {
      const opened = await surface.open(await surface.owner(), { sizeBytes: 3 });
      await fetch(opened.endpoint, { method: 'PUT', body: 'abc' });
      const rows = () => surface.rows('select * from ingestions where id = $1', [opened.id]);
      const before = await rows();
      const bare = `${surface.baseUrl}/uploads/${opened.id}`;
      const { authorization } = await surface.owner();
      for (const [headers, status] of [
        [{ ...TUS, authorization }, 404],
        [TUS, 401],
      ] as const)
        assert.equal((await fetch(bare, { method: 'DELETE', headers })).status, status);
      assert.deepEqual(await rows(), before);
    });

    it('keep their file when they are terminated once they have finished', async () => {
      const opened = await surface.open(await surface.owner(), { sizeBytes: 3 });
      await fetch(opened.endpoint, { method: 'PUT', body: 'abc' });
      assert.equal((await fetch(opened.endpoint, { method: 'DELETE', headers: TUS })).status, 204);
      assert.equal((await stateOf(opened.id)).state, 'FINISHED');
    });
  });
});
