import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileError } from '../inspect/inspect-file.ts';
import type { Runner, RunOptions } from '../runner.ts';
import { DOWNLOADS_FOLDER, type DownloadPlan, downloadArgs, downloadPaths } from './downloads.ts';
import { VIDEO_ENCODER } from './hls-encode.ts';
import type { Ladder } from './ladder.ts';
import { PREVIEW_FOLDER, PREVIEW_PATH, previewArgs, previewRung, type Still, stillsOf } from './preview.ts';
import { listPackage, readRendition } from './verify-package.ts';

/** Files of a package other than the stream. Paths are relative to the package. */
export interface PackagedExtras {
  /** Video encoder of the stream; null for audio only. */
  readonly encoder: typeof VIDEO_ENCODER.name | null;
  /** The largest video with its audio as one MP4 file; null for audio only, and when `planDownloads` omits it. */
  readonly videoDownload: string | null;
  /** The audio as one M4A file; null for a silent video, and when `planDownloads` omits it. */
  readonly audioDownload: string | null;
  /** A few silent seconds as one MP4 file; null for audio only. */
  readonly preview: string | null;
  /** Stills of the preview's moments, in order. */
  readonly stills: readonly Still[];
}

/** Folders of the extras: they must exist and be empty before `makeExtras` runs. */
export const EXTRAS_FOLDERS = [DOWNLOADS_FOLDER, PREVIEW_FOLDER] as const;

/**
 * Creates the extras of a package from its renditions, without decoding the source again. Failed extras are omitted,
 * and the stream is unaffected.
 * @throws RunError for failures that are not the file's; PackageError when the renditions are not complete.
 */
export async function makeExtras(
  runner: Runner,
  outDir: string,
  ladder: Ladder,
  downloadPlan: DownloadPlan,
  options: Pick<RunOptions, 'limits' | 'signal'>,
): Promise<{ extras: PackagedExtras; cpuMs: number }> {
  let cpuMs = 0;
  const attempt = async (folder: string, args: readonly string[]): Promise<void> => {
    try {
      cpuMs += (await runner.run('ffmpeg', args, { ...options, cwd: outDir })).cpuMs;
    } catch (error) {
      if (!isFileError(error)) throw error;
      await rm(join(outDir, folder), { recursive: true });
    }
  };
  if (downloadPlan.video || downloadPlan.audio) await attempt(DOWNLOADS_FOLDER, downloadArgs(ladder, downloadPlan));
  const rung = previewRung(ladder);
  const segments =
    rung === null ? [] : (await readRendition(outDir, rung.folder, await listPackage(outDir))).playlist.segments;
  if (rung !== null) await attempt(PREVIEW_FOLDER, previewArgs(rung, segments));

  const created = new Set((await listPackage(outDir)).filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path));
  const ifMade = (path: string | null) => (path !== null && created.has(path) ? path : null);
  const downloads = downloadPaths(downloadPlan);
  const extras: PackagedExtras = {
    encoder: rung === null ? null : VIDEO_ENCODER.name,
    videoDownload: ifMade(downloads.video),
    audioDownload: ifMade(downloads.audio),
    preview: rung === null ? null : ifMade(PREVIEW_PATH),
    stills: rung === null ? [] : stillsOf(rung, segments.length).filter(({ path }) => created.has(path)),
  };
  return { extras, cpuMs };
}
