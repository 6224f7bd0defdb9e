import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { FeatureName } from '../../kernel/features.ts';
import { type ContentId, newId } from '../../kernel/ids.ts';
import { sql } from '../../platform/db/statement.ts';
import {
  type DownloadFile,
  downloadAddress,
  mediaAddress,
  packagePrefix,
  sourceAddress,
} from '../assets/media-address.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform, makeContent, serveAssetRoutes } from '../assets/testing.ts';
import { mediaRoutes } from './media.routes.ts';

const segment = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256));
const playlist = '#EXTM3U\n';

describe('media', () => {
  let platform: AssetsTestPlatform;
  let server: { address: string; close(): Promise<void> };
  let switchedOff: FeatureName[] = [];
  before(async () => {
    platform = await createAssetsTestPlatform();
    server = await serveAssetRoutes(mediaRoutes(platform, { switchedOff: () => switchedOff }));
  });
  after(async () => {
    await server.close();
    await platform.close();
  });

  const context = () => ({ baseUrl: server.address, secrets: platform.secrets, nowMs: platform.clock.now() });
  const publish = (contentId: string) =>
    platform.db.run(sql('publish', "update contents set status = 'PUBLISHED', published_at = now() where id = $1"), [
      contentId,
    ]);
  const unpublish = (contentId: string) =>
    platform.db.run(sql('unpublish', "update contents set status = 'READY', published_at = null where id = $1"), [
      contentId,
    ]);

  async function makeVideo(visibility = 'PUBLIC'): Promise<{ contentId: ContentId; assetId: string; prefix: string }> {
    const { contentId, channelId } = await makeContent(platform, visibility);
    const assetId = newId();
    const prefix = packagePrefix(contentId, assetId, newId(), 1);
    await platform.db.run(
      sql(
        'video',
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type,
          package_prefix)
                    values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'video.mov', $4, 4, 'video/quicktime', $5)`,
      ),
      [assetId, channelId, contentId, `sources/${assetId}`, prefix],
    );
    await platform.store.put(`${prefix}master.m3u8`, Buffer.from(playlist), {
      contentType: 'application/vnd.apple.mpegurl',
    });
    await platform.store.put(`${prefix}v360/seg-00001.m4s`, segment, { contentType: 'video/iso.segment' });
    await platform.store.put(`${prefix}subs/0/captions.vtt`, Buffer.from('WEBVTT\n'), {
      contentType: 'text/vtt; charset=utf-8',
    });
    await platform.store.put(`sources/${assetId}`, Buffer.from('clip'), { contentType: 'application/octet-stream' });
    return { contentId, assetId, prefix };
  }

  async function code(response: Response): Promise<string> {
    const body = (await response.json()) as { errors: { code: string }[] }; // rendered by the test server
    return `${response.status} ${body.errors[0]?.code}`;
  }

  it('of published contents are public, with headers for caches', async () => {
    const { contentId, prefix } = await makeVideo();
    await publish(contentId);
    const master = await fetch(mediaAddress(context(), `${prefix}master.m3u8`, true));
    assert.equal(master.status, 200);
    assert.equal(await master.text(), playlist);
    assert.equal(master.headers.get('content-type'), 'application/vnd.apple.mpegurl');
    assert.equal(master.headers.get('cache-control'), 'public, max-age=60');
    const part = await fetch(mediaAddress(context(), `${prefix}v360/seg-00001.m4s`, true));
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), segment);
    assert.equal(part.headers.get('cache-control'), 'public, max-age=31536000, s-maxage=60, immutable');
    assert.equal(part.headers.get('content-length'), '1000');
    const captions = await fetch(mediaAddress(context(), `${prefix}subs/0/captions.vtt`, true));
    assert.deepEqual([captions.status, captions.headers.get('content-type')], [200, 'text/vtt; charset=utf-8']);
  });

  it('of drafts, private and deleted contents are not found without a signature', async () => {
    const draft = await makeVideo();
    const hidden = await makeVideo('PRIVATE');
    await publish(hidden.contentId);
    for (const { prefix } of [draft, hidden]) {
      assert.equal(
        await code(await fetch(mediaAddress(context(), `${prefix}master.m3u8`, true))),
        '404 RESOURCE_NOT_FOUND',
      );
      const signed = mediaAddress(context(), `${prefix}master.m3u8`, false);
      const response = await fetch(signed);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'private, no-store');
      assert.equal((await fetch(new URL('v360/seg-00001.m4s', signed))).status, 200);
    }
    const deleted = await makeVideo();
    await publish(deleted.contentId);
    const signed = mediaAddress(context(), `${deleted.prefix}master.m3u8`, false);
    await platform.db.run(sql('trash', 'update contents set deleted_at = now() where id = $1'), [deleted.contentId]);
    assert.equal(await code(await fetch(signed)), '404 RESOURCE_NOT_FOUND');
  });

  it('are refused within two seconds of unpublishing', async () => {
    const { contentId, prefix } = await makeVideo();
    await publish(contentId);
    const address = mediaAddress(context(), `${prefix}master.m3u8`, true);
    assert.equal((await fetch(address)).status, 200);
    await unpublish(contentId);
    platform.clock.advance(2_001);
    const refused = await fetch(address);
    assert.equal(refused.headers.get('cache-control'), 'no-store');
    assert.equal(await code(refused), '404 RESOURCE_NOT_FOUND');
  });

  it('at signed addresses are decided once a minute, and refused within a minute of deletion', async () => {
    const { contentId, prefix } = await makeVideo('PRIVATE');
    const master = mediaAddress(context(), `${prefix}master.m3u8`, false);
    const address = new URL('v360/seg-00001.m4s', master);
    const status = async () => {
      const response = await fetch(address);
      await response.arrayBuffer();
      return response.status;
    };
    const before = platform.db.statistics.statements;
    for (let segments = 0; segments < 12; segments += 1) {
      assert.equal(await status(), 200);
      platform.clock.advance(4_000);
    }
    // The decision, and a note that the video was watched today.
    assert.equal(platform.db.statistics.statements - before, 1 + 1);
    const trash = (at: string) =>
      platform.db.run(sql('trash', `update contents set deleted_at = ${at} where id = $1`), [contentId]);
    await trash('now()');
    platform.clock.advance(11_000);
    assert.equal(await status(), 200);
    platform.clock.advance(1_000);
    assert.equal(await status(), 404);
    await trash('null');
    platform.clock.advance(2_000);
    assert.equal(await status(), 200);
  });

  it('that were deleted from the store are not found at once, although they were just sent', async () => {
    const { contentId, prefix } = await makeVideo();
    await publish(contentId);
    const address = mediaAddress(context(), `${prefix}v360/seg-00001.m4s`, true);
    assert.deepEqual(Buffer.from(await (await fetch(address)).arrayBuffer()), segment);
    await platform.store.deletePrefix(prefix);
    assert.equal(await code(await fetch(address)), '404 RESOURCE_NOT_FOUND');
    assert.equal((await fetch(address, { method: 'HEAD' })).status, 404);
  });

  it('are sent whole to many clients at the same time, some of which leave', async () => {
    const { contentId, prefix } = await makeVideo();
    await publish(contentId);
    const bytes = randomBytes(900_001);
    await platform.store.put(`${prefix}v360/seg-00002.m4s`, bytes, { contentType: 'video/iso.segment' });
    const address = mediaAddress(context(), `${prefix}v360/seg-00002.m4s`, true);
    const digest = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');
    const expected = digest(bytes);
    const digests = Array.from({ length: 40 }, async (_, at) => {
      const controller = new AbortController();
      const response = await fetch(address, { signal: controller.signal });
      if (at % 4 !== 0) return digest(await response.bytes());
      controller.abort();
      return expected;
    });
    assert.deepEqual(new Set(await Promise.all(digests)), new Set([expected]));
  });

  it('with an expired or forged signature are refused with different errors', async () => {
    const { prefix, assetId } = await makeVideo();
    const other = await makeVideo();
    const signed = mediaAddress(context(), `${prefix}master.m3u8`, false);
    assert.equal(await code(await fetch(signed.replace(assetId, other.assetId))), '403 UNAUTHORIZED');
    const late = mediaAddress(
      { ...context(), nowMs: platform.clock.now() - 8 * 3_600_000 },
      `${prefix}master.m3u8`,
      false,
    );
    assert.equal(await code(await fetch(late)), '401 TOKEN_EXPIRED');
  });

  it('as uploaded are downloaded under their original name, with a signature only', async () => {
    const { contentId, assetId } = await makeVideo();
    await publish(contentId);
    const response = await fetch(sourceAddress(context(), assetId, `it's "mine"; x.mov`));
    assert.equal(await response.text(), 'clip');
    assert.equal(response.headers.get('content-type'), 'video/quicktime');
    assert.equal(
      response.headers.get('content-disposition'),
      `attachment; filename*=UTF-8''it%27s%20%22mine%22%3B%20x.mov`,
    );
    assert.equal(
      await code(await fetch(`${server.address}/media/sources/${assetId}/video.mov`)),
      '404 RESOURCE_NOT_FOUND',
    );
  });

  it('support ranges, conditions and HEAD', async () => {
    const { contentId, prefix } = await makeVideo();
    await publish(contentId);
    const address = mediaAddress(context(), `${prefix}v360/seg-00001.m4s`, true);
    const ask = (headers: Record<string, string>, method = 'GET') => fetch(address, { headers, method });
    const part = await ask({ range: 'bytes=10-19' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), 'bytes 10-19/1000');
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), segment.subarray(10, 20));
    const tail = await ask({ range: 'bytes=-5' });
    assert.deepEqual(Buffer.from(await tail.arrayBuffer()), segment.subarray(995));
    const beyond = await ask({ range: 'bytes=1000-' });
    assert.equal(beyond.headers.get('content-range'), 'bytes */1000');
    assert.equal(await code(beyond), '416 INVALID_INPUT');
    const etag = part.headers.get('etag') ?? '';
    const unchanged = await ask({ 'if-none-match': etag });
    assert.deepEqual([unchanged.status, await unchanged.text()], [304, '']);
    assert.equal((await ask({ range: 'bytes=0-1', 'if-range': etag })).status, 206);
    assert.equal((await ask({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
    const head = await ask({ range: 'bytes=0-1' }, 'HEAD');
    assert.deepEqual(
      [head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')],
      [200, '1000', 'bytes'],
    );
  });

  describe('downloads', () => {
    const allow = (contentId: string, allowed: boolean) =>
      platform.db.run(sql('allow', 'update contents set allow_download = $2 where id = $1'), [contentId, allowed]);
    const plain = (assetId: string, file: DownloadFile = 'video.mp4') =>
      downloadAddress(context(), assetId, file, 'OPEN');
    const signed = (assetId: string, file: DownloadFile = 'video.mp4') =>
      downloadAddress(context(), assetId, file, 'SIGNED');

    async function makeDownloads() {
      const video = await makeVideo();
      await publish(video.contentId);
      const extras = {
        encoder: 'X264',
        videoDownload: 'downloads/video.mp4',
        audioDownload: null,
        preview: null,
        stills: [],
      };
      await platform.db.run(sql('extras', 'update video_assets set extras = $2 where id = $1'), [
        video.assetId,
        JSON.stringify(extras),
      ]);
      await platform.db.run(sql('retitle', 'update contents set title = $2 where id = $1'), [
        video.contentId,
        'A/"video"\u202e\r\nX: 1',
      ]);
      await platform.store.put(`${video.prefix}downloads/video.mp4`, segment, { contentType: 'video/mp4' });
      return video;
    }

    it('are public if the owner allows it, named by the title, with ranges', async () => {
      const { contentId, assetId } = await makeDownloads();
      await allow(contentId, true);
      const whole = await fetch(plain(assetId));
      assert.deepEqual(Buffer.from(await whole.arrayBuffer()), segment);
      assert.deepEqual(
        ['content-type', 'content-disposition', 'cache-control', 'accept-ranges'].map((name) =>
          whole.headers.get(name),
        ),
        ['video/mp4', "attachment; filename*=UTF-8''A%20video%20X%201.mp4", 'public, max-age=60', 'bytes'],
      );
      const part = await fetch(plain(assetId), { headers: { range: 'bytes=990-' } });
      assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 990-999/1000']);
      assert.deepEqual(Buffer.from(await part.arrayBuffer()), segment.subarray(990));
    });

    it('are not found without a signature otherwise', async () => {
      const { contentId, assetId, prefix } = await makeDownloads();
      const missing = '404 RESOURCE_NOT_FOUND';
      assert.equal(await code(await fetch(plain(assetId))), missing);
      assert.equal(await code(await fetch(`${server.address}/${prefix}downloads/video.mp4`)), missing);
      const playing = mediaAddress(context(), `${prefix}master.m3u8`, false);
      assert.equal(await code(await fetch(new URL('downloads/video.mp4', playing))), missing);
      const own = await fetch(signed(assetId));
      assert.deepEqual([own.status, own.headers.get('cache-control')], [200, 'private, no-store']);
      await own.arrayBuffer();
      const other = await makeDownloads();
      assert.equal(await code(await fetch(signed(assetId).replace(assetId, other.assetId))), '403 UNAUTHORIZED');

      await allow(contentId, true);
      assert.equal((await fetch(plain(assetId), { method: 'HEAD' })).status, 200);
      await unpublish(contentId);
      assert.equal(await code(await fetch(plain(assetId))), missing);
      await publish(contentId);
      await allow(contentId, false);
      assert.equal(await code(await fetch(plain(assetId))), missing);
      await platform.db.run(sql('trash', 'update contents set deleted_at = now() where id = $1'), [contentId]);
      assert.equal(await code(await fetch(signed(assetId))), missing);
    });

    it('are refused without a signature while operators have them switched off', async (t) => {
      const { contentId, assetId } = await makeDownloads();
      await allow(contentId, true);
      t.after(() => {
        switchedOff = [];
      });
      switchedOff = ['DOWNLOADS'];
      const refused = await fetch(plain(assetId));
      assert.deepEqual([refused.headers.get('cache-control'), await code(refused)], ['no-store', '403 UNAUTHORIZED']);
      assert.equal((await fetch(signed(assetId), { method: 'HEAD' })).status, 200);
      switchedOff = ['COMMENTS'];
      assert.equal((await fetch(plain(assetId), { method: 'HEAD' })).status, 200);
    });

    it('are not found when none was created', async () => {
      const { assetId } = await makeDownloads();
      assert.equal(await code(await fetch(signed(assetId, 'audio.m4a'))), '404 RESOURCE_NOT_FOUND');
      const { assetId: before } = await makeVideo();
      assert.equal(await code(await fetch(signed(before))), '404 RESOURCE_NOT_FOUND');
    });
  });

  it('never leave the folder of the asset, with any path', async () => {
    const { contentId, assetId, prefix } = await makeVideo();
    await publish(contentId);
    for (const path of [
      `/${prefix}../../../../secret-key`,
      `/${prefix}%2e%2e/x`,
      `/media/../media/${contentId}/${assetId}/v/none`,
      `/${prefix}v360/`,
      '/media/',
    ]) {
      assert.match(await rawStatus(path), /^HTTP\/1\.1 404/, path);
    }
  });

  it('query the database once for a burst of segments, and note the day once', async () => {
    const { contentId, prefix } = await makeVideo();
    await publish(contentId);
    platform.clock.advance(5_000);
    const before = platform.db.statistics.statements;
    await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await fetch(mediaAddress(context(), `${prefix}v360/seg-00001.m4s`, true))).arrayBuffer(),
      ),
    );
    assert.equal(platform.db.statistics.statements - before, 1 + 1);
  });

  /** The status line for a path that fetch would normalize. */
  function rawStatus(path: string): Promise<string> {
    const { hostname, port } = new URL(server.address);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('end', () => resolve(text.split('\r\n')[0] ?? ''));
      socket.on('error', reject);
    });
  }
});
