import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EncodedRendition, segmentName } from '../encode/encoded.ts';
import { VIDEO_ENCODER } from '../encode/encoder-args.ts';
import { type Ladder, smallestClearRung } from '../encode/ladder.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import type { Runner, RunOptions } from '../runner.ts';
import { DOWNLOADS_FOLDER, type DownloadPlan, downloadArgs, downloadPaths } from './downloads.ts';
import { listPackage } from './list-package.ts';
import { makePictures, type PictureParts } from './make-pictures.ts';
import {
  PREVIEW_FOLDER,
  PREVIEW_PATH,
  previewMoments,
  previewPart,
  previewRung,
  type Still,
  stillsOf,
} from './preview.ts';

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

/** The inputs of the extras. */
export interface ExtrasSource {
  readonly ladder: Ladder;
  readonly downloads: DownloadPlan;
  readonly renditions: readonly Encoded[];
  /** Pictures that are made together with the preview. */
  readonly pictures: Pick<PictureParts, 'poster' | 'storyboard'>;
  /** The source, for the poster. */
  readonly inputPath: string;
}

/**
 * Creates the extras of a package from its renditions, without decoding the source again, and its other pictures.
 * Failed extras are omitted, and the stream is unaffected.
 * @throws RunError as `makePictures`.
 */
export async function makeExtras(
  runner: Runner,
  outDir: string,
  { ladder, downloads: downloadPlan, renditions, pictures, inputPath }: ExtrasSource,
  options: Pick<RunOptions, 'limits' | 'signal'>,
): Promise<{ extras: PackagedExtras; cpuMs: number }> {
  const run = { ...options, cwd: outDir };
  let cpuMs = 0;
  if (downloadPlan.video || downloadPlan.audio) {
    try {
      cpuMs += (await runner.run('ffmpeg', downloadArgs(ladder, downloadPlan), run)).cpuMs;
    } catch (error) {
      if (!isFileError(error)) throw error;
      await rm(join(outDir, DOWNLOADS_FOLDER), { recursive: true });
    }
  }
  const rung = previewRung(ladder);
  const segments = rung === null ? [] : namesOf(rung.folder, renditions);
  const preview = rung === null ? null : previewPart(rung, segments);
  cpuMs += await makePictures(runner, { ...pictures, preview }, { ...run, inputs: [inputPath] });

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

type Encoded = Pick<EncodedRendition, 'folder' | 'segments'>;

/** Names of the segments of a rendition. */
function namesOf(folder: string, renditions: readonly Encoded[]): string[] {
  const count = renditions.find((rendition) => rendition.folder === folder)?.segments.length ?? 0;
  return Array.from({ length: count }, (_, index) => segmentName(index));
}

/** Paths of the segments from which extras and thumbnails are made: those of a small rendition, and others. */
export function segmentsOfExtras(ladder: Ladder, downloads: DownloadPlan, renditions: readonly Encoded[]): string[] {
  const whole = new Set([
    smallestClearRung(ladder)?.folder,
    ...(downloads.video ? [ladder.video[0]?.folder] : []),
    ...(downloads.video || downloads.audio ? [ladder.audio?.folder] : []),
  ]);
  const preview = previewRung(ladder);
  const paths = renditions.flatMap(({ folder }) => {
    const names = namesOf(folder, renditions);
    if (whole.has(folder)) return names.map((name) => `${folder}/${name}`);
    if (folder !== preview?.folder) return [];
    return previewMoments(names.length).segments.map((index) => `${folder}/${names[index]}`);
  });
  return paths;
}
