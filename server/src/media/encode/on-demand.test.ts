import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { testVideo, tone } from '../clips.fixture.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { packageVideo } from '../package/package-video.fixture.ts';
import { clips, LIMITS, runner } from '../package/packaging.fixture.ts';
import { qualitiesOf } from '../package/stream-manifests.ts';
import { type EncodePlan, planEncode } from './encode-plan.ts';
import { encodeSegment } from './encode-segment.ts';
import { describeOnDemand, planOnDemand } from './on-demand.ts';

const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '77', '-c:a', 'libopus'];
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '2', '-g', '77', '-c:a', 'pcm_s16le'];

async function planOf(inputPath: string): Promise<EncodePlan> {
  const inspection = await inspectFile(runner, inputPath);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  return planEncode(inspection.facts);
}

/** Encodes segments one by one, in this order, into a package. */
async function encodeInto(outDir: string, inputPath: string, plan: EncodePlan, order: readonly number[]) {
  const demand = planOnDemand(plan);
  assert.ok(demand);
  const put = async (path: string, bytes: Buffer | string) => {
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await writeFile(join(outDir, path), bytes);
  };
  for (const { path, text } of describeOnDemand(plan, demand).files) await put(path, text);
  for (const number of order) {
    const run = { inputPath, workDir: `${outDir}.${number}`, write: put };
    const { parts } = await encodeSegment(runner, plan, demand, number, run);
    for (const { folder, init } of parts) await put(`${folder}/init.mp4`, Buffer.from(init, 'base64'));
  }
  return demand;
}

const fromPlaylist = (playlist: string) => ['-protocol_whitelist', 'file', '-f', 'hls', '-i', playlist];

/** How many frames a rendition shows, and the lowest PSNR in dB of any of them against the source. */
async function worstFrame(outDir: string, source: string): Promise<[number, number]> {
  const graph =
    '[0:v]settb=1/1000,setpts=N*40[a];[1:v]settb=1/1000,setpts=N*40[b];[a][b]psnr=stats_file=psnr.txt:eof_action=endall';
  const args = [...fromPlaylist('v90/index.m3u8'), '-i', '/.sandbox/input/0', '-filter_complex', graph];
  await runner.run('ffmpeg', [...args, '-f', 'null', '-'], { cwd: outDir, inputs: [source], limits: LIMITS });
  const values = (await readFile(join(outDir, 'psnr.txt'), 'utf8')).matchAll(/psnr_y:([\d.]+|inf)/g);
  const each = [...values].map(([, value]) => (value === 'inf' ? 100 : Number(value)));
  return [each.length, Math.min(...each)];
}

/** Samples of a rendition's sound. */
async function soundOf(outDir: string): Promise<Int16Array> {
  const args = [...fromPlaylist('audio/index.m3u8'), '-ac', '1', '-f', 's16le', '-y', 'sound.pcm'];
  await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
  const bytes = await readFile(join(outDir, 'sound.pcm'));
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}

/** The largest difference of two recordings in any 10 ms, in dB below full scale. */
function difference(a: Int16Array, b: Int16Array, samples: number): number {
  let most = 0;
  for (let start = 0; start + 480 <= samples; start += 480) {
    let sum = 0;
    for (let at = start; at < start + 480; at += 1) sum += ((a[at] ?? 0) - (b[at] ?? 0)) ** 2;
    most = Math.max(most, Math.sqrt(sum / 480) / 32_768);
  }
  return 20 * Math.log10(most);
}

/** Steps between neighbouring samples that are larger than any of a tone of 440 Hz at -18 dBFS, with a tolerance. */
function clicks(samples: Int16Array): number {
  const largest = 1.5 * 32_768 * 10 ** (-18 / 20) * ((2 * Math.PI * 440) / 48_000);
  return samples.reduce(
    (count, sample, at) => count + (Math.abs(sample - (samples[at - 1] ?? sample)) > largest ? 1 : 0),
    0,
  );
}

describe('segments that are encoded one by one', () => {
  it(
    'are those of the whole video: every frame once, the same sound, whichever is encoded first',
    THOROUGH,
    async () => {
      const source = await clips.make('mpeg4.mov', [...testVideo('160x90', 25, 13), ...tone('stereo', 13), ...MPEG4]);
      const plan = await planOf(source);
      const whole = clips.fresh('whole');
      await packageVideo(runner, { inputPath: source, outDir: whole, facts: plan.facts });
      const outDir = clips.fresh('on-demand');
      const demand = await encodeInto(outDir, source, plan, [2, 0, 1]);
      assert.deepEqual([demand.video.folder, demand.audio?.folder, demand.segments], ['v90', 'audio', 3]);
      await runner.prepareWorkDir(outDir);
      await runner.prepareWorkDir(whole);

      const [shown, worst] = await worstFrame(outDir, source);
      assert.deepEqual([shown, worst > 29], [325, true], `${worst} dB`);
      const all = await soundOf(whole);
      const apart = difference(await soundOf(outDir), all, 12.9 * 48_000);
      assert.ok(apart < -40, `${apart} dB`);

      // The rest of a video may come from chunks that were encoded meanwhile.
      for (const folder of ['v90', 'audio']) {
        const inits = [outDir, whole].map((root) => readFile(join(root, folder, 'init.mp4')));
        const [own, other] = await Promise.all(inits);
        assert.deepEqual(own, other, folder);
        await cp(join(whole, folder, 'seg-00001.m4s'), join(outDir, folder, 'seg-00001.m4s'), { force: true });
      }
      const [mixedShown, mixedWorst] = await worstFrame(outDir, source);
      assert.deepEqual([mixedShown, mixedWorst > 29], [325, true], `${mixedWorst} dB`);
      const mixed = difference(await soundOf(outDir), all, 12.9 * 48_000);
      assert.ok(mixed < -40, `${mixed} dB`);
    },
  );

  it('have no seams where the source has its times in milliseconds', THOROUGH, async () => {
    const source = await clips.make('vp9.webm', [...testVideo('160x90', 25, 13), ...tone('stereo', 13), ...VP9]);
    const plan = await planOf(source);
    const outDir = clips.fresh('on-demand');
    await encodeInto(outDir, source, plan, [0, 1, 2, 3]);
    await runner.prepareWorkDir(outDir);
    const [shown, worst] = await worstFrame(outDir, source);
    assert.deepEqual([shown, worst > 29], [325, true], `${worst} dB`);
    assert.equal(clicks((await soundOf(outDir)).subarray(1_024, 12.9 * 48_000)), 0);
  });

  it('are silent where the sound of the source ended or has not begun', async () => {
    const sound = ['-f', 'lavfi', '-itsoffset', '1', '-i', 'sine=f=440:r=44100:d=2'];
    const source = await clips.make('short-sound.mkv', [...testVideo('64x64', 10, 9), ...sound, '-c:v', 'mpeg4']);
    const plan = await planOf(source);
    const outDir = clips.fresh('on-demand');
    const demand = await encodeInto(outDir, source, plan, [1, 0]);
    assert.equal(demand.segments, 2);
    await runner.prepareWorkDir(outDir);
    const samples = await soundOf(outDir);
    const loudest = (from: number, to: number) =>
      samples.subarray(from * 48_000, to * 48_000).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    assert.deepEqual(
      [loudest(0, 0.9) < 20, loudest(1.1, 2.9) > 2_000, loudest(3.1, 8.9) < 20],
      [true, true, true],
      `${samples.length} samples`,
    );
  });

  it('have playlists and bit rates before any of them exists', async () => {
    const source = await clips.make('vp9.webm', [...testVideo('160x90', 25, 13), ...tone('stereo', 13), ...VP9]);
    const plan = await planOf(source);
    const demand = planOnDemand(plan);
    assert.ok(demand);
    const { files, renditions } = describeOnDemand(plan, demand);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['v90/index.m3u8', 'audio/index.m3u8'],
    );
    const lengths = [...(files[0]?.text ?? '').matchAll(/#EXTINF:([\d.]+)/g)].map(([, length]) => Number(length));
    // Opus begins 7 ms before 0 and the picture 7 ms after it: it is 14 ms late.
    assert.deepEqual(lengths, [4.014, 4, 4, 1]);
    // 1.375 times the peak of the encoder, 100 kbit/s for 14,400 pixels, and 128 kbit/s of sound.
    const [quality] = qualitiesOf(renditions);
    assert.deepEqual([quality?.label, quality?.bandwidthBps, quality?.path], ['90p', 293_000, 'v90/index.m3u8']);
    // Ticks; packets of 1,024 samples that begin before 4.014, 8.014, 12.014 and 13.014 s: 189, 187, 188 and 47.
    assert.deepEqual(
      renditions.map(({ durations, timescale }) => `${durations} / ${timescale}`),
      ['361260,360000,360000,90000 / 90000', '193536,191488,192512,48128 / 48000'],
    );
  });

  it('are of 360 lines where the source has more', async () => {
    const source = await clips.make('large.mkv', [...testVideo('1280x720', 5, 2), '-c:v', 'mpeg4']);
    const { facts, timeline } = await planOf(source);
    assert.equal(planOnDemand({ facts, timeline })?.video.label, '360p');
  });

  it('do not exist without random access, without a duration, or where the source is played as it is', async () => {
    const source = await clips.make('small.mkv', [...testVideo('64x64', 10, 2), '-c:v', 'mpeg4']);
    const { facts, timeline } = await planOf(source);
    assert.notEqual(planOnDemand({ facts, timeline }), null);
    assert.equal(planOnDemand({ facts: { ...facts, randomAccess: false }, timeline }), null);
    assert.equal(planOnDemand({ facts: { ...facts, durationMs: null }, timeline }), null);
    assert.equal(planOnDemand({ facts, timeline: { ...timeline, cuts: [0] } }), null);
  });
});
