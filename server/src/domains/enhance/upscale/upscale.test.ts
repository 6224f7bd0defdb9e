import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { isUpscalerInstalled } from '../../../media/index.ts';
import { startProcessing } from '../../transcode/jobs/start-processing.ts';
import { only, TestEnhancements, type TestVideo } from '../additions/enhancement.fixture.ts';
import { removeUpscale, startUpscale, type UpscaleInput } from './order-upscale.ts';
import type { UpscaleReceipt } from './upscale-receipt.ts';

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-crf', '16'];
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=5:d=5'];
const SOFT = ['-f', 'lavfi', '-i', 'gradients=s=320x180:r=5:d=2:c0=gray:c1=white:x0=0:x1=319:y0=0:y1=0:nb_colors=2'];

describe('the upscaling of a video', { skip, timeout: 180_000 }, () => {
  let videos: TestEnhancements;
  const detailed = () => videos.clip('detailed.mp4', ...PICTURE, ...H264);
  before(async () => {
    videos = await TestEnhancements.open();
  });
  after(() => videos.close());

  const start = ({ contentId }: TestVideo, input: UpscaleInput = {}) =>
    videos.fixture.platform.db.transaction((tx) =>
      startUpscale(videos.fixture.tools(), tx, { contentId, input, again: false, field: 'id' }),
    );
  const remove = ({ contentId }: TestVideo) =>
    videos.fixture.platform.db.transaction((tx) =>
      removeUpscale(videos.fixture.tools(), tx, { contentId, field: 'id' }),
    );
  const enhancementOf = (video: TestVideo) => videos.enhancementOf<UpscaleReceipt>(video);
  const variants = (master: string) =>
    [
      ...master.matchAll(
        /RESOLUTION=(\S+?),.*?(?:,NAME="(.*?)")?(?:,SCORE=(\d+))?,CLOSED-CAPTIONS=NONE\n(\S+)\/index/g,
      ),
    ].map(([, ...found]) => found.filter((each) => each !== undefined).join(' '));

  it(
    'is listed beside the others with its own name, asks players to prefer them, and can be removed',
    THOROUGH,
    async () => {
      const video = await videos.ready(await detailed());
      const before = {
        asset: await videos.fixture.assetRow(video.assetId),
        master: await videos.textOf(video, 'master.m3u8'),
      };
      const jobId = await start(video);
      assert.equal(await videos.stateOf(jobId), 'ENHANCE QUEUED 0');
      assert.equal(await start(video, { target: 360 }), jobId, 'it is the default');
      await assert.rejects(remove(video), /still being made/);
      await videos.fixture.process(jobId);

      assert.equal(await videos.stateOf(jobId), 'ENHANCE COMPLETE 0');
      assert.equal(await start(video), jobId, 'it is not done twice');
      const { receipt, input } = (await enhancementOf(video)) ?? assert.fail('there is none');
      assert.deepEqual(input, { target: 360, factor: 2, model: 'compressed' });
      assert.ok(receipt);
      const { gainDb, tested, decision, delivered, ...rest } = receipt;
      assert.deepEqual(rest, {
        ...{ outcome: 'ENHANCED', target: 360, model: 'compressed', modelVersion: 1, version: 2 },
        ...{ enhancedPercent: 100, scenes: 1 },
        picture: { width: 320, height: 180, madeWidth: 160, madeHeight: 90 },
      });
      assert.ok(gainDb > 1 && tested >= 2, JSON.stringify(receipt));
      assert.match(
        localized(decision, 'en'),
        /^All scenes were enlarged with the model\. In the test, on the picture .* 320x180, made from one of 160x90, they/,
      );
      assert.match(localized(decision, 'en'), /As it is delivered, with \d.* than 180p with \d/);
      assert.ok(delivered && delivered.bitrateBps > delivered.ordinaryBitrateBps, JSON.stringify(delivered));
      // Both are close to the source in its size: another frame of it would be some 15 dB off.
      assert.ok(Math.abs(delivered.gainDb) < 12, JSON.stringify(delivered));

      const name = `${jobId.slice(-12)}-1`;
      const own = only(before.asset.renditions.filter((folder) => folder.endsWith('/v180')));
      const master = await videos.textOf(video, 'master.m3u8');
      assert.deepEqual(variants(master), [`320x180 2 ${own}`, `640x360 360p enhanced 1 ${name}/v360`]);
      const manifest = await videos.textOf(video, 'manifest.mpd');
      assert.match(manifest, /<Label>360p enhanced<\/Label>\s*<Role [^>]*value="alternate"\/>/);
      assert.equal(manifest.match(/<AdaptationSet /g)?.length, 2);

      await videos.prefer(video, true);
      assert.deepEqual(variants(await videos.textOf(video, 'master.m3u8')), [
        `320x180 1 ${own}`,
        `640x360 360p enhanced 2 ${name}/v360`,
      ]);
      const preferring = await videos.textOf(video, 'manifest.mpd');
      assert.equal(preferring.match(/<AdaptationSet /g)?.length, 1);
      assert.match(preferring, /width="640" height="360"[^>]*>\s*<Label>360p enhanced<\/Label>/);
      assert.doesNotMatch(preferring, /alternate/);
      await videos.prefer(video, false);
      assert.deepEqual(
        [await videos.textOf(video, 'master.m3u8'), await videos.textOf(video, 'manifest.mpd')],
        [master, manifest],
      );

      const segmentsIn = async (path: string) => (await videos.textOf(video, path)).match(/#EXTINF:.*|seg-.*/g);
      assert.deepEqual(await segmentsIn(`${name}/v360/index.m3u8`), await segmentsIn(`${own}/index.m3u8`));
      assert.deepEqual(await videos.problems(), []);
      const last = only(
        await videos.rows<{ type: string; payload: { upscale?: string } }>(
          'select type, payload from events where subject_id = $1 order by id desc limit 1',
          [video.contentId],
        ),
      );
      assert.deepEqual([last.type, last.payload.upscale], ['asset.renditions_added', '360p']);

      assert.equal(await remove(video), true);
      assert.equal(await remove(video), false);
      assert.equal(await videos.textOf(video, 'master.m3u8'), before.master);
      assert.deepEqual(await videos.fixture.assetRow(video.assetId), before.asset);
      const purges = await videos.rows<{ key: string }>('select key_prefix as key from object_purges');
      assert.ok(purges.some(({ key }) => key.endsWith(`/${name}/`)));
    },
  );

  it('ends without a result where no scene gains, and stores nothing', THOROUGH, async () => {
    const video = await videos.ready(await videos.clip('soft.mp4', ...SOFT, ...H264));
    const before = {
      asset: await videos.fixture.assetRow(video.assetId),
      master: await videos.textOf(video, 'master.m3u8'),
    };
    const jobId = await start(video);
    assert.deepEqual(await videos.creditsOf(jobId), [2]);
    await videos.fixture.process(jobId);
    assert.equal(await videos.stateOf(jobId), 'ENHANCE COMPLETE 0');
    assert.deepEqual(await videos.creditsOf(jobId), [], 'they are returned');
    const { receipt } = (await enhancementOf(video)) ?? assert.fail('there is none');
    assert.deepEqual([receipt?.outcome, receipt?.gainDb, receipt?.enhancedPercent], ['NO_GAIN', 0, 0]);
    assert.match(localized(receipt?.decision ?? '', 'en'), /^No scene would .* Nothing was stored\.$/);
    assert.deepEqual(await videos.fixture.assetRow(video.assetId), before.asset);
    assert.equal(await videos.textOf(video, 'master.m3u8'), before.master);
    const stored = await videos.fixture.keys(`media/${video.contentId}/${video.assetId}/`);
    assert.ok(stored.length > 0 && stored.every((key) => !key.includes(jobId.slice(-12))));
    assert.equal(await start(video), jobId, 'it would be the same');
    assert.deepEqual(await videos.problems(), []);
  });

  it('is made at another target in place of the one there is, which may still wait', THOROUGH, async () => {
    const video = await videos.ready(await detailed());
    const first = await start(video, { target: 480 });
    const second = await start(video, { target: 720, model: 'clean' });
    assert.deepEqual(
      [await videos.stateOf(first), await videos.stateOf(second)],
      ['ENHANCE CANCELLED 0', 'ENHANCE QUEUED 0'],
    );
    assert.deepEqual((await enhancementOf(video))?.input, { target: 720, factor: 4, model: 'clean' });
    await videos.fixture.process(second);
    assert.deepEqual(
      variants(await videos.textOf(video, 'master.m3u8')).map((each) => each.split(' ').slice(0, 2)),
      [
        ['320x180', '2'],
        ['1280x720', '720p'],
      ],
    );
    assert.deepEqual(await videos.problems(), []);
  });

  it('is made again when the video is processed again', THOROUGH, async () => {
    const video = await videos.ready(await detailed());
    await videos.fixture.process(await start(video, { target: 480 }));
    const again = await videos.fixture.platform.db.transaction((tx) =>
      startProcessing(videos.fixture.tools(), tx, { contentId: video.contentId, again: true }),
    );
    await videos.fixture.process(again.jobId);
    assert.doesNotMatch(await videos.textOf(video, 'master.m3u8'), /enhanced/);
    const next = (await enhancementOf(video)) ?? assert.fail('there is none');
    assert.deepEqual(next.input, { target: 480, factor: 4, model: 'compressed' });
    await videos.fixture.process(next.jobId);
    assert.match(await videos.textOf(video, 'master.m3u8'), /480p enhanced/);
    assert.deepEqual(await videos.problems(), []);
  });

  const HDR = [
    ...['-vf', 'format=yuv420p10le,setparams=color_trc=arib-std-b67:color_primaries=bt2020:colorspace=bt2020nc'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-color_trc', 'arib-std-b67'],
    ...['-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
  ];
  const refused: [what: string, args: string[], input: UpscaleInput, field: string, reason: RegExp][] = [
    ['without pictures', ['-f', 'lavfi', '-i', 'sine=d=2', '-c:a', 'aac'], {}, 'id', /sound only/],
    ['in high dynamic range', [...PICTURE, '-t', '1', ...HDR], {}, 'id', /high dynamic range/],
    [
      'that is tiny',
      ['-f', 'lavfi', '-i', 'testsrc2=s=2x2:r=5:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
      {},
      'id',
      /No larger size is offered for 2x2 pixels/,
    ],
    [
      'to a size that is too far away',
      [...PICTURE, ...H264],
      { target: 2160 },
      'input.target',
      /2160 lines are not offered for 320x180 pixels with the model compressed\..*Send one of 360, 480, 720\./,
    ],
  ];
  for (const [what, args, input, field, reason] of casesOf(refused, 1))
    it(`is refused for a video ${what}, and nothing changes`, async () => {
      const video = await videos.ready(await videos.clip(`${what.replaceAll(' ', '-')}.mp4`, ...args));
      await assert.rejects(start(video, input), (error) => {
        assert.ok(error instanceof AppError);
        assert.deepEqual([error.code, error.field], ['INVALID_INPUT', field]);
        assert.match(`${error.message} ${error.suggestedFix}`, reason);
        return true;
      });
      const jobs = await videos.rows('select 1 from transcode_jobs where content_id = $1', [video.contentId]);
      assert.deepEqual([jobs.length, await enhancementOf(video)], [1, undefined]);
    });
});
