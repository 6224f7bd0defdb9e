import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
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

it('has the MD5 that the service computed of a stream', async () => {
  await open().put('sums/stream.mp4', Readable.from([Buffer.from('12345'), Buffer.from('6789')]), {
    contentType: 'video/mp4',
  });
  assert.deepEqual(await open().checksum('sums/stream.mp4'), {
    md5: '25f9e794323b453885f5181f1b624d0b',
    partBytes: null,
  });
});

describe('the checksum of an object in a service with parts', () => {
  const MD5 = '324730582f20c3f18cbb66d63a6137d2';
  const PARTS = { etag: `"${MD5}-2"`, 'content-length': '9' };
  const PART = { ...PARTS, 'content-length': '5', 'x-amz-mp-parts-count': '2' };
  /** As https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html has it. */
  async function checksumOf(whole: Record<string, string>, part: Record<string, string>) {
    const server = createServer((request, response) => {
      const isPart = new URL(request.url ?? '', 'http://localhost').searchParams.get('partNumber') === '1';
      response.writeHead(isPart ? 206 : 200, isPart ? part : whole).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server has one
    const other = createS3Client({ ...service.settings, endpoint: `http://127.0.0.1:${port}` });
    try {
      return await new S3Store(other, 'a-bucket', temporary).checksum('sources/a');
    } finally {
      other.destroy();
      server.close();
    }
  }

  for (const [name, whole, part, expected] of [
    ['is its own of the whole object', { ...PARTS, 'x-amz-checksum-crc32': 'y/Q5Jg==' }, PART, { crc32: 0xcbf43926 }],
    ['is what was known before it was sent', { ...PARTS, 'x-amz-meta-crc32': 'cbf43926' }, PART, { crc32: 0xcbf43926 }],
    ['is the MD5 of the MD5s of parts', PARTS, PART, { md5: MD5, partBytes: 5 }],
    ['is missing where the size of a part is not known', PARTS, PARTS, null],
    ['is missing with a key of the customer', { ...PARTS, 'x-amz-server-side-encryption': 'aws:kms' }, PART, null],
    [
      'is not that of the checksums of its parts',
      { ...PARTS, 'x-amz-checksum-crc32': 'y/Q5Jg==', 'x-amz-checksum-type': 'COMPOSITE' },
      PART,
      { md5: MD5, partBytes: 5 },
    ],
  ] as const)
    it(name, async () => assert.deepEqual(await checksumOf(whole, part), expected));
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
