import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultLimits } from '../encode/encode-limits.ts';
import type { MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { pinnedInput } from '../inspect/probe.ts';
import type { Runner } from '../runner.ts';

/** The first frame of a segment, as it is delivered upscaled and not. */
export interface DeliveredFrame {
  readonly atSeconds: number;
  /** Segments that begin with it, each after its initialization segment. */
  readonly enhanced: Buffer;
  readonly ordinary: Buffer;
}

export interface DeliveredOptions {
  readonly inputPath: string;
  /** An empty or missing folder for temporary files. Remove it when done, or when this throws. */
  readonly workDir: string;
  /** Of the video. */
  readonly framesPerSecond: number;
  readonly signal: AbortSignal;
}

const [SOURCE, ENHANCED, ORDINARY] = ['source', 'enhanced', 'ordinary'] as const;
/** Of the source: the frame is one of them, whichever way the times of frames were rounded. */
const CANDIDATES = 3;

/**
 * By how many dB of PSNR of luma delivered frames are closer to the source when they were upscaled than when they were
 * not, in the size of the source. Null for no frames.
 */
export async function measureDelivered(
  runner: Runner,
  facts: MediaFacts,
  frames: readonly DeliveredFrame[],
  options: DeliveredOptions,
): Promise<number | null> {
  const { video } = facts;
  if (video === null || frames.length === 0) return null;
  const { workDir } = options;
  await runner.prepareWorkDir(workDir);
  let [enhanced, ordinary] = [0, 0];
  for (const frame of frames) {
    for (const name of [ENHANCED, ORDINARY])
      await writeFile(join(workDir, `${name}.mp4`), frame[name], { mode: 0o600 });
    await decode(runner, facts, video, frame, options);
    const errors = await errorsOf(workDir, video);
    enhanced += errors.enhanced;
    ordinary += errors.ordinary;
  }
  return 10 * Math.log10(Math.max(ordinary, Number.MIN_VALUE) / Math.max(enhanced, Number.MIN_VALUE));
}

async function decode(
  runner: Runner,
  facts: MediaFacts,
  video: VideoFacts,
  { atSeconds }: DeliveredFrame,
  { inputPath, workDir, framesPerSecond, signal }: DeliveredOptions,
): Promise<void> {
  const { width, height } = sizeOf(video);
  const luma = `scale=${width}:${height}:flags=bicubic:out_range=tv,format=yuv420p,extractplanes=y`;
  const from = Math.max(0, atSeconds - 1.5 / framesPerSecond);
  const fragments = (name: string) => ['-protocol_whitelist', 'file', '-f', 'mov', '-i', `${name}.mp4`];
  const output = (label: string, name: string, count: number) => [
    ...['-map', `[${label}]`, '-frames:v', `${count}`, '-fps_mode', 'passthrough'],
    ...['-f', 'rawvideo', '-pix_fmt', 'gray', `${name}.y`],
  ];
  const args = [
    ...['-ss', from.toFixed(4), ...pinnedInput(facts.demuxer), ...fragments(ENHANCED), ...fragments(ORDINARY)],
    ...['-filter_complex', `[0:${video.index}]${luma}[s];[1:v]${luma}[e];[2:v]${luma}[o]`],
    ...[...output('s', SOURCE, CANDIDATES), ...output('e', ENHANCED, 1), ...output('o', ORDINARY, 1)],
  ];
  const limits = { ...defaultLimits(facts), cpuSeconds: 120, wallMs: 240_000, outputBytes: 1024 ** 3 };
  await runner.run('ffmpeg', args, { cwd: workDir, inputs: [inputPath], limits, signal });
}

/** Mean squares of the errors against the frame of the source that is meant. */
async function errorsOf(workDir: string, video: VideoFacts): Promise<{ enhanced: number; ordinary: number }> {
  const { width, height } = sizeOf(video);
  const read = (name: string) => readFile(join(workDir, `${name}.y`));
  const [source, enhanced, ordinary] = await Promise.all([read(SOURCE), read(ENHANCED), read(ORDINARY)]);
  const bytes = width * height;
  const candidates = Array.from({ length: Math.floor(source.length / bytes) }, (_, index) =>
    source.subarray(index * bytes, (index + 1) * bytes),
  );
  const found = candidates.map((frame) => ({
    enhanced: meanSquare(frame, enhanced),
    ordinary: meanSquare(frame, ordinary),
  }));
  return found.toSorted((one, other) => one.ordinary - other.ordinary)[0] ?? { enhanced: 0, ordinary: 0 };
}

function meanSquare(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at]! - (other[at] ?? 0)) ** 2;
  return sum / Math.max(1, one.length);
}

/** Upright, as renditions are. */
function sizeOf({ displayWidth, displayHeight }: VideoFacts): { width: number; height: number } {
  const even = (side: number) => Math.max(2, 2 * Math.floor(side / 2));
  return { width: even(displayWidth), height: even(displayHeight) };
}
