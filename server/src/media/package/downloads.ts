import { PLAYLIST_NAME } from '../encode/encoded.ts';
import { ANONYMOUS } from '../encode/encoder-args.ts';
import type { Ladder } from '../encode/ladder.ts';
import type { PackagedFile } from './list-package.ts';

/** The folder of downloads in a package, which are authorized separately from the stream. */
export const DOWNLOADS_FOLDER = 'downloads';
const VIDEO_PATH = `${DOWNLOADS_FOLDER}/video.mp4`;
const AUDIO_PATH = `${DOWNLOADS_FOLDER}/audio.m4a`;

/** Which downloads to create. */
export interface DownloadPlan {
  readonly video: boolean;
  readonly audio: boolean;
}

/** A slow or still video larger than this gets no download, which would be a rarely used second copy. */
const SLOW_DOWNLOAD_BYTES = 256 * 1024 ** 2;

/**
 * The downloads that fit into `maxBytes`: a video file with video, an audio file with audio, and for slow videos (see
 * `isSlowVideo`) only small ones. `files` are those of the stream. Pure.
 */
export function planDownloads(
  ladder: Pick<Ladder, 'video' | 'audio'>,
  files: readonly PackagedFile[],
  { maxBytes, slow }: { readonly maxBytes: number; readonly slow: boolean },
): DownloadPlan {
  const sizeOf = (folder: string | undefined) =>
    files.filter(({ path }) => path.startsWith(`${folder}/`)).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let left = maxBytes - files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const take = (bytes: number): boolean => {
    if (bytes > left || (slow && bytes > SLOW_DOWNLOAD_BYTES)) return false;
    left -= bytes;
    return true;
  };
  const sound = sizeOf(ladder.audio?.folder);
  const video = ladder.video.length > 0 && take(sizeOf(ladder.video[0]?.folder) + sound);
  return { video, audio: ladder.audio !== null && take(sound) };
}

/** The files `downloadArgs` writes. */
export function downloadPaths(plan: DownloadPlan): { video: string | null; audio: string | null } {
  return { video: plan.video ? VIDEO_PATH : null, audio: plan.audio ? AUDIO_PATH : null };
}

/** Not fragmented, with the index in front, so that it plays during the download. */
const ONE_FILE = [...ANONYMOUS, '-c', 'copy', '-avoid_negative_ts', 'disabled', '-movflags', '+faststart'];

/**
 * Arguments that copy the largest rendition and the audio of a package into one file each, without encoding. Run in the
 * folder of the package. `-copyts` keeps the times of the stream: without it the audio, whose first packet is before 0
 * (AAC priming), would be shifted against the video. Pure.
 */
export function downloadArgs(ladder: Ladder, plan: DownloadPlan): string[] {
  const { video, audio } = downloadPaths(plan);
  const renditions = [
    ...(plan.video ? ladder.video.slice(0, 1) : []),
    ...(ladder.audio === null ? [] : [ladder.audio]),
  ];
  const sound = `${renditions.length - 1}:a`;
  return [
    '-copyts',
    ...renditions.flatMap(({ folder }) => [
      '-protocol_whitelist',
      'file',
      '-f',
      'hls',
      '-i',
      `${folder}/${PLAYLIST_NAME}`,
    ]),
    ...(video === null
      ? []
      : ['-map', '0:v', ...(ladder.audio === null ? [] : ['-map', sound]), ...ONE_FILE, '-f', 'mp4', video]),
    ...(audio === null ? [] : ['-map', sound, ...ONE_FILE, '-f', 'ipod', audio]),
  ];
}
