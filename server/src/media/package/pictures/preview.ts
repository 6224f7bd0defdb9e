import { INIT_NAME } from '../../encode/encoded.ts';
import { ANONYMOUS, VIDEO_ENCODER } from '../../encode/encoder-args.ts';
import { formatFraction, reduced, toNumber } from '../../inspect/fraction.ts';
import type { Ladder, VideoRung } from '../../ladder/ladder.ts';
import type { RunPart } from './run-part.ts';

export const PREVIEW_FOLDER = 'preview';
export const PREVIEW_PATH = `${PREVIEW_FOLDER}/preview.mp4`;

/** A still of one moment, upright. */
export interface Still {
  /** Of a JPEG, relative to the package. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

const MOST_MOMENTS = 4;
const PREVIEW_SECONDS = 5;
/** Maximum length for a video with a single segment. */
const MOST_SECONDS = 3;
/** Maximum size of stills; the preview is smaller, because it plays in a card. */
const STILL_LINES = 720;
const PREVIEW_LINES = 480;
const SMOOTH_RATE = 31;

/** The lines of the 16:9 frame that a video fills, in either orientation. */
function linesOf({ width, height }: Pick<VideoRung, 'width' | 'height'>): number {
  return Math.max(Math.min(width, height), (Math.max(width, height) * 9) / 16);
}

/** The source rendition of preview and stills: the largest of at most 720 lines; null for audio only. Pure. */
export function previewRung(ladder: Pick<Ladder, 'video'>): VideoRung | null {
  // The tolerance is that of the ladder: 1280x736 is called 720p too.
  return ladder.video.find((rung) => linesOf(rung) <= 1.15 * STILL_LINES) ?? ladder.video.at(-1) ?? null;
}

/** The segments of `count` that the preview shows from their start, evenly spread, and for how long. Pure. */
export function previewMoments(count: number): { segments: number[]; seconds: number } {
  const moments = Math.min(MOST_MOMENTS, count);
  const segments = Array.from({ length: moments }, (_, index) => Math.floor(((index + 0.5) / moments) * count));
  return { segments, seconds: Math.min(MOST_SECONDS, PREVIEW_SECONDS / moments) };
}

/** The stills that `previewPart` writes for a video of `count` segments. Pure. */
export function stillsOf({ width, height }: VideoRung, count: number): Still[] {
  return previewMoments(count).segments.map((_, index) => ({
    path: `${PREVIEW_FOLDER}/still-${index + 1}.jpg`,
    width,
    height,
  }));
}

/**
 * Writes the preview and, of each of its moments, the most representative frame. Run in the folder of the package. A
 * segment is read as an MP4 file with its header, so that only shown parts are decoded: ffmpeg seeks badly in HLS of
 * MP4 segments. Pure.
 */
export function previewPart(rung: VideoRung, segments: readonly string[]): RunPart {
  const { segments: shown, seconds } = previewMoments(segments.length);
  const preview = ['-c:v', VIDEO_ENCODER.ffmpegName, '-preset', 'veryfast', '-crf', '27'];
  const still = ['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1'];
  return {
    inputs: shown.map((index) => [
      ...['-protocol_whitelist', 'file,concat', '-f', 'mov', '-t', seconds.toFixed(3)],
      ...['-i', `concat:${rung.folder}/${INIT_NAME}|${rung.folder}/${segments[index]}`],
    ]),
    outputs: (first) => [
      ...['-filter_complex', previewGraph(rung, first, shown.length)],
      ...['-map', '[preview]', ...ANONYMOUS, ...preview, '-maxrate', '800k', '-bufsize', '1600k'],
      ...['-movflags', '+faststart', '-f', 'mp4', PREVIEW_PATH],
      ...stillsOf(rung, segments.length).flatMap(({ path }, index) => [
        ...['-map', `[still${index}]`, ...ANONYMOUS, ...still, path],
      ]),
    ],
  };
}

function previewGraph(rung: VideoRung, first: number, moments: number): string {
  const { num, den } = rung.frameRate;
  // At a constant rate: joined parts of another one would be filled up to the rate of its clock.
  const rate = toNumber(rung.frameRate) > SMOOTH_RATE ? reduced(num, 2 * den) : rung.frameRate;
  const constant = `fps=${formatFraction(rate)}:start_time=0`;
  const factor = Math.min(1, PREVIEW_LINES / linesOf(rung));
  const even = (value: number) => Math.max(2, 2 * Math.round((value * factor) / 2));
  const scaled = `scale=w=${even(rung.width)}:h=${even(rung.height)}:flags=bicubic,setsar=1`;
  // Like all JPEGs: full range BT.601.
  const still =
    'fps=8:start_time=0:round=up,thumbnail=n=32,scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p,setsar=1';
  const each = Array.from({ length: moments }, (_, index) => index);
  return [
    ...each.map((index) => `[${first + index}:v]${constant},split[m${index}][s${index}]`),
    `${each.map((index) => `[m${index}]`).join('')}concat=n=${moments}:v=1:a=0,${scaled}[preview]`,
    ...each.map((index) => `[s${index}]${still}[still${index}]`),
  ].join(';');
}
