import { clock } from '@reelgraph/captions';
import { type EncodedRendition, PLAYLIST_NAME } from '../../encode/encoded.ts';
import { ANONYMOUS } from '../../encode/encoder-args.ts';
import type { VideoFacts } from '../../inspect/media-facts.ts';
import { type Ladder, smallestClearRung, type VideoRung } from '../../ladder/ladder.ts';
import type { RunPart } from './run-part.ts';

/** Pictures for the seek bar: sheets of equal tiles, and a WebVTT file that tells which tile shows which moment. */

export const STORYBOARD_FOLDER = 'thumbs';
const SHEET_NAME = '%05d.jpg';
/** Sheets, numbered from 00001. */
const SHEET_PATTERN = `${STORYBOARD_FOLDER}/${SHEET_NAME}`;
const STORYBOARD_PATH = `${STORYBOARD_FOLDER}/storyboard.vtt`;

/** A storyboard of a package: `thumbs/%05d.jpg`, numbered from 1, and the WebVTT file that names their parts. */
export interface PackagedStoryboard {
  readonly pattern: string;
  /** Of the sheets. */
  readonly count: number;
  /** Between two pictures. */
  readonly intervalMs: number;
  readonly vtt: string;
}

/** The n-th tile shows the time (n - 1) * `intervalMs`. */
export interface StoryboardPlan {
  readonly intervalMs: number;
  readonly tiles: number;
  readonly sheets: number;
  /** Tiles beside and below each other in a sheet. */
  readonly columns: number;
  readonly rows: number;
  /** Pixels of a tile. */
  readonly width: number;
  readonly height: number;
}

const MOST_TILES = 400;
const MOST_COLUMNS = 10;
const MOST_ROWS = 10;
const LONG_SIDE = 160;

/** At most 400 tiles in four sheets, at most one a second, 160 pixels on the long side. Pure. */
export function planStoryboard(
  { displayWidth, displayHeight }: Pick<VideoFacts, 'displayWidth' | 'displayHeight'>,
  durationMs: number,
): StoryboardPlan {
  const factor = Math.min(1, LONG_SIDE / Math.max(displayWidth, displayHeight));
  const even = (value: number) => Math.max(2, 2 * Math.round((value * factor) / 2));
  const intervalMs = Math.max(1000, Math.ceil(durationMs / MOST_TILES));
  const tiles = Math.max(1, Math.ceil(durationMs / intervalMs));
  const columns = Math.min(MOST_COLUMNS, tiles);
  const rows = Math.min(MOST_ROWS, Math.ceil(tiles / columns));
  const sheets = Math.ceil(tiles / (columns * rows));
  return { intervalMs, tiles, sheets, columns, rows, width: even(displayWidth), height: even(displayHeight) };
}

/**
 * Writes the sheets from a rendition: the smallest one is quickly decoded, and only its keyframes where a tile lasts
 * longer than the longest segment. Run in the folder of the package. Pure.
 */
export function storyboardPart(
  rung: Pick<VideoRung, 'folder'>,
  { intervalMs, tiles, columns, rows, width, height }: StoryboardPlan,
  segmentSeconds: number,
): RunPart {
  // `round=up` with the start fixed yields the frame at 0, then the first one at or after each multiple of the
  // interval; the last one is repeated where the picture ends early.
  const sparse = `fps=1000/${intervalMs}:start_time=0:round=up,tpad=stop=-1:stop_mode=clone,trim=end_frame=${tiles}`;
  // Full-range BT.601 by definition (JFIF 1.02, "Color space").
  const scaled = `scale=w=${width}:h=${height}:flags=bicubic:out_color_matrix=bt601:out_range=pc,format=yuvj420p,setsar=1`;
  const decoded = intervalMs >= 1000 * segmentSeconds ? ['-skip_frame', 'nokey'] : [];
  return {
    inputs: [[...decoded, '-protocol_whitelist', 'file', '-f', 'hls', '-i', `${rung.folder}/${PLAYLIST_NAME}`]],
    outputs: (first) => [
      ...['-filter_complex', `[${first}:v]${sparse},${scaled},tile=${columns}x${rows}[storyboard]`],
      ...['-map', '[storyboard]', ...ANONYMOUS],
      ...['-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '6', '-f', 'image2', SHEET_PATTERN],
    ],
  };
}

/** The WebVTT file: each cue is a part of a sheet as a media fragment (`#xywh=`, W3C Media Fragments). Pure. */
export function storyboardText(
  { intervalMs, tiles, columns, rows, width, height }: StoryboardPlan,
  durationMs: number,
): string {
  const cues = Array.from({ length: tiles }, (_, tile) => {
    const place = tile % (columns * rows);
    const sheet = SHEET_NAME.replace('%05d', `${1 + (tile - place) / (columns * rows)}`.padStart(5, '0'));
    const [x, y] = [(place % columns) * width, Math.floor(place / columns) * height];
    const [start, end] = [tile * intervalMs, Math.min(durationMs, (tile + 1) * intervalMs)];
    return `${clock(start)} --> ${clock(end)}\n${sheet}#xywh=${x},${y},${width},${height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

interface StoryboardSource {
  /** Null for audio only. */
  readonly video: VideoFacts | null;
  readonly ladder: Pick<Ladder, 'video'>;
  readonly renditions: readonly Pick<EncodedRendition, 'folder' | 'segments' | 'durationSeconds'>[];
}

/** A storyboard that is to be made. */
export interface Storyboard {
  /** Makes the sheets. */
  readonly part: RunPart;
  /** Of the WebVTT file. */
  readonly text: string;
  readonly packaged: PackagedStoryboard;
}

/** The storyboard of a package; null for audio only. Pure. */
export function storyboardOf({ video, ladder, renditions }: StoryboardSource): Storyboard | null {
  const rendition = renditions.find(({ folder }) => folder === smallestClearRung(ladder)?.folder);
  if (!rendition || video === null) return null;
  const durationMs = Math.round(1000 * rendition.durationSeconds);
  const plan = planStoryboard(video, durationMs);
  const longest = Math.max(...rendition.segments.map(({ durationSeconds }) => durationSeconds));
  const { sheets: count, intervalMs } = plan;
  return {
    part: storyboardPart(rendition, plan, longest),
    text: storyboardText(plan, durationMs),
    packaged: { pattern: SHEET_PATTERN, count, intervalMs, vtt: STORYBOARD_PATH },
  };
}
