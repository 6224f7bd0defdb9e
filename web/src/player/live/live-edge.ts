import type HlsPlayer from 'hls.js';
import type { LevelDetails } from 'hls.js';

/** Where a live stream is. */
export interface LiveEdge {
  /** The position that players keep to, in seconds: it moves on. */
  readonly position: number;
  /** How far what is shown is behind the encoder, in seconds; null before it is known. */
  readonly latency: number | null;
}

/** Behind by more than this, the viewer has paused or rewound. */
const AT_EDGE_SECONDS = 4;
/** Playback catches up by at most so much, which is not heard. */
export const CATCH_UP_RATE = 1.1;

/** Whether a position is as good as live. */
export function isAtEdge({ position }: LiveEdge, time: number): boolean {
  return time >= position - AT_EDGE_SECONDS;
}

/** Whether viewers keep to the end of a playlist: videos that arrive grow, too, and say where they begin. */
export function isLiveStream({ live, startTimeOffset }: Pick<LevelDetails, 'live' | 'startTimeOffset'>): boolean {
  return live && startTimeOffset === null;
}

/** Tells where the live edge is, with every playlist; null once the stream has ended, and for videos. */
export function followLiveEdge(
  hls: HlsPlayer,
  { LEVEL_UPDATED }: Pick<typeof HlsPlayer.Events, 'LEVEL_UPDATED'>,
  report: (edge: LiveEdge | null) => void,
): void {
  hls.on(LEVEL_UPDATED, (_, { details }) => {
    if (!isLiveStream(details)) return report(null);
    report({ position: hls.liveSyncPosition ?? details.edge, latency: hls.latency > 0 ? hls.latency : null });
  });
}
