import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finishedPlaylist, iframePlaylist } from '@reelgraph/manifests';
import type { RunLimits } from '@reelgraph/sandbox';
import { t } from '../../kernel/languages/message.ts';
import { describeEncoded } from '../encode/describe-encoded.ts';
import { explainEncodeError, UnexpectedMediaError } from '../encode/encode-errors.ts';
import { defaultLimits } from '../encode/encode-limits.ts';
import { type EncodePlan, encodedLadder } from '../encode/encode-plan.ts';
import {
  type EncodedChunk,
  type EncodedRendition,
  IFRAMES_NAME,
  INIT_NAME,
  joinChunks,
  PLAYLIST_NAME,
  segmentName,
} from '../encode/encoded.ts';
import { spoken } from '../inspect/accept-media.ts';
import type { Loudness } from '../inspect/measure-loudness.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { isDurationPlausible } from '../inspect/plausible-duration.ts';
import { type Ladder, ladderOf, rungsOf } from '../ladder/ladder.ts';
import type { Rendition } from '../renditions/rendition.ts';
import type { Runner } from '../runner.ts';
import { extractSubtitles, type PackagedCaptions } from '../subtitles/subtitles.ts';
import { indexDownloads, type ReadSegment } from './downloads.ts';
import { EXTRAS_FOLDERS, makeExtras, type PackagedExtras, segmentsOfExtras } from './extras.ts';
import { listPackage, type PackagedFile } from './list-package.ts';
import { coverPart, POSTER_NAME, posterParts } from './pictures/poster.ts';
import type { RunPart } from './pictures/run-part.ts';
import { type PackagedStoryboard, STORYBOARD_FOLDER, storyboardOf } from './pictures/storyboard.ts';

export interface FinishOptions {
  readonly inputPath: string;
  /** A folder for the files of the package, which may hold segments. Remove it when done, or when this throws. */
  readonly outDir: string;
  /** Puts segments into `outDir` that are needed there, by their paths. */
  readonly fetch: (paths: readonly string[]) => Promise<void>;
  /** Reads a part of a segment from its start. */
  readonly read: ReadSegment;
  /** Default `defaultLimits(facts)`. */
  readonly limits?: RunLimits;
  /** Whether it may be shorter than the file is said to be: what is missing cannot be decoded. Default false. */
  readonly acceptShort?: boolean;
  /** Whether it needs a poster; default true. */
  readonly poster?: boolean;
  /** Maximum size of the package; default: that of the limits. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface PackagedVideo {
  readonly durationMs: number;
  /** What is missing at the end, because the file is cut off or damaged; 0 where it is complete. */
  readonly missingMs: number;
  /** Pictures from large to small, then audio; folders are relative to the package. */
  readonly renditions: readonly Rendition[];
  /** Path of a JPEG, relative to the package; null for audio without a cover. */
  readonly poster: string | null;
  /** Pictures for the seek bar; null for audio only. */
  readonly thumbnails: PackagedStoryboard | null;
  /** From the source, in its order. */
  readonly captions: readonly PackagedCaptions[];
  /** Indexes of downloads, preview and stills, which are also in `files`. */
  readonly extras: PackagedExtras;
  /** Of the default audio track; null for silence. */
  readonly loudness: Loudness | null;
  /** Files in `outDir` other than segments. */
  readonly files: readonly PackagedFile[];
  /** Of the whole package, with segments. */
  readonly totalBytes: number;
  readonly totalFiles: number;
  /** CPU time of all ffmpeg runs, with those of the chunks. */
  readonly cpuMs: number;
}

/**
 * Makes a package of encoded chunks: media playlists, captions, thumbnails, a poster, a preview and the indexes of
 * downloads.
 * @throws AppError as `encodeChunk`.
 */
export async function finishPackage(
  runner: Runner,
  plan: EncodePlan,
  chunks: readonly EncodedChunk[],
  options: FinishOptions,
): Promise<PackagedVideo> {
  try {
    return await finish(runner, plan, chunks, options);
  } catch (error) {
    throw explainEncodeError(error);
  }
}

async function finish(
  runner: Runner,
  plan: EncodePlan,
  chunks: readonly EncodedChunk[],
  options: FinishOptions,
): Promise<PackagedVideo> {
  const { facts } = plan;
  const { outDir } = options;
  const ladder = encodedLadder(plan);
  const renditions = rungsOf(ladder).map(({ folder }) => joinChunks(folder, chunks));
  const durationSeconds = Math.max(...renditions.map((rendition) => rendition.durationSeconds));
  const shortMs = checkDuration(durationSeconds, facts.durationMs, options.acceptShort ?? false);
  const segments = segmentFiles(renditions);
  await prepare(runner, outDir, ladder);
  await writePlaylists(outDir, renditions);

  await options.fetch(segmentsOfExtras(ladder, renditions));
  const storyboard = storyboardOf({ video: facts.video, ladder, renditions });
  const pictures = { poster: options.poster === false ? [] : picturesOf(facts), storyboard: storyboard?.part ?? null };
  const source = { ladder, renditions, pictures, inputPath: options.inputPath };
  const made = await makeExtras(runner, outDir, source, fences(options, plan));
  const downloads = await indexDownloads(outDir, { ladder, renditions, read: options.read });
  if (storyboard) await writeFile(join(outDir, storyboard.packaged.vtt), storyboard.text, { mode: 0o600 });

  const captions = await extractSubtitles(runner, facts, outDir, durationSeconds, options);
  const streamed = new Set(segments.map(({ path }) => path));
  const files = (await listPackage(outDir)).filter(({ path }) => !streamed.has(path));
  // Encoders pad the last audio frame; the API returns the duration of the video.
  const durationMs = Math.min(Math.round(durationSeconds * 1000), facts.durationMs ?? Number.POSITIVE_INFINITY);
  return {
    durationMs,
    missingMs: facts.missingMs ? facts.missingMs + (facts.durationMs ?? durationMs) - durationMs : shortMs,
    renditions: describeEncoded(ladder, renditions),
    poster: files.some((file) => file.path === POSTER_NAME) ? POSTER_NAME : null,
    thumbnails: storyboard?.packaged ?? null,
    captions: captions.captions,
    extras: { ...made.extras, ...downloads },
    loudness: chunks.find((chunk) => chunk.loudness)?.loudness ?? null,
    files,
    totalBytes: bytesOf(files) + bytesOf(segments),
    totalFiles: files.length + segments.length,
    cpuMs: chunks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) + made.cpuMs + captions.cpuMs,
  };
}

function bytesOf(files: readonly PackagedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Every media segment of a package. */
function segmentFiles(renditions: readonly EncodedRendition[]): PackagedFile[] {
  return renditions.flatMap(({ folder, segments }) =>
    segments.map(({ sizeBytes }, index) => ({
      path: `${folder}/${segmentName(index)}`,
      contentType: 'video/iso.segment',
      sizeBytes,
    })),
  );
}

async function prepare(runner: Runner, outDir: string, ladder: Ladder): Promise<void> {
  await runner.prepareWorkDir(outDir, [...EXTRAS_FOLDERS, ...(ladder.video.length > 0 ? [STORYBOARD_FOLDER] : [])]);
  for (const { folder } of rungsOf(ladder)) await mkdir(join(outDir, folder), { recursive: true, mode: 0o700 });
}

async function writePlaylists(outDir: string, renditions: readonly EncodedRendition[]): Promise<void> {
  for (const { folder, init, segments, keyframes } of renditions) {
    const listed = segments.map(({ durationSeconds }, index) => ({ uri: segmentName(index), durationSeconds }));
    await writeFile(join(outDir, folder, INIT_NAME), init, { mode: 0o600 });
    await writeFile(join(outDir, folder, PLAYLIST_NAME), finishedPlaylist(6, INIT_NAME, listed), { mode: 0o600 });
    if (keyframes === null) continue;
    const pictures = keyframes.map((keyframe, index) => ({ uri: segmentName(index), ...keyframe }));
    await writeFile(join(outDir, folder, IFRAMES_NAME), iframePlaylist(INIT_NAME, pictures), { mode: 0o600 });
  }
}

/** Alternatives for the poster: frames of a video, or the cover of an audio file. */
function picturesOf(facts: MediaFacts): RunPart[] {
  const { video, cover } = facts;
  if (video !== null) return posterParts(facts, video);
  return cover === null ? [] : [coverPart(facts, cover.index)];
}

function fences({ limits, maxBytes, signal }: FinishOptions, plan: EncodePlan) {
  const own = limits ?? defaultLimits(plan.facts, ladderOf(plan));
  const outputBytes = Math.min(own.outputBytes, maxBytes ?? Number.POSITIVE_INFINITY);
  return { limits: { ...own, outputBytes }, ...(signal === undefined ? {} : { signal }) };
}

/** How much shorter it is than expected, where that is accepted; 0 within the tolerance. */
function checkDuration(encodedSeconds: number, expectedMs: number | null, acceptShort: boolean): number {
  if (expectedMs === null || isDurationPlausible(encodedSeconds, expectedMs)) return 0;
  const missingMs = Math.round(expectedMs - 1000 * encodedSeconds);
  if (acceptShort && missingMs > 0 && encodedSeconds > 0) return missingMs;
  throw new UnexpectedMediaError(t`Only ${spoken(encodedSeconds * 1000)} of ${spoken(expectedMs)} could be decoded: the
    file is damaged or was cut off.`);
}
