import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../kernel/errors.ts';
import type { SignedPart } from './receiving-store.ts';
import { openTestS3Storage, type TestS3Storage } from './testing.ts';

const MIB = 1024 * 1024;
const SIZE = 9 * MIB;

describe('parts that senders store in S3 by themselves', () => {
  let s3: TestS3Storage;
  before(async () => {
    s3 = await openTestS3Storage();
  });
  after(() => s3.close());

  const sign = (key: string, numbers = [1, 2], nowMs = Date.now()) =>
    s3.reopen().direct.sign(key, SIZE, { numbers, nowMs, validSeconds: 600 });
  /** Stores a part as its sender does; returns its ETag. */
  async function send({ url, number }: SignedPart, bytes: Buffer): Promise<string> {
    const response = await fetch(url, {
      method: 'PUT',
      body: bytes.subarray((number - 1) * 8 * MIB, number * 8 * MIB),
    });
    assert.equal(response.status, 200);
    return response.headers.get('etag') ?? '';
  }
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof AppError && error.code === 'UPLOAD_FAILED' && message.test(error.message);
  async function keys(start: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of s3.store.list('direct/')) if (key.startsWith(start)) found.push(key);
    return found;
  }

  it('have addresses bound to object, upload, part, size and time', async () => {
    const [first, second] = await sign('direct/address', [1, 2], Date.parse('2026-11-23T10:00:00Z'));
    assert.deepEqual([first?.sizeBytes, second?.sizeBytes], [8 * MIB, MIB]);
    const { pathname, searchParams } = new URL(second?.url ?? '');
    assert.equal(pathname, '/reelgraph-test/direct/address');
    const named = (...names: string[]) => names.map((name) => searchParams.get(name));
    assert.deepEqual(named('partNumber', 'X-Amz-Expires', 'X-Amz-Date', 'X-Amz-SignedHeaders'), [
      '2',
      '600',
      '20261123T100000Z',
      'content-length;host',
    ]);
    assert.match(searchParams.get('X-Amz-Signature') ?? '', /^[0-9a-f]{64}$/);
    const [again] = await sign('direct/address', [2]);
    const uploadOf = (part: SignedPart | undefined) => new URL(part?.url ?? '').searchParams.get('uploadId');
    assert.equal(uploadOf(again), uploadOf(second), 'the same upload');
    assert.notEqual(uploadOf((await sign('direct/other', [1]))[0]), uploadOf(second));
  });

  it('become an object once all of them are there, and leave nothing else', async () => {
    const bytes = randomBytes(SIZE);
    const parts = await sign('direct/whole');
    const etags: string[] = [];
    for (const part of parts.toReversed()) etags.unshift(await send(part, bytes));
    assert.equal(await s3.reopen().receivedBytes('direct/whole'), 0);
    assert.equal(await s3.store.head('direct/whole'), null);
    await s3.reopen().direct.assemble('direct/whole', SIZE, etags);
    const found = await s3.store.read('direct/whole');
    assert.ok(found && bytes.equals(await buffer(found.stream)));
    assert.deepEqual(await keys('direct/whole'), ['direct/whole']);
    assert.equal(await s3.reopen().receivedBytes('direct/whole'), SIZE);
    await s3.reopen().complete('direct/whole', SIZE);
    await s3.reopen().direct.assemble('direct/whole', SIZE, etags);
  });

  it('are refused when their sizes do not add up to that of the object, which can start over', async () => {
    const parts = await sign('direct/short');
    const etags = await Promise.all(parts.map((part) => send(part, Buffer.alloc(SIZE - 1))));
    await assert.rejects(
      s3.reopen().direct.assemble('direct/short', SIZE, etags),
      refused(new RegExp(`${SIZE - 1} of ${SIZE} bytes`)),
    );
    assert.deepEqual(await keys('direct/short'), []);
    const bytes = randomBytes(SIZE);
    const again = await Promise.all((await sign('direct/short')).map((part) => send(part, bytes)));
    await s3.reopen().direct.assemble('direct/short', SIZE, again);
    assert.equal((await s3.store.head('direct/short'))?.sizeBytes, SIZE);
  });

  it('cannot be completed before the upload has begun', async () => {
    await assert.rejects(s3.reopen().direct.assemble('direct/none', SIZE, ['a', 'b']), refused(/No part/));
  });

  it('are aborted when the upload is discarded, or received otherwise', async () => {
    const parts = await sign('direct/left');
    await Promise.all(parts.map((part) => send(part, Buffer.alloc(SIZE))));
    s3.aborted.length = 0;
    await s3.reopen().discard('direct/left');
    assert.deepEqual([s3.aborted, await keys('direct/left')], [['direct/left'], []]);
    await sign('direct/left');
    s3.aborted.length = 0;
    const received = await s3.reopen().append('direct/left', Readable.from([Buffer.from('abc')]), {
      offset: 0,
      sizeBytes: 3,
    });
    assert.deepEqual([received, s3.aborted], [3, ['direct/left']]);
    await assert.rejects(s3.reopen().direct.assemble('direct/left', 3, ['a']), refused(/No part/));
  });
});
