import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { keepClip, takeKeptClip } from './clip-cache.fixture.ts';
import type { Runner } from './runner.ts';

/** Small clips for tests, generated with ffmpeg's own sources, so that the suite needs no media files. */
export interface Clips {
  /**
   * Creates a clip from ffmpeg arguments, cached across runs, and returns its path; arguments refer to `inputs` with
   * `inputArg`.
   */
  make(fileName: string, args: readonly string[], inputs?: readonly string[]): Promise<string>;
  /** Writes bytes as a file and returns its path. */
  write(fileName: string, content: string | Uint8Array): Promise<string>;
  /** A new path below the folder of the clips. */
  fresh(name: string): string;
  remove(): Promise<void>;
  /** The same before the process ends. */
  removeNow(): void;
}

const LIMITS = { cpuSeconds: 60, memoryBytes: 4 * 1024 ** 3, outputBytes: 256 * 1024 ** 2, wallMs: 60_000 };

export async function openClips(runner: Runner): Promise<Clips> {
  const root = await mkdtemp(join(tmpdir(), 'clips-'));
  let count = 0;
  return {
    async make(fileName, args, inputs = []) {
      const folder = join(root, `clip-${count++}`);
      const path = join(folder, fileName);
      await runner.prepareWorkDir(folder);
      if (takeKeptClip(path, { args, inputs })) return path;
      await runner.run('ffmpeg', [...args, '-y', fileName], { cwd: folder, limits: LIMITS, inputs });
      keepClip(path, { args, inputs });
      return path;
    },
    async write(fileName, content) {
      const path = join(root, `${count++}-${fileName}`);
      await writeFile(path, content);
      return path;
    },
    fresh: (name) => join(root, `${name}-${count++}`),
    remove: () => rm(root, { recursive: true, force: true }),
    removeNow: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Arguments for a moving test image. */
export function testVideo(size: string, framesPerSecond: number | string, seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${framesPerSecond}:d=${seconds}`];
}

/** Arguments for a tone in `layout`. */
export function tone(layout: string, seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `sine=f=440:r=48000:d=${seconds},aformat=channel_layouts=${layout}`];
}

export const QUICK_H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/**
 * Rotates the first track of an MP4 by 90 degrees clockwise, in its header (ISO/IEC 14496-12 section 8.3.2, matrix of
 * tkhd version 0).
 */
export async function turnRight(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  const matrix = bytes.indexOf('tkhd') + 4 + 40;
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].entries())
    bytes.writeInt32BE(value, matrix + 4 * index);
  return bytes;
}

/** A real recording beside the checkout, if present; generated clips cover the same cases. */
export function realMedia(fileName: string): string | null {
  const path = resolve(import.meta.dirname, '../../../../shared/media', fileName);
  return existsSync(path) ? path : null;
}
