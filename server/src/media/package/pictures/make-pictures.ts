import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOptions } from '@reelgraph/sandbox';
import { isFileError } from '../../inspect/inspect-file.ts';
import type { Runner } from '../../runner.ts';
import { POSTER_NAME } from './poster.ts';
import { PREVIEW_FOLDER } from './preview.ts';
import { type RunPart, runArgs } from './run-part.ts';
import { STORYBOARD_FOLDER } from './storyboard.ts';

/** The pictures of a package. */
export interface PictureParts {
  /** Alternatives, the best one first; they read the source. */
  readonly poster: readonly RunPart[];
  readonly preview: RunPart | null;
  readonly storyboard: RunPart | null;
}

/**
 * Makes pictures in the folder of a package, all in one run. Where it fails, each is made by itself: without a preview
 * or a poster a video can be played.
 * @returns The CPU time.
 * @throws RunError for failures that are not the file's, and where the storyboard cannot be made.
 */
export async function makePictures(
  runner: Runner,
  { poster, preview, storyboard }: PictureParts,
  options: RunOptions & { readonly cwd: string },
): Promise<number> {
  let cpuMs = 0;
  const make = async (...parts: readonly RunPart[]) => {
    cpuMs += (await runner.run('ffmpeg', runArgs(parts), options)).cpuMs;
  };
  /** Whether it was made; false because of the file. */
  const attempt = async (...parts: readonly RunPart[]): Promise<boolean> => {
    try {
      await make(...parts);
      return true;
    } catch (error) {
      if (!isFileError(error)) throw error;
      return false;
    }
  };
  const all = [...poster.slice(0, 1), preview, storyboard].filter((part) => part !== null);
  const areMade = all.length > 1 && (await attempt(...all));
  if (!areMade) {
    if (all.length > 1) await clear(options.cwd);
    if (preview && !(await attempt(preview))) await rm(join(options.cwd, PREVIEW_FOLDER), { recursive: true });
    if (storyboard) await make(storyboard);
  }
  for (const part of poster.slice(areMade ? 1 : 0)) {
    if (await hasPoster(options.cwd)) break;
    await attempt(part);
  }
  return cpuMs;
}

/** Removes what a run left that failed. */
async function clear(folder: string): Promise<void> {
  await rm(join(folder, POSTER_NAME), { force: true });
  for (const name of [PREVIEW_FOLDER, STORYBOARD_FOLDER]) {
    await rm(join(folder, name), { recursive: true, force: true });
    await mkdir(join(folder, name), { mode: 0o700 });
  }
}

async function hasPoster(folder: string): Promise<boolean> {
  const written = await stat(join(folder, POSTER_NAME)).catch(() => null);
  return written !== null && written.size > 0;
}
