import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { encodeClaimedChunk } from '../../transcode/encoding/encode-chunk.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';
import { claimSegment } from '../../transcode/plans/encode-chunks.store.ts';
import { cancelProcessing, failProcessing } from '../../transcode/plans/fail-processing.ts';
import { LocalSources } from '../../transcode/sources/local-sources.ts';
import { PLAYER_REQUEST } from '../files/file-request.fixture.ts';
import { mediaRoutes } from '../media.routes.ts';
import { onDemandSegments } from './on-demand-segments.ts';

const RUN = { signal: new AbortController().signal, attempt: 1, background: false };

describe('a video that has to be encoded', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  let sources: LocalSources;
  /** Ten seconds, of three segments. */
  let clip: Buffer;
  before(async () => {
    // Without workers: tests decide when each segment is encoded.
    fixture = await openTestProcessing({ work: false, instant: true });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
    sources = new LocalSources(fixture.platform.store);
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=10:d=10', '-f', 'lavfi', '-i', 'sine=d=10'];
    clip = await readClip(fixture.runner, 'a.mkv', [...inputs, '-c:v', 'mpeg4', '-c:a', 'aac']);
  });
  after(async () => {
    sources.close();
    await server.close();
    await fixture.close();
  });
  afterEach(() => change('delete from encode_plans'));

  const change = (text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Record<string, unknown>>(sql('change', text), values);
  const fetchMedia = (key: string) => {
    const { secrets, clock } = fixture.platform;
    return fetch(mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false));
  };
  const bytesOf = async (key: string) => {
    const response = await fetchMedia(key);
    assert.equal(response.status, 200, key);
    return Buffer.from(await response.arrayBuffer());
  };
  /** Encodes the segment that is waited for longest; its number, or null where there is none. */
  async function encodeNext(): Promise<number | null> {
    const next = await claimSegment(fixture.platform.db);
    if (next) await encodeClaimedChunk({ platform: fixture.platform, runner: fixture.runner, sources }, next, RUN);
    return next?.number ?? null;
  }
  /** A video whose first segment is wanted, or encoded. */
  async function submitted(first: 'wanted' | 'encoded' = 'encoded') {
    const video = await fixture.upload(clip);
    const jobId = await fixture.submit(video.contentId);
    await fixture.process(jobId, fixture.platform, 'plan');
    if (first === 'encoded') assert.equal(await encodeNext(), 0);
    const folder = `media/${video.contentId}/${video.assetId}/${jobId.slice(-12)}-1`;
    return { ...video, jobId, encodedPrefix: `${folder}/`, prefix: `${folder}-on-demand/` };
  }
  const state = async ({ assetId, contentId }: { assetId: string; contentId: string }) => [
    (await fixture.assetRow(assetId)).package_prefix,
    (await fixture.contentRow(contentId)).status,
  ];

  it('is playable with its first segment, with an event, and its content is ready', async () => {
    const video = await submitted('wanted');
    assert.deepEqual(await state(video), [null, 'PROCESSING']);
    assert.deepEqual(await fixture.keys(`media/${video.contentId}/`), []);
    assert.equal(await encodeNext(), 0);
    assert.deepEqual(await state(video), [video.prefix, 'READY']);
    const { duration_ms, width, renditions } = await fixture.assetRow(video.assetId);
    const name = video.prefix.split('/').at(-2);
    assert.deepEqual([duration_ms, width, renditions], [10_023, 64, [`${name}/v64`, `${name}/audio`]]);
    const events = await fixture.eventsOf(video.contentId, video.jobId);
    assert.deepEqual(
      events.filter((event) => event.startsWith('asset')),
      ['asset.playable'],
    );
    const manifests = `media/${video.contentId}/${video.assetId}/`;
    const master = (await bytesOf(`${manifests}master.m3u8`)).toString();
    assert.match(master, /RESOLUTION=64x64.*\n[0-9a-f]{12}-1-on-demand\/v64\/index\.m3u8\n/);
    const dash = (await bytesOf(`${manifests}manifest.mpd`)).toString();
    assert.match(dash, /media="[0-9a-f]{12}-1-on-demand\/v64\/seg-\$Number%05d\$\.m4s" startNumber="0"/);
    assert.match((await bytesOf(`${video.prefix}v64/index.m3u8`)).toString(), /seg-00002\.m4s\n#EXT-X-ENDLIST/);
    for (const path of ['v64/init.mp4', 'v64/seg-00000.m4s', 'audio/init.mp4', 'audio/seg-00000.m4s'])
      assert.ok((await bytesOf(video.prefix + path)).length > 100, path);
  });

  it('waits for a segment that a viewer wants, once for picture and sound', async () => {
    const video = await submitted();
    const picture = fetchMedia(`${video.prefix}v64/seg-00002.m4s`);
    const sound = fetchMedia(`${video.prefix}audio/seg-00002.m4s`);
    await fixture.eventually(async () => (await encodeNext()) === 2, 'the segment is not wanted');
    assert.deepEqual([(await picture).status, (await sound).status], [200, 200]);
    assert.equal(await encodeNext(), null);
    const stored = await fixture.platform.store.read(`${video.prefix}v64/seg-00002.m4s`);
    assert.deepEqual((await stored?.stream.toArray())?.length, 1);
    assert.equal((await fetchMedia(`${video.prefix}v64/seg-00002.m4s`)).status, 200);
  });

  it('encodes nothing for a request that is refused', async () => {
    const video = await submitted();
    const chunks = () => change('select kind, number, state, wanted_at from encode_chunks order by 1, 2');
    const before = await chunks();
    const path = `${video.prefix.slice('media/'.length)}v64/seg-00001.m4s`;
    const forged = `s/9999999999.${'A'.repeat(43)}/${path}`;
    for (const [address, status] of [
      [path, 404],
      [forged, 403],
    ] as const)
      assert.equal((await fetch(`${server.address}/media/${address}`)).status, status, address);
    assert.deepEqual(await chunks(), before);
    assert.equal(await encodeNext(), null);
  });

  it('has no other segments, and answers that a request is to be repeated where encoding takes long', async () => {
    const video = await submitted();
    for (const path of ['v64/seg-00003.m4s', 'v32/seg-00001.m4s', 'v64/seg-1.m4s', 'subs/seg-00001.m4s'])
      assert.equal((await fetchMedia(video.prefix + path)).status, 404, path);
    assert.equal(await encodeNext(), null, 'nothing is encoded for them');
    const generate = onDemandSegments({ longestWaitMs: 1 });
    await assert.rejects(
      generate(fixture.platform, `${video.prefix}v64/seg-00001.m4s`, PLAYER_REQUEST),
      (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && error.retryAfterSeconds === 1,
    );
    assert.equal(await encodeNext(), 1, 'it is encoded for the next request');
  });

  it('does not encode segments whose requests expired, or that failed too often', async () => {
    const video = await submitted();
    const generate = onDemandSegments({ longestWaitMs: 1 });
    const ask = (number: number) =>
      generate(fixture.platform, `${video.prefix}v64/seg-0000${number}.m4s`, PLAYER_REQUEST);
    await assert.rejects(ask(1));
    await change(
      `update encode_chunks set wanted_at = now() - interval '1 minute' where kind = 'on-demand' and number = 1`,
    );
    assert.equal(await encodeNext(), null);
    await assert.rejects(ask(1));
    await change(`update encode_chunks set failures = 10 where kind = 'on-demand' and number = 1`);
    assert.equal(await encodeNext(), null);
    assert.equal(await ask(1), 'missing');
    assert.equal((await fixture.jobRow(video.jobId)).status, 'TRANSCODING', 'the job goes on');
  });

  it('has the segments of the whole video once they are encoded, also at its first address', THOROUGH, async () => {
    const video = await submitted();
    await fixture.process(video.jobId);
    assert.deepEqual(await state(video), [video.encodedPrefix, 'READY']);
    for (const path of ['v64/seg-00001.m4s', 'audio/seg-00001.m4s']) {
      assert.deepEqual(await bytesOf(video.prefix + path), await bytesOf(video.encodedPrefix + path), path);
      assert.equal(await fixture.platform.store.head(video.prefix + path), null, 'not stored twice');
    }
    assert.equal((await fetchMedia(`${video.prefix}v64/seg-00003.m4s`)).status, 404);
    const purges = await change('select key_prefix, due_at > now() as later from object_purges where key_prefix = $1', [
      video.prefix,
    ]);
    assert.deepEqual(purges, [{ key_prefix: video.prefix, later: true }]);
  });

  for (const [end, before, after] of [
    ['fails', 'READY', 'FAILED'],
    ['fails', 'PUBLISHED', 'FAILED'],
    ['is cancelled', 'READY', 'DRAFT'],
  ] as const)
    it(`is not played any more when its processing ${end} while its content is ${before}`, async () => {
      const video = await submitted();
      await change(
        `update contents set status = $2, published_at = case when $2 = 'PUBLISHED' then now() end where id = $1`,
        [video.contentId, before],
      );
      if (end === 'fails')
        await failProcessing(fixture.platform, video.jobId, 1, new AppError('TRANSCODE_FAILED', 'No.'));
      else {
        await change(`update transcode_jobs set status = 'CANCELLING' where id = $1`, [video.jobId]);
        await cancelProcessing(fixture.platform, video.jobId);
      }
      assert.deepEqual(await state(video), [null, after]);
      assert.deepEqual((await fixture.assetRow(video.assetId)).renditions, []);
      for (const path of [`${video.prefix}v64/seg-00001.m4s`, `media/${video.contentId}/${video.assetId}/master.m3u8`])
        assert.equal((await fetchMedia(path)).status, 404, path);
      const events = await fixture.eventsOf(video.contentId, video.jobId);
      assert.ok(events.includes(before === 'PUBLISHED' ? 'content.unpublished' : 'content.updated'), events.join());
      const purged = await change('select key_prefix from object_purges where key_prefix in ($1, $2)', [
        video.prefix,
        video.encodedPrefix,
      ]);
      assert.equal(purged.length, 2);
    });

  it(
    'is not offered before it is complete where instant playback is off, or another video plays',
    THOROUGH,
    async () => {
      const video = await submitted();
      await fixture.process(video.jobId);
      await change(`update transcode_jobs set status = 'ERROR' where id = $1`, [video.jobId]);
      const again = await fixture.submit(video.contentId);
      await fixture.process(again, fixture.platform, 'plan');
      assert.equal(await encodeNext(), null);
      const config = { ...fixture.platform.config, INSTANT_PLAYBACK: 'off' as const };
      const other = await fixture.upload(clip);
      await fixture.process(await fixture.submit(other.contentId), { ...fixture.platform, config }, 'plan');
      assert.equal(await encodeNext(), null);
    },
  );
});
