import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../kernel/errors.ts';
import { objectStoreContract } from './object-store.contract.ts';
import { receivingStoreContract } from './receiving-store.contract.ts';
import { createS3Client } from './s3-client.ts';
import { partSizeFor } from './s3-journal.ts';
import { S3ReceivingStore } from './s3-receiving.ts';
import { S3Store } from './s3-store.ts';
import { startTestS3 } from './testing.ts';

let service: Awaited<ReturnType<typeof startTestS3>>;
let client: S3Client;
let temporary: string;
before(async () => {
  service = await startTestS3();
  client = createS3Client(service.settings);
  temporary = await mkdtemp(join(tmpdir(), 'reelgraph-lent-'));
});
after(async () => {
  client.destroy();
  await service.close();
  await rm(temporary, { recursive: true, force: true });
});

/** Fewer keys than the tests list. */
const PAGE_SIZE = 7;
const open = () => new S3Store(client, service.settings.bucket, temporary, PAGE_SIZE);
objectStoreContract('S3', async () => open());
receivingStoreContract('S3', async () => ({
  store: open(),
  reopen: () => new S3ReceivingStore(client, service.settings.bucket, open()),
}));

it('removes the local copy, also when its use fails', async () => {
  await open().put('lent/a.mp4', Buffer.from('x'), { contentType: 'video/mp4' });
  const fail = () => Promise.reject(new Error('No use.'));
  await assert.rejects(open().withLocalFile('lent/a.mp4', fail), /No use/);
  assert.deepEqual(await readdir(temporary), []);
});

it('reports an unresponsive service as SERVICE_UNAVAILABLE', async () => {
  const unreachable = createS3Client({ ...service.settings, endpoint: 'http://127.0.0.1:1' });
  const store = new S3Store(unreachable, service.settings.bucket, temporary);
  await assert.rejects(store.head('a'), (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
  unreachable.destroy();
});

for (const [sizeBytes, expected] of [
  [1, 8],
  [80_000 * 1024 * 1024, 8],
  [250 * 1024 ** 3, 26],
] as const) {
  it(`splits ${sizeBytes} bytes into parts of ${expected} MiB, at most 10,000 of them`, () => {
    assert.equal(partSizeFor(sizeBytes), expected * 1024 * 1024);
    assert.ok(Math.ceil(sizeBytes / partSizeFor(sizeBytes)) <= 10_000);
  });
}
