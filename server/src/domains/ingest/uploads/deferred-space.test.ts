import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Upload } from 'tus-js-client';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { openTestS3Storage } from '../../../platform/storage/testing.ts';
import { TestSpace } from '../../assets/quota/storage-space.fixture.ts';
import {
  errorOf,
  type Owner,
  offsetOf,
  openTestClientSurface,
  patchHeaders,
  sendAndBreak,
  type TestClientSurface,
  TUS,
  untilKept,
} from '../client-surface.fixture.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const STEP = 64 * MIB;

describe('an upload of unknown size', () => {
  const space = new TestSpace();
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface(({ store, receiving }) => ({
      store,
      receiving,
      space: { read: () => space.read(), receivedBytes: (key) => receiving.receivedBytes(key) },
    }));
  });
  after(() => surface.close());

  const patch = (endpoint: string, offset: number, body: Buffer, length?: number) =>
    fetch(endpoint, {
      method: 'PATCH',
      headers: { ...patchHeaders(offset), ...(length === undefined ? {} : { 'Upload-Length': String(length) }) },
      body,
    });
  const reservedOf = async (id: string) =>
    (await surface.row<{ bytes: number }>('select size_bytes as bytes from ingestions where id = $1', [id])).bytes;
  const usedBy = async ({ channelId }: Owner) =>
    (await surface.row<{ bytes: number }>(`select counter_value('channel:storage', $1)::bigint as bytes`, [channelId]))
      .bytes;
  const planOf = ({ accountId }: Owner, plan: string) =>
    surface.rows('update subscriptions set plan = $2 where account_id = $1', [accountId, plan]);
  /** As if steps had reserved this much. */
  const setReserved = (id: string, bytes: number) =>
    surface.rows('update ingestions set size_bytes = $2 where id = $1', [id, bytes]);
  /** Leaves this much of the storage of the Free plan. */
  async function leave(owner: Owner, bytes: number): Promise<void> {
    await planOf(owner, 'FREE');
    await surface.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
       values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || gen_random_uuid(), $3)`,
      [owner.channelId, owner.contentId, 20 * GIB - bytes],
    );
  }

  it('reserves 64 MiB at a time before bytes need them, and frees what the file does not have', async () => {
    const owner = await surface.owner();
    const { id, endpoint } = await surface.open(owner, { sizeBytes: null });
    assert.deepEqual([await reservedOf(id), await usedBy(owner)], [STEP, STEP]);
    await patch(endpoint, 0, Buffer.alloc(1_000));
    assert.equal(await reservedOf(id), STEP);
    await patch(endpoint, 1_000, Buffer.alloc(STEP));
    assert.deepEqual([await reservedOf(id), await usedBy(owner)], [2 * STEP, 2 * STEP]);
    assert.equal((await patch(endpoint, STEP + 1_000, Buffer.alloc(24), STEP + 1_024)).status, 204);
    const { size, state } = await surface.row<{ size: number; state: string }>(
      'select size_bytes as size, state from ingestions where id = $1',
      [id],
    );
    assert.deepEqual([size, state, await usedBy(owner)], [STEP + 1_024, 'FINISHED', STEP + 1_024]);
  });

  it('gets 413 where the quota ends, and keeps what arrived before', async () => {
    const owner = await surface.owner();
    await leave(owner, 1_000);
    const { id, endpoint } = await surface.open(owner, { sizeBytes: null });
    assert.equal(await reservedOf(id), 1_000);
    const error = await errorOf(await patch(endpoint, 0, Buffer.alloc(1_500)));
    assert.deepEqual([error.status, error.code, error.field], [413, 'INVALID_INPUT', 'Upload-Length']);
    assert.match(error.message, /at least 1001 bytes, but 1000 of the \d+ bytes of storage in the Free plan/);
    assert.equal(await offsetOf(endpoint), 1_000);
    const other = await errorOf(await patch(endpoint, 1_000, Buffer.alloc(1), 1_001));
    assert.deepEqual([other.status, other.field], [413, 'Upload-Length']);
    await assert.rejects(surface.open(owner, { sizeBytes: null }), { code: 'INVALID_INPUT', httpStatus: 413 });
    assert.equal((await patch(endpoint, 1_000, Buffer.alloc(0), 1_000)).status, 204);
  });

  it('gets 413 where the limit of the plan ends', THOROUGH, async () => {
    const owner = await surface.owner();
    await planOf(owner, 'FREE');
    const { id, endpoint } = await surface.open(owner, { sizeBytes: null });
    await patch(endpoint, 0, Buffer.alloc(10));
    await truncate(join(surface.platform.config.DATA_DIR, 'objects', ',receiving', 'uploads', id), 2 * GIB - 5);
    await setReserved(id, 2 * GIB - 5);
    const error = await errorOf(await patch(endpoint, 2 * GIB - 5, Buffer.alloc(10)));
    assert.deepEqual([error.status, error.code, error.field], [413, 'INVALID_INPUT', 'Upload-Length']);
    assert.match(error.message, /more than 2147483648 bytes; the limit of the Free plan is 2147483648 bytes/);
    assert.deepEqual([await offsetOf(endpoint), await reservedOf(id)], [2 * GIB, 2 * GIB]);
    await fetch(endpoint, { method: 'DELETE', headers: TUS });
    assert.equal(await usedBy(owner), 0);
  });

  it('gets 413 where the limit of images ends', async () => {
    const owner = await surface.owner();
    const media = { kind: 'IMAGE', hint: 'POSTER' } as const;
    const image = await surface.open(owner, { sizeBytes: null, media, filename: 'a.png' });
    assert.equal(await reservedOf(image.id), 25 * MIB);
    const refused = await errorOf(await patch(image.endpoint, 0, Buffer.alloc(25 * MIB + 1)));
    assert.deepEqual([refused.status, refused.code], [413, 'INVALID_INPUT']);
  });

  it('gets 503 while the server has no space for a step, and continues when it has', async () => {
    const owner = await surface.owner();
    const { id, endpoint } = await surface.open(owner, { sizeBytes: null });
    await setReserved(id, 1_000);
    try {
      space.disk(10 * GIB, GIB + STEP - 1, GIB);
      const error = await patch(endpoint, 0, Buffer.alloc(1_500));
      assert.deepEqual([error.status, error.headers.get('retry-after')], [503, '300']);
      assert.equal((await errorOf(error)).field, 'Upload-Length');
      assert.deepEqual([await offsetOf(endpoint), await reservedOf(id)], [1_000, 1_000]);
      const declared = await patch(endpoint, 1_000, Buffer.alloc(500), STEP + 1_001 + 1_000);
      assert.equal(declared.status, 503);
      await assert.rejects(surface.open(owner, { sizeBytes: null }), { code: 'SERVICE_UNAVAILABLE' });
      space.disk(10 * GIB, GIB + STEP + 1_000, GIB);
      assert.equal((await patch(endpoint, 1_000, Buffer.alloc(500))).status, 204);
      assert.equal(await reservedOf(id), STEP + 1_000);
      await assert.rejects(surface.open(owner, { sizeBytes: 2_000 }), { code: 'SERVICE_UNAVAILABLE' });
      await patch(endpoint, 1_500, Buffer.alloc(0), 2_000);
      await surface.open(owner, { sizeBytes: 2_000 });
    } finally {
      space.reading = null;
    }
  });

  it('shares the space with uploads at the same time', async () => {
    const owners = await Promise.all([surface.owner(), surface.owner(), surface.owner()]);
    const uploads = await Promise.all(owners.map((owner) => surface.open(owner, { sizeBytes: null })));
    try {
      for (const { id } of uploads) await setReserved(id, 1);
      const kept = await surface.row<{ bytes: number }>(
        `select sum(size_bytes - received_bytes)::bigint as bytes from ingestions where state = 'OPEN'`,
      );
      space.disk(10 * GIB, GIB + kept.bytes + 2 * STEP, GIB);
      const responses = await Promise.all(uploads.map(({ endpoint }) => patch(endpoint, 0, Buffer.alloc(1_000))));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 204, 503]);
    } finally {
      space.reading = null;
    }
  });

  it('continues where it was when its connection breaks and the server restarts', async () => {
    const owner = await surface.owner();
    const { id, endpoint } = await surface.open(owner, { sizeBytes: null, autoProcess: true });
    const head =
      'PATCH PATH HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n' +
      'Content-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked';
    const chunk = Buffer.concat([Buffer.from('186a0\r\n'), Buffer.alloc(100_000, 'a'), Buffer.from('\r\n')]);
    await sendAndBreak(endpoint, head, chunk, () => untilKept(surface, id, 1));
    await untilKept(surface, id, 1);
    await surface.restart();
    const offset = await offsetOf(endpoint);
    assert.ok(offset > 0 && offset <= 100_000, String(offset));
    await patch(endpoint, offset, Buffer.alloc(100_000 - offset, 'a'));
    // The server was killed after the length was written, before the upload was finished.
    await surface.rows('update ingestions set size_bytes = 100000, size_deferred = false where id = $1', [id]);
    surface.platform.clock.advance(2 * 60_000);
    await Promise.all([surface.uploads.sweep(), surface.uploads.sweep()]);
    const jobs = await surface.rows('select status from transcode_jobs where content_id = $1', [owner.contentId]);
    assert.deepEqual(jobs, [{ status: 'QUEUED' }]);
    assert.equal((await fetch(endpoint, { method: 'HEAD', headers: TUS })).headers.get('upload-length'), '100000');
  });
});

describe('a stream that tus-js-client uploads', () => {
  const bytes = Buffer.from(Array.from({ length: 250_000 }, (_, at) => at % 251));
  const stream = () =>
    Readable.from(Array.from({ length: 25 }, (_, at) => bytes.subarray(at * 10_000, (at + 1) * 10_000)));
  const send = (surface: TestClientSurface, owner: Owner, options: object = {}) =>
    new Promise<string>((done, onError) => {
      const upload = new Upload(stream(), {
        endpoint: `${surface.baseUrl}/uploads`,
        headers: { authorization: owner.authorization },
        metadata: { filename: 'recording.webm', filetype: 'video/webm' },
        uploadLengthDeferred: true,
        chunkSize: 60_000,
        retryDelays: [50, 50],
        onSuccess: () => done(new URL(upload.url ?? '').pathname.slice('/uploads/'.length).slice(0, 36)),
        onError,
        ...options,
      });
      upload.start();
    });
  const storedAt = async (surface: TestClientSurface, id: string) => {
    const found = await surface.platform.store.read(`uploads/${id}`);
    return found && buffer(found.stream);
  };

  it('becomes a draft that is processed, once', async () => {
    const surface = await openTestClientSurface();
    try {
      const owner = await surface.owner();
      const id = await send(surface, owner);
      assert.deepEqual(await storedAt(surface, id), bytes);
      const jobs = await surface.rows(
        'select k.title, j.status from transcode_jobs j join contents k on k.id = j.content_id where k.channel_id = $1',
        [owner.channelId],
      );
      assert.deepEqual(jobs, [{ title: 'recording', status: 'QUEUED' }]);
    } finally {
      await surface.close();
    }
  });

  it('repeats the last chunk with its length after a lost response', async () => {
    const surface = await openTestClientSurface();
    try {
      let lost = 0;
      const owner = await surface.owner();
      const id = await send(surface, owner, {
        onAfterResponse: (request: { getHeader(name: string): string | undefined }) => {
          if (request.getHeader('Upload-Length') === undefined || lost > 0) return;
          lost += 1;
          throw new Error('The response was lost.');
        },
      });
      assert.deepEqual([lost, await storedAt(surface, id)], [1, bytes]);
    } finally {
      await surface.close();
    }
  });

  it('arrives in S3 too, and has no signed parts', THOROUGH, async () => {
    const s3 = await openTestS3Storage();
    const surface = await openTestClientSurface(s3);
    try {
      const owner = await surface.owner();
      assert.deepEqual(await storedAt(surface, await send(surface, owner)), bytes);
      const { endpoint } = await surface.open(owner, { sizeBytes: null });
      for (const [path, body] of [
        ['parts', {}],
        ['complete', { etags: ['a'] }],
      ] as const) {
        const response = await fetch(`${endpoint}/${path}`, { method: 'POST', body: JSON.stringify(body) });
        const { status, code } = await errorOf(response);
        assert.deepEqual([status, code], [400, 'INVALID_INPUT']);
      }
    } finally {
      await surface.close();
      await s3.close();
    }
  });
});
