import { ANONYMOUS, PLAYLIST_NAME } from './hls-encode.ts';
import type { Ladder } from './ladder.ts';
import type { PackagedFile } from './verify-package.ts';

/** What lies in this folder of a package is no part of the stream: who may have it is decided by itself. */
export const DOWNLOADS_FOLDER = 'downloads';
const VIDEO_PATH = `${DOWNLOADS_FOLDER}/video.mp4`;
const AUDIO_PATH = `${DOWNLOADS_FOLDER}/audio.m4a`;

/** Which files to download are made. */
export interface DownloadPlan {
  readonly video: boolean;
  readonly audio: boolean;
}

/**
 * A slow or still video larger than this has its stream only: its file would be a second copy that hardly anybody
 * loads.
 */
const SLOW_DOWNLOAD_BYTES = 256 * 1024 ** 2;

/**
 * Which of the files can be made without the package exceeding `maxBytes`: no picture, no video; no sound, no audio;
 * and of a slow video (see `isSlowFilm`) only those that are small. `files` are those of the stream. Pure.
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

/** The file is one whole with its index in front, so that it plays while it is being loaded. */
const ONE_FILE = [...ANONYMOUS, '-c', 'copy', '-avoid_negative_ts', 'disabled', '-movflags', '+faststart'];

/**
 * Arguments that copy the largest rendition and the sound of a package into one file each, without encoding anything.
 * Run in the folder of the package. `-copyts` keeps both at the times they have in the stream: without it the sound,
 * whose first packet lies before 0 (the priming of AAC), would be shifted against the picture. Pure.
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
