import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Upload } from 'tus-js-client';
import { openTestS3Storage } from '../../../../platform/storage/testing.ts';
import { until } from '../../../../testing/until.ts';
import { type Owner, openTestClientSurface, type TestClientSurface } from '../../client-surface.fixture.ts';
import { concatenation, sha256 } from './concatenation.fixture.ts';

describe('tus-js-client with parallelUploads', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());
  const { idOf, stateOf, storedOf } = concatenation(() => surface);

  const send = (owner: Owner, bytes: Buffer, chunkSize = Number.POSITIVE_INFINITY) =>
    new Promise<string>((done, onError) => {
      const upload = new Upload(bytes, {
        endpoint: `${surface.baseUrl}/uploads`,
        headers: { authorization: owner.authorization },
        metadata: { filename: 'parallel.mp4', filetype: 'video/mp4' },
        parallelUploads: 4,
        chunkSize,
        onSuccess: () => done(upload.url ?? ''),
        onError,
      });
      upload.start();
    });

  it('has its file stored, on a disk', async () => {
    const owner = await surface.owner();
    const bytes = randomBytes(1_000_003);
    const address = await send(owner, bytes, 150_000);
    await until(async () => (await stateOf(address)) === 'FINISHED', 'its parts are not joined');
    assert.equal(await storedOf(address), sha256(bytes));
  });

  it('has its file stored, in S3', async () => {
    const s3 = await openTestS3Storage();
    const disk = surface;
    surface = await openTestClientSurface(s3);
    try {
      // Parts of 8 MiB in S3 begin and end in the middle of those of the client.
      const bytes = randomBytes(20_000_001);
      const address = await send(await surface.owner(), bytes);
      // The answer does not wait for long.
      await until(async () => (await stateOf(address)) === 'FINISHED', 'its parts are not joined');
      assert.equal(await storedOf(address), sha256(bytes));
      const left: string[] = [];
      for await (const { key } of s3.store.list('uploads/')) left.push(key);
      assert.deepEqual(left, [`uploads/${idOf(address)}`]);
    } finally {
      await surface.close();
      await s3.close();
      surface = disk;
    }
  });
});
