import type HlsPlayer from 'hls.js';
import type { ErrorData } from 'hls.js';

/**
 * Whether what a live playlist announced was never made, as after the process that receives the stream was started
 * again: the next playlist tells what there is, or that the stream is gone.
 */
export function isFromOldPlaylist({ frag, response }: ErrorData, { levels, loadLevel }: HlsPlayer): boolean {
  return frag !== undefined && response?.code === 404 && levels[loadLevel]?.details?.live === true;
}
