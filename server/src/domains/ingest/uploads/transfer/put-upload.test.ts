import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { AppError } from '../../../../kernel/errors.ts';
import { until } from '../../../../testing/until.ts';
import {
  errorOf,
  offsetOf,
  openTestClientSurface,
  patchHeaders,
  sendAndBreak,
  type TestClientSurface,
  TUS,
  tusUpload,
  untilKept,
} from '../../client-surface.fixture.ts';

describe('uploads as a single body', () => {
  let surface: TestClientSurface;
  let onComplete = async (): Promise<void> => {};
  let onReceivedBytes = async (): Promise<void> => {};
  before(async () => {
    surface = await openTestClientSurface(({ store, receiving }) => {
      const { complete, receivedBytes } = receiving;
      const hooked = Object.assign(receiving, {
        complete: async (key: string, sizeBytes: number) => {
          await onComplete();
          return complete.call(receiving, key, sizeBytes);
        },
        receivedBytes: async (key: string) => {
          const bytes = await receivedBytes.call(receiving, key);
          await onReceivedBytes();
          return bytes;
        },
      });
      return { store, receiving: hooked };
    });
  });
  after(() => surface.close());

  const storedBytes = async (key: string) => {
    const found = await surface.platform.store.read(key);
    return found && buffer(found.stream);
  };

  it('are accepted by PUT and by POST', async () => {
    for (const method of ['PUT', 'POST']) {
      const bytes = randomBytes(100_000);
      const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
      const response = await fetch(opened.endpoint, { method, body: bytes });
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), {
        upload: { state: 'FINISHED', assetName: opened.assetName, receivedBytes: 100_000 },
      });
      assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
      const again = await errorOf(await fetch(opened.endpoint, { method, body: bytes }));
      assert.deepEqual([again.status, again.code], [409, 'RESOURCE_ALREADY_EXISTS']);
    }
  });

  it('are refused before reading when the declared length differs', async () => {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 10 });
    for (const body of ['123456789', '12345678901', '']) {
      const error = await errorOf(await fetch(opened.endpoint, { method: 'PUT', body }));
      assert.deepEqual([error.status, error.code, error.field], [422, 'UPLOAD_FAILED', 'Content-Length']);
    }
    assert.equal(await offsetOf(opened.endpoint), 0);
  });

  const chunked = (...parts: string[]) =>
    ({ method: 'PUT', body: new Blob(parts).stream(), duplex: 'half' }) as RequestInit;

  it('are counted when sent chunked', async () => {
    const opened = await surface.open(await surface.owner(), { sizeBytes: 10 });
    const long = await errorOf(await fetch(opened.endpoint, chunked('12345', '678901')));
    assert.deepEqual([long.status, long.code], [422, 'UPLOAD_FAILED']);
    assert.match(long.message, /longer than the 10 bytes/);
    const short = await errorOf(await fetch(opened.endpoint, chunked('1234')));
    assert.match(short.message, /Only 4 of 10 bytes/);
    assert.equal(await offsetOf(opened.endpoint), 4);
    assert.equal((await fetch(opened.endpoint, chunked('12345', '67890'))).status, 200);
    assert.equal((await storedBytes(`uploads/${opened.id}`))?.toString(), '1234567890');
  });

  it('are continued by a tus client or restarted by PUT after an interruption', async () => {
    for (const how of ['tus', 'put'] as const) {
      const bytes = randomBytes(400_000);
      const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
      await sendAndBreak(
        opened.endpoint,
        `PUT PATH HTTP/1.1\r\nContent-Length: ${bytes.length}`,
        bytes.subarray(0, 250_000),
        () => untilKept(surface, opened.id, 100_001),
      );
      const offset = await offsetOf(opened.endpoint);
      assert.ok(offset > 100_000 && offset <= 250_000, `kept ${offset}`);
      if (how === 'tus') await tusUpload(opened.endpoint, bytes);
      else assert.equal((await fetch(opened.endpoint, { method: 'PUT', body: bytes })).status, 200);
      assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
    }
  });

  it('are accepted once when sent concurrently; the others get an error', async () => {
    for (let round = 0; round < 3; round += 1) {
      const bytes = randomBytes(200_000);
      const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
      const sent = Array.from({ length: 5 }, () => fetch(opened.endpoint, { method: 'PUT', body: bytes }));
      const statuses = (await Promise.all(sent)).map((response) => response.status);
      for (const status of statuses) assert.ok([200, 409, 422, 503].includes(status), String(status));
      if (!statuses.includes(200))
        assert.equal((await fetch(opened.endpoint, { method: 'PUT', body: bytes })).status, 200);
      assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
    }
  });

  it('that arrive while an earlier request finishes the upload wait for it, and replace nothing', async () => {
    const { address } = await surface.another();
    for (const [method, status] of [
      ['PUT', 200],
      ['PATCH', 204],
    ] as const) {
      const bytes = randomBytes(100_000);
      const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
      const elsewhere = `${address}${new URL(opened.endpoint).pathname}`;
      const isWaiting = 'select lock_requested as "isWaiting" from ingestions where id = $1';
      let later: Promise<Response> | null = null;
      onComplete = async () => {
        later ??= fetch(elsewhere, { method: 'PUT', body: randomBytes(bytes.length) });
        await until(async () => (await surface.row<{ isWaiting: boolean }>(isWaiting, [opened.id])).isWaiting);
      };
      const headers = method === 'PATCH' ? patchHeaders(0) : {};
      assert.equal((await fetch(opened.endpoint, { method, body: bytes, headers })).status, status);
      assert.equal((await later!).status, 409);
      assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
    }
    onComplete = async () => {};
  });

  it('that replace received bytes make concurrent requests fail until they end', async () => {
    const bytes = randomBytes(100_000);
    const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length });
    onComplete = async () => {
      throw new AppError('SERVICE_UNAVAILABLE', 'The disk is full.');
    };
    assert.equal((await fetch(opened.endpoint, { method: 'PUT', body: bytes })).status, 503);
    onComplete = async () => {};
    onReceivedBytes = async () => {
      onReceivedBytes = async () => {};
      await sendAndBreak(
        opened.endpoint,
        `PUT PATH HTTP/1.1\r\nContent-Length: 100000`,
        bytes.subarray(0, 60_000),
        () => until(async () => (await surface.receiving.receivedBytes(`uploads/${opened.id}`)) < bytes.length),
      );
    };
    assert.equal((await fetch(opened.endpoint, { method: 'HEAD', headers: TUS })).status, 503);
    assert.equal((await fetch(opened.endpoint, { method: 'PUT', body: bytes })).status, 200);
    assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
  });

  it('are sent by the curl command that the API returns', async () => {
    const bytes = randomBytes(3_000_000);
    const filename = "it's [my] video.mp4";
    const opened = await surface.open(await surface.owner(), { sizeBytes: bytes.length, filename });
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-curl-'));
    try {
      await writeFile(join(folder, filename), bytes);
      const { stdout } = await promisify(execFile)('sh', ['-c', opened.curlCommand], { cwd: folder });
      assert.match(stdout, /"state":"FINISHED"/);
      assert.deepEqual(await storedBytes(`uploads/${opened.id}`), bytes);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
