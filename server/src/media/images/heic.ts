import { existsSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputArg, RunError, type RunErrorReason, type RunLimits, removeTree } from '@reelgraph/sandbox';
import { newId } from '../../kernel/ids.ts';
import type { Runner } from '../runner.ts';
import { ImageError, type ImageErrorReason } from './image-error.ts';

/** What converts HEIC, by its names in newer and older versions of libheif. */
const PROGRAMS = ['heif-dec', 'heif-convert'] as const;
/** Decoders that newer versions load while they run. */
const PLUGIN_FOLDERS = ['/usr/lib/x86_64-linux-gnu/libheif/plugins', '/usr/lib/aarch64-linux-gnu/libheif/plugins'];
const LIMITS: RunLimits = {
  cpuSeconds: 60,
  memoryBytes: 2 * 1024 ** 3,
  outputBytes: 128 * 1024 ** 2,
  wallMs: 60_000,
};
const JPEG_QUALITY = '95';
const CONVERTED = /^image(-1)?\.jpg$/;

/** Failures that are caused by the image, or by a missing program; others are the machine's. */
const REASONS: Partial<Record<RunErrorReason, ImageErrorReason>> = {
  'missing-binary': 'unsupported',
  exit: 'damaged',
  'bad-output': 'damaged',
  memory: 'pixel-limit',
  'output-limit': 'pixel-limit',
  'cpu-limit': 'timeout',
  timeout: 'timeout',
};

/**
 * Converts the HEIC or HEIF image at `path` to JPEG in the sandbox, upright, with its colour profile, and removes the
 * JPEG after `use`. Of several images the first one is converted; transparency is dropped.
 * @throws ImageError: `unsupported` where libheif's programs are not installed.
 */
export async function withHeicAsJpeg<T>(
  runner: Pick<Runner, 'runProgram' | 'prepareWorkDir'>,
  path: string,
  use: (jpegPath: string) => Promise<T>,
): Promise<T> {
  const folder = join(tmpdir(), `reelgraph-heic-${newId()}`);
  try {
    await runner.prepareWorkDir(folder);
    await convert(runner, path, folder);
    const jpeg = (await readdir(folder)).find((name) => CONVERTED.test(name));
    if (!jpeg) throw new ImageError('damaged', 'libheif wrote no image');
    return await use(join(folder, jpeg));
  } finally {
    await removeTree(folder);
  }
}

async function convert(runner: Pick<Runner, 'runProgram'>, path: string, cwd: string): Promise<void> {
  const args = ['-q', JPEG_QUALITY, inputArg(0), 'image.jpg'];
  const options = { cwd, inputs: [path], limits: LIMITS, readOnly: pluginFiles(), interactive: true };
  for (const program of PROGRAMS) {
    try {
      await runner.runProgram(program, args, options);
      return;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      if (error.reason === 'missing-binary' && program !== PROGRAMS.at(-1)) continue;
      throw new ImageError(REASONS[error.reason] ?? 'unavailable', error.message, { cause: error });
    }
  }
}

function pluginFiles(): string[] {
  return PLUGIN_FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
}
