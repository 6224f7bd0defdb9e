import { PLAYLIST_NAME } from '../encode/encoded.ts';
import { ANONYMOUS } from '../encode/encoder-args.ts';
import type { VideoRung } from '../encode/ladder.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';

export const THUMBNAIL_FOLDER = 'thumbs';
/** Numbered from 00001. */
export const THUMBNAIL_PATTERN = `${THUMBNAIL_FOLDER}/%05d.jpg`;

/** Thumbnails for the seek bar: one every `intervalMs`, the n-th for the time (n - 1) * intervalMs. */
export interface ThumbnailPlan {
  readonly intervalMs: number;
  readonly width: number;
  readonly height: number;
}

/** At most 100 thumbnails, at most one a second, 160 pixels on the long side. */
export function planThumbnails(facts: Pick<MediaFacts, 'durationMs' | 'video'>): ThumbnailPlan | null {
  if (facts.video === null) return null;
  const { displayWidth, displayHeight } = facts.video;
  const factor = Math.min(1, 160 / Math.max(displayWidth, displayHeight));
  const even = (value: number) => Math.max(2, 2 * Math.round((value * factor) / 2));
  return {
    intervalMs: Math.max(1000, Math.ceil((facts.durationMs ?? 0) / 100)),
    width: even(displayWidth),
    height: even(displayHeight),
  };
}

/**
 * Arguments that write the thumbnails of a rendition: the smallest one is quickly decoded. Run in the folder of the
 * package. Pure.
 */
export function thumbnailArgs(rung: VideoRung, { intervalMs, width, height }: ThumbnailPlan): string[] {
  // `round=up` with the start fixed yields the frame at 0, then the first one at or after each multiple of the
  // interval.
  const sparse = `fps=1000/${intervalMs}:start_time=0:round=up`;
  // Full-range BT.601 by definition (JFIF 1.02, "Color space").
  const scaled = `scale=w=${width}:h=${height}:flags=bicubic:out_color_matrix=bt601:out_range=pc,format=yuvj420p,setsar=1`;
  return [
    ...['-protocol_whitelist', 'file', '-f', 'hls', '-i', `${rung.folder}/${PLAYLIST_NAME}`],
    ...['-filter_complex', `[0:v]${sparse},${scaled}[t]`, '-map', '[t]', ...ANONYMOUS, '-fps_mode', 'passthrough'],
    ...['-c:v', 'mjpeg', '-q:v', '6', '-f', 'image2', THUMBNAIL_PATTERN],
  ];
}
