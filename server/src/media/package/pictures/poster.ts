import { isAnimation } from '../../inspect/animation-times.ts';
import { type ColourPlan, planColour } from '../../inspect/colour-plan.ts';
import type { MediaFacts, VideoFacts } from '../../inspect/media-facts.ts';
import { pinnedInput } from '../../inspect/probe.ts';
import { deinterlaced } from '../../stages/stages.ts';
import type { RunPart } from './run-part.ts';

export const POSTER_NAME = 'poster.jpg';

/** Longest side of a poster. */
const POSTER_PIXELS = 1280;
/** How long the search lasts. */
export const POSTER_WINDOW_MS = 4_000;

/** Start of the search for a poster: after the titles, but not too late. */
export function posterWindowStartMs(durationMs: number): number {
  return Math.max(0, Math.min(durationMs * 0.15, durationMs - POSTER_WINDOW_MS));
}

/**
 * The poster of a video, or else one from the start of the file, which begins `fileStartMs` after the video. Facts are
 * those of the whole video. Pure.
 */
export function posterParts(facts: MediaFacts, video: VideoFacts, fileStartMs = 0): RunPart[] {
  const fromMs = Math.max(0, posterWindowStartMs(facts.durationMs ?? 0) - fileStartMs);
  return [...new Set([fromMs, 0])].map((startMs) => posterPart(facts, video, startMs));
}

/** Writes the most representative of some 16 frames in the four seconds after `fromMs` to `POSTER_NAME`. Pure. */
export function posterPart(facts: MediaFacts, video: VideoFacts, fromMs: number): RunPart {
  const colour = planColour(video);
  const { width, height } = posterSize(video);
  // In a very short video every frame is a candidate.
  const sparse = (facts.durationMs ?? 0) < POSTER_WINDOW_MS ? [] : ['fps=4:start_time=0'];
  const filters = [
    ...deinterlaced(video, 'frame'),
    ...sparse,
    'thumbnail=n=16',
    ...colour.before,
    ...scaledStill(width, height, colour),
  ];
  const seek = fromMs > 0 ? ['-ss', (fromMs / 1000).toFixed(3)] : [];
  return {
    inputs: [[...seek, '-t', `${POSTER_WINDOW_MS / 1000}`, ...pinnedInput(facts.demuxer)]],
    outputs: (first) => [
      ...['-filter_complex', `[${first}:${video.index}]${filters.join(',')}[poster]`, '-map', '[poster]'],
      ...[...ONE_FRAME, ...jpegOutput()],
    ],
  };
}

/**
 * Arguments that write the frame displayed at `atMs` to `POSTER_NAME`; after the last frame nothing is written, except
 * of animated images. Pure.
 */
export function frameArgs(facts: MediaFacts, video: VideoFacts, atMs: number): string[] {
  const colour = planColour(video);
  const { width, height } = posterSize(video);
  const filters = [...deinterlaced(video, 'frame'), ...colour.before, ...scaledStill(width, height, colour)];
  const graph = (all: readonly string[]) => [
    ...['-filter_complex', `[0:${video.index}]${all.join(',')}[p]`],
    ...['-map', '[p]'],
  ];
  // Frames of animated images last for long, and ffmpeg seeks to the next one: the last one until then is written.
  if (isAnimation(facts.demuxer)) {
    const until = [`select=lte(t\\,${(atMs + 0.5) / 1000})`, ...filters];
    const input = ['-t', `${(atMs + 1000) / 1000}`, ...pinnedInput(facts.demuxer)];
    return [...input, ...graph(until), '-fps_mode', 'passthrough', ...jpegOutput()];
  }
  const seek = atMs > 0 ? ['-ss', (atMs / 1000).toFixed(3)] : [];
  return [...seek, ...pinnedInput(facts.demuxer), ...graph(filters), ...ONE_FRAME, ...jpegOutput()];
}

/** Writes the cover of an audio file to `POSTER_NAME`. Pure. */
export function coverPart(facts: MediaFacts, coverIndex: number): RunPart {
  const filters = `scale=w='min(iw,${POSTER_PIXELS})':h='min(ih,${POSTER_PIXELS})':force_original_aspect_ratio=decrease:out_color_matrix=bt601:out_range=pc,format=yuvj420p,setsar=1`;
  return {
    inputs: [pinnedInput(facts.demuxer)],
    outputs: (first) => [
      ...['-filter_complex', `[${first}:${coverIndex}]${filters}[poster]`, '-map', '[poster]'],
      ...[...ONE_FRAME, ...jpegOutput()],
    ],
  };
}

function posterSize(video: VideoFacts): { width: number; height: number } {
  const factor = Math.min(1, POSTER_PIXELS / Math.max(video.displayWidth, video.displayHeight));
  const even = (value: number) => Math.max(2, 2 * Math.floor((value * factor) / 2));
  return { width: even(video.displayWidth), height: even(video.displayHeight) };
}

const ONE_FRAME = ['-frames:v', '1'] as const;

/** Each frame replaces the previous one. */
function jpegOutput(): string[] {
  return ['-map_metadata', '-1', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1', POSTER_NAME];
}

/** Square pixels in a JPEG, which is full-range BT.601 by definition (JFIF 1.02, "Color space"). */
function scaledStill(width: number, height: number, colour: ColourPlan): string[] {
  const options = [
    ...[`w=${width}`, `h=${height}`, 'flags=bicubic', ...colour.read],
    ...['out_color_matrix=bt601', 'out_range=pc'],
  ];
  return [`scale=${options.join(':')}`, 'format=yuvj420p', 'setsar=1'];
}
