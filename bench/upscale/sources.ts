import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import sharp from 'sharp';
import { cropped, type Luma } from '../../packages/upscale/src/resample.ts';

/** A picture, or the first frames of a clip. */
export interface Source {
  readonly name: string;
  readonly isClip: boolean;
  readonly frames: readonly Luma[];
}

const PICTURES = new Set(['.png', '.jpg', '.jpeg', '.webp', '.avif', '.tif', '.tiff']);
const CLIPS = new Set(['.mp4', '.mov', '.mkv', '.webm', '.avi', '.ts', '.y4m']);

/** Pictures and clips in the folder, one after the other, cropped so that both sides are multiples of `multiple`. */
export async function* readSources(folder: string, multiple: number, mostFrames: number): AsyncGenerator<Source> {
  for (const name of (await readdir(folder)).sort()) {
    const extension = extname(name).toLowerCase();
    const path = join(folder, name);
    const isClip = CLIPS.has(extension);
    if (!isClip && !PICTURES.has(extension)) continue;
    const frames = isClip ? await readClip(path, mostFrames) : [await readPicture(path)];
    if (frames.length > 0) yield { name, isClip, frames: frames.map((frame) => evenly(frame, multiple)) };
  }
}

/** Luma of ITU-R BT.601 with full range, rounded as Pillow does it (`convert('L')`). */
async function readPicture(path: string): Promise<Luma> {
  const { data, info } = await sharp(path)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const [red, green, blue] = [0, 1, 2].map((colour) => data[at * channels + Math.min(colour, channels - 1)]!);
    pixels[at] = (red! * 19_595 + green! * 38_470 + blue! * 7_471 + 0x80_00) >> 16;
  }
  return { width, height, pixels };
}

/** Luma of the first frames as it is in the file, of full or limited range; none without pictures. */
async function readClip(path: string, mostFrames: number): Promise<Luma[]> {
  const sizes = ['-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
  const listed = (await output('ffprobe', ['-v', 'error', ...sizes, path])).toString().trim().split('\n')[0] ?? '';
  const [width = 0, height = 0] = listed.split(',').map(Number);
  if (!(width > 0 && height > 0)) return [];
  const decode = ['-noautorotate', '-i', path, '-map', '0:v:0', '-frames:v', String(mostFrames)];
  const bytes = await output('ffmpeg', ['-v', 'error', ...decode, '-fps_mode', 'passthrough', ...RAW_LUMA]);
  return framesOf(bytes, width, height);
}

const RAW_LUMA = ['-vf', 'format=yuv420p|yuvj420p|yuv444p|yuvj444p,extractplanes=y', '-f', 'rawvideo', '-'];

function framesOf(bytes: Buffer, width: number, height: number): Luma[] {
  const size = width * height;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, at) => ({
    width,
    height,
    pixels: bytes.subarray(at * size, (at + 1) * size),
  }));
}

function evenly({ width, height, pixels }: Luma, multiple: number): Luma {
  const size = { width: width - (width % multiple), height: height - (height % multiple) };
  return cropped({ width, height, pixels }, { left: 0, top: 0, ...size });
}

/** The frames as x264 leaves them: one clip at 25 frames a second, preset medium, one thread. */
export async function throughX264(frames: readonly Luma[], crf: number): Promise<Luma[]> {
  const { width, height } = frames[0]!; // Sources have at least one.
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  try {
    const file = join(folder, 'clip.mkv');
    const input = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${width}x${height}`, '-r', '25', '-i', '-'];
    // Full range to full range: luma is what it was.
    const encode = ['-pix_fmt', 'yuvj420p', '-c:v', 'libx264', '-preset', 'medium', '-crf', String(crf)];
    const bytes = Buffer.concat(frames.map(({ pixels }) => pixels));
    await output('ffmpeg', ['-v', 'error', ...input, ...encode, '-threads', '1', file], bytes);
    return framesOf(await output('ffmpeg', ['-v', 'error', '-i', file, ...RAW_LUMA]), width, height);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Standard output of a program. */
function output(program: string, args: readonly string[], input: Uint8Array = new Uint8Array()): Promise<Buffer> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => {}); // It ended; its exit code has the reason.
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done(Buffer.concat(chunks)) : fail(new Error(`${program} ended with ${code}.`)),
    );
    child.stdin.end(input);
  });
}
