import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { newId } from '../../../kernel/ids.ts';
import { faultyRunner, readClip } from '../../../media/testing.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/statement.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { dropOriginals } from '../../assets/originals/drop-originals.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { noteFetch } from '../../transcode/cold/cold-renditions.store.ts';
import { evictCold } from '../../transcode/cold/evict-cold.ts';
import { processVideo } from '../../transcode/encoding/process-video.handler.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';
import { startProcessing } from '../../transcode/jobs/start-processing.ts';
import { claimChunk } from '../../transcode/plans/encode-chunks.store.ts';
import { copyTag } from '../../transcode/sources/indexed-source.ts';
import { LocalSources } from '../../transcode/sources/local-sources.ts';
import { videoAdditions } from '../video-additions.ts';
import { retryCodecs } from './retry-codecs.ts';
import { sweepCodecs } from './sweep-codecs.ts';

const DAY_MS = 86_400_000;

type Video = Awaited<ReturnType<TestProcessing['upload']>>;

describe('a video in other codecs', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  let clip: Buffer;
  before(async () => {
    // Without a worker: tests run each job themselves.
    fixture = await openTestProcessing({ work: false });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
    clip = await readClip(fixture.runner, 'a.mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=640x480:r=5:d=1', '-f', 'lavfi', '-i', 'sine=d=1', '-c:v', 'libx264'],
      ...['-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac'],
    ]);
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  /** A video that is ready, whose channel asks for these codecs. */
  async function ready(settings: string, bytes = clip): Promise<Video> {
    const video = await fixture.upload(bytes);
    await rows(`update channels set ${settings} where id = $1`, [video.channelId]);
    await fixture.process(await fixture.submit(video.contentId));
    return video;
  }
  /** The jobs of other codecs, with their states. */
  const jobsOf = async ({ assetId }: Video) =>
    rows<{ id: string; state: string }>(
      `select id, concat_ws(' ', codec, purpose, status, priority) as state from transcode_jobs
       where video_asset_id = $1 and codec is not null order by codec`,
      [assetId],
    );
  const only = <T>(found: readonly T[]): T => found[0] ?? assert.fail('there is none');
  const eventsOf = async ({ contentId }: Video) =>
    (await rows<{ type: string }>('select type from events where subject_id = $1 order by id', [contentId])).map(
      ({ type }) => type,
    );
  async function responseOf({ contentId, assetId }: Video, name: string, headers = {}): Promise<Response> {
    const { secrets, clock } = fixture.platform;
    const key = `media/${contentId}/${assetId}/${name}`;
    return fetch(mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false), { headers });
  }
  const textOf = async (video: Video, name: string) => (await responseOf(video, name)).text();
  const problems = async () => (await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems;
  /** What is counted of derived files, and what is stored in the packages of the video. */
  async function sizes({ contentId, assetId }: Video): Promise<[counted: object, stored: object]> {
    const counted = await rows(
      'select derived_bytes as bytes, derived_files as files from video_assets where id = $1',
      [assetId],
    );
    const stored = { bytes: 0, files: 0 };
    for await (const { sizeBytes } of fixture.platform.store.list(`media/${contentId}/${assetId}/`)) {
      stored.bytes += sizeBytes;
      stored.files += 1;
    }
    return [only(counted), stored];
  }

  const sweep = (settings: object, nowMs = fixture.platform.clock.now()) =>
    sweepCodecs({ ...at(nowMs), config: { ...fixture.platform.config, ...settings } });
  const at = (nowMs: number) => ({ ...fixture.platform, clock: new ManualClock(nowMs) });
  const statesOf = async (video: Video) => (await jobsOf(video)).map(({ state }) => state);
  const asked = ({ channelId }: Video, payload: object) =>
    fixture.platform.db.transaction((tx) => retryCodecs().handle(tx, { subjectId: channelId, payload } as never));

  it('is ready in H.264 first; then its channel’s codecs are encoded and listed beside it', THOROUGH, async () => {
    const video = await ready('encode_av1 = true');
    const job = only(await jobsOf(video));
    assert.deepEqual(job.state, 'AV1 RENDITIONS QUEUED -1');
    const before = { asset: await fixture.assetRow(video.assetId), content: await fixture.contentRow(video.contentId) };
    assert.equal(before.content.status, 'READY');

    await fixture.process(job.id, fixture.platform, 'plan');
    assert.equal(await claimChunk(fixture.platform.db, 1e9), null, 'not by the lane of short videos');
    assert.deepEqual(await fixture.contentRow(video.contentId), before.content);
    await fixture.process(job.id);
    const asset = await fixture.assetRow(video.assetId);
    const name = `${job.id.slice(-12)}-1`;
    const added = ['v480', 'v360', 'v240'].map((folder) => `${name}/${folder}`);
    assert.deepEqual(asset, { ...before.asset, renditions: [...before.asset.renditions, ...added] });
    assert.deepEqual(await fixture.contentRow(video.contentId), before.content);
    assert.deepEqual((await eventsOf(video)).slice(-2), ['asset.ready', 'asset.renditions_added']);
    assert.deepEqual(only(await jobsOf(video)).state, 'AV1 RENDITIONS COMPLETE -1');

    const master = await textOf(video, 'master.m3u8');
    assert.match(master, new RegExp(`CODECS="av01.0.0[0-4]M.08,mp4a.40.2",RESOLUTION=640x480.*\n${name}/v480/`));
    assert.match(master, /^#EXT-X-STREAM-INF.*CODECS="avc1/m, 'H.264 is the first');
    const ofElement = await responseOf(video, 'master.m3u8', { 'Sec-Fetch-Dest': 'video' });
    assert.equal(ofElement.headers.get('vary'), 'Sec-Fetch-Dest');
    const codecs = [...(await ofElement.text()).matchAll(/^#EXT-X-STREAM-INF.*CODECS="(....)/gm)];
    assert.deepEqual([...new Set(codecs.map(([, codec]) => codec))], ['avc1']);
    assert.match(await textOf(video, 'manifest.mpd'), /<AdaptationSet id="2"[\s\S]*codecs="av01/);
    assert.match(await textOf(video, `${name}/v480/index.m3u8`), /seg-00000.m4s\n#EXT-X-ENDLIST/);
    // Segments of sizes that turned out too close to others are deleted later.
    await sweepObjects({
      platform: at(fixture.platform.clock.now() + 2 * DAY_MS),
      receiving: fixture.platform.receiving,
    });
    const [counted, stored] = await sizes(video);
    assert.deepEqual(counted, stored);
    assert.deepEqual(await problems(), []);

    const again = await fixture.platform.db.transaction((tx) =>
      startProcessing(fixture.tools(), tx, { contentId: video.contentId, again: true }),
    );
    await fixture.process(again.jobId);
    const replaced = only(await jobsOf(video));
    assert.notEqual(replaced.id, job.id);
    assert.equal(replaced.state, 'AV1 RENDITIONS QUEUED -1');
    assert.doesNotMatch(await textOf(video, 'master.m3u8'), /av01/);
    const purges = await rows<{ key: string }>('select key_prefix as key from object_purges');
    assert.ok(purges.some(({ key }) => key.endsWith(`/${name}/`)));
  });

  it('stays as it is where that fails, and its original is given up afterwards only', THOROUGH, async () => {
    const video = await ready('encode_hevc = true, keep_originals = false');
    const { id } = only(await jobsOf(video));
    const consumer = dropOriginals(fixture.platform.clock);
    const { contentId, assetId } = video;
    const event = { subjectId: contentId, payload: { videoAssetId: assetId } };
    const isDropped = async () =>
      (await rows('select 1 from video_assets where id = $1 and original_deleted_at is not null', [assetId])).length;
    await fixture.platform.db.transaction((tx) => consumer.handle(tx, event as never));
    assert.equal(await isDropped(), 0);

    const before = await fixture.assetRow(assetId);
    const black = faultyRunner(fixture.runner, { of: 0, filters: 'drawbox=c=black:t=fill' });
    await fixture.process(id, fixture.platform, 'end', black);
    assert.equal(only(await jobsOf(video)).state, 'HEVC RENDITIONS ERROR -1');
    assert.deepEqual(await fixture.assetRow(assetId), before);
    assert.equal((await fixture.contentRow(contentId)).status, 'READY');
    assert.deepEqual((await eventsOf(video)).slice(-2), ['asset.ready', 'asset.original_deleted']);
    assert.equal(await isDropped(), 1);
  });

  it('is encoded in those of the operator once it was watched often enough', THOROUGH, async () => {
    const few = () => ready('encode_av1 = false', fixture.clip);
    const [video, rare] = [await few(), await few()];
    const views = (contentId: string, count: number, shard: number) =>
      rows(`insert into counters (scope, key, shard, value) values ('content:views', $1, $2, $3)`, [
        ...[contentId, shard, count],
      ]);
    await views(video.contentId, 6, 1);
    await views(video.contentId, 4, 2);
    await views(rare.contentId, 9, 1);
    assert.equal(await sweep({}), false);
    assert.deepEqual(await jobsOf(video), []);
    const inYears = fixture.platform.clock.now() + 1_000 * DAY_MS;
    await sweep({ AV1_AFTER_VIEWS: 10, COLD_RENDITIONS_AFTER: 90 }, inYears);
    assert.deepEqual(await jobsOf(video), [], 'nobody watches it any more');
    await sweep({ AV1_AFTER_VIEWS: 10 });
    await sweep({ AV1_AFTER_VIEWS: 10 });
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS QUEUED -1']);
    assert.deepEqual(await jobsOf(rare), []);

    await rows('update contents set deleted_at = now() where id = $1', [video.contentId]);
    await fixture.process(only(await jobsOf(video)).id);
    assert.equal(only(await jobsOf(video)).state, 'AV1 RENDITIONS CANCELLED -1');
    await rows('update channels set encode_av1 = true where id = $1', [video.channelId]);
    await sweep({});
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS CANCELLED -1'], 'it is in the trash');
    await rows('update contents set deleted_at = null where id = $1', [video.contentId]);
    await sweep({});
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS QUEUED -1']);
  });

  it('stays H.264 where it is too small, and where ffmpeg has no encoder', THOROUGH, async () => {
    const video = await ready('encode_av1 = true, encode_hevc = true', fixture.clip);
    const [av1, hevc] = await jobsOf(video);
    await fixture.process(av1?.id ?? '');
    const { platform, runner } = fixture;
    const sources = new LocalSources(platform.store);
    const tools = { platform, runner, sources, additions: videoAdditions, toneMapping: true, onPlanned() {} };
    const run = { signal: new AbortController().signal, attempt: 1 };
    await processVideo({ ...tools, codecs: ['AV1'] }, hevc?.id ?? '', run);
    const errors = await rows<{ message: string }>(
      `select error_message as message from transcode_jobs where video_asset_id = $1 and status = 'ERROR'
       order by codec`,
      [video.assetId],
    );
    assert.deepEqual(
      errors.map(({ message }) => message.split('. ')[0]),
      [
        'The video is too small for AV1, or its segments cannot be found in the file',
        'This build of ffmpeg has no encoder of HEVC',
      ],
    );
    assert.equal((await fixture.contentRow(video.contentId)).status, 'READY');

    const failed = ['AV1 RENDITIONS ERROR -1', 'HEVC RENDITIONS ERROR -1'];
    await rows(`insert into counters (scope, key, shard, value) values ('content:views', $1, 1, 100)`, [
      video.contentId,
    ]);
    await asked(video, {});
    await sweep({ AV1_AFTER_VIEWS: 10, HEVC_AFTER_VIEWS: 10 });
    assert.deepEqual(await statesOf(video), failed, 'no sweep tries them again');
    await asked({ ...video, channelId: newId() }, { codecs: ['AV1', 'HEVC'] });
    await sweep({});
    assert.deepEqual(await statesOf(video), failed, 'another channel asks');
    await fixture.platform.events.start();
    await fixture.platform.db.transaction((tx) =>
      appendEvent(tx, {
        ...{ type: 'channel.updated', channelId: video.channelId, subjectId: video.channelId },
        payload: { codecs: ['AV1'] },
      }),
    );
    await fixture.eventually(async () => (await statesOf(video))[0] !== failed[0], 'the failure is not forgotten');
    await fixture.platform.events.stop();
    await sweep({});
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS QUEUED -1', failed[1]]);
    const again = await fixture.platform.db.transaction((tx) =>
      startProcessing(fixture.tools(), tx, { contentId: video.contentId, again: true }),
    );
    await fixture.process(again.jobId);
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS QUEUED -1', 'HEVC RENDITIONS QUEUED -1']);
  });

  it('is H.264 only once nobody has watched it for long, until somebody does', THOROUGH, async () => {
    const video = await ready('encode_av1 = true');
    const { derived, renditions } = { derived: await sizes(video), ...(await fixture.assetRow(video.assetId)) };
    const { id } = only(await jobsOf(video));
    await fixture.process(id);
    const prefix = `media/${video.contentId}/${video.assetId}/${id.slice(-12)}-1/`;
    const files = await fixture.keys(prefix);
    assert.ok(files.length > 4);

    const cold = { COLD_RENDITIONS_AFTER: 90 };
    const evict = (nowMs: number) =>
      // Of another ffmpeg: its sizes in H.264 stay.
      evictCold({ platform: { ...at(nowMs), config: { ...fixture.platform.config, ...cold } }, ffmpegVersion: '0' });
    const nowMs = fixture.platform.clock.now() + 100 * DAY_MS;
    await rows(`update encoded_videos set plan = plan || '{"ffmpeg":"1"}' where video_asset_id = $1`, [video.assetId]);
    const watched = (days: number) =>
      noteFetch(fixture.platform.db, video.assetId, new Date(nowMs + days * DAY_MS).toISOString());
    await watched(-80);
    assert.equal(await evict(nowMs), 0);
    assert.equal(await evict(nowMs + 20 * DAY_MS), 3);
    assert.deepEqual((await fixture.assetRow(video.assetId)).renditions, renditions);
    assert.deepEqual((await sizes(video))[0], derived[0]);
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS CANCELLED -1']);
    assert.doesNotMatch(await textOf(video, 'master.m3u8'), /av01/);
    assert.deepEqual(await fixture.keys(prefix), files, 'players may still use them');
    assert.deepEqual(await problems(), []);
    await sweepObjects({ platform: at(nowMs + 22 * DAY_MS), receiving: fixture.platform.receiving });
    // What its encoding left out is deleted as well.
    assert.deepEqual(await sizes(video), [derived[0], derived[0]]);

    await sweep(cold, nowMs + 22 * DAY_MS);
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS CANCELLED -1'], 'nobody watches it');
    await watched(23);
    await sweep(cold, nowMs + 24 * DAY_MS);
    const ordered = only(await jobsOf(video));
    assert.deepEqual([ordered.id === id, ordered.state], [false, 'AV1 RENDITIONS QUEUED -1']);
    assert.equal(await evict(nowMs + 24 * DAY_MS), 0);
  });

  it('stays in another codec in which it could not be encoded again', THOROUGH, async () => {
    const video = await ready('encode_av1 = true');
    await fixture.process(only(await jobsOf(video)).id);
    const before = await fixture.assetRow(video.assetId);
    const config = { ...fixture.platform.config, COLD_RENDITIONS_AFTER: 90 };
    const evict = () => evictCold({ platform: { ...at(fixture.platform.clock.now() + 100 * DAY_MS), config } });
    await rows('update video_assets set original_deleted_at = now() where id = $1', [video.assetId]);
    assert.equal(await evict(), 0);
    await rows('update video_assets set original_deleted_at = null where id = $1', [video.assetId]);
    await rows(`update encoded_videos set source_tag = 'other' where video_asset_id = $1`, [video.assetId]);
    assert.equal(await evict(), 0);
    assert.deepEqual(await fixture.assetRow(video.assetId), before);
    assert.deepEqual(await statesOf(video), ['AV1 RENDITIONS COMPLETE -1']);

    const head = await fixture.platform.store.head(video.sourceKey);
    const copied = copyTag(`${head?.sizeBytes} ${head?.etag}`, 'indexed');
    await rows('update encoded_videos set source_tag = $2 where video_asset_id = $1', [video.assetId, copied]);
    assert.equal(await evict(), 3, 'from a copy it can be, but its sizes in H.264 cannot');
    const { renditions } = await fixture.assetRow(video.assetId);
    assert.deepEqual(renditions, before.renditions.slice(0, -3));
  });
});
