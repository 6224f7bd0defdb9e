import { ANONYMOUS, PLAYLIST_NAME } from './hls-encode.ts';
import type { Ladder } from './ladder.ts';

/** What lies in this folder of a package is no part of the stream: who may have it is decided by itself. */
export const DOWNLOADS_FOLDER = 'downloads';
const VIDEO_PATH = `${DOWNLOADS_FOLDER}/video.mp4`;
const AUDIO_PATH = `${DOWNLOADS_FOLDER}/audio.m4a`;

/** The files `downloadArgs` writes: no picture, no video; no sound, no audio. */
export function downloadPaths(ladder: Pick<Ladder, 'video' | 'audio'>): { video: string | null; audio: string | null } {
  return { video: ladder.video.length === 0 ? null : VIDEO_PATH, audio: ladder.audio === null ? null : AUDIO_PATH };
}

/** The file is one whole with its index in front, so that it plays while it is being loaded. */
const ONE_FILE = [...ANONYMOUS, '-c', 'copy', '-avoid_negative_ts', 'disabled', '-movflags', '+faststart'];

/**
 * Arguments that copy the largest rendition and the sound of a package into one file each, without encoding anything. Run in the
 * folder of the package. `-copyts` keeps both at the times they have in the stream: without it the sound, whose first packet lies
 * before 0 (the priming of AAC), would be shifted against the picture. Pure.
 */
export function downloadArgs(ladder: Ladder): string[] {
  const { video, audio } = downloadPaths(ladder);
  const renditions = [...ladder.video.slice(0, 1), ...(ladder.audio === null ? [] : [ladder.audio])];
  const sound = `${renditions.length - 1}:a`;
  return [
    '-copyts',
    ...renditions.flatMap(({ folder }) => ['-protocol_whitelist', 'file', '-f', 'hls', '-i', `${folder}/${PLAYLIST_NAME}`]),
    ...(video === null ? [] : ['-map', '0:v', ...(audio === null ? [] : ['-map', sound]), ...ONE_FILE, '-f', 'mp4', video]),
    ...(audio === null ? [] : ['-map', sound, ...ONE_FILE, '-f', 'ipod', audio]),
  ];
}
