import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { encodeArgs } from '../server/src/media/encode/encoder-args.ts';
import {
  createRunner,
  inputArg,
  inspectFile,
  type MediaFacts,
  planCopyOf,
  planEncode,
  planLadder,
  type Runner,
} from '../server/src/media/index.ts';
import { type PackageOptions, packageVideo } from '../server/src/media/testing.ts';
import { median, table } from './results.ts';

/**
 * CPU of packaging (sandbox, chunks, segments, thumbnails, poster, checks) against bare ffmpeg, which encodes the
 * picture of the whole file in one process, and its sound, with the same settings. Rounds alternate, so that a slower
 * machine affects both.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '3' },
      source: { type: 'string' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  try {
    const runner = await createRunner();
    const rounds = Number(values.rounds);
    if (values.source) return await measure(runner, folder, values.source, rounds);
    for (const name of Object.keys(SOURCES) as (keyof typeof SOURCES)[]) {
      const source = await makeSource(folder, name, Number(values.seconds));
      await measure(runner, folder, source, rounds);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(runner: Runner, folder: string, source: string, rounds: number): Promise<void> {
  const inspection = await inspectFile(runner, source);
  if (!inspection.ok) throw new Error(String(inspection.message));
  const { facts } = inspection;
  const times = await keyframesOf(source);
  const ours: number[] = [];
  const bare: number[] = [];
  const speedUps: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const outDir = await mkdtemp(join(folder, 'round-'));
    bare.push(await bareEncode(facts, source, join(outDir, 'bare')));
    const options = { facts, inputPath: source, ...times };
    const one = await onOneCore(() => packaged(runner, { ...options, outDir: join(outDir, 'one') }));
    const two = await packaged(runner, { ...options, outDir: join(outDir, 'two'), lanes: 2 });
    ours.push(one.cpuMs);
    speedUps.push(one.wallMs / two.wallMs);
    await rm(outDir, { recursive: true });
  }
  report(source, facts, ours, bare, speedUps);
}

/** What people upload: cut at its keyframes while it is played as it is, or encoded on a grid of its own. */
const SOURCES = {
  'H.264, 8 bits': ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '17', '-g', '120', '-pix_fmt', 'yuv420p'],
  'HEVC, 10 bits': [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '19', '-pix_fmt', 'yuv420p10le'],
    ...['-x265-params', 'log-level=none'],
  ],
} as const;

/** 1080p30 with the detail of a movie, motion, a little noise and stereo sound. */
async function makeSource(folder: string, name: keyof typeof SOURCES, seconds: number): Promise<string> {
  const file = join(folder, `${name.replace(/\W+/g, '-')}.mp4`);
  const video = '../shared/media/bbb_480p_30s.mp4';
  const input = existsSync(video)
    ? ['-stream_loop', '-1', '-i', video]
    : ['-f', 'lavfi', '-i', 'mandelbrot=size=1280x720:rate=30', '-f', 'lavfi', '-i', 'sine=frequency=330'];
  const filters = 'scale=1920:1080:flags=bicubic,setsar=1,noise=alls=3:allf=t';
  const output = ['-t', String(seconds), '-vf', filters, '-r', '30', ...SOURCES[name]];
  await ffmpeg(['-y', ...input, ...output, '-c:a', 'aac', '-ac', '2', '-ar', '48000', file], { cwd: process.cwd() });
  return file;
}

/** As the platform plans it: with the keyframes of a source that is played as it is. */
async function keyframesOf(path: string): Promise<Pick<PackageOptions, 'cuts' | 'keyframes'> | null> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const copy = await planCopyOf({ key: 'source', sizeBytes, etag: '"1"', read });
    if (!copy.standard) return null;
    const { cuts, sharesCuts, keyframes } = copy;
    return { ...(sharesCuts ? { cuts } : {}), keyframes };
  } finally {
    await file.close();
  }
}

/** Runs `work` with this process and what it starts on the first core. */
async function onOneCore<T>(work: () => Promise<T>): Promise<T> {
  const allow = (list: string) => promisify(execFile)('taskset', ['--cpu-list', '--pid', list, String(process.pid)]);
  await allow('0');
  try {
    return await work();
  } finally {
    await allow(`0-${cpus().length - 1}`);
  }
}

async function packaged(runner: Runner, options: PackageOptions): Promise<{ cpuMs: number; wallMs: number }> {
  const before = process.cpuUsage();
  const begun = performance.now();
  const { cpuMs } = await packageVideo(runner, options);
  const own = process.cpuUsage(before);
  return { cpuMs: cpuMs + (own.user + own.system) / 1000, wallMs: performance.now() - begun };
}

/** The source as one chunk, and its sound. */
async function bareEncode(facts: MediaFacts, source: string, outDir: string): Promise<number> {
  await mkdir(outDir, { recursive: true });
  const plan = planEncode({ ...facts, randomAccess: false });
  let cpuMs = 0;
  for (const chunk of plan.chunks) {
    const args = encodeArgs(plan, chunk).map((arg) => (arg === inputArg(0) ? source : arg));
    cpuMs += await ffmpeg(args, { cwd: outDir });
  }
  return cpuMs;
}

/** Runs ffmpeg without a sandbox; returns its CPU time in milliseconds. */
function ffmpeg(args: string[], options: { cwd: string }): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn('ffmpeg', ['-hide_banner', '-nostdin', '-benchmark', ...args], {
      cwd: options.cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let tail = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-64_000);
    });
    child.on('error', fail);
    child.on('close', (code) => {
      const times = /utime=([\d.]+)s stime=([\d.]+)s/.exec(tail);
      if (code === 0 && times) done((Number(times[1]) + Number(times[2])) * 1000);
      else fail(new Error(`ffmpeg ended with ${code}: ${tail.slice(-2_000)}`));
    });
  });
}

function report(
  source: string,
  facts: MediaFacts,
  ours: readonly number[],
  bare: readonly number[],
  speedUps: readonly number[],
): void {
  const seconds = (facts.durationMs ?? 0) / 1000;
  const ratios = ours.map((value, round) => value / (bare[round] ?? value));
  const rungs = planLadder(facts).video.map(({ label }) => label);
  console.log(
    `\n${basename(source)}: ${seconds.toFixed(0)} s of ${facts.video?.displayWidth}x` +
      `${facts.video?.displayHeight}, ${((facts.video?.bitrateBps ?? 0) / 1e6).toFixed(0)} Mbit/s, ladder ` +
      `${rungs.join(' ')}, ${cpus().length} cores, ${ours.length} rounds\n`,
  );
  console.log(
    table([
      ['CPU seconds (median)', 'total', 'per second of video'],
      ['bare ffmpeg', (median(bare) / 1000).toFixed(1), (median(bare) / 1000 / seconds).toFixed(2)],
      ['packaging', (median(ours) / 1000).toFixed(1), (median(ours) / 1000 / seconds).toFixed(2)],
      [
        'ratio (goal 1.06)',
        median(ratios).toFixed(3),
        `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`,
      ],
    ]),
  );
  console.log(
    `\ntwo chunks at a time: ${median(speedUps).toFixed(2)} times as fast as one on a core (goal 1.8 on two cores)`,
  );
}
