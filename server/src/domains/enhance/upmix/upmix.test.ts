import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { UpmixLayout } from '../../../media/index.ts';
import { startProcessing } from '../../transcode/jobs/start-processing.ts';
import { claimChunk } from '../../transcode/plans/encode-chunks.store.ts';
import { only, TestEnhancements, type TestVideo } from '../additions/enhancement.fixture.ts';
import { removeUpmix, startUpmix } from './order-upmix.ts';
import type { UpmixReceipt } from './upmix-receipt.ts';

const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac'];
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=5:d=2'];
/** The same tone in both channels, and noise of each. */
const SOUND =
  'sine=f=440:r=48000:d=2[a];anoisesrc=a=0.02:r=48000:d=2:s=1[b];anoisesrc=a=0.02:r=48000:d=2:s=2[c];' +
  '[a]asplit[d][e];[d][b]amix[f];[e][c]amix[g];[f][g]join=inputs=2:channel_layout=stereo';

describe('the upmix of a video', () => {
  let videos: TestEnhancements;
  const clip = (name: string, ...args: string[]) => videos.clip(name, ...PICTURE, ...args);
  const stereo = () => clip('stereo.mp4', '-f', 'lavfi', '-i', SOUND, ...H264);
  before(async () => {
    videos = await TestEnhancements.open();
  });
  after(() => videos.close());

  const start = ({ contentId }: TestVideo, layout: UpmixLayout = '5.1') =>
    videos.fixture.platform.db.transaction((tx) =>
      startUpmix(videos.fixture.tools(), tx, { contentId, layout, again: false, field: 'id' }),
    );
  const remove = ({ contentId }: TestVideo) =>
    videos.fixture.platform.db.transaction((tx) => removeUpmix(videos.fixture.tools(), tx, { contentId, field: 'id' }));
  const receiptOf = async (video: TestVideo) => (await videos.enhancementOf<UpmixReceipt>(video))?.receipt;
  const audioOf = (master: string) =>
    [...master.matchAll(/TYPE=AUDIO,GROUP-ID="(.*?)",NAME="(.*?)",DEFAULT=(\w+),.*CHANNELS="(\d)",URI="(.*?)"/g)].map(
      ([, ...found]) => found.join(' '),
    );

  it('is encoded before an hour of the same owner that waits, by lanes of both kinds', THOROUGH, async () => {
    const { fixture } = videos;
    const video = await videos.ready(await stereo());
    const long = await fixture.submit((await fixture.upload(await stereo())).contentId);
    await fixture.process(long, fixture.platform, 'plan');
    await videos.rows('update encode_chunks set cost_ms = 3600000 where job_id = $1', [long]);
    const jobId = await start(video);
    await fixture.process(jobId, fixture.platform, 'plan');
    await videos.rows('update encode_plans p set account_id = o.account_id from encode_plans o where o.job_id = $1', [
      long,
    ]);
    assert.equal((await claimChunk(fixture.platform.db, null))?.jobId, jobId);
    assert.equal((await claimChunk(fixture.platform.db, 45_000))?.jobId, jobId);
    assert.equal((await claimChunk(fixture.platform.db, null))?.jobId, long);
    await videos.rows('delete from encode_plans');
  });

  it('is listed beside the original with its own name, and can be removed', async () => {
    const video = await videos.ready(await stereo());
    const before = {
      asset: await videos.fixture.assetRow(video.assetId),
      master: await videos.textOf(video, 'master.m3u8'),
    };
    const jobId = await start(video);
    assert.equal(await videos.stateOf(jobId), 'ENHANCE QUEUED 0');
    assert.equal(await start(video), jobId);
    await assert.rejects(remove(video), /still being made/);
    await videos.fixture.process(jobId);

    assert.equal(await videos.stateOf(jobId), 'ENHANCE COMPLETE 0');
    assert.equal(await start(video), jobId, 'it is not done twice');
    const receipt = (await receiptOf(video)) ?? assert.fail('there is no receipt');
    assert.ok((receipt.downmixSnrDb ?? 200) >= 60, JSON.stringify(receipt));
    assert.ok((receipt.truePeakDbtp ?? 0) <= -1);
    assert.ok(Math.abs((receipt.upmixLufs ?? 0) - (receipt.sourceLufs ?? 9)) <= 1);
    assert.ok(receipt.centrePercent > 90, 'the tone is in the centre');
    assert.match(localized(receipt.decision, 'en'), /^Dialogue went to the centre/);

    const name = `${jobId.slice(-12)}-1`;
    const own = only(before.asset.renditions.filter((folder) => folder.endsWith('/audio')));
    const master = await videos.textOf(video, 'master.m3u8');
    assert.deepEqual(audioOf(master), [
      `audio Main YES 2 ${own}/index.m3u8`,
      `audio 5.1 upmix NO 2 ${own}/index.m3u8`,
      `upmix Main YES 2 ${own}/index.m3u8`,
      `upmix 5.1 upmix NO 6 ${name}/audio-5.1/index.m3u8`,
      `upmix-dolby Main YES 2 ${own}/index.m3u8`,
      `upmix-dolby 5.1 upmix NO 6 ${name}/audio-5.1-dolby/index.m3u8`,
    ]);
    assert.match(master, /CODECS="avc1[^"]*,mp4a.40.2,ec-3".*AUDIO="upmix-dolby"/);
    const manifest = await videos.textOf(video, 'manifest.mpd');
    assert.equal(manifest.match(/<Label>5.1 upmix<\/Label>/g)?.length, 2);
    assert.equal(manifest.match(/value="alternate"/g)?.length, 2);

    await videos.prefer(video, true);
    assert.deepEqual(audioOf(await videos.textOf(video, 'master.m3u8')), [
      `audio 5.1 upmix YES 2 ${own}/index.m3u8`,
      `audio Main NO 2 ${own}/index.m3u8`,
      `upmix 5.1 upmix YES 6 ${name}/audio-5.1/index.m3u8`,
      `upmix Main NO 2 ${own}/index.m3u8`,
      `upmix-dolby 5.1 upmix YES 6 ${name}/audio-5.1-dolby/index.m3u8`,
      `upmix-dolby Main NO 2 ${own}/index.m3u8`,
    ]);
    const preferring = await videos.textOf(video, 'manifest.mpd');
    assert.deepEqual(preferring.match(/<Label>.*<\/Label>|value="(?:main|alternate)"/g), [
      'value="main"',
      ...['<Label>Main</Label>', 'value="alternate"'],
      ...['<Label>5.1 upmix</Label>', 'value="main"', '<Label>5.1 upmix</Label>', 'value="main"'],
    ]);
    assert.equal(preferring.match(/selectionPriority="2"/g)?.length, 2);
    await videos.prefer(video, false);
    assert.deepEqual(
      [await videos.textOf(video, 'master.m3u8'), await videos.textOf(video, 'manifest.mpd')],
      [master, manifest],
    );

    assert.match(await videos.textOf(video, `${name}/audio-5.1/index.m3u8`), /seg-00000.m4s\n#EXT-X-ENDLIST/);
    assert.deepEqual(await videos.problems(), []);
    const events = await videos.rows<{ type: string }>(
      'select type from events where subject_id = $1 order by id desc limit 1',
      [video.contentId],
    );
    assert.equal(only(events).type, 'asset.renditions_added');

    assert.equal(await remove(video), true);
    assert.equal(await remove(video), false);
    assert.equal(await videos.textOf(video, 'master.m3u8'), before.master);
    assert.deepEqual(await videos.fixture.assetRow(video.assetId), before.asset);
    const purges = await videos.rows<{ key: string }>('select key_prefix as key from object_purges');
    assert.ok(purges.some(({ key }) => key.endsWith(`/${name}/`)));
  });

  it('is made in 7.1 in place of 5.1, with Dolby in 5.1 under the same name', THOROUGH, async () => {
    const video = await videos.ready(await stereo());
    await videos.fixture.process(await start(video));
    const jobId = await start(video, '7.1');
    assert.doesNotMatch(await videos.textOf(video, 'master.m3u8'), /upmix/);
    await videos.fixture.process(jobId);
    assert.equal(await videos.stateOf(jobId), 'ENHANCE COMPLETE 0');
    assert.deepEqual((await videos.enhancementOf(video))?.input, { layout: '7.1' });
    const receipt = (await receiptOf(video)) ?? assert.fail('there is no receipt');
    assert.ok((receipt.downmixSnrDb ?? 200) >= 60 && (receipt.truePeakDbtp ?? 0) <= -1, JSON.stringify(receipt));

    const name = `${jobId.slice(-12)}-1`;
    const own = only(
      (await videos.fixture.assetRow(video.assetId)).renditions.filter((each) => each.endsWith('/audio')),
    );
    const master = await videos.textOf(video, 'master.m3u8');
    assert.deepEqual(audioOf(master), [
      `audio Main YES 2 ${own}/index.m3u8`,
      `audio 7.1 upmix NO 2 ${own}/index.m3u8`,
      `upmix Main YES 2 ${own}/index.m3u8`,
      `upmix 7.1 upmix NO 8 ${name}/audio-7.1/index.m3u8`,
      `upmix-dolby Main YES 2 ${own}/index.m3u8`,
      `upmix-dolby 7.1 upmix NO 6 ${name}/audio-5.1-dolby/index.m3u8`,
    ]);
    const manifest = await videos.textOf(video, 'manifest.mpd');
    assert.match(manifest, /cicp:ChannelConfiguration" value="12"\/>\s*<Label>7.1 upmix<\/Label>/);
    assert.match(manifest, /value="F801"\/>\s*<Label>5.1 upmix<\/Label>/);
    assert.deepEqual(await videos.problems(), []);
  });

  it('is made again when the video is processed again', THOROUGH, async () => {
    const video = await videos.ready(await stereo());
    const jobId = await start(video);
    await videos.fixture.process(jobId);
    const again = await videos.fixture.platform.db.transaction((tx) =>
      startProcessing(videos.fixture.tools(), tx, { contentId: video.contentId, again: true }),
    );
    await videos.fixture.process(again.jobId);
    assert.doesNotMatch(await videos.textOf(video, 'master.m3u8'), /upmix/);
    const { next } = only(
      await videos.rows<{ next: string }>('select job_id as next from enhancements where video_asset_id = $1', [
        video.assetId,
      ]),
    );
    assert.notEqual(next, jobId);
    const credits = [await videos.creditsOf(jobId), await videos.creditsOf(next)];
    assert.deepEqual(credits, [[], [1]], 'it takes no more');
    await videos.fixture.process(next);
    assert.match(await videos.textOf(video, 'master.m3u8'), /5.1 upmix/);
    assert.deepEqual(await videos.problems(), []);
  });

  const refused: [what: string, args: string[], reason: RegExp][] = [
    ['without sound', H264, /has no sound/],
    [
      'in 5.1',
      ['-f', 'lavfi', '-i', 'anoisesrc=d=2,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0', ...H264],
      /6 channels/,
    ],
  ];
  for (const [what, args, reason] of casesOf(refused, 1))
    it(`is refused for a video ${what}, and nothing changes`, async () => {
      const video = await videos.ready(await clip(`${what.replaceAll(' ', '-')}.mp4`, ...args));
      await assert.rejects(start(video), (error) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'INVALID_INPUT');
        assert.match(error.message, reason);
        return true;
      });
      const jobs = await videos.rows('select 1 from transcode_jobs where content_id = $1', [video.contentId]);
      const upmixes = await videos.rows('select 1 from enhancements where video_asset_id = $1', [video.assetId]);
      assert.deepEqual([jobs.length, upmixes.length], [1, 0]);
    });

  it('is refused without the original, and before the video was processed', THOROUGH, async () => {
    const video = await videos.ready(await stereo());
    await videos.rows('update video_assets set original_deleted_at = now() where id = $1', [video.assetId]);
    await assert.rejects(start(video), /original file of this video was deleted/);
    await assert.rejects(start(await videos.fixture.upload(await stereo())), /no processed video/);
  });

  it('fails for silence with the reason, and leaves the video as it is', THOROUGH, async () => {
    const video = await videos.ready(
      await clip('silent.mp4', '-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo', '-shortest', ...H264),
    );
    const before = {
      asset: await videos.fixture.assetRow(video.assetId),
      content: await videos.fixture.contentRow(video.contentId),
    };
    const jobId = await start(video);
    await videos.fixture.process(jobId);
    assert.equal(await videos.stateOf(jobId), 'ENHANCE ERROR 0');
    const [{ error } = { error: '' }] = await videos.rows<{ error: string }>(
      'select error_message as error from transcode_jobs where id = $1',
      [jobId],
    );
    assert.match(error, /silent/);
    assert.deepEqual(await videos.fixture.assetRow(video.assetId), before.asset);
    assert.deepEqual(await videos.fixture.contentRow(video.contentId), before.content);
    assert.notEqual(await start(video), jobId, 'it can be tried again');
  });
});
