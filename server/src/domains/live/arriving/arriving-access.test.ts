import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { type LiveFixture, openLiveFixture } from '../live.fixture.ts';
import { FASTSTART, makeFile, Sender, type TestUpload } from './arriving.fixture.ts';

const CANCEL = 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }';
const SUBMIT = 'mutation ($id: DID!) { submitContentForProcessing(id: $id) { job { id } } }';
const AHEAD = new Date(Date.now() + 30 * 86_400_000).toISOString();
const UNSIGNED = /\/s\/[\w.-]+\//;

describe('who plays an upload that arrives, and what is left of it', { timeout: 120_000 }, () => {
  let live: LiveFixture;
  let sender: Sender;
  let [anna, bert]: Person[] = [];
  let file: Buffer;
  before(async () => {
    live = await openLiveFixture();
    sender = new Sender(live);
    [anna, bert] = [await live.api.person('anna'), await live.api.person('bert')];
    file = await makeFile({ name: 'holiday.mp4', args: FASTSTART });
    await live.api.platform.events.start();
  });
  after(async () => {
    await live.api.platform.events.stop();
    await live.close();
  });
  const owner = (): Person => anna ?? assert.fail('before');
  const other = (): Person => bert ?? assert.fail('before');

  async function arriving(values: Record<string, unknown> = {}) {
    const upload = await sender.open(owner(), file, values);
    const sent = await sender.begin(upload, file);
    return { upload, sent, video: await sender.played(owner(), upload) };
  }
  const statusOf = async (url: string) => (await fetch(url)).status;
  /** Addresses of a video: its manifest, a playlist, and a segment. */
  const addressesOf = (playlistUrl: string) =>
    ['master.m3u8', 'arriving/video/index.m3u8', 'arriving/video/init.mp4', 'arriving/video/seg-00000.m4s'].map(
      (path) => playlistUrl.replace('master.m3u8', path),
    );
  const rowsOf = ({ contentId }: TestUpload) =>
    live.api.row<Record<string, number | string>>(
      `select (select count(*)::int from video_assets where content_id = c.id) as videos,
         (select count(*)::int from arriving_videos a join ingestions i on i.id = a.ingestion_id
          where i.content_id = c.id) as arriving, c.status, c.publish_when_ready::text as waits
       from contents c where c.id = $1`,
      [uuidOf(contentId)],
    );
  const objectsOf = async ({ contentId }: TestUpload) => {
    const keys: string[] = [];
    for await (const { key } of live.api.platform.store.list(`media/${uuidOf(contentId)}/`)) keys.push(key);
    return keys;
  };
  const sweep = () => sweepObjects({ platform: live.api.platform, receiving: live.api.platform.receiving });
  const eventsOf = async ({ contentId }: TestUpload) =>
    (
      await live.api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [
        uuidOf(contentId),
      ])
    ).map(({ type }) => type);

  for (const [what, values] of [
    ['that is not to be published', {}],
    ['that is private', { publish: true, visibility: 'PRIVATE' }],
    ['whose release date is ahead', { publish: true, visibility: 'PUBLIC', releaseDate: AHEAD }],
  ] as const)
    it(`is played by members only, of a content ${what}`, async () => {
      const { upload, sent, video } = await arriving(values);
      assert.equal(await sender.content(other(), upload), null);
      assert.match(video.playlistUrl, UNSIGNED);
      for (const url of addressesOf(video.playlistUrl)) {
        assert.equal(await statusOf(url), 200, url);
        assert.equal(await statusOf(url.replace(UNSIGNED, '/')), 404, url);
      }
      assert.equal((await sender.content(owner(), upload)).outputAssets, null);
      assert.deepEqual(await rowsOf(upload), {
        ...{ videos: 1, arriving: 1, status: 'DRAFT', waits: `${'publish' in values}` },
      });
      await sender.finish(upload, file, sent);
    });

  for (const visibility of ['PUBLIC', 'UNLISTED'])
    it(`is played by everybody who may watch, where it is published and ${visibility}`, async () => {
      const { upload, sent, video } = await arriving({ publish: true, visibility });
      assert.doesNotMatch(video.playlistUrl, UNSIGNED);
      for (const url of addressesOf(video.playlistUrl)) assert.equal(await statusOf(url), 200, url);
      const seen = await sender.content(other(), upload);
      assert.deepEqual([seen.status, seen.outputAssets.video], ['PUBLISHED', { hls: video.playlistUrl, dash: null }]);
      await sender.finish(upload, file, sent);
      assert.deepEqual(await rowsOf(upload), { videos: 1, arriving: 1, status: 'PUBLISHED', waits: 'false' });
      assert.deepEqual(
        (await eventsOf(upload)).filter((type) => type.startsWith('content') || type.startsWith('asset')),
        ['content.created', 'content.published', 'asset.arriving'],
      );
      await until(async () => (await rowsOf(upload)).arriving === 0, 'its last segment is never stored');
    });

  it('leaves nothing where it is abandoned, and its content is a draft again', async () => {
    const { upload, video } = await arriving({ publish: true, visibility: 'PUBLIC' });
    assert.ok((await objectsOf(upload)).length > 2);
    const ended = await fetch(upload.endpoint, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });
    assert.equal(ended.status, 204);
    assert.deepEqual(await rowsOf(upload), { videos: 0, arriving: 0, status: 'DRAFT', waits: 'false' });
    assert.equal(await sender.content(other(), upload), null);
    assert.equal(await sender.video(owner(), upload), null);
    live.api.clock.advance(3_000);
    for (const url of addressesOf(video.playlistUrl)) assert.equal(await statusOf(url), 404, url);
    await sweep();
    assert.deepEqual(await objectsOf(upload), []);
    assert.equal((await eventsOf(upload)).includes('content.unpublished'), true);
  });

  it('leaves no video that is played where its job is cancelled before the last byte', async () => {
    const { upload, sent } = await arriving();
    await live.api.ok(owner(), CANCEL, { id: upload.jobId });
    await until(async () => (await rowsOf(upload)).videos === 0, 'the video is never taken back');
    await sender.finish(upload, file, sent);
    assert.equal((await sender.video(owner(), upload)).playlistUrl, null);
    assert.deepEqual(await rowsOf(upload), { videos: 1, arriving: 0, status: 'DRAFT', waits: 'false' });
  });

  for (const [what, end, status] of [
    ['failed', 'ERROR', 'FAILED'],
    ['was cancelled', 'CANCELLED', 'DRAFT'],
  ] as const)
    it(`is not played after its processing ${what}`, async () => {
      const { upload, sent, video } = await arriving({ publish: true, visibility: 'PUBLIC' });
      await sender.finish(upload, file, sent);
      assert.equal(await statusOf(video.playlistUrl), 200);
      await endJob(upload, end);
      await until(async () => (await sender.video(owner(), upload)).playlistUrl === null, 'it is still played');
      assert.equal((await rowsOf(upload)).status, status);
      assert.equal(await sender.content(other(), upload), null);
      await until(async () => {
        await sweep();
        return (await objectsOf(upload)).length === 0;
      }, 'its segments stay');
    });

  it('cannot be processed before its last byte', async () => {
    const { upload, sent } = await arriving();
    const before = await rowsOf(upload);
    const error = await live.api.refused(owner(), SUBMIT, { id: upload.contentId });
    assert.equal(error.code, 'INVALID_INPUT');
    assert.deepEqual(await rowsOf(upload), before);
    await sender.finish(upload, file, sent);
  });

  it('is not played of bytes that are refused', async () => {
    const upload = await sender.open(owner(), file);
    const wrong = { endpoint: upload.endpoint.replace(/.{6}$/, 'AAAAAA') };
    assert.ok([401, 404].includes((await sender.send(wrong, file, 0, file.length - 1)).status));
    assert.equal((await sender.send(upload, file, 5, file.length - 1)).status, 409);
    assert.deepEqual(await rowsOf(upload), { videos: 0, arriving: 0, status: 'DRAFT', waits: 'false' });
  });

  /** As a worker ends it. */
  async function endJob({ contentId, jobId }: TestUpload, status: 'ERROR' | 'CANCELLED'): Promise<void> {
    const { failProcessing } = await import('../../transcode/index.ts');
    const { AppError } = await import('../../../kernel/errors.ts');
    if (status === 'CANCELLED') return void (await live.api.ok(owner(), CANCEL, { id: jobId }));
    const id = uuidOf(jobId);
    assert.ok(await failProcessing(live.api.platform, id, null, new AppError('TRANSCODE_FAILED')), contentId);
  }
});
