import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { writeDownloadIndex } from '../../../media/package/download-index.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { ByteRange, ObjectStore } from '../../../platform/storage/object-store.ts';
import { openTestS3Storage, type TestS3Storage } from '../../../platform/storage/testing.ts';
import { until } from '../../../testing/until.ts';
import { downloadAddress, packagePrefix } from '../../assets/media-address.ts';
import {
  type AssetsTestPlatform,
  createAssetsTestPlatform,
  makeContent,
  serveAssetRoutes,
} from '../../assets/testing.ts';
import { mediaRoutes } from '../media.routes.ts';
import { mediaBytes, readMedia } from './assembled-downloads.ts';

const HEAD = Buffer.from('the movie box');
/** The samples of four segments, in the order of the file. */
const SAMPLES = ['one', 'and one', 'two', 'and two'].map((text) => Buffer.from(text));
const FILE = Buffer.concat([HEAD, ...SAMPLES]);

describe('a download that is assembled', () => {
  let platform: AssetsTestPlatform;
  let s3: TestS3Storage;
  const closing: (() => Promise<void>)[] = [];
  before(async () => {
    platform = await createAssetsTestPlatform();
    s3 = await openTestS3Storage();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  after(async () => {
    await s3.close();
    await platform.close();
  });

  /** Ranges that were read of a store, by the end of the key. */
  function recorded(store: ObjectStore): { store: ObjectStore; reads: string[] } {
    const reads: string[] = [];
    const read = (key: string, range?: ByteRange) => {
      reads.push(`${key.split('/').slice(-2).join('/')} ${range?.start}-${range?.end}`);
      return store.read(key, range);
    };
    return { reads, store: new Proxy(store, { get: (on, name) => (name === 'read' ? read : member(on, name)) }) };
  }
  const member = (on: ObjectStore, name: string | symbol) => {
    const value = Reflect.get(on, name);
    return typeof value === 'function' ? value.bind(on) : value;
  };

  /** A video with a download, in a store; segments have 5 bytes before their samples. */
  async function makeDownload(target: ObjectStore, samples = SAMPLES) {
    const { contentId, channelId } = await makeContent(platform);
    const assetId = newId();
    const prefix = packagePrefix(contentId, assetId, newId(), 1);
    const extras = JSON.stringify({ videoDownload: 'downloads/video.mp4.index', audioDownload: null });
    await platform.db.run(
      sql(
        'video',
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, package_prefix,
           extras)
         values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'video.mov', $4, 4, $5, $6)`,
      ),
      [assetId, channelId, contentId, `sources/${assetId}`, prefix, extras],
    );
    const { reads, store } = recorded(target);
    const contentType = 'application/octet-stream';
    const parts = samples.map(({ length }, index) => [index % 2, index >> 1, 5, length] as const);
    for (const [index, bytes] of samples.entries())
      await store.put(`${prefix}${index % 2 ? 'audio' : 'v360'}/seg-0000${index >> 1}.m4s`, pad(bytes), {
        contentType: 'video/iso.segment',
      });
    const key = `${prefix}downloads/video.mp4.index`;
    await store.put(key, writeDownloadIndex(HEAD, ['v360', 'audio'], parts), { contentType });
    const server = await serveAssetRoutes(mediaRoutes({ ...platform, store }));
    closing.push(() => server.close());
    const context = { baseUrl: server.address, secrets: platform.secrets, nowMs: platform.clock.now() };
    return { key, store, reads, prefix, address: downloadAddress(context, assetId, 'video.mp4', 'SIGNED') };
  }
  const pad = (bytes: Buffer) => Buffer.concat([Buffer.from('moof!'), bytes]);
  const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(address, { headers, method });
  const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString();

  for (const kind of ['disk', 'S3'] as const)
    it(`is sent whole, with one request for each segment, from ${kind}`, async () => {
      const { address, reads } = await makeDownload(kind === 'disk' ? platform.store : s3.store);
      const response = await get(address);
      const { headers } = response;
      assert.equal(await bodyOf(response), FILE.toString());
      assert.deepEqual(
        ['content-type', 'content-length', 'content-disposition', 'accept-ranges', 'cache-control'].map((name) =>
          headers.get(name),
        ),
        ['video/mp4', '33', "attachment; filename*=UTF-8''A%20video.mp4", 'bytes', 'private, no-store'],
      );
      const [index, ...rest] = reads.splice(0);
      assert.equal(index, 'downloads/video.mp4.index 0-65535');
      assert.match(rest.shift() ?? '', /^downloads\/video\.mp4\.index \d+-\d+$/);
      assert.deepEqual(rest, [
        'v360/seg-00000.m4s 5-7',
        'audio/seg-00000.m4s 5-11',
        'v360/seg-00001.m4s 5-7',
        'audio/seg-00001.m4s 5-11',
      ]);
      await bodyOf(await get(address, { range: 'bytes=17-22' }));
      assert.deepEqual(reads, ['audio/seg-00000.m4s 6-11'], 'the index is remembered');
    });

  it('is sent in any range', async () => {
    const { address } = await makeDownload(platform.store);
    for (let start = 0; start < FILE.length; start += 1)
      for (const end of [start, start + 1, start + 8, start + 15, FILE.length - 1]) {
        const response = await get(address, { range: `bytes=${start}-${end}` });
        const last = Math.min(end, FILE.length - 1);
        assert.equal(response.status, 206);
        assert.equal(response.headers.get('content-range'), `bytes ${start}-${last}/33`);
        assert.equal(await bodyOf(response), FILE.toString('latin1', start, last + 1));
      }
    assert.equal(await bodyOf(await get(address, { range: 'bytes=-3' })), 'two');
    const beyond = await get(address, { range: 'bytes=33-' });
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */33']);
  });

  it('answers conditions and HEAD without reading a segment', async () => {
    const { address, reads } = await makeDownload(platform.store);
    const head = await get(address, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length'), await bodyOf(head)], [200, '33', '']);
    const etag = head.headers.get('etag') ?? '';
    assert.match(etag, /^".+"$/);
    assert.equal((await get(address, { 'if-none-match': etag })).status, 304);
    assert.equal(reads.length, 1);
    assert.equal((await get(address, { range: 'bytes=0-1', 'if-range': etag })).status, 206);
    assert.equal((await get(address, { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
  });

  it('is read no further than the client and the next segment', async () => {
    const large = Array.from({ length: 10 }, () => randomBytes(4 * 1024 ** 2));
    const { address, reads } = await makeDownload(platform.store, large);
    const paused = await new Promise<{ bytes: number }>((resolve, reject) => {
      const asked = request(address, (response) => {
        response.once('data', (chunk: Buffer) => {
          response.pause();
          resolve({ bytes: chunk.length });
          closing.unshift(async () => void response.destroy());
        });
      });
      asked.on('error', reject);
      asked.end();
    });
    assert.ok(paused.bytes > 0);
    await until(() => reads.length >= 3, 'the first segment is not read');
    // The index twice, the segment that is sent, the next one; sockets take some megabytes.
    assert.ok(reads.length <= 6, reads.join(', '));
  });

  it('ends in the middle where a segment is missing or was replaced', async () => {
    const { address, store, prefix } = await makeDownload(platform.store);
    const key = `${prefix}v360/seg-00001.m4s`;
    for (const change of [
      () => store.put(key, Buffer.from('moof!t'), { contentType: 'video/iso.segment' }),
      () => store.delete(key),
    ]) {
      await change();
      const response = await get(address);
      assert.deepEqual([response.status, response.headers.get('content-length')], [200, '33']);
      await assert.rejects(response.arrayBuffer());
      assert.equal(await bodyOf(await get(address, { range: 'bytes=0-15' })), FILE.toString('latin1', 0, 16));
    }
  });

  it('is read like a stored file where a video is published elsewhere', async () => {
    const { store, key, prefix } = await makeDownload(platform.store);
    assert.equal(await mediaBytes(store, key), 33);
    const part = await readMedia(store, key, { start: 10, end: 20 });
    assert.equal(part?.sizeBytes, 33);
    assert.equal((await buffer(part?.stream ?? assert.fail())).toString(), FILE.toString('latin1', 10, 21));
    const stored = `${prefix}downloads/video.mp4`;
    assert.deepEqual(
      [await mediaBytes(store, stored), await readMedia(store, stored, { start: 0, end: 0 })],
      [null, null],
    );
    await store.put(stored, FILE, { contentType: 'video/mp4' });
    assert.equal(await mediaBytes(store, stored), 33);
    const same = await readMedia(store, stored, { start: 10, end: 20 });
    assert.equal((await buffer(same?.stream ?? assert.fail())).toString(), FILE.toString('latin1', 10, 21));
  });
});
