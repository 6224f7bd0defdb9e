import type { RunOptions } from '@reelgraph/sandbox';
import { type EncodedRendition, segmentName } from '../encode/encoded.ts';
import { VIDEO_ENCODER } from '../encode/encoder-args.ts';
import { type Ladder, smallestClearRung } from '../ladder/ladder.ts';
import type { Runner } from '../runner.ts';
import type { PackagedDownloads } from './downloads.ts';
import { listPackage } from './list-package.ts';
import { makePictures, type PictureParts } from './pictures/make-pictures.ts';
import {
  PREVIEW_FOLDER,
  PREVIEW_PATH,
  previewMoments,
  previewPart,
  previewRung,
  type Still,
  stillsOf,
} from './pictures/preview.ts';

/** Files of a package other than the stream. Paths are relative to the package. */
export interface PackagedExtras extends PackagedDownloads {
  /** Video encoder of the stream; null for audio only. */
  readonly encoder: typeof VIDEO_ENCODER.name | null;
  /** A few silent seconds as one MP4 file; null for audio only. */
  readonly preview: string | null;
  /** Stills of the preview's moments, in order. */
  readonly stills: readonly Still[];
}

/** Folders of the extras: they must exist and be empty before `makeExtras` runs. */
export const EXTRAS_FOLDERS = [PREVIEW_FOLDER] as const;

/** The inputs of the extras. */
export interface ExtrasSource {
  readonly ladder: Ladder;
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
  { ladder, renditions, pictures, inputPath }: ExtrasSource,
  options: Pick<RunOptions, 'limits' | 'signal'>,
): Promise<{ extras: Omit<PackagedExtras, keyof PackagedDownloads>; cpuMs: number }> {
  const run = { ...options, cwd: outDir };
  const rung = previewRung(ladder);
  const segments = rung === null ? [] : namesOf(rung.folder, renditions);
  const preview = rung === null ? null : previewPart(rung, segments);
  const cpuMs = await makePictures(runner, { ...pictures, preview }, { ...run, inputs: [inputPath] });

  const created = new Set((await listPackage(outDir)).filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path));
  const extras = {
    encoder: rung === null ? null : VIDEO_ENCODER.name,
    preview: rung !== null && created.has(PREVIEW_PATH) ? PREVIEW_PATH : null,
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
export function segmentsOfExtras(ladder: Ladder, renditions: readonly Encoded[]): string[] {
  const whole = smallestClearRung(ladder)?.folder;
  const preview = previewRung(ladder);
  const paths = renditions.flatMap(({ folder }) => {
    const names = namesOf(folder, renditions);
    if (folder === whole) return names.map((name) => `${folder}/${name}`);
    if (folder !== preview?.folder) return [];
    return previewMoments(names.length).segments.map((index) => `${folder}/${names[index]}`);
  });
  return paths;
}
