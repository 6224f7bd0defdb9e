import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AppError, StorageFullError } from '../../kernel/errors.ts';
import { spoken } from '../inspect/accept-media.ts';
import { toNumber } from '../inspect/fraction.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { RunError } from '../run-error.ts';
import type { Runner } from '../runner.ts';
import type { RunLimits } from '../sandbox/limits.ts';
import { sandboxRefusal } from '../sandbox/sandbox.ts';
import { type ExtractedSubtitles, extractSubtitles, type PackagedCaptions } from '../subtitles/subtitles.ts';
import { dashManifest } from './dash-manifest.ts';
import { describeDash, describePackage, type PackagedRendition } from './describe-package.ts';
import { planDownloads } from './downloads.ts';
import { EXTRAS_FOLDERS, makeExtras, type PackagedExtras } from './extras.ts';
import {
  type EncodePlan,
  encodeArgs,
  parseProgress,
  planThumbnails,
  THUMBNAIL_FOLDER,
  THUMBNAIL_PATTERN,
} from './hls-encode.ts';
import { masterPlaylist } from './hls-playlist.ts';
import { audioRungs, isSlowVideo, type Ladder, planLadder, rungsOf } from './ladder.ts';
import { coverArgs, POSTER_NAME, posterArgs, posterWindowStartMs } from './poster.ts';
import {
  checkAlignment,
  isDurationPlausible,
  listPackage,
  type PackagedFile,
  PackageError,
  type RenditionOnDisk,
  readRendition,
  readTimeline,
} from './verify-package.ts';

export interface PackageOptions {
  readonly inputPath: string;
  /** An empty or missing folder for all output. Remove it when done, or when this throws. */
  readonly outDir: string;
  /** From `inspectFile`. */
  readonly facts: MediaFacts;
  /** Default `defaultLimits(facts)`. */
  readonly limits?: RunLimits;
  /**
   * Maximum size of the package; default: that of the limits. Downloads that would exceed it are omitted, a stream that
   * does is refused.
   */
  readonly maxBytes?: number;
  /** Encoder threads per rung; default ffmpeg's choice, at most 12. */
  readonly threads?: number;
  /** Called with increasing values 0..1, about once a second; 1 only after verification. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

export interface PackagedVideo {
  readonly durationMs: number;
  /** Largest first. */
  readonly renditions: readonly PackagedRendition[];
  readonly masterPath: 'master.m3u8';
  /** DASH, of the same segments. */
  readonly manifestPath: 'manifest.mpd';
  /** Path of a JPEG, relative to the package; null for audio without a cover. */
  readonly poster: string | null;
  /** `thumbs/%05d.jpg`, numbered from 1, one every `intervalMs`; null for audio only. */
  readonly thumbnails: { readonly pattern: string; readonly count: number; readonly intervalMs: number } | null;
  /** From the source, in its order. */
  readonly captions: readonly PackagedCaptions[];
  /** Downloads, preview and stills, which are also in `files`. */
  readonly extras: PackagedExtras;
  /** Whether downloads were omitted because the video is slow or the package would have become too large. */
  readonly downloadsLeftOut: boolean;
  readonly files: readonly PackagedFile[];
  /** CPU time of all ffmpeg runs. */
  readonly cpuMs: number;
}

const MASTER_NAME = 'master.m3u8';
const MANIFEST_NAME = 'manifest.mpd';

/**
 * Creates a streamable package from a source: HLS renditions with shared audio tracks, captions, thumbnails, a
 * poster, downloads, a preview and the master playlist, all checked before they are returned.
 * @throws AppError TRANSCODE_FAILED when the file is the cause, SERVICE_UNAVAILABLE when this machine is (disk full,
 *   tool missing); RunError `aborted` or `signal` when the work was stopped from outside and may simply be tried again.
 */
export async function packageVideo(runner: Runner, options: PackageOptions): Promise<PackagedVideo> {
  try {
    return await pack(runner, options);
  } catch (error) {
    throw explained(error);
  }
}

async function pack(runner: Runner, options: PackageOptions): Promise<PackagedVideo> {
  const { facts, outDir } = options;
  const ladder = planLadder(facts);
  const thumbnails = planThumbnails(facts);
  const folders = rungsOf(ladder).map(({ folder }) => folder);
  await runner.prepareWorkDir(outDir, [
    ...folders,
    ...EXTRAS_FOLDERS,
    ...(thumbnails === null ? [] : [THUMBNAIL_FOLDER]),
  ]);

  const encodeCpuMs = await encode(runner, options, ladder, thumbnails);
  const posterCpuMs = await makePoster(runner, options);
  const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  const downloads = planDownloads(ladder, await listPackage(outDir), { maxBytes, slow: isSlowVideo(facts) });
  const { extras, cpuMs: extrasCpuMs } = await makeExtras(runner, outDir, ladder, downloads, fences(options));

  const written = await listPackage(outDir);
  const renditions = await Promise.all(folders.map((folder) => readRendition(outDir, folder, written)));
  checkAlignment(renditions.slice(0, ladder.video.length));
  const durationSeconds = Math.max(...renditions.map((rendition) => rendition.durationSeconds));
  checkDuration(durationSeconds, facts.durationMs);
  const captions = await extractSubtitles(runner, facts, outDir, durationSeconds, options);
  const described = await writeManifests(outDir, ladder, renditions, captions);
  const files = await listPackage(outDir);
  const thumbnailCount = files.filter((file) => file.path.startsWith(`${THUMBNAIL_FOLDER}/`)).length;
  options.onProgress?.(1);
  return {
    // Encoders pad the last audio frame; the API returns the duration of the video.
    durationMs: Math.min(Math.round(durationSeconds * 1000), facts.durationMs ?? Number.POSITIVE_INFINITY),
    renditions: described,
    masterPath: MASTER_NAME,
    manifestPath: MANIFEST_NAME,
    poster: files.some((file) => file.path === POSTER_NAME) ? POSTER_NAME : null,
    thumbnails:
      thumbnails === null || thumbnailCount === 0
        ? null
        : { pattern: THUMBNAIL_PATTERN, count: thumbnailCount, intervalMs: thumbnails.intervalMs },
    captions: captions.captions,
    extras,
    downloadsLeftOut: ladder.video.length > 0 && !downloads.video,
    files,
    cpuMs: encodeCpuMs + posterCpuMs + extrasCpuMs + captions.cpuMs,
  };
}

/** Writes the master playlist and the DASH manifest. */
async function writeManifests(
  outDir: string,
  ladder: Ladder,
  renditions: readonly RenditionOnDisk[],
  { subtitles, captions }: Pick<ExtractedSubtitles, 'subtitles' | 'captions'>,
): Promise<readonly PackagedRendition[]> {
  const described = describePackage(ladder, renditions);
  const master = masterPlaylist(described.variants, described.audio, subtitles);
  const timed = await Promise.all(
    renditions.map(async (rendition) => ({ ...rendition, timeline: await readTimeline(outDir, rendition) })),
  );
  const text = captions.map(({ path, ...track }, index) => ({ ...track, id: `text${index}`, uri: path }));
  await writeFile(join(outDir, MASTER_NAME), master, { mode: 0o600 });
  await writeFile(join(outDir, MANIFEST_NAME), dashManifest(describeDash(ladder, timed, text)), { mode: 0o600 });
  return described.renditions;
}

/** Encoder threads hold frames: beyond this number of cores, memory grows faster than speed. */
const MANY_CORES = 12;
/** The encoder's part of the progress; poster and verification have the rest. */
const ENCODE_SHARE = 0.96;

async function encode(
  runner: Runner,
  options: PackageOptions,
  ladder: Ladder,
  thumbnails: EncodePlan['thumbnails'],
): Promise<number> {
  const { facts } = options;
  let reported = 0;
  const tooLong = new AbortController();
  const onStdoutLine = (line: string) => {
    const doneMs = parseProgress(line);
    if (doneMs === null || facts.durationMs === null || facts.durationMs <= 0) return;
    if (doneMs > facts.durationMs && !isDurationPlausible(doneMs / 1000, facts.durationMs)) tooLong.abort();
    const fraction = Math.min(ENCODE_SHARE, (ENCODE_SHARE * doneMs) / facts.durationMs);
    if (fraction <= reported) return;
    reported = fraction;
    options.onProgress?.(fraction);
  };
  const threads = options.threads ?? (availableParallelism() > MANY_CORES ? MANY_CORES : undefined);
  const plan: EncodePlan = { facts, ladder, thumbnails, ...(threads === undefined ? {} : { threads }) };
  const signal = options.signal ? AbortSignal.any([options.signal, tooLong.signal]) : tooLong.signal;
  try {
    return (
      await runner.run('ffmpeg', encodeArgs(plan), { ...sandbox(options), signal, onStdoutLine, maxStdoutBytes: 0 })
    ).cpuMs;
  } catch (error) {
    // Charges and reservations are for the declared duration: no more is encoded.
    if (tooLong.signal.aborted && !options.signal?.aborted) throw longerThanDeclared(facts.durationMs ?? 0);
    throw error;
  }
}

/** Retry at the start of the video; a poster is optional. */
async function makePoster(runner: Runner, options: PackageOptions): Promise<number> {
  const { facts } = options;
  const attempts: string[][] = [];
  if (facts.video !== null) {
    const fromMs = posterWindowStartMs(facts.durationMs ?? 0);
    attempts.push(posterArgs(facts, facts.video, fromMs));
    if (fromMs > 0) attempts.push(posterArgs(facts, facts.video, 0));
  } else if (facts.cover !== null) {
    attempts.push(coverArgs(facts, facts.cover.index));
  }
  let cpuMs = 0;
  for (const args of attempts) {
    try {
      cpuMs += (await runner.run('ffmpeg', args, sandbox(options))).cpuMs;
      if ((await listPackage(options.outDir)).some((file) => file.path === POSTER_NAME && file.sizeBytes > 0)) break;
    } catch (error) {
      if (!isFileError(error)) throw error;
    }
  }
  return cpuMs;
}

function sandbox(options: PackageOptions) {
  return { cwd: options.outDir, inputs: [options.inputPath], ...fences(options) };
}

function fences({ limits, maxBytes, facts, signal }: PackageOptions) {
  const own = limits ?? defaultLimits(facts);
  const outputBytes = Math.min(own.outputBytes, maxBytes ?? Number.POSITIVE_INFINITY);
  return { limits: { ...own, outputBytes }, ...(signal === undefined ? {} : { signal }) };
}

/** Allowance for playlists, thumbnails, the poster and the preview. */
const SMALL_FILES_BYTES = 32 * 1024 ** 2;

/**
 * Maximum expected size of a package: every rendition always at its peak, plus the largest and the audio as downloads.
 * For reserving space; ordinary videos stay well below it. Pure.
 */
export function expectedPackageBytes(facts: MediaFacts): number {
  const ladder = planLadder(facts);
  const { video, audio } = ladder;
  const soundBps = audio?.bitrateBps ?? 0;
  const stream = streamBps(ladder);
  const downloads = isSlowVideo(facts) ? 0 : (video[0]?.maxrateBps ?? 0) + soundBps * (video.length > 0 ? 2 : 1);
  return SMALL_FILES_BYTES + Math.ceil(((facts.durationMs ?? 0) / 8000) * (stream + downloads));
}

/**
 * Limits that ordinary files never reach: CPU time and bytes grow with the duration and the ladder, with a generous
 * factor. 1080p30 costs about 2 CPU seconds per second of video on ordinary cores.
 */
export function defaultLimits(facts: MediaFacts): RunLimits {
  const videoSeconds = (facts.durationMs ?? 0) / 1000;
  const ladder = planLadder(facts);
  const peakBps = streamBps(ladder);
  const megapixelsPerSecond = ladder.video.reduce(
    (sum, rung) => sum + (rung.width * rung.height * toNumber(rung.frameRate)) / 1e6,
    0,
  );
  const megapixels = ((facts.video?.width ?? 0) * (facts.video?.height ?? 0)) / 1e6;
  const cpuSeconds = Math.ceil(300 + videoSeconds * (2 + megapixelsPerSecond * 0.5));
  return {
    cpuSeconds,
    // 1080p takes well under 2 GiB, 2160p HDR about 3 on few cores; encoder and decoder threads each hold some frames.
    memoryBytes: (megapixels > 4 ? 10 : 6) * 1024 ** 3,
    outputBytes: Math.ceil(256 * 1024 ** 2 + (2 * videoSeconds * peakBps) / 8),
    wallMs: 2000 * cpuSeconds,
  };
}

/** All rungs at their peak. */
function streamBps(ladder: Ladder): number {
  const sound = audioRungs(ladder).reduce((sum, rung) => sum + rung.bitrateBps, 0);
  return ladder.video.reduce((sum, rung) => sum + rung.maxrateBps, sound);
}

function checkDuration(encodedSeconds: number, expectedMs: number | null): void {
  if (expectedMs === null || isDurationPlausible(encodedSeconds, expectedMs)) return;
  const message =
    `Only ${spoken(encodedSeconds * 1000)} of ${spoken(expectedMs)} could be decoded: the file is damaged or was ` +
    'cut off.';
  throw new AppError('TRANSCODE_FAILED', message);
}

function longerThanDeclared(declaredMs: number): AppError {
  return new AppError('TRANSCODE_FAILED', `The file declares a duration of ${spoken(declaredMs)}, but it is longer.`, {
    suggestedFix: 'Export it again, for example as MP4 with H.264 and AAC, and upload that file.',
  });
}

/** Maps internal errors to those of `packageVideo`. */
function explained(error: unknown): unknown {
  if (error instanceof PackageError)
    return new AppError('TRANSCODE_FAILED', 'The file could not be converted to a playable stream.', { cause: error });
  if (!(error instanceof RunError)) return error;
  switch (error.reason) {
    case 'exit':
    case 'bad-output':
      return new AppError('TRANSCODE_FAILED', 'The file is damaged or uses a feature that cannot be decoded.', {
        cause: error,
      });
    case 'timeout':
    case 'cpu-limit':
      return new AppError('TRANSCODE_FAILED', 'Converting the file took longer than is allowed for its length.', {
        cause: error,
      });
    case 'output-limit':
      return new AppError(
        'TRANSCODE_FAILED',
        'The streams of this file would take more space than is allowed for a file of its size.',
        {
          suggestedFix: 'Export the video at a lower resolution or frame rate, or cut it into parts, and upload that.',
          cause: error,
        },
      );
    case 'memory':
      return new AppError('TRANSCODE_FAILED', 'Converting the file needs more memory than is allowed.', {
        cause: error,
      });
    case 'disk-full':
      return new StorageFullError('There is not enough disk space to convert the file.', { cause: error });
    case 'busy':
      return new AppError('SERVICE_UNAVAILABLE', 'This server has no room to convert the file at the moment.', {
        cause: error,
        retryAfterSeconds: 60,
      });
    case 'missing-binary':
      return new AppError('SERVICE_UNAVAILABLE', 'The media tools of this server are not available.', {
        cause: error,
        retryAfterSeconds: 300,
      });
    case 'sandbox':
      return sandboxRefusal();
    default:
      return error;
  }
}
