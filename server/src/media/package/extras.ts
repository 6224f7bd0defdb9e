import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileError } from '../inspect/inspect-file.ts';
import type { Runner, RunOptions } from '../runner.ts';
import { DOWNLOADS_FOLDER, type DownloadPlan, downloadArgs, downloadPaths } from './downloads.ts';
import { VIDEO_ENCODER } from './hls-encode.ts';
import type { Ladder } from './ladder.ts';
import { PREVIEW_FOLDER, PREVIEW_PATH, previewArgs, previewRung, type Still, stillsOf } from './preview.ts';
import { listPackage, readRendition } from './verify-package.ts';

/** Files of a package besides the stream. Paths are relative to the package. */
export interface PackagedExtras {
  /** Video encoder of the stream; null for audio only. */
  readonly encoder: typeof VIDEO_ENCODER.name | null;
  /**
   * The largest picture with its sound as one MP4 file; null for audio only, and where `planDownloads` leaves it out.
   */
  readonly videoDownload: string | null;
  /** The sound as one M4A file; null for a silent video, and where `planDownloads` leaves it out. */
  readonly audioDownload: string | null;
  /** A few silent seconds as one MP4 file; null for audio only. */
  readonly preview: string | null;
  /** Pictures of the moments the preview shows, in their order. */
  readonly stills: readonly Still[];
}

/** Folders of the extras: they must be there, and empty, before `makeExtras` runs. */
export const EXTRAS_FOLDERS = [DOWNLOADS_FOLDER, PREVIEW_FOLDER] as const;

/**
 * Makes the extras of a package from its own renditions: the source is not decoded again. Extras that fail are omitted
 * as a whole, and the stream is unaffected.
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

  const made = new Set((await listPackage(outDir)).filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path));
  const ifMade = (path: string | null) => (path !== null && made.has(path) ? path : null);
  const downloads = downloadPaths(downloadPlan);
  const extras: PackagedExtras = {
    encoder: rung === null ? null : VIDEO_ENCODER.name,
    videoDownload: ifMade(downloads.video),
    audioDownload: ifMade(downloads.audio),
    preview: rung === null ? null : ifMade(PREVIEW_PATH),
    stills: rung === null ? [] : stillsOf(rung, segments.length).filter(({ path }) => made.has(path)),
  };
  return { extras, cpuMs };
}
