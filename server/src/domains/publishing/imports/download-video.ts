import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { RunError, type Runner } from '../../../media/index.ts';
import type { FetchedBody, FetchLimits, GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import type { Logger } from '../../../platform/log.ts';
import { type WorkFolders, workFolders } from '../../assets/index.ts';
import { isVideoId } from '../site/external-site.ts';

const MEMORY_BYTES = 2 * 1024 ** 3;
/** Downloading waits mostly: the CPU is for merging video and audio. */
const CPU_SECONDS = 3_600;
/** Output of the program, or a shell around it, at the file size limit (EFBIG, SIGXFSZ). */
const FILE_TOO_LARGE = /file too large|file size limit exceeded/i;

export interface DownloadTools {
  /** The operator's yt-dlp. */
  readonly program: string;
  readonly runner: Runner;
  readonly dataDir: string;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Fetches the file of a video with the operator's program, in the sandbox of the media tools, except that it has the
 * network. Replaces the guarded fetcher in a job that waits for a source: its addresses come from the adapter.
 */
export function videoDownloader({ program, runner, dataDir, log }: DownloadTools): GuardedFetch {
  const folders = workFolders(dataDir, log);
  return async (url, limits) => {
    const videoId = new URL(url).searchParams.get('v') ?? '';
    if (!isVideoId(videoId))
      throw new AppError('INVALID_INPUT', t`This is not the address of a video on YouTube.`, { field: 'videoId' });
    return streamOf(folders, async (folder) => {
      await runner.prepareWorkDir(folder);
      await download({ program, runner }, folder, url, limits);
      return fileIn(folder, limits);
    });
  };
}

/** The program's arguments: no configuration files, one file of limited size in its working directory. */
export function downloadArguments(url: string, maxBytes: number, ffmpegPath: string): string[] {
  return [
    ...['--ignore-config', '--no-config-locations', '--no-cache-dir', '--no-exec', '--no-playlist', '--no-mtime'],
    ...['--no-progress', '--quiet', '--no-warnings', '--socket-timeout', '30', '--retries', '3'],
    ...['--max-filesize', String(maxBytes), '--ffmpeg-location', ffmpegPath],
    // Separate video and audio have the best quality; they are merged without encoding.
    ...['--format', 'bv*[ext=mp4]+ba[ext=m4a]/bv*[ext=webm]+ba[ext=webm]/b[ext=mp4]/b', '--output', 'video.%(ext)s'],
    ...['--', url],
  ];
}

async function download(
  { program, runner }: Pick<DownloadTools, 'program' | 'runner'>,
  cwd: string,
  url: string,
  limits: FetchLimits,
) {
  try {
    await runner.runProgram(program, downloadArguments(url, limits.maxBytes, runner.ffmpegPath), {
      cwd,
      network: true,
      // The parts and the merged file exist at the same time.
      limits: {
        cpuSeconds: CPU_SECONDS,
        memoryBytes: MEMORY_BYTES,
        outputBytes: 2 * limits.maxBytes,
        wallMs: limits.timeoutMs,
      },
      ...(limits.signal ? { signal: limits.signal } : {}),
    });
  } catch (error) {
    if (!(error instanceof RunError) || error.reason === 'aborted') throw error;
    throw downloadError(error, limits.maxBytes);
  }
}

/** The message for the owner of the content; the program's output goes to the log. */
function downloadError(error: RunError, maxBytes: number): AppError {
  const cause = new Error(`${error.message}: ${error.stderrTail.slice(-2_000)}`, { cause: error });
  if (error.reason === 'output-limit' || FILE_TOO_LARGE.test(error.stderrTail)) return tooLarge(maxBytes, cause);
  if (error.reason === 'timeout' || error.reason === 'cpu-limit' || error.reason === 'memory') {
    return new AppError('INVALID_INPUT', t`Fetching the video from YouTube exceeded the limits of this server.`, {
      suggestedFix: t`Download it from YouTube Studio and upload the file with createContentAsset.`,
      cause,
    });
  }
  return new AppError('SERVICE_UNAVAILABLE', t`The video could not be fetched from YouTube.`, {
    suggestedFix: t`Download it from YouTube Studio and upload the file with createContentAsset.`,
    retryAfterSeconds: 30,
    cause,
  });
}

async function fileIn(
  folder: string,
  { maxBytes }: FetchLimits,
): Promise<{ path: string; sizeBytes: number; extension: string }> {
  const names = (await readdir(folder)).filter((name) => /^video\.[a-z0-9]{2,5}$/.test(name));
  const [name] = names;
  // The program skips files above the limit and exits with success.
  if (name === undefined) throw tooLarge(maxBytes);
  const path = join(folder, name);
  const { size: sizeBytes } = await stat(path);
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
  return { path, sizeBytes, extension: name.slice('video.'.length) };
}

function tooLarge(maxBytes: number, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', t`The video is larger than ${maxBytes} bytes, the space left in the plan.`, {
    suggestedFix: t`Choose a plan with a higher limit, or upload a smaller file with createContentAsset.`,
    cause,
  });
}

/** The file that `work` creates in a new folder, which exists until the stream is read or destroyed. */
function streamOf(
  folders: WorkFolders,
  work: (folder: string) => Promise<{ path: string; sizeBytes: number; extension: string }>,
): Promise<FetchedBody> {
  return new Promise((resolve, reject) => {
    folders
      .use(async (folder) => {
        const { path, sizeBytes, extension } = await work(folder);
        const stream = createReadStream(path);
        resolve({ stream, sizeBytes, contentType: null, url: `https://www.youtube.com/video.${extension}` });
        await finished(stream);
      })
      // Once the stream is returned, its reader gets all errors.
      .catch(reject);
  });
}
