import { planColour } from '../inspect/colour-plan.ts';
import type { Fraction } from '../inspect/fraction.ts';
import type { AudioFacts, MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import type { AudioRung } from '../ladder/audio-rungs.ts';
import { showsFields, type VideoRung } from '../ladder/ladder.ts';

/** A step between decoding and encoding. The steps of a video are stored in its plan, in their order. */
interface StageBase {
  readonly id: string;
  /** Raised with every change of the output: a plan made with another version is made again. */
  readonly version: number;
  /** Whether the source needs it. */
  appliesTo(facts: MediaFacts): boolean;
  /** Whether it works on any part of the source alone, or has to see a track from its start. */
  readonly scope: 'chunk' | 'track';
  /** Frames before and after a chunk that its output depends on. */
  readonly overlapFrames: number;
  /** CPU seconds for a second of the source, on one core of an ordinary server. */
  costPerSecond(facts: MediaFacts): number;
}

/** ffmpeg filters on decoded pictures, once for all renditions. */
export interface SourceFilterStage extends StageBase {
  readonly kind: 'source-filter';
  /** Whether it sees the frames of the source, or those at the rate of the renditions. */
  readonly rate: 'source' | 'output';
  filters(video: VideoFacts): readonly string[];
}

/** ffmpeg filters on the pictures of one rendition. */
export interface RungFilterStage extends StageBase {
  readonly kind: 'rung-filter';
  filters(video: VideoFacts, rung: Pick<VideoRung, 'width' | 'height'>): readonly string[];
}

/** ffmpeg filters on a track of sound. */
export interface AudioFilterStage extends StageBase {
  readonly kind: 'audio-filter';
  filters(rung: AudioRung): readonly string[];
}

/** A program in the sandbox; its libraries are found by themselves. */
export interface StageProgram {
  /** A path, or a name on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** Other files and folders of the host that it reads. */
  readonly readOnly?: readonly string[];
  /** Devices of the host that it uses, below /dev. */
  readonly devices?: readonly string[];
  readonly memoryBytes: number;
}

/** Raw pictures: square pixels, upright, in limited range, 8 bits a sample, plane by plane. */
export interface RawPicture {
  /** Even, like the height. */
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: 'yuv420p' | 'yuv444p';
}

/**
 * A program that changes pictures, once for all renditions, after all source filters. It reads raw frames on standard
 * input and writes one for each of them to standard output, in the same order; it ends with the input. What it writes
 * depends on nothing but the frame, its number, and `overlapFrames` frames before and after it, as far as the video has
 * them.
 */
export interface ProcessVideoStage extends StageBase {
  readonly kind: 'process-video';
  /** Of the frames that it reads. */
  readonly pixelFormat: RawPicture['pixelFormat'];
  /** What becomes of a picture. */
  output(picture: RawPicture): RawPicture;
  program(input: RawFrames): StageProgram;
}

/** What a program reads. */
export interface RawFrames extends RawPicture {
  readonly frameRate: Fraction;
  /** The number of the first frame in the whole video, from 0. */
  readonly firstFrame: number;
}

/**
 * A program that changes a track of sound, before it is mixed down. It reads samples on standard input (32-bit floats,
 * channels interleaved, 48 kHz), and writes as many for each of its own channels to standard output.
 */
export interface ProcessAudioStage extends StageBase {
  readonly kind: 'process-audio';
  readonly scope: 'track';
  /** The channels that it makes of a track; null where it leaves the track as it is. */
  output(track: AudioFacts): StagedChannels | null;
  program(input: { readonly channels: number }): StageProgram;
}

/** Mono, stereo, 5.1 or 7.1. */
export type StagedChannels = 1 | 2 | 6 | 8;

export type ProcessStage = ProcessVideoStage | ProcessAudioStage;
export type Stage = SourceFilterStage | RungFilterStage | AudioFilterStage | ProcessStage;

/** 25 interlaced frames become 50 progressive ones where the ladder has as many, and 25 otherwise. */
const deinterlace: SourceFilterStage = {
  ...{ id: 'deinterlace', version: 3, kind: 'source-filter', rate: 'source', scope: 'chunk', overlapFrames: 1 },
  appliesTo: ({ video }) => video !== null && video.interlaced !== null,
  costPerSecond: ({ video }) => (video && showsFields(video) ? 0.02 : 0.01) * megapixelsPerSecond(video),
  filters: (video) => deinterlaced(video, showsFields(video) ? 'field' : 'frame'),
};

/**
 * Codecs whose frames tell which field comes first. They are believed rather than the container: in MKV and MOV, ffmpeg
 * itself writes the wrong order.
 */
const TELLS_FIELDS: ReadonlySet<string> = new Set([
  'dnxhd',
  'dvvideo',
  'h264',
  'mpeg1video',
  'mpeg2video',
  'prores',
  'vc1',
]);

/** The filters that make a progressive frame of each field or frame; none for progressive video. */
export function deinterlaced(
  { interlaced, codec }: Pick<VideoFacts, 'interlaced' | 'codec'>,
  each: 'field' | 'frame',
): string[] {
  if (interlaced === null) return [];
  const parity = TELLS_FIELDS.has(codec) ? 'auto' : interlaced === 'tt' ? 'tff' : 'bff';
  return [`bwdif=mode=send_${each}:parity=${parity}:deint=all`];
}

/** High dynamic range and wide gamut become BT.709: see `planColour`. */
const toneMap: SourceFilterStage = {
  ...{ id: 'tone-map', version: 2, kind: 'source-filter', rate: 'output', scope: 'chunk', overlapFrames: 0 },
  appliesTo: ({ video }) => video !== null && planColour(video).before.length > 0,
  costPerSecond: ({ video }) => 0.08 * megapixelsPerSecond(video),
  filters: (video) => planColour(video).before,
};

/** Square pixels, 8-bit 4:2:0, limited range, tagged. The tags are set on the frames, where the encoder reads them. */
const scale: RungFilterStage = {
  ...{ id: 'scale', version: 1, kind: 'rung-filter', scope: 'chunk', overlapFrames: 0 },
  appliesTo: ({ video }) => video !== null,
  costPerSecond: ({ video }) => 0.005 * megapixelsPerSecond(video),
  filters: (video, { width, height }) => {
    const colour = planColour(video);
    const { primaries, transfer, matrix } = colour.tags;
    const options = [
      ...[`w=${width}`, `h=${height}`, 'flags=bicubic', ...colour.read],
      ...[`out_color_matrix=${colour.writeMatrix}`, 'out_range=tv'],
    ];
    return [
      `scale=${options.join(':')}`,
      'format=yuv420p',
      'setsar=1',
      `setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`,
    ];
  },
};

const LAYOUTS: Readonly<Record<AudioRung['channels'], string>> = {
  ...{ 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' },
};

/**
 * Peak of sound that was mixed down: -2 dBFS. Loud channels add up to far more than full scale (ITU-R BS.775), and
 * encoders overshoot a little. The gain falls over 20 ms before a peak, so that nothing is distorted.
 */
const LIMITER = 'alimiter=limit=0.794:level=disabled:latency=1:attack=20:release=100';

/**
 * The surrounds of 7.1 to those of 5.1. That is what an upmix was made from (see `CHANNELS`): no peak is above those
 * that were measured.
 */
const SUMMED = 'aformat=sample_fmts=fltp:channel_layouts=7.1,pan=5.1|FL=FL|FR=FR|FC=FC|LFE=LFE|BL=BL+SL|BR=BR+SR';

/** Mixes sound to the channels of its rendition. */
const downmix: AudioFilterStage = {
  ...{ id: 'downmix', version: 1, kind: 'audio-filter', scope: 'track', overlapFrames: 0 },
  appliesTo: ({ audio }) => audio !== null,
  costPerSecond: () => 0.002,
  filters: ({ source, channels }) =>
    source.channels === 8 && channels === 6
      ? [SUMMED]
      : [
          `aformat=sample_fmts=fltp:channel_layouts=${LAYOUTS[channels]}`,
          ...(source.channels > channels ? [LIMITER] : []),
        ],
};

/** All stages, in the order in which they are applied. */
export const STAGES: readonly Stage[] = [deinterlace, toneMap, scale, downmix];

/** A stage as a plan stores it. */
export interface PlannedStage {
  readonly id: string;
  readonly version: number;
  /** Where it is a program. */
  readonly kind?: 'process';
}

/** The stages of a source, of those that there are, in their order. Pure. */
export function stagesOf(facts: MediaFacts, stages: readonly Stage[] = STAGES): Stage[] {
  return stages.filter((stage) => stage.appliesTo(facts));
}

export function isProcess(stage: Stage): stage is ProcessStage {
  return stage.kind === 'process-video' || stage.kind === 'process-audio';
}

/** Million pixels per second of the source. */
export function megapixelsPerSecond(video: VideoFacts | null): number {
  if (video === null) return 0;
  const rate = video.frameRate === null ? 30 : video.frameRate.num / video.frameRate.den;
  return (video.width * video.height * rate) / 1e6;
}
