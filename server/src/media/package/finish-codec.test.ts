import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo } from '../clips.fixture.ts';
import { encodeChunk } from '../encode/encode-chunk.ts';
import { type EncodePlan, planVersion } from '../encode/encode-plan.ts';
import { type EncodedChunk, PackageError } from '../encode/encoded.ts';
import { planCodec } from '../encode/plan-codec.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import type { AddedCodec } from '../ladder/video-codecs.ts';
import { isVideo } from '../renditions/rendition.ts';
import { type AddedPackage, finishCodec } from './finish-codec.ts';
import { packageVideo, type VideoWithManifests } from './package-video.fixture.ts';
import { clips, LIMITS, playedBack, runner } from './packaging.fixture.ts';

/** Of 1.6 s, with segments that begin at keyframes of the source. */
const CUTS = [0, 0.6];

async function facts(source: string): Promise<MediaFacts> {
  const inspection = await inspectFile(runner, source);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  return inspection.facts;
}

function besideOf({ renditions }: VideoWithManifests) {
  const [largest] = renditions.filter(isVideo);
  assert.ok(largest);
  return largest;
}

async function encode(inputPath: string, plan: EncodePlan, number: number, outDir: string): Promise<EncodedChunk> {
  const chunk = plan.chunks[number];
  assert.ok(chunk);
  const write = async (path: string, bytes: Buffer) => {
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await writeFile(join(outDir, path), bytes);
  };
  return encodeChunk(runner, plan, chunk, { inputPath, workDir: clips.fresh('chunk'), write });
}

/** Lowest PSNR in dB of any frame of a rendition against those of another. */
async function worstFrame(outDir: string, one: string, other: string): Promise<number> {
  const inputs = [one, other].flatMap((path) => ['-protocol_whitelist', 'file', '-f', 'hls', '-i', path]);
  const args = [...inputs, '-lavfi', 'psnr=stats_file=psnr.txt', '-f', 'null', '-'];
  await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
  const text = await readFile(join(outDir, 'psnr.txt'), 'utf8');
  return Math.min(...[...text.matchAll(/psnr_y:([\d.]+)/g)].map(([, value]) => Number(value)));
}

describe('a video in another codec', () => {
  const source = clips.make('source.mp4', [
    ...testVideo('854x480', 10, 1.6),
    ...[...QUICK_H264, '-force_key_frames', '0.6', '-g', '100'],
  ]);
  const encoded = source.then(async (inputPath) => {
    const outDir = clips.fresh('package');
    const video = await packageVideo(runner, { inputPath, outDir, facts: await facts(inputPath), cuts: CUTS });
    return { video, outDir, inputPath, facts: await facts(inputPath) };
  });

  const codecs: [codec: AddedCodec, name: string, strings: readonly string[]][] = [
    ['AV1', 'av1', ['av01.0.04M.08', 'av01.0.01M.08', 'av01.0.00M.08', 'av01.0.00M.08']],
    ['HEVC', 'hevc', ['hvc1.1.6.L90.90', 'hvc1.1.6.L63.90', 'hvc1.1.6.L60.90', 'hvc1.1.6.L60.90']],
  ];
  for (const [codec, name, strings] of casesOf(codecs, 1)) {
    it(`(${codec}) has the segments, the sizes and the frames of H.264`, THOROUGH, async () => {
      const { video, outDir, inputPath, facts } = await encoded;
      const plan = planCodec(facts, codec, besideOf(video));
      assert.ok(plan);
      assert.deepEqual([plan.chunks.length, planVersion(plan)], [2, 'current']);
      const folder = join(outDir, codec);
      // In any order, with the same bytes.
      const last = await encode(inputPath, plan, 1, folder);
      const first = await encode(inputPath, plan, 0, folder);
      const packaged: AddedPackage = finishCodec(plan, [first, last], besideOf(video));
      for (const { path, bytes } of packaged.files) await writeFile(join(folder, path), bytes);
      const { cpuMs: _, ...again } = await encode(inputPath, plan, 0, join(outDir, 'again'));
      assert.deepEqual(again, { firstSegment: first.firstSegment, parts: first.parts });
      const segment = 'v480/seg-00000.m4s';
      assert.deepEqual(await readFile(join(outDir, 'again', segment)), await readFile(join(folder, segment)));

      const made = packaged.renditions.filter(isVideo);
      assert.deepEqual(
        made.map(({ label }) => label),
        ['480p', '360p', '240p', '234p'].map((size) => `${size} ${codec}`),
      );
      assert.deepEqual(
        made.map((rendition) => rendition.codecs),
        strings,
      );
      const { timescale, durations } = besideOf(video);
      for (const rendition of made)
        assert.deepEqual([rendition.timescale, rendition.durations], [timescale, durations]);
      const shown = await playedBack(outDir, `${codec}/v480/index.m3u8`);
      assert.deepEqual(
        [shown.codec_name, shown.width, shown.height, shown.nb_read_packets, shown.start_time, shown.pix_fmt],
        [name, 854, 480, '16', '0.000000', 'yuv420p'],
      );
      // A frame of the pattern against the one before it: below 25 dB.
      const worst = await worstFrame(outDir, 'v480/index.m3u8', `${codec}/v480/index.m3u8`);
      assert.ok(worst > 28, `${worst} dB`);
    });
  }

  it('is refused where its segments differ from those of H.264', THOROUGH, async () => {
    const { video, facts } = await encoded;
    const { timescale, durations } = besideOf(video);
    const plan = planCodec(facts, 'AV1', besideOf(video));
    assert.ok(plan);
    const part = { codecs: 'av01.0.04M.08', timescale, init: '' };
    const segments = durations.map((duration, index): [number, number, number] => [duration + index, 1000, 500]);
    const parts = ['v480', 'v360', 'v240', 'v234'].map((folder) => ({ ...part, folder, segments }));
    assert.throws(() => finishCodec(plan, [{ firstSegment: 0, parts, cpuMs: 0 }], besideOf(video)), {
      code: 'TRANSCODE_FAILED',
      cause: new PackageError('The segments of v480 are not those of the other sizes.'),
    });
  });

  it('is not made of small videos, nor where keyframes of the source cannot be found', async () => {
    const { video, facts } = await encoded;
    const beside = besideOf(video);
    const picture = facts.video;
    assert.ok(picture);
    const small = { ...facts, video: { ...picture, width: 640, height: 360, displayWidth: 640, displayHeight: 360 } };
    assert.equal(planCodec(small, 'AV1', beside), null);
    const stream = { ...facts, randomAccess: false };
    assert.equal(planCodec(stream, 'AV1', beside), null);
    const regular = { timescale: 10, durations: [40, 40, 11] };
    assert.deepEqual(planCodec(stream, 'HEVC', regular)?.chunks, [
      { kind: 'video', number: 0, startFrame: 0, endFrame: null, firstSegment: 0 },
    ]);
    assert.deepEqual(
      planCodec(facts, 'HEVC', regular)?.chunks.map((chunk) => chunk.kind === 'video' && chunk.endFrame),
      [40, 80, null],
    );
  });

  it('has one segment where H.264 has one that is longer than usual', async () => {
    const plan = planCodec((await encoded).facts, 'AV1', { timescale: 10, durations: [122] });
    assert.deepEqual([plan?.timeline.cuts, plan?.chunks.length], [[0], 1]);
  });
});
