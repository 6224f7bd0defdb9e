import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { listPackage } from '../package/list-package.ts';
import { packageVideo } from '../package/package-video.fixture.ts';
import { clips, LIMITS, runner } from '../package/packaging.fixture.ts';
import { encodeChunk } from './encode-chunk.ts';
import { type EncodePlan, planEncode } from './encode-plan.ts';

async function planOf(inputPath: string, cuts: readonly number[] | null = null): Promise<EncodePlan> {
  const inspection = await inspectFile(runner, inputPath);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  return planEncode(inspection.facts, cuts);
}

/** Lowest PSNR in dB of any frame of a rendition against the frames of the source at the same positions. */
async function worstFrame(
  outDir: string,
  playlist: string,
  source: string,
  prepare = 'null',
): Promise<[number, number]> {
  const graph = [
    '[0:v]settb=1/1000,setpts=N*40[a]',
    `[1:v]${prepare},settb=1/1000,setpts=N*40[b]`,
    '[a][b]psnr=stats_file=psnr.txt:eof_action=endall',
  ].join(';');
  const args = ['-protocol_whitelist', 'file', '-f', 'hls', '-i', playlist, '-i', '/.sandbox/input/0'];
  const run = { cwd: outDir, inputs: [source], limits: LIMITS };
  await runner.run('ffmpeg', [...args, '-filter_complex', graph, '-f', 'null', '-'], run);
  const values = (await readFile(join(outDir, 'psnr.txt'), 'utf8')).matchAll(/psnr_y:([\d.]+|inf)/g);
  const each = [...values].map(([, value]) => (value === 'inf' ? 100 : Number(value)));
  return [each.length, Math.min(...each)];
}

describe('a video encoded in chunks', () => {
  const rates: [name: string, rate: string, args: readonly string[], frames: number][] = [
    ['at 25 frames per second', '25', [], 175],
    ['at 30000/1001 frames per second', '30000/1001', [], 210],
    ['with B-frames and distant keyframes', '24', ['-g', '500', '-bf', '3'], 168],
    [
      'that declares another rate than it has',
      '25',
      ['-bf', '3', '-fps_mode', 'passthrough', '-enc_time_base', '1:90000', '-video_track_timescale', '90000'],
      175,
    ],
  ];
  for (const [name, rate, args, frames] of casesOf(rates, 1)) {
    it(`${name} shows each frame of the source once`, async () => {
      const seconds = frames / (rate === '30000/1001' ? 30_000 / 1001 : Number(rate));
      const video = ['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=${rate}:duration=${seconds.toFixed(3)}`];
      const source = await clips.make('counted.mp4', [...video, ...QUICK_H264, ...args]);
      const plan = await planOf(source);
      assert.deepEqual(
        plan.chunks.map((chunk) => chunk.kind === 'video' && chunk.firstSegment),
        [0, 1],
      );
      const outDir = clips.fresh('package');
      await packageVideo(runner, { inputPath: source, outDir, facts: plan.facts });
      const [shown, worst] = await worstFrame(outDir, 'v90/index.m3u8', source);
      assert.equal(shown, frames);
      // A frame of the pattern against the one before it: 21 to 28.3 dB.
      assert.ok(worst > 29, `${worst} dB`);
    });
  }

  it('whose time stamps begin late shows each frame of the source once', THOROUGH, async () => {
    const late = ['-output_ts_offset', '0.6'];
    const source = await clips.make('late.mkv', [...testVideo('160x90', 25, 7), ...QUICK_H264, ...late]);
    const plan = await planOf(source);
    assert.ok(plan.chunks.length > 1);
    const outDir = clips.fresh('package');
    await packageVideo(runner, { inputPath: source, outDir, facts: plan.facts });
    const [shown, worst] = await worstFrame(outDir, 'v90/index.m3u8', source);
    assert.deepEqual([shown, worst > 29], [175, true], `${worst} dB`);
  });

  it('has its segments at the keyframes of the source where they are given', THOROUGH, async () => {
    const source = await clips.make('cut.mp4', [...testVideo('160x90', 25, 10), ...tone('stereo', 10), ...QUICK_H264]);
    const { facts } = await planOf(source);
    const outDir = clips.fresh('package');
    const { durationMs } = await packageVideo(runner, { inputPath: source, outDir, facts, cuts: [0, 3.2, 4.72, 9] });
    assert.equal(durationMs, 10_000);
    const lengths = async (folder: string) =>
      [...(await readFile(join(outDir, folder, 'index.m3u8'), 'utf8')).matchAll(/#EXTINF:([\d.]+)/g)].map(
        ([, length]) => Number(length),
      );
    assert.deepEqual(await lengths('v90'), [3.2, 1.52, 4.28, 1]);
    // Frames of AAC last 21 ms.
    const sound = await lengths('audio');
    assert.ok(
      sound.every((length, index) => Math.abs(length - [3.2, 1.52, 4.28, 1][index]!) < 0.03),
      sound.join(' '),
    );
    const [shown, worst] = await worstFrame(outDir, 'v90/index.m3u8', source);
    assert.deepEqual([shown, worst > 29], [250, true]);
  });

  const B_FRAMES = ['-preset', 'veryfast', '-bf', '3', '-b_strategy', '1'];
  const structures: [name: string, file: string, args: readonly string[]][] = [
    ['with B-frames', 'groups.mp4', B_FRAMES],
    ['with B-frames in Matroska', 'groups.mkv', B_FRAMES],
    ['without B-frames', 'groups.mp4', ['-preset', 'veryfast', '-bf', '0']],
  ];
  for (const [name, file, structure] of casesOf(structures, 1)) {
    it(`${name} is decoded from its keyframes, and shows each frame once`, async () => {
      const keyframes = ['-x264-params', 'keyint=60:min-keyint=60:scenecut=0'];
      const video = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=30000/1001:duration=12.012'];
      const source = await clips.make(file, [...video, '-c:v', 'libx264', ...structure, ...keyframes]);
      const { facts } = await planOf(source);
      const cuts = [0, 120, 240, 300].map((frame) => (frame * 1001) / 30_000);
      assert.deepEqual(
        planEncode(facts, cuts).chunks.map((chunk) => chunk.kind === 'video' && chunk.startFrame),
        [0, 120, 300],
      );
      const outDir = clips.fresh('package');
      await packageVideo(runner, { inputPath: source, outDir, facts, cuts });
      const [shown, worst] = await worstFrame(outDir, 'v90/index.m3u8', source);
      assert.deepEqual([shown, worst > 29], [360, true], `${worst} dB`);
    });
  }

  it('has the same bytes of each size, whichever of them are encoded', THOROUGH, async () => {
    // 60 frames per second at 720 lines and 30 below.
    const source = await clips.make('fast.mp4', [...testVideo('1280x64', 60, 1), ...QUICK_H264]);
    const plan = await planOf(source);
    const [chunk] = plan.chunks;
    assert.ok(chunk);
    async function encoded(only: readonly string[] | null) {
      const segments = new Map<string, Buffer>();
      const { parts } = await encodeChunk(runner, only ? { ...plan, only } : plan, chunk!, {
        ...{ inputPath: source, workDir: clips.fresh('chunk') },
        write: async (path, bytes) => void segments.set(path, bytes),
      });
      return { parts, segments };
    }
    const all = await encoded(null);
    assert.deepEqual([...all.segments.keys()].map((path) => path.split('/')[0]).slice(0, 3), ['v720', 'v480', 'v360']);
    const few = await encoded(['v720', 'v360']);
    assert.deepEqual([...few.segments.keys()], ['v720/seg-00000.m4s', 'v360/seg-00000.m4s']);
    for (const [path, bytes] of few.segments) assert.ok(all.segments.get(path)?.equals(bytes), path);
    const chosen = all.parts.filter(({ folder }) => folder === 'v720' || folder === 'v360');
    assert.deepEqual(few.parts, chosen);
    const slow = await encoded(['v480']);
    assert.deepEqual([slow.segments.size, slow.parts], [1, all.parts.filter(({ folder }) => folder === 'v480')]);
  });

  const INTERLACED = ['-flags', '+ildct+ilme', '-c:v', 'mpeg2video', '-q:v', '2'];

  it('that is interlaced is deinterlaced as if it were one', THOROUGH, async () => {
    const source = await clips.make('fields.mkv', [
      ...testVideo('160x90', 25, 7),
      ...['-vf', 'setfield=tff', ...INTERLACED],
    ]);
    const plan = await planOf(source);
    assert.deepEqual(plan.stages, [
      { id: 'deinterlace', version: 3 },
      { id: 'scale', version: 1 },
      { id: 'encode', version: 6 },
      { id: 'encode-audio', version: 1 },
    ]);
    const outDir = clips.fresh('package');
    await packageVideo(runner, { inputPath: source, outDir, facts: plan.facts });
    const whole = 'bwdif=mode=send_frame:parity=tff:deint=all';
    const [shown, worst] = await worstFrame(outDir, 'v90/index.m3u8', source, whole);
    assert.deepEqual([shown, worst > 29], [175, true]);
  });

  it('that is interlaced and large has a frame for each field, with the motion of each', THOROUGH, async () => {
    // Narrow, so that little is encoded: its height makes it large.
    const motion = testVideo('96x1000', 50, 7);
    const weave = ['-vf', 'tinterlace=interleave_top,setfield=tff', '-r', '25', ...INTERLACED];
    const source = await clips.make('television.mkv', [...motion, ...weave]);
    const plan = await planOf(source);
    assert.deepEqual(
      plan.chunks.map((chunk) => chunk.kind === 'video' && chunk.startFrame),
      [0, 100],
    );
    const outDir = clips.fresh('package');
    const { qualities } = await packageVideo(runner, { inputPath: source, outDir, facts: plan.facts });
    assert.deepEqual(
      qualities.map(({ label, frameRate }) => `${label} ${frameRate}`),
      ['480p 50/1', '360p 25/1', '240p 25/1', '234p 25/1'],
    );
    const whole = 'bwdif=mode=send_field:parity=tff:deint=all';
    const [shown, worst] = await worstFrame(outDir, 'v480/index.m3u8', source, whole);
    assert.deepEqual([shown, worst > 29], [350, true], `${worst} dB`);
    // Against the frames that the fields were taken from, and against the same a field later.
    const original = await clips.make('motion.mkv', [...motion, '-c:v', 'ffv1']);
    const [, same] = await worstFrame(outDir, 'v480/index.m3u8', original);
    const [, later] = await worstFrame(outDir, 'v480/index.m3u8', original, 'trim=start_frame=1');
    assert.ok(same > 29 && later < 27, `${same} dB, a field later ${later} dB`);
  });

  it('has the same bytes every time', THOROUGH, async () => {
    const source = await clips.make('again.mp4', [...testVideo('160x90', 25, 9), ...tone('stereo', 9), ...QUICK_H264]);
    const { facts } = await planOf(source);
    const bytesOf = async () => {
      const outDir = clips.fresh('package');
      await packageVideo(runner, { inputPath: source, outDir, facts });
      const segments = (await listPackage(outDir)).filter(({ path }) => /\.m4s$|init\.mp4$/.test(path));
      return Promise.all(segments.map(async ({ path }) => [path, await readFile(join(outDir, path), 'base64')]));
    };
    const [first, second] = [await bytesOf(), await bytesOf()];
    assert.equal(first.length, 8);
    assert.deepEqual(first, second);
  });

  it('that is shorter than it says has no parts after its end', THOROUGH, async () => {
    const source = await clips.make('short.mp4', [...testVideo('160x90', 25, 6), ...QUICK_H264]);
    const { facts } = await planOf(source);
    const plan = planEncode({ ...facts, durationMs: 30_000 });
    const last = plan.chunks.at(-1);
    assert.ok(last?.kind === 'video' && last.startFrame >= 300);
    const written: string[] = [];
    const encoded = await encodeChunk(runner, plan, last, {
      inputPath: source,
      workDir: clips.fresh('last'),
      write: async (path) => void written.push(path),
    });
    assert.deepEqual([encoded.parts, written], [[], []]);
  });
});
