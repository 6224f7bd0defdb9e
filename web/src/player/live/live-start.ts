import type HlsPlayer from 'hls.js';
import type { LevelDetails } from 'hls.js';

/** Browsers round positions. */
const MARGIN_SECONDS = 0.05;

/**
 * Keeps the position of a live stream after the beginning of its tracks, until the returned function is called. Sound
 * often begins milliseconds after the picture; of a track that begins after the position, hls.js loads the end.
 */
export function keepAfterStart(hls: HlsPlayer, video: HTMLVideoElement): () => void {
  const onSeeking = (): void => {
    const start = startOf([hls.levels[hls.loadLevel]?.details, hls.audioTracks[hls.audioTrack]?.details]);
    if (video.currentTime < start) video.currentTime = start + MARGIN_SECONDS;
  };
  video.addEventListener('seeking', onSeeking);
  return () => video.removeEventListener('seeking', onSeeking);
}

type Track = Pick<LevelDetails, 'live'> & {
  readonly fragments: readonly Pick<LevelDetails['fragments'][0], 'start'>[];
};

/** Where all of these tracks have begun, in seconds; 0 unless they are live. */
export function startOf(tracks: readonly (Track | undefined)[]): number {
  return Math.max(0, ...tracks.map((track) => (track?.live ? (track.fragments[0]?.start ?? 0) : 0)));
}
