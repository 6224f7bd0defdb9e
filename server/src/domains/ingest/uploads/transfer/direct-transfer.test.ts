import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { THOROUGH } from '../../../../../../scripts/test-runner/cases.ts';
import { openTestS3Storage, type TestS3Storage } from '../../../../platform/storage/testing.ts';
import { tablesChanged } from '../../../../testing/tables-changed.ts';
import { openTestCatalog } from '../../../catalog/testing.ts';
import {
  errorOf,
  type Owner,
  offsetOf,
  openTestClientSurface,
  patchHeaders,
  type TestClientSurface,
} from '../../client-surface.fixture.ts';
import { directUpload } from '../direct-upload.ts';
import type { OfferedParts } from './direct-transfer.ts';

const MIB = 1024 * 1024;
const SIZE = 9 * MIB;

describe('an upload straight to S3', () => {
  let s3: TestS3Storage;
  let surface: TestClientSurface;
  let owner: Owner;
  before(async () => {
    s3 = await openTestS3Storage();
    surface = await openTestClientSurface(s3);
    owner = await surface.owner();
  });
  after(async () => {
    await surface.close();
    await s3.close();
  });

  const post = (address: string, body: unknown) =>
    fetch(address, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  async function offered(endpoint: string, body: unknown = {}): Promise<OfferedParts> {
    const response = await post(`${endpoint}/parts`, body);
    assert.equal(response.status, 200);
    return (await response.json()) as OfferedParts;
  }
  /** Sends every part of a file; returns the ETags. */
  async function sendParts(endpoint: string, bytes: Buffer): Promise<string[]> {
    const { upload, parts } = await offered(endpoint);
    return Promise.all(
      parts.map(async ({ url, number, sizeBytes }) => {
        const start = (number - 1) * upload.partSizeBytes;
        const response = await fetch(url, { method: 'PUT', body: bytes.subarray(start, start + sizeBytes) });
        return response.headers.get('etag') ?? '';
      }),
    );
  }
  const stateOf = (id: string) =>
    surface.row<{ state: string; received: number }>(
      'select state, received_bytes as received from ingestions where id = $1',
      [id],
    );
  const refusal = async (address: string, body: unknown) => {
    const response = await post(address, body);
    const { status, code, field } = await errorOf(response);
    return [status, code, field];
  };

  it('ends as any upload: with a video, an event and its job', async () => {
    const { id, endpoint, contentId } = await surface.open(owner, { sizeBytes: SIZE, autoProcess: true });
    const bytes = randomBytes(SIZE);
    const etags = await sendParts(endpoint, bytes);
    assert.deepEqual(await stateOf(id), { state: 'OPEN', received: 0 });
    assert.equal(await offsetOf(endpoint), 0);
    const completed = await post(`${endpoint}/complete`, { etags });
    assert.deepEqual(
      [completed.status, await completed.json()],
      [200, { upload: { state: 'FINISHED', assetName: `${id}.mp4`, receivedBytes: SIZE } }],
    );
    assert.deepEqual(await stateOf(id), { state: 'FINISHED', received: SIZE });
    const found = await surface.platform.store.read(`uploads/${id}`);
    assert.ok(found && bytes.equals(await buffer(found.stream)));
    const { size, status } = await surface.row<{ size: number; status: string }>(
      `select v.size_bytes as size, j.status from video_assets v join transcode_jobs j on j.video_asset_id = v.id
       where v.ingestion_id = $1 and v.source_key = 'uploads/' || $1::uuid`,
      [id],
    );
    assert.deepEqual([size, status], [SIZE, 'QUEUED']);
    const events = await surface.rows<{ type: string }>(
      'select type from events where subject_id in ($1, $2) order by id',
      [id, contentId],
    );
    assert.deepEqual(events, [{ type: 'upload.finished' }]);
    assert.equal((await post(`${endpoint}/complete`, { etags })).status, 200, 'idempotent');
    assert.deepEqual(await refusal(`${endpoint}/parts`, {}), [409, 'RESOURCE_ALREADY_EXISTS', undefined]);
  });

  it('offers parts in pages, each bound to its size and an hour', async () => {
    const { endpoint } = await surface.open(owner, { sizeBytes: 5 * 8 * MIB + 1 });
    const { upload, parts } = await offered(endpoint, { first: 4, count: 2 });
    assert.deepEqual(upload, { partCount: 6, partSizeBytes: 8 * MIB });
    assert.deepEqual(
      parts.map(({ number, sizeBytes }) => [number, sizeBytes]),
      [
        [4, 8 * MIB],
        [5, 8 * MIB],
      ],
    );
    assert.deepEqual(
      (await offered(endpoint, { first: 6 })).parts.map(({ sizeBytes }) => sizeBytes),
      [1],
    );
    const [part] = parts;
    assert.equal(Date.parse(part?.expiresAt ?? '') - surface.platform.clock.now(), 3_600_000);
    assert.match(part?.url ?? '', /X-Amz-Expires=3600.*X-Amz-SignedHeaders=content-length%3Bhost/);
  });

  it('is refused with the reason, and a refused call changes no row', async () => {
    const { id, endpoint } = await surface.open(owner, { sizeBytes: SIZE });
    const etags = await sendParts(endpoint, Buffer.alloc(SIZE));
    const changed = await tablesChanged(surface.platform.db, async () => {
      const foreign = `${surface.baseUrl}/uploads/${id}-${'x'.repeat(43)}`;
      assert.deepEqual(await refusal(`${foreign}/parts`, {}), [404, 'RESOURCE_NOT_FOUND', undefined]);
      assert.deepEqual(await refusal(`${foreign}/complete`, { etags }), [404, 'RESOURCE_NOT_FOUND', undefined]);
      assert.deepEqual(await refusal(`${endpoint}/parts`, { first: 3 }), [400, 'INVALID_INPUT', 'first']);
      assert.deepEqual(await refusal(`${endpoint}/parts`, { count: 101 }), [400, 'INVALID_INPUT', 'count']);
      assert.deepEqual(await refusal(`${endpoint}/parts`, { parts: 1 }), [400, 'INVALID_INPUT', undefined]);
      assert.deepEqual(await refusal(`${endpoint}/parts`, 'no JSON'), [400, 'INVALID_INPUT', undefined]);
      assert.deepEqual(await refusal(`${endpoint}/complete`, {}), [400, 'INVALID_INPUT', 'etags']);
      assert.deepEqual(await refusal(`${endpoint}/complete`, { etags: etags.slice(1) }), [
        400,
        'INVALID_INPUT',
        'etags',
      ]);
    });
    assert.deepEqual(changed, []);
    assert.equal((await post(`${endpoint}/complete`, { etags })).status, 200);
  });

  it('stays open when its parts have other sizes, and can be sent again', async () => {
    const { id, endpoint } = await surface.open(owner, { sizeBytes: SIZE });
    const short = await sendParts(endpoint, Buffer.alloc(SIZE - 5));
    assert.deepEqual(await refusal(`${endpoint}/complete`, { etags: short }), [422, 'UPLOAD_FAILED', 'etags']);
    assert.deepEqual(await stateOf(id), { state: 'OPEN', received: 0 });
    const etags = await sendParts(endpoint, randomBytes(SIZE));
    assert.equal((await post(`${endpoint}/complete`, { etags })).status, 200);
  });

  it('does not mix with bytes that were received by tus; tus may start over', THOROUGH, async () => {
    const { endpoint } = await surface.open(owner, { sizeBytes: SIZE });
    const patch = (offset: number, bytes: Buffer) =>
      fetch(endpoint, { method: 'PATCH', headers: patchHeaders(offset), body: bytes });
    await sendParts(endpoint, Buffer.alloc(SIZE));
    const bytes = randomBytes(SIZE);
    assert.equal((await patch(0, bytes.subarray(0, 1_000))).status, 204);
    assert.deepEqual(await refusal(`${endpoint}/parts`, {}), [400, 'INVALID_INPUT', undefined]);
    assert.deepEqual(await refusal(`${endpoint}/complete`, { etags: ['a', 'b'] }), [422, 'UPLOAD_FAILED', undefined]);
    assert.equal((await patch(1_000, bytes.subarray(1_000))).status, 204);
    assert.equal(await offsetOf(endpoint), SIZE);
  });

  it('is aborted in S3 by the sweep when it is abandoned', async () => {
    const { id, endpoint } = await surface.open(owner, { sizeBytes: SIZE });
    await sendParts(endpoint, Buffer.alloc(SIZE));
    await surface.rows("update ingestions set expires_at = '2000-01-01' where id = $1", [id]);
    s3.aborted.length = 0;
    await surface.uploads.sweep();
    assert.deepEqual(s3.aborted, [`uploads/${id}`]);
    assert.equal((await stateOf(id)).state, 'EXPIRED');
    for await (const { key } of surface.platform.store.list('uploads/')) assert.ok(!key.includes(id), key);
    assert.deepEqual(await refusal(`${endpoint}/complete`, { etags: ['a', 'b'] }), [410, 'TOKEN_EXPIRED', undefined]);
  });

  it('works for images, which are processed before the response', async () => {
    const bytes = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer();
    const media = { kind: 'IMAGE', hint: 'THUMBNAIL' } as const;
    const { endpoint, contentId } = await surface.open(owner, { sizeBytes: bytes.length, media, filename: 'a.png' });
    const etags = await sendParts(endpoint, bytes);
    assert.equal((await post(`${endpoint}/complete`, { etags })).status, 200);
    assert.deepEqual(await surface.rows('select purpose, width from image_assets where content_id = $1', [contentId]), [
      { purpose: 'THUMBNAIL', width: 64 },
    ]);
  });
});

it('an upload to a disk offers no parts', async () => {
  const surface = await openTestClientSurface();
  try {
    const { endpoint } = await surface.open(await surface.owner(), { sizeBytes: SIZE });
    for (const [path, body] of [
      ['parts', {}],
      ['complete', { etags: ['a'] }],
    ] as const) {
      const response = await fetch(`${endpoint}/${path}`, { method: 'POST', body: JSON.stringify(body) });
      const { code, suggestedFix } = await errorOf(response);
      assert.deepEqual([response.status, code], [400, 'INVALID_INPUT']);
      assert.match(suggestedFix, /by PUT, or by tus/);
    }
    assert.equal(directUpload(surface.receiving, endpoint, SIZE), null);
  } finally {
    await surface.close();
  }
});

it('createContentAsset and publishVideo return how to upload straight to S3, and null on a disk', async () => {
  const DIRECT = 'endpoint direct { partsEndpoint completeEndpoint partSizeBytes partCount }';
  const ASSET = `mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: 20000000,
    video: { hint: NONE } }) { id ${DIRECT} } }`;
  const PUBLISH = `mutation { publishVideo(input: { title: "A", filename: "a.mp4", size: 20000000 }) {
    upload { ${DIRECT} } } }`;
  const SESSION = `query ($id: DID!) { me { ingestion(id: $id) { ${DIRECT} } } }`;
  const s3 = await openTestS3Storage();
  for (const storage of [s3, undefined]) {
    const api = await openTestCatalog({ jobs: true, ...(storage ? { storage } : {}) });
    try {
      const anna = await api.person('anna');
      const { id, ...asset } = (await api.ok(anna, ASSET, { id: await api.content(anna) })).createContentAsset;
      const { upload } = (await api.ok(anna, PUBLISH)).publishVideo;
      const { ingestion } = (await api.ok(anna, SESSION, { id })).me;
      for (const { endpoint, direct } of [asset, upload, ingestion])
        assert.deepEqual(
          direct,
          storage
            ? {
                partsEndpoint: `${endpoint}/parts`,
                completeEndpoint: `${endpoint}/complete`,
                partSizeBytes: 8 * MIB,
                partCount: 3,
              }
            : null,
        );
      await api.rows("update ingestions set state = 'EXPIRED'");
      assert.equal((await api.ok(anna, SESSION, { id })).me.ingestion.direct, null);
    } finally {
      await api.close();
    }
  }
  await s3.close();
});

it('a direct upload tells its addresses, and the size and number of parts', () => {
  const direct = {
    partBytes: () => 8 * MIB,
    sign: async () => assert.fail('nothing is signed'),
    assemble: async () => assert.fail('nothing is assembled'),
  };
  const endpoint = 'https://v.example/uploads/1-x';
  const expected = { partsEndpoint: `${endpoint}/parts`, completeEndpoint: `${endpoint}/complete` };
  for (const [sizeBytes, partCount] of [
    [1, 1],
    [8 * MIB, 1],
    [8 * MIB + 1, 2],
  ] as const)
    assert.deepEqual(directUpload({ direct }, endpoint, sizeBytes), {
      ...expected,
      partSizeBytes: 8 * MIB,
      partCount,
    });
});
