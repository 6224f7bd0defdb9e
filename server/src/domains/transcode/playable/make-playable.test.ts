import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inputArg } from '../../../media/index.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { makePlayable } from './make-playable.handler.ts';

const RUN = { signal: new AbortController().signal, attempt: 1 };
const LIMITS = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 20_000 };

describe('an uploaded file that browsers can play', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  let folder: string;
  before(async () => {
    // Without workers: tests decide when each job runs.
    fixture = await openTestProcessing({ work: false, instant: true });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-playable-'));
  });
  after(async () => {
    await server.close();
    await fixture.close();
    await rm(folder, { recursive: true });
  });

  const tools = () => ({ platform: fixture.platform, runner: fixture.runner });
  async function submitted(bytes: Buffer = fixture.clip) {
    const video = await fixture.upload(bytes);
    return { ...video, jobId: await fixture.submit(video.contentId) };
  }
  const fetchMedia = (key: string, init?: RequestInit) => {
    const { secrets, clock } = fixture.platform;
    return fetch(mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false), init);
  };
  async function bytesOf(key: string): Promise<Buffer> {
    const response = await fetchMedia(key);
    assert.equal(response.status, 200, key);
    return Buffer.from(await response.arrayBuffer());
  }

  it('is playable before it is encoded, with an event, and its content is ready', async () => {
    const video = await submitted();
    await makePlayable(tools(), video.assetId, RUN);
    const prefix = `media/${video.contentId}/${video.assetId}/copy-1/`;
    const asset = await fixture.assetRow(video.assetId);
    assert.deepEqual(
      [asset.package_prefix, asset.mime_type, asset.width, asset.height, asset.renditions],
      [prefix, 'video/mp4', 160, 90, ['copy-1/video', 'copy-1/audio']],
    );
    assert.ok(Math.abs(asset.duration_ms - 1_000) < 50, `duration ${asset.duration_ms}`);
    assert.equal((await fixture.contentRow(video.contentId)).status, 'READY');
    assert.equal((await fixture.jobRow(video.jobId)).status, 'QUEUED');
    assert.deepEqual(await fixture.eventsOf(video.contentId, video.jobId), ['job.updated QUEUED', 'asset.playable']);
    const manifests = `media/${video.contentId}/${video.assetId}/`;
    const master = (await bytesOf(`${manifests}master.m3u8`)).toString();
    assert.match(master, /CODECS="avc1\.\w{6},mp4a\.40\.2",RESOLUTION=160x90,FRAME-RATE=25\.000.*\ncopy-1\/video\//);
    const dash = (await bytesOf(`${manifests}manifest.mpd`)).toString();
    assert.match(
      dash,
      /initialization="copy-1\/video\/init\.mp4" media="copy-1\/video\/\$Number\$\.m4s" startNumber="1"/,
    );
    for (const track of ['video', 'audio']) {
      assert.match(
        (await bytesOf(`${prefix}${track}/index.m3u8`)).toString(),
        /URI="init\.mp4"[\s\S]*\n1\.m4s\n#EXT-X-ENDLIST/,
      );
      const path = join(folder, `${track}.mp4`);
      await writeFile(
        path,
        Buffer.concat([await bytesOf(`${prefix}${track}/init.mp4`), await bytesOf(`${prefix}${track}/1.m4s`)]),
      );
      const { stdout } = await fixture.runner.run(
        'ffprobe',
        ['-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames', '-of', 'csv=p=0', '-i', inputArg(0)],
        { limits: LIMITS, inputs: [path] },
      );
      assert.match(stdout, track === 'video' ? /^h264,25/ : /^aac,4[4-9]/);
    }
  });

  it('is served segment by segment with validators, and nothing else', async () => {
    const video = await submitted();
    await makePlayable(tools(), video.assetId, RUN);
    const prefix = `media/${video.contentId}/${video.assetId}/copy-1/`;
    const first = await fetchMedia(`${prefix}video/1.m4s`);
    assert.equal(first.headers.get('content-type'), 'video/iso.segment');
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^".+-video-1"$/);
    const again = await fetchMedia(`${prefix}video/1.m4s`, { headers: { 'If-None-Match': etag } });
    assert.equal(again.status, 304);
    for (const path of ['video/2.m4s', 'video/0.m4s', 'video/999999.m4s', 'sound/1.m4s'])
      assert.equal((await fetchMedia(prefix + path)).status, 404, path);
    assert.equal((await fetch(`${server.address}/media/${prefix.slice(6)}index/segments.bin`)).status, 404);
    assert.equal((await fetch(`${server.address}/media/${prefix.slice(6)}video/1.m4s`)).status, 404, 'unsigned');
  });

  it('has no segments once it was replaced or deleted', async () => {
    for (const change of ['replaced', 'deleted']) {
      const video = await submitted();
      await makePlayable(tools(), video.assetId, RUN);
      const key = video.sourceKey;
      if (change === 'deleted') await fixture.platform.store.delete(key);
      else await fixture.platform.store.put(key, Buffer.alloc(fixture.clip.length), { contentType: 'video/mp4' });
      const response = await fetchMedia(`media/${video.contentId}/${video.assetId}/copy-1/video/1.m4s`);
      assert.equal(response.status, 404, change);
    }
  });

  it('is not made playable after its processing ended or twice', async () => {
    const cancelled = await submitted();
    await fixture.platform.db.run(sql('end', "update transcode_jobs set status = 'CANCELLED' where id = $1"), [
      cancelled.jobId,
    ]);
    await makePlayable(tools(), cancelled.assetId, RUN);
    assert.equal((await fixture.assetRow(cancelled.assetId)).package_prefix, null);
    assert.deepEqual(await fixture.keys(`media/${cancelled.contentId}/`), []);

    const video = await submitted();
    await Promise.all([makePlayable(tools(), video.assetId, RUN), makePlayable(tools(), video.assetId, RUN)]);
    assert.deepEqual(await fixture.eventsOf(video.contentId, video.jobId), ['job.updated QUEUED', 'asset.playable']);
    assert.ok((await fixture.keys(`media/${video.contentId}/`)).length > 0);
  });

  const damaged = (): Buffer => {
    const bytes = Buffer.from(fixture.clip);
    const data = bytes.indexOf('mdat') + 4;
    return bytes.fill(0x55, data, data + 20_000 > bytes.length ? bytes.length : data + 20_000);
  };
  for (const [what, bytes] of [
    ['damaged pictures', () => damaged()],
    ['a cut-off end', () => fixture.clip.subarray(0, fixture.clip.length - 2_000)],
    ['text', () => Buffer.from('No video at all.')],
  ] as const)
    it(`is left to processing with ${what}`, async () => {
      const video = await submitted(bytes());
      await makePlayable(tools(), video.assetId, RUN);
      assert.equal((await fixture.assetRow(video.assetId)).package_prefix, null);
      assert.equal((await fixture.contentRow(video.contentId)).status, 'PROCESSING');
      assert.deepEqual(await fixture.eventsOf(video.contentId, video.jobId), ['job.updated QUEUED']);
      assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
    });

  it('is not playable beyond the minutes of the plan', async () => {
    const video = await submitted();
    await fixture.platform.db.run(
      sql(
        'use_up',
        `insert into upload_charges (video_asset_id, account_id, month, duration_ms)
         select $2, account_id, date_trunc('month', now()), 1000000000000 from channel_members
         where channel_id = $1 and role = 'OWNER'`,
      ),
      [video.channelId, video.contentId],
    );
    await makePlayable(tools(), video.assetId, RUN);
    assert.equal((await fixture.assetRow(video.assetId)).package_prefix, null);
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
  });

  it('gives way to the encoded streams, and leaves nothing when the content is purged', async () => {
    const video = await submitted();
    await makePlayable(tools(), video.assetId, RUN);
    await fixture.process(video.jobId);
    assert.equal((await fixture.jobRow(video.jobId)).status, 'COMPLETE');
    assert.doesNotMatch((await fixture.assetRow(video.assetId)).package_prefix ?? '', /copy-1/);
    assert.equal((await fetchMedia(`media/${video.contentId}/${video.assetId}/copy-1/video/1.m4s`)).status, 200);
    await fixture.platform.db.run(sql('purge', 'delete from contents where id = $1'), [video.contentId]);
    await sweepObjects({
      platform: { ...fixture.platform, clock: new ManualClock(Date.now() + 2 * 86_400_000) },
      receiving: fixture.platform.receiving,
    });
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
  });
});
