import { planColour } from '../../inspect/colour-plan.ts';
import type { AudioFacts, MediaFacts, VideoFacts } from '../../inspect/media-facts.ts';
import type { AudioRung } from '../../ladder/audio-rungs.ts';
import type { RawPicture, Stage } from '../../stages/stages.ts';
import type { SampledFrames } from '../verify/sample-frames.ts';
import {
  type ChunkWindow,
  decodedFilters,
  fastestOf,
  lengthFilters,
  mixFilters,
  onePixel,
  renditionChains,
  resampled,
  type Sizes,
  shrunk,
  soundOutputs,
  sourceFilters,
  sourceSamples,
  stagedSamples,
} from '../video-filters.ts';

/** A chunk in frames of the fastest rendition. */
export interface FrameWindow extends ChunkWindow {
  /** Its first frame in the whole video. */
  readonly start: number;
  /** Null: to the end of the source. */
  readonly count: number | null;
  /** Frames that programs read before and after it. */
  readonly before: number;
  readonly after: number;
}

/**
 * The filters before programs that change pictures: `frames` are raw pictures with those around the chunk, `counted`
 * has as many, `source` are those of the chunk that are compared for verification. Pure.
 */
export function decodedPictures(
  video: VideoFacts,
  picture: RawPicture,
  { all }: Sizes,
  stages: readonly Stage[],
  window: FrameWindow,
  sampled: SampledFrames,
): string {
  const fastest = fastestOf(all);
  const common = decodedFilters(video, stages, fastest, window, window);
  const raw = [...shrunk(video, picture), ...sourceFilters(video, stages, 'output'), ...rawFilters(video, picture)];
  return [
    `[0:${video.index}]${common.join(',')},split=3[decoded][around][every]`,
    `[every]${onePixel(video)},setpts=N[counted]`,
    sourceSamples('[around]', sampled, fastest, trimmed(window)),
    `[decoded]${raw.join(',')},setpts=N[frames]`,
  ].join(';');
}

function rawFilters(video: VideoFacts, { width, height, pixelFormat }: RawPicture): string[] {
  const { read, writeMatrix } = planColour(video);
  const colours = [...read, `out_color_matrix=${writeMatrix}`, 'out_range=tv'];
  return [`scale=w=${width}:h=${height}:flags=bicubic:${colours.join(':')}`, `format=${pixelFormat}`];
}

/** Drops the frames around the chunk. */
function trimmed({ before, count }: FrameWindow): string[] {
  const end = count === null ? '' : `:end_frame=${before + count}`;
  return [`trim=start_frame=${before}${end}`];
}

/**
 * The filters after programs that changed pictures, `video` being what the last one wrote: outputs as of `videoGraph`,
 * and `received` with as many frames as there were. Pure.
 */
export function stagedPictures(
  video: VideoFacts,
  sizes: Sizes,
  stages: readonly Stage[],
  window: FrameWindow,
  sampled: SampledFrames,
): string {
  const { primaries, transfer, matrix } = planColour(video).tags;
  const { split, chains } = renditionChains(video, sizes, stages, window);
  const frames = [
    `setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`,
    ...[...trimmed(window), `setpts=N+${window.start}`, `split=${sizes.encoded.length + 1}${split}[sampled]`],
  ];
  return [
    `[0:v]split=2[frames][every]`,
    `[every]${onePixel(video)},setpts=N[received]`,
    `[frames]${frames.join(',')}`,
    stagedSamples('[sampled]', video, stages, sampled, fastestOf(sizes.all)),
    ...chains,
  ].join(';');
}

/** Prints how many samples there were (see `countedSamples`). */
const COUNT = 'astats=measure_perchannel=none:measure_overall=Number_of_samples';

/** Layouts that ffmpeg knows by name; files may have others. */
const LAYOUTS: ReadonlySet<string> = new Set([
  ...['mono', 'stereo', '2.1', '3.0', '4.0', 'quad', '5.0', '5.0(side)', '5.1', '5.1(side)', '6.1', '7.1'],
]);

/** The filters before programs that change a track of sound: `samples` are 32-bit floats. Pure. */
export function decodedSound(facts: MediaFacts, rung: AudioRung, { index, channelLayout }: AudioFacts): string {
  const layout = LAYOUTS.has(channelLayout ?? '') ? `:channel_layouts=${channelLayout}` : '';
  const filters = [resampled(rung), ...lengthFilters(facts, rung), `aformat=sample_fmts=flt${layout}`, COUNT];
  return `[0:${index}]${filters.join(',')}[samples]`;
}

/** The filters after them: outputs as of `audioGraph`. Pure. */
export function stagedSound(rung: AudioRung, stages: readonly Stage[]): string {
  return `[0:a]${[COUNT, ...mixFilters(rung, stages), soundOutputs()].join(',')}`;
}

/** How many samples of each channel passed; 0 where none did. Pure. */
export function countedSamples(stderr: string): number {
  return Number([...stderr.matchAll(/Number of samples: (\d+)$/gm)].at(-1)?.[1] ?? 0);
}
