import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { AppError } from '../../../kernel/errors.ts';
import { createS3Client } from '../../../platform/storage/s3-client.ts';
import { S3ReceivingStore } from '../../../platform/storage/s3-receiving.ts';
import { S3Store } from '../../../platform/storage/s3-store.ts';
import { diskError } from '../../../platform/storage/storage-errors.ts';
import { startTestS3 } from '../../../platform/storage/testing.ts';
import { openProcessing } from '../../transcode/jobs/start-processing.ts';
import { processingWaiter } from '../../transcode/jobs/wait-for-processing.ts';
import {
  errorOf,
  offsetOf,
  openTestClientSurface,
  patchHeaders,
  sendAndBreak,
  type TestClientSurface,
  tusUpload,
  untilKept,
} from '../client-surface.fixture.ts';
import { strandedIngestions } from './ingestions.store.ts';

describe('failing uploads', () => {
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

  it('keep acknowledged bytes through a restart of the server', async () => {
    const bytes = randomBytes(60_000);
    const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
    await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: bytes.subarray(0, 25_000) });
    await surface.restart();
    assert.equal(await offsetOf(opened.endpoint), 25_000);
    await tusUpload(opened.endpoint, bytes);
    assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
  });

  it('keep received bytes when the connection breaks within a chunk', async () => {
    const bytes = randomBytes(500_000);
    const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
    const head =
      `PATCH PATH HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: ` +
      `application/offset+octet-stream\r\nContent-Length: ${bytes.length}`;
    await sendAndBreak(opened.endpoint, head, bytes.subarray(0, 300_000), () => untilKept(surface, opened.id, 200_001));
    const offset = await offsetOf(opened.endpoint);
    assert.ok(offset > 200_000 && offset <= 300_000, `kept ${offset}`);
    await tusUpload(opened.endpoint, bytes);
    assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
  });

  it('let a newer request take over from a hanging one, also on another instance', async () => {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 100_000 });
    const second = await surface.another();
    for (const address of [surface.baseUrl, second.address]) {
      const from = await offsetOf(opened.endpoint);
      const url = new URL(opened.endpoint);
      const socket = connect(Number(url.port), url.hostname);
      socket.write(
        `PATCH ${url.pathname} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ` +
          `${from}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 40000\r\n\r\n`,
      );
      socket.write(Buffer.alloc(1_000));
      await untilKept(surface, opened.id, from + 1_000);
      assert.equal(await offsetOf(opened.endpoint.replace(surface.baseUrl, address)), from + 1_000);
      socket.destroy();
    }
  });

  it('expire when idle, and are swept with their bytes, while newer ones stay', async () => {
    const owner = await surface.owner();
    const old = await surface.open(owner, { sizeBytes: 10 });
    await fetch(old.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: '123' });
    surface.platform.clock.advance(23 * 3600_000);
    const young = await surface.open(owner, { sizeBytes: 10 });
    await fetch(young.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: '1234' });
    surface.platform.clock.advance(2 * 3600_000);
    const error = await errorOf(await fetch(old.endpoint, { method: 'PATCH', headers: patchHeaders(3), body: '4' }));
    assert.deepEqual([error.status, error.code], [410, 'TOKEN_EXPIRED']);
    assert.equal((await fetch(old.endpoint, { method: 'PUT', body: '0123456789' })).status, 410);
    await surface.uploads.sweep();
    assert.equal((await stateOf(old.id)).state, 'EXPIRED');
    assert.equal(await surface.receiving.receivedBytes(`uploads/${old.id}`), 0);
    assert.equal((await stateOf(young.id)).state, 'OPEN');
    assert.equal(await surface.receiving.receivedBytes(`uploads/${young.id}`), 4);
    assert.equal(await surface.uploads.sweep(), 0);
  });

  for (const [how, end, expected] of [
    [
      'expires',
      async () => {
        surface.platform.clock.advance(25 * 3600_000);
        await surface.uploads.sweep();
      },
      ['EXPIRED', 'TOKEN_EXPIRED', /no progress for 24 hours.* open another upload with createContentAsset/],
    ],
    [
      'is cancelled by its sender',
      async (endpoint: string) => {
        assert.equal((await fetch(endpoint, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } })).status, 204);
      },
      ['FAILED', 'UPLOAD_FAILED', /cancelled by its sender.* open another upload with createContentAsset/],
    ],
  ] as const) {
    it(`end the waiting job of an upload that ${how}, with the reason, and keep the content a draft`, async () => {
      const owner = await surface.owner();
      const opened = await surface.open(owner, { sizeBytes: 10, autoProcess: true });
      const { contentId, channelId } = opened;
      assert.ok(contentId);
      await surface.rows('update contents set publish_when_ready = true where id = $1', [contentId]);
      const jobId = await surface.platform.db.transaction((tx) =>
        openProcessing(surface.platform, tx, { contentId, channelId }),
      );
      const waiter = processingWaiter(surface.platform.db);
      const waiting = waiter.wait(contentId, { timeoutSeconds: 30 });
      await end(opened.endpoint);
      const state = await waiting;
      waiter.stop();
      const [uploadState, code, reason] = expected;
      assert.equal((await stateOf(opened.id)).state, uploadState);
      assert.deepEqual([state.jobId, state.status], [jobId, 'ERROR']);
      assert.match(String(state.error), reason);
      const job = await surface.row<object>(
        'select error_code, finished_at is not null as ended from transcode_jobs where id = $1',
        [jobId],
      );
      assert.deepEqual(job, { error_code: code, ended: true });
      const content = await surface.row<object>('select status, publish_when_ready from contents where id = $1', [
        contentId,
      ]);
      assert.deepEqual(content, { status: 'DRAFT', publish_when_ready: false });
      const events = await surface.rows<{ type: string }>(
        'select type from events where subject_id in ($1, $2, $3) order by id',
        [opened.id, jobId, contentId],
      );
      assert.deepEqual(
        events.map(({ type }) => type),
        ['upload.failed', 'job.updated', 'asset.failed'],
      );
    });
  }

  it('do not affect processing that another upload has started', async () => {
    const owner = await surface.owner();
    const first = await surface.open(owner, { sizeBytes: 10, autoProcess: true });
    const { contentId, channelId } = first;
    assert.ok(contentId);
    const jobId = await surface.platform.db.transaction((tx) =>
      openProcessing(surface.platform, tx, { contentId, channelId }),
    );
    const second = await surface.open(owner, { sizeBytes: 3, autoProcess: true });
    assert.equal((await fetch(second.endpoint, { method: 'PUT', body: 'abc' })).ok, true);
    await fetch(first.endpoint, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });
    assert.equal((await stateOf(first.id)).state, 'FAILED');
    assert.deepEqual(await surface.row<object>('select status from transcode_jobs where id = $1', [jobId]), {
      status: 'QUEUED',
    });
  });

  it('are refused when the account has a thousand open uploads, until one has ended', async () => {
    const [owner, other] = [await surface.owner(), await surface.owner()];
    const opened = await surface.open(owner, { sizeBytes: 10 });
    await surface.rows(
      `insert into ingestions (id, channel_id, content_id, media_kind, hint, filename, filetype, asset_name, size_bytes,
        object_key, expires_at)
       select gen_random_uuid(), channel_id, content_id, media_kind, hint, filename, filetype, asset_name, size_bytes,
         object_key || n, expires_at
       from ingestions, generate_series(1, 999) as n where id = $1`,
      [opened.id],
    );
    await assert.rejects(surface.open(owner, { sizeBytes: 10 }), (error: AppError) => {
      assert.deepEqual([error.code, error.httpStatus, error.retryable], ['QUOTA_EXCEEDED', 403, false]);
      assert.match(error.message, /1,000 uploads to channels of this owner are already open/);
      assert.match(error.suggestedFix, /DELETE/);
      return true;
    });
    await surface.open(other, { sizeBytes: 10 });
    await fetch(opened.endpoint, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });
    await surface.open(owner, { sizeBytes: 10 });
  });

  it('extend their expiry with every chunk', async () => {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 10 });
    surface.platform.clock.advance(20 * 3600_000);
    await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: '123' });
    const { at } = await surface.row<{ at: string }>('select expires_at as at from ingestions where id = $1', [
      opened.id,
    ]);
    assert.equal(Date.parse(at), surface.platform.clock.now() + 24 * 3600_000);
  });

  it('are finished by the sweep when all bytes arrived but finishing failed', async () => {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 3 });
    await surface.rows('alter table video_assets rename to hidden');
    try {
      assert.equal(
        (await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: 'abc' })).status,
        500,
      );
    } finally {
      await surface.rows('alter table hidden rename to video_assets');
    }
    assert.equal((await stateOf(opened.id)).state, 'OPEN');
    assert.equal(await surface.uploads.sweep(), 0, 'not before a minute');
    surface.platform.clock.advance(61_000);
    assert.equal(await surface.uploads.sweep(), 1);
    assert.equal((await stateOf(opened.id)).state, 'FINISHED');
  });

  it('are finished by the sweep in the order of their expiry', async () => {
    const owner = await surface.owner();
    const opened = [];
    for (let n = 0; n < 3; n += 1) opened.push((await surface.open(owner, { sizeBytes: 3 })).id);
    const nowMs = surface.platform.clock.now();
    for (const [index, minutes] of [2, 3, 1].entries())
      await surface.rows('update ingestions set received_bytes = size_bytes, expires_at = $2 where id = $1', [
        opened[index],
        new Date(nowMs + minutes * 60_000).toISOString(),
      ]);
    const found = await strandedIngestions(surface.platform.db, new Date(nowMs + 4 * 60_000).toISOString());
    assert.deepEqual(
      found.map(({ id }) => id),
      [opened[2], opened[0], opened[1]],
    );
    for (const id of opened) await surface.rows('delete from ingestions where id = $1', [id]);
  });

  it('are finished by the next request when all bytes arrived but finishing failed', async () => {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 3 });
    await surface.receiving.append(`uploads/${opened.id}`, Readable.from([Buffer.from('abc')]), {
      offset: 0,
      sizeBytes: 3,
    });
    assert.equal(await offsetOf(opened.endpoint), 3);
    assert.equal((await stateOf(opened.id)).state, 'FINISHED');
    assert.equal(await offsetOf(opened.endpoint), 3);
    assert.equal((await surface.rows('select id from video_assets where ingestion_id = $1', [opened.id])).length, 1);
  });
});

it('a full disk refuses the chunk, keeps acknowledged bytes, and the upload continues when there is space again', async () => {
  let full = false;
  const surface = await openTestClientSurface(({ store, receiving }) => ({
    store,
    receiving: {
      receivedBytes: (key) => receiving.receivedBytes(key),
      complete: (key, size) => receiving.complete(key, size),
      discard: (key) => receiving.discard(key),
      append: async (key, body, options) => {
        if (!full) return receiving.append(key, body, options);
        throw diskError(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
      },
    },
  }));
  try {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 10 });
    await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: '12345' });
    full = true;
    for (const request of [
      { method: 'PATCH', headers: patchHeaders(5), body: '67890' },
      { method: 'PUT', body: '1234567890' },
    ]) {
      const response = await fetch(opened.endpoint, request);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
      const error = await errorOf(response);
      assert.deepEqual([error.status, error.code], [503, 'SERVICE_UNAVAILABLE']);
      assert.match(error.message, /full/);
    }
    full = false;
    assert.equal(await offsetOf(opened.endpoint), 5);
    assert.equal(
      (await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(5), body: '67890' })).status,
      204,
    );
  } finally {
    await surface.close();
  }
});

it('uploads to a bucket survive restarts and broken connections as well', THOROUGH, async () => {
  const service = await startTestS3();
  const client = createS3Client(service.settings);
  const store = new S3Store(client, service.settings.bucket, '/nonexistent');
  const surface = await openTestClientSurface({
    store,
    receiving: new S3ReceivingStore(client, service.settings.bucket, store),
  });
  try {
    const bytes = randomBytes(9_000_000);
    const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
    await fetch(opened.endpoint, { method: 'PATCH', headers: patchHeaders(0), body: bytes.subarray(0, 1_000_000) });
    const head =
      `PATCH PATH HTTP/1.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ` +
      `1000000\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 8000000`;
    await sendAndBreak(opened.endpoint, head, bytes.subarray(1_000_000, 3_000_000));
    await untilKept(surface, opened.id, 2_000_000);
    await surface.restart();
    const offset = await offsetOf(opened.endpoint);
    assert.ok(offset >= 2_000_000 && offset <= 3_000_000, `kept ${offset}`);
    await tusUpload(opened.endpoint, bytes, { chunkSize: 3_000_000 });
    const found = await store.read(`uploads/${opened.id}`);
    assert.ok(found && bytes.equals(await buffer(found.stream)));
    assert.equal(
      (await surface.row<{ state: string }>('select state from ingestions where id = $1', [opened.id])).state,
      'FINISHED',
    );
  } finally {
    await surface.close();
    client.destroy();
    await service.close();
  }
});
