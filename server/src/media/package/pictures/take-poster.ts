import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaFacts, VideoFacts } from '../../inspect/media-facts.ts';
import type { Runner } from '../../runner.ts';
import type { FrameOptions } from './extract-frame.ts';
import { makePictures } from './make-pictures.ts';
import { POSTER_NAME, posterParts } from './poster.ts';

export interface PosterOptions extends Pick<FrameOptions, 'inputPath' | 'outDir' | 'signal'> {
  /** Of the whole video. */
  readonly facts: MediaFacts;
  readonly video: VideoFacts;
  /** When the file begins, in milliseconds of the video; default 0. */
  readonly fileStartMs?: number;
}

const LIMITS = { cpuSeconds: 60, memoryBytes: 2 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 120_000 };

/**
 * Takes the poster of a video that is not packaged yet, the one that its package would have, from a file with the part
 * of the video around it. Returns the path of a JPEG, or null when no frame can be decoded.
 * @throws RunError for failures that are not the file's.
 */
export async function takePoster(
  runner: Runner,
  { inputPath, outDir, facts, video, fileStartMs = 0, signal }: PosterOptions,
): Promise<string | null> {
  await runner.prepareWorkDir(outDir);
  const parts = { poster: posterParts(facts, video, fileStartMs), preview: null, storyboard: null };
  const options = { cwd: outDir, inputs: [inputPath], limits: LIMITS };
  await makePictures(runner, parts, { ...options, ...(signal === undefined ? {} : { signal }) });
  const path = join(outDir, POSTER_NAME);
  const written = await stat(path).catch(() => null);
  return written !== null && written.size > 0 ? path : null;
}
