import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultLimits } from '../../encode/encode-limits.ts';
import { isFileError } from '../../inspect/inspect-file.ts';
import type { MediaFacts, VideoFacts } from '../../inspect/media-facts.ts';
import type { Runner } from '../../runner.ts';
import { frameArgs, POSTER_NAME } from './poster.ts';

export interface FrameOptions {
  readonly inputPath: string;
  /** An empty or missing folder. */
  readonly outDir: string;
  /** From `inspectFile`. */
  readonly facts: MediaFacts;
  readonly video: VideoFacts;
  /** Milliseconds from the beginning. */
  readonly atMs: number;
  readonly signal?: AbortSignal;
}

/** At the very end there is no next frame: the last ones before it are used. */
const STEPS_BACK_MS = [0, 250, 2_000];
const CPU_SECONDS = 120;

/**
 * Extracts the frame displayed at a time, upright and in standard colours, at most 1280 pixels on its longer side.
 * Returns the path of a JPEG, or null when none can be decoded.
 * @throws RunError for failures that are not the file's.
 */
export async function takeFrame(
  runner: Runner,
  { inputPath, outDir, facts, video, atMs, signal }: FrameOptions,
): Promise<string | null> {
  await runner.prepareWorkDir(outDir);
  const limits = {
    ...defaultLimits(facts),
    cpuSeconds: CPU_SECONDS,
    wallMs: 2_000 * CPU_SECONDS,
    outputBytes: 64 * 1024 ** 2,
  };
  const path = join(outDir, POSTER_NAME);
  for (const back of STEPS_BACK_MS) {
    try {
      await runner.run('ffmpeg', frameArgs(facts, video, Math.max(0, atMs - back)), {
        cwd: outDir,
        inputs: [inputPath],
        limits,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (!isFileError(error)) throw error;
    }
    const written = await stat(path).catch(() => null);
    if (written !== null && written.size > 0) return path;
  }
  return null;
}
