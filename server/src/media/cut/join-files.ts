import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { ANONYMOUS } from '../encode/encoder-args.ts';
import { decodedFilters, fastestOf } from '../encode/video-filters.ts';
import type { MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { pinnedInput } from '../inspect/probe.ts';
import { planLadder } from '../ladder/ladder.ts';
import type { Runner } from '../runner.ts';
import { stagesOf } from '../stages/stages.ts';
import { CUT_NAME, type CutOptions, cutFile, cutLimits, pictureOutput, secondsOf } from './cut-file.ts';
import { lengthOf, type TimeRange } from './ranges.ts';

/** A file, and the range of it that is kept. */
export interface FilePart {
  readonly path: string;
  /** From `inspectFile`. */
  readonly facts: MediaFacts;
  readonly range: TimeRange;
}

type PicturePart = FilePart & { readonly facts: MediaFacts & { readonly video: VideoFacts } };

/**
 * Writes ranges of files, one after another, as `cutFile` does. Pictures have the size and the rate of the largest
 * ones; smaller ones get a margin, and what has no sound is silent.
 * @throws AppError as `cutFile`.
 */
export async function joinFiles(
  runner: Runner,
  parts: readonly FilePart[],
  options: CutOptions,
): Promise<{ path: string; sizeBytes: number }> {
  const [only] = parts;
  if (only && parts.length === 1)
    return cutFile(runner, only.path, { facts: only.facts, ranges: [only.range] }, options);
  const { workDir, signal } = options;
  const withPictures = parts.filter(hasPictures);
  const largest = largestOf(withPictures);
  if (!largest || withPictures.length < parts.length) throw new Error('Only files with pictures are joined.');
  try {
    await runner.prepareWorkDir(workDir);
    const sizes = await Promise.all(parts.map(({ path }) => stat(path)));
    const durationMs = lengthOf(parts.map(({ range }) => range));
    const limits = cutLimits(
      { ...largest.facts, durationMs },
      sizes.reduce((sum, { size }) => sum + size, 0),
    );
    await runner.run('ffmpeg', joinArgs(withPictures, largest), {
      ...{ cwd: workDir, inputs: parts.map(({ path }) => path), limits, signal },
    });
    const path = join(workDir, CUT_NAME);
    return { path, sizeBytes: (await stat(path)).size };
  } catch (error) {
    throw explainEncodeError(error);
  }
}

function hasPictures(part: FilePart): part is PicturePart {
  return part.facts.video !== null;
}

function largestOf(parts: readonly PicturePart[]): PicturePart | null {
  const pixels = ({ facts: { video } }: PicturePart) => video.displayWidth * video.displayHeight;
  return parts.reduce<PicturePart | null>(
    (best, part) => (best === null || pixels(part) > pixels(best) ? part : best),
    null,
  );
}

/** Arguments of the ffmpeg process that joins ranges of files, which are its inputs in their order. Pure. */
export function joinArgs(parts: readonly PicturePart[], largest: PicturePart): string[] {
  const hasSound = parts.some(({ facts }) => facts.audio !== null);
  const labels = parts.map((_, index) => `[v${index}]${hasSound ? `[a${index}]` : ''}`).join('');
  const graph = [
    ...parts.map((part, index) => pictures(part, index, largest)),
    ...(hasSound ? parts.map(sound) : []),
    `${labels}concat=n=${parts.length}:v=1:a=${hasSound ? 1 : 0}[v]${hasSound ? '[a]' : ''}`,
  ];
  const { facts } = largest;
  return [
    ...parts.flatMap((part, index) => pinnedInput(part.facts.demuxer, index)),
    ...['-filter_complex', graph.join(';'), '-map', '[v]', ...pictureOutput(facts, facts.video, null)],
    ...(hasSound ? ['-map', '[a]', '-c:a', 'aac', '-b:a', `${SOUND_BPS}`] : []),
    ...[...ANONYMOUS, '-movflags', '+faststart', '-f', 'mp4', CUT_NAME],
  ];
}

/** Stereo. */
const SOUND_BPS = 256_000;

/** The frames of a range, in the size and at the rate of the largest. */
function pictures({ facts, range }: PicturePart, index: number, largest: PicturePart): string {
  const rate = fastestOf(planLadder(largest.facts).video);
  const window = { fromSeconds: 0, startSeconds: 0, frames: null };
  const [width, height] = [even(largest.facts.video.displayWidth), even(largest.facts.video.displayHeight)];
  const filters = [
    ...decodedFilters(facts.video, stagesOf(facts), rate, window),
    `trim=start=${secondsOf(range.startMs)}:end=${secondsOf(range.endMs)}`,
    'setpts=PTS-STARTPTS',
    `scale=w=${width}:h=${height}:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bicubic`,
    `pad=w=${width}:h=${height}:x=(ow-iw)/2:y=(oh-ih)/2`,
    ...['setsar=1', `format=${largest.facts.video.bitDepth > 8 ? 'yuv420p10le' : 'yuv420p'}`],
  ];
  return `[${index}:${facts.video.index}]${filters.join(',')}[v${index}]`;
}

function even(pixels: number): number {
  return Math.max(2, 2 * Math.floor(pixels / 2));
}

/** The sound of a range, with silence where there is none. */
function sound({ facts: { audio }, range: { startMs, endMs } }: FilePart, index: number): string {
  if (audio === null)
    return `anullsrc=r=48000:cl=stereo,atrim=end=${secondsOf(endMs - startMs)},asetpts=PTS-STARTPTS[a${index}]`;
  const filters = [
    ...['aresample=48000:async=1:first_pts=0', 'aformat=channel_layouts=stereo', `apad=whole_dur=${secondsOf(endMs)}`],
    ...[`atrim=start=${secondsOf(startMs)}:end=${secondsOf(endMs)}`, 'asetpts=PTS-STARTPTS'],
  ];
  return `[${index}:${audio.index}]${filters.join(',')}[a${index}]`;
}
