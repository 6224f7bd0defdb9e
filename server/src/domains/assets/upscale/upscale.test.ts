import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import { isUpscalerInstalled } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { casesOf, THOROUGH } from '../../../testing/cases.ts';
import { mediaRoutes } from '../delivery/media.routes.ts';
import { mediaAddress } from '../delivery/media-address.ts';
import { openTestProcessing, type TestProcessing } from '../processing/processing.fixture.ts';
import { startProcessing } from '../processing/start-processing.ts';
import { serveAssetRoutes } from '../testing.ts';
import { verifyMedia } from '../verification/verify-media.ts';
import { removeUpscale, startUpscale, type UpscaleInput } from './order-upscale.ts';
import type { UpscaleReceipt } from './upscale-receipt.ts';

type Video = Awaited<ReturnType<TestProcessing['upload']>>;

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-crf', '16'];
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=5:d=5'];
const SOFT = ['-f', 'lavfi', '-i', 'gradients=s=320x180:r=5:d=2:c0=gray:c1=white:x0=0:x1=319:y0=0:y1=0:nb_colors=2'];

describe('the upscaling of a video', { skip, timeout: 180_000 }, () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  const clip = (name: string, ...args: string[]) => readClip(fixture.runner, name, args);
  const detailed = () => clip('detailed.mp4', ...PICTURE, ...H264);
  before(async () => {
    // Without a worker: tests run each job themselves.
    fixture = await openTestProcessing({ work: false });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  async function ready(bytes: Buffer): Promise<Video> {
    const video = await fixture.upload(bytes);
    await fixture.process(await fixture.submit(video.contentId));
    return video;
  }
  const start = ({ contentId }: Video, input: UpscaleInput = {}) =>
    fixture.platform.db.transaction((tx) =>
      startUpscale(fixture.tools(), tx, { contentId: contentId as ContentId, input, again: false, field: 'id' }),
    );
  const remove = ({ contentId }: Video) =>
    fixture.platform.db.transaction((tx) =>
      removeUpscale(fixture.tools(), tx, { contentId: contentId as ContentId, field: 'id' }),
    );
  const only = <T>(found: readonly T[]): T => found[0] ?? assert.fail('there is none');
  const stateOf = async (jobId: string) =>
    only(
      await rows<{ state: string }>(
        "select concat_ws(' ', purpose, status, priority) as state from transcode_jobs where id = $1",
        [jobId],
      ),
    ).state;
  const enhancementOf = async ({ assetId }: Video) =>
    (
      await rows<{ receipt: UpscaleReceipt | null; input: object; jobId: string }>(
        'select receipt, input, job_id as "jobId" from enhancements where video_asset_id = $1',
        [assetId],
      )
    )[0];
  async function textOf({ contentId, assetId }: Video, name: string): Promise<string> {
    const { secrets, clock } = fixture.platform;
    const key = `media/${contentId}/${assetId}/${name}`;
    return (await fetch(mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false))).text();
  }
  const problems = async () => (await verifyMedia(fixture.platform, { repair: false, graceMs: 0 })).problems;
  const variants = (master: string) =>
    [...master.matchAll(/RESOLUTION=(\S+?),.*?(?:,NAME="(.*?)")?(?:,SCORE=(\d+))?\n(\S+)\/index/g)].map(
      ([, ...found]) => found.filter((each) => each !== undefined).join(' '),
    );

  it('is listed beside the others with its own name, asks players to prefer them, and can be removed', async () => {
    const video = await ready(await detailed());
    const before = { asset: await fixture.assetRow(video.assetId), master: await textOf(video, 'master.m3u8') };
    const jobId = await start(video);
    assert.equal(await stateOf(jobId), 'ENHANCE QUEUED -1');
    assert.equal(await start(video, { target: 360 }), jobId, 'it is the default');
    await assert.rejects(remove(video), /still being made/);
    await fixture.process(jobId);

    assert.equal(await stateOf(jobId), 'ENHANCE COMPLETE -1');
    assert.equal(await start(video), jobId, 'it is not done twice');
    const { receipt, input } = (await enhancementOf(video)) ?? assert.fail('there is none');
    assert.deepEqual(input, { target: 360, factor: 2, model: 'compressed' });
    assert.ok(receipt);
    const { gainDb, tested, decision, ...rest } = receipt;
    assert.deepEqual(rest, {
      ...{ outcome: 'ENHANCED', target: 360, model: 'compressed', modelVersion: 1, version: 1 },
      ...{ enhancedPercent: 100, scenes: 1 },
    });
    assert.ok(gainDb > 1 && tested >= 2, JSON.stringify(receipt));
    assert.match(decision, /^All scenes were enlarged with the model\. In the test they came \d/);

    const name = `${jobId.slice(-12)}-1`;
    const own = only(before.asset.renditions.filter((folder) => folder.endsWith('/v180')));
    const master = await textOf(video, 'master.m3u8');
    assert.deepEqual(variants(master), [`320x180 2 ${own}`, `640x360 360p enhanced 1 ${name}/v360`]);
    const manifest = await textOf(video, 'manifest.mpd');
    assert.match(manifest, /<Label>360p enhanced<\/Label>\s*<Role [^>]*value="alternate"\/>/);
    assert.equal(manifest.match(/<AdaptationSet /g)?.length, 2);
    const segmentsIn = async (path: string) => (await textOf(video, path)).match(/#EXTINF:.*|seg-.*/g);
    assert.deepEqual(await segmentsIn(`${name}/v360/index.m3u8`), await segmentsIn(`${own}/index.m3u8`));
    assert.deepEqual(await problems(), []);
    const last = only(
      await rows<{ type: string; payload: { upscale?: string } }>(
        'select type, payload from events where subject_id = $1 order by id desc limit 1',
        [video.contentId],
      ),
    );
    assert.deepEqual([last.type, last.payload.upscale], ['asset.renditions_added', '360p']);

    assert.equal(await remove(video), true);
    assert.equal(await remove(video), false);
    assert.equal(await textOf(video, 'master.m3u8'), before.master);
    assert.deepEqual(await fixture.assetRow(video.assetId), before.asset);
    const purges = await rows<{ key: string }>('select key_prefix as key from object_purges');
    assert.ok(purges.some(({ key }) => key.endsWith(`/${name}/`)));
  });

  it('ends without a result where no scene gains, and stores nothing', async () => {
    const video = await ready(await clip('soft.mp4', ...SOFT, ...H264));
    const before = { asset: await fixture.assetRow(video.assetId), master: await textOf(video, 'master.m3u8') };
    const jobId = await start(video);
    await fixture.process(jobId);
    assert.equal(await stateOf(jobId), 'ENHANCE COMPLETE -1');
    const { receipt } = (await enhancementOf(video)) ?? assert.fail('there is none');
    assert.deepEqual([receipt?.outcome, receipt?.gainDb, receipt?.enhancedPercent], ['NO_GAIN', 0, 0]);
    assert.match(receipt?.decision ?? '', /^No scene would .* Nothing was stored\.$/);
    assert.deepEqual(await fixture.assetRow(video.assetId), before.asset);
    assert.equal(await textOf(video, 'master.m3u8'), before.master);
    const stored = await fixture.keys(`media/${video.contentId}/${video.assetId}/`);
    assert.ok(stored.length > 0 && stored.every((key) => !key.includes(jobId.slice(-12))));
    assert.equal(await start(video), jobId, 'it would be the same');
    assert.deepEqual(await problems(), []);
  });

  it('is made at another target in place of the one there is, which may still wait', THOROUGH, async () => {
    const video = await ready(await detailed());
    const first = await start(video, { target: 480 });
    const second = await start(video, { target: 720, model: 'clean' });
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['ENHANCE CANCELLED -1', 'ENHANCE QUEUED -1']);
    assert.deepEqual((await enhancementOf(video))?.input, { target: 720, factor: 4, model: 'clean' });
    await fixture.process(second);
    assert.deepEqual(
      variants(await textOf(video, 'master.m3u8')).map((each) => each.split(' ').slice(0, 2)),
      [
        ['320x180', '2'],
        ['1280x720', '720p'],
      ],
    );
    assert.deepEqual(await problems(), []);
  });

  for (const [phase, run] of [
    ['tested', 1],
    ['encoded', 2],
  ] as const)
    it(
      `leaves nothing where it is cancelled while the video is ${phase}, and can be ordered again`,
      THOROUGH,
      async () => {
        const video = await ready(await detailed());
        const before = { asset: await fixture.assetRow(video.assetId), master: await textOf(video, 'master.m3u8') };
        const jobId = await start(video);
        let runs = 0;
        await fixture.process(jobId, fixture.platform, 'end', {
          ...fixture.runner,
          async runPiped(...args) {
            runs += 1;
            if (runs === run) await rows("update transcode_jobs set status = 'CANCELLING' where id = $1", [jobId]);
            return fixture.runner.runPiped(...args);
          },
        });
        assert.ok(runs >= run, 'it was cancelled too late');
        assert.equal(await stateOf(jobId), 'ENHANCE CANCELLED -1');
        assert.equal((await enhancementOf(video))?.receipt, null);
        assert.deepEqual(await fixture.assetRow(video.assetId), before.asset);
        assert.equal(await textOf(video, 'master.m3u8'), before.master);
        const [left] = await rows<{ left: number }>(
          'select count(*)::int as left from encode_plans where job_id = $1',
          [jobId],
        );
        assert.equal(left?.left, 0);
        assert.notEqual(await start(video), jobId);
      },
    );

  it('is made again when the video is processed again', THOROUGH, async () => {
    const video = await ready(await detailed());
    await fixture.process(await start(video, { target: 480 }));
    const again = await fixture.platform.db.transaction((tx) =>
      startProcessing(fixture.tools(), tx, { contentId: video.contentId, again: true }),
    );
    await fixture.process(again.jobId);
    assert.doesNotMatch(await textOf(video, 'master.m3u8'), /enhanced/);
    const next = (await enhancementOf(video)) ?? assert.fail('there is none');
    assert.deepEqual(next.input, { target: 480, factor: 4, model: 'compressed' });
    await fixture.process(next.jobId);
    assert.match(await textOf(video, 'master.m3u8'), /480p enhanced/);
    assert.deepEqual(await problems(), []);
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
      /2160 lines are not offered for 320x180 pixels\..*Send one of 360, 480, 720\./,
    ],
  ];
  for (const [what, args, input, field, reason] of casesOf(refused, 1))
    it(`is refused for a video ${what}, and nothing changes`, async () => {
      const video = await ready(await clip(`${what.replaceAll(' ', '-')}.mp4`, ...args));
      await assert.rejects(start(video, input), (error) => {
        assert.ok(error instanceof AppError);
        assert.deepEqual([error.code, error.field], ['INVALID_INPUT', field]);
        assert.match(`${error.message} ${error.suggestedFix}`, reason);
        return true;
      });
      const jobs = await rows('select 1 from transcode_jobs where content_id = $1', [video.contentId]);
      assert.deepEqual([jobs.length, await enhancementOf(video)], [1, undefined]);
    });
});
