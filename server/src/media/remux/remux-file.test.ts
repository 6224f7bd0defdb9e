import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inputArg, RunError } from '@reelgraph/sandbox';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { createRunner } from '../runner.ts';
import { mostRemuxedBytes, type Remuxed, remuxFile } from './remux-file.ts';
import { readRemuxable } from './remuxable.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const LIMITS = { cpuSeconds: 60, memoryBytes: 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 60_000 };
const { signal } = new AbortController();

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50', '-bf', '3'];
const AAC = ['-c:a', 'aac', '-ac', '2'];
/** Pictures with B-frames and a keyframe every two seconds, and sound. */
const clip = (seconds: number, size = '160x90') =>
  clips.make('clip.mp4', [...testVideo(size, 25, seconds), ...tone('stereo', seconds), ...H264, ...AAC]);
const standard = await clip(6.2);
const copied = (path: string, fileName: string, args: readonly string[] = []) =>
  clips.make(fileName, ['-i', inputArg(0), '-c', 'copy', ...args, '-f', formatOf(fileName)], [path]);
const formatOf = (fileName: string) =>
  ({ ts: 'mpegts', mkv: 'matroska', flv: 'flv', mp4: 'mp4' })[fileName.split('.')[1] ?? ''] ?? assert.fail();

/** Files one after the other, with the clock of each. */
const joined = async (...paths: readonly string[]) =>
  clips.write('joined.ts', Buffer.concat(await Promise.all(paths.map((path) => readFile(path)))));
/** The same with one clock. */
async function continued(...paths: readonly string[]): Promise<string> {
  const list = await clips.write('list.txt', paths.map((_, index) => `file '${inputArg(index + 1)}'\n`).join(''));
  const args = ['-f', 'concat', '-safe', '0', '-i', inputArg(0), '-c', 'copy', '-f', 'mpegts'];
  return clips.make('continued.ts', args, [list, ...paths]);
}
const silent = await clips.make('silent.ts', [...testVideo('160x90', 25, 4), ...H264]);
const first = await copied(await clip(4), 'first.ts');

async function remux(path: string): Promise<Remuxed> {
  const file = await readRemuxable(runner, path, signal);
  assert.ok(file, 'not remuxable');
  return remuxFile(runner, path, file, { workDir: clips.fresh('remux'), signal });
}
async function remuxed(path: string): Promise<Extract<Remuxed, { standard: true }>> {
  const copy = await remux(path);
  assert.ok(copy.standard, JSON.stringify(copy));
  return copy;
}
/** A number of every packet; lines of side data have none. */
async function packets(path: string, entry: 'size' | 'pts_time', stream: 'v' | 'a'): Promise<number[]> {
  const args = ['-select_streams', stream, '-show_entries', `packet=${entry}`, '-of', 'csv=p=0', '-i', inputArg(0)];
  const { stdout } = await runner.run('ffprobe', args, { inputs: [path], limits: LIMITS });
  return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number.parseFloat(line)]));
}
/** Digest of every decoded picture. */
async function pictures(path: string): Promise<(string | undefined)[]> {
  const folder = clips.fresh('pictures');
  await runner.prepareWorkDir(folder);
  const args = ['-i', inputArg(0), '-map', '0:v', '-f', 'framemd5', 'pictures.txt'];
  await runner.run('ffmpeg', args, { cwd: folder, limits: LIMITS, inputs: [path] });
  const lines = (await readFile(join(folder, 'pictures.txt'), 'utf8')).split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1));
}

describe('a file with standard streams that is copied to MP4', () => {
  const containers: [name: string, path: () => Promise<string>][] = [
    ['Matroska', () => copied(standard, 'a.mkv')],
    ['MPEG-TS', () => copied(standard, 'a.ts')],
    ['FLV', () => copied(standard, 'a.flv')],
    ['MP4 in fragments', () => copied(standard, 'f.mp4', ['-movflags', 'frag_keyframe+empty_moov+delay_moov'])],
    ['MPEG-TS that begins before the clock wraps', () => copied(standard, 'w.ts', ['-output_ts_offset', '95440'])],
  ];
  for (const [name, path] of casesOf(containers, 1))
    it(`from ${name} has the same pictures and sound at the same times`, async () => {
      const original = await path();
      const copy = await remuxed(original);
      assert.deepEqual(await pictures(copy.path), await pictures(standard));
      assert.deepEqual(await packets(copy.path, 'size', 'a'), await packets(standard, 'size', 'a'));
      const offset = async (file: string) =>
        Math.min(...(await packets(file, 'pts_time', 'v'))) - Math.min(...(await packets(file, 'pts_time', 'a')));
      assert.ok(Math.abs((await offset(copy.path)) - (await offset(original))) < 0.002);
      assert.ok(Math.abs(copy.plan.durationMs - 6_220) < 30, `lasts ${copy.plan.durationMs} ms`);
      assert.deepEqual(
        copy.plan.cuts.map((cut) => Math.round(10 * cut) / 10),
        [0, 4],
      );
      const { size } = await stat(original);
      assert.ok(copy.sizeBytes <= mostRemuxedBytes(size));
      assert.match(copy.plan.renditions.map(({ codecs }) => codecs).join(), /^avc1\.64[0-9a-f]{4},mp4a\.40\.2$/);
    });

  it('may have no sound, and leaves out other tracks and metadata', THOROUGH, async () => {
    const silent = await clips.make('silent.mkv', [...testVideo('160x90', 25, 2), ...QUICK_H264, '-g', '25']);
    assert.deepEqual(
      (await remuxed(silent)).plan.renditions.map(({ kind }) => kind),
      ['VIDEO'],
    );
    const args = ['-map', '0:v', '-map', '0:a', '-map', '0:a', '-metadata', 'title=secret-title'];
    const two = await copied(standard, 'two.mkv', args);
    const copy = await remuxed(two);
    assert.doesNotMatch((await readFile(copy.path)).toString('latin1'), /secret-title/);
    assert.deepEqual(await packets(copy.path, 'size', 'a'), await packets(standard, 'size', 'a'));
  });

  it('may have been joined without a jump, as tools for cutting do', async () => {
    const copy = await remuxed(await continued(first, first));
    assert.equal((await pictures(copy.path)).length, 200);
  });

  it('ends when it is aborted', async () => {
    const path = await copied(standard, 'a.mkv');
    const file = await readRemuxable(runner, path, signal);
    assert.ok(file);
    await assert.rejects(
      remuxFile(runner, path, file, { workDir: clips.fresh('remux'), signal: AbortSignal.abort() }),
      (error) => error instanceof RunError && error.reason === 'aborted',
    );
  });
});

describe('a file that is encoded instead', () => {
  const made = (fileName: string, args: readonly string[]) =>
    clips.make(fileName, [...testVideo('160x96', 25, 2), ...tone('stereo', 2), ...args]);
  const others: [name: string, path: () => Promise<string>][] = [
    ['plain MP4, which is played itself', async () => standard],
    ['WebM', () => made('a.webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus'])],
    ['with Vorbis', () => made('v.mkv', [...QUICK_H264, '-c:a', 'libvorbis'])],
    ['with MPEG-2', () => made('m.ts', ['-c:v', 'mpeg2video', ...AAC])],
    ['in 10 bits', () => made('ten.mkv', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p10le', ...AAC])],
    ['interlaced', () => made('i.ts', [...QUICK_H264, '-x264-params', 'interlaced=1', ...AAC])],
    ['of long pixels', () => made('l.mkv', ['-vf', 'setsar=2/1', ...QUICK_H264, ...AAC])],
    ['text', () => clips.write('a.txt', 'No video at all.')],
  ];
  for (const [name, path] of casesOf(others, 1))
    it(`is one ${name}`, async () => assert.equal(await readRemuxable(runner, await path(), signal), null));

  const damaged = async (path: string, from: number) => {
    const bytes = await readFile(path);
    return clips.write(`damaged.${path.split('.').at(-1)}`, bytes.fill(0x55, from, from + 5_000));
  };
  const refused: [name: string, path: () => Promise<string>, reason: RegExp][] = [
    ['whose clock jumps back', async () => joined(first, first), /damaged|go back|jump/],
    [
      'whose clock jumps forward',
      async () => joined(first, await copied(await clip(4), 'later.ts', ['-output_ts_offset', '30'])),
      /damaged|jump|lasts/,
    ],
    ['without sound, whose clock jumps back', () => joined(silent, silent), /damaged|go back/],
    ['with damaged packets', async () => damaged(first, 20_000), /damaged/],
    ['with a damaged end', async () => damaged(await copied(standard, 'a.mkv'), 40_000), /./],
    [
      'whose picture changes its size',
      async () => continued(first, await copied(await clip(4, '80x44'), 'small.ts')),
      /parameter sets change/,
    ],
    [
      'with open groups of pictures',
      () => made('open.mkv', [...H264, '-g', '12', '-x264-params', 'open-gop=1', ...AAC]),
      /open|sync/,
    ],
    [
      'whose sound begins late',
      () => made('late.mkv', ['-af', 'adelay=1000:all=1,atrim=start=1', ...QUICK_H264, ...AAC]),
      /begins 0\.9\d* s late|jump/,
    ],
  ];
  for (const [name, path, reason] of casesOf(refused, 2))
    it(`is one ${name}`, async () => {
      const copy = await remux(await path());
      assert.ok(!copy.standard);
      assert.match(copy.reason, reason);
    });
});
