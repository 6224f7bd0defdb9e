import { formatFraction } from '../../inspect/fraction.ts';
import { loudnessOutput } from '../../inspect/measure-loudness.ts';
import { pinnedInput } from '../../inspect/probe.ts';
import { audioSteps, stagedVideo, videoSteps } from '../../stages/staged.ts';
import type { ProcessStage, Stage, StageProgram } from '../../stages/stages.ts';
import { audioRungOf, type EncodePlan } from '../encode-plan.ts';
import { audioOutput, decodedPart, isMeasured, PROGRESS, sharedClock, sizesOf, videoOutput } from '../encoder-args.ts';
import { allKeyframesOf, type VideoChunk } from '../times/timeline.ts';
import { sampledFrames } from '../verify/sample-frames.ts';
import { rawSound, rawVideo, SAMPLES } from '../verify/samples.ts';
import { fastestOf } from '../video-filters.ts';
import { decodedPictures, decodedSound, type FrameWindow, stagedPictures, stagedSound } from './piped-filters.ts';

/** A file with a byte for each frame that the encoder received. */
export const RECEIVED = 'received.gray';

/** A chunk that programs change: ffmpeg decodes it, they follow, and ffmpeg encodes what the last one writes. */
export interface PipedChunk {
  readonly decode: readonly string[];
  readonly programs: readonly { readonly stage: ProcessStage; readonly program: StageProgram }[];
  readonly encode: readonly string[];
  /** Of pictures. */
  readonly window: FrameWindow | null;
}

/** An error in what a program writes, such as a part of a frame at the end, is not ignored. */
const STRICT = ['-xerror', '-err_detect', 'explode', '-protocol_whitelist', 'pipe'];

/** How programs change the pictures of a chunk; null where none does. Pure. */
export function pipedVideo(plan: EncodePlan, chunk: VideoChunk, stages: readonly Stage[]): PipedChunk | null {
  const { facts } = plan;
  const steps = facts.video ? videoSteps(facts.video, stages) : [];
  const [first, last] = [steps[0], steps.at(-1)];
  if (!facts.video || !first || !last) return null;
  const sizes = sizesOf(plan);
  const { frameRate, framesPerBase } = fastestOf(sizes.all);
  const overlap = steps.reduce((sum, { stage }) => sum + stage.overlapFrames, 0);
  const decoded = decodedPart(plan, chunk, stages, overlap);
  const start = chunk.startFrame * framesPerBase;
  const window: FrameWindow = {
    ...decoded.window,
    start,
    count: chunk.endFrame === null ? null : chunk.endFrame * framesPerBase - start,
    before: Math.min(overlap, start),
    after: overlap,
  };
  const sampled = sampledFrames(plan, chunk);
  const { width, height, pixelFormat } = last.output;
  const keyframes = allKeyframesOf(plan.timeline, chunk);
  const rate = formatFraction(frameRate);
  const input = ['-pixel_format', pixelFormat, '-video_size', `${width}x${height}`, '-framerate', rate];
  const graph = stagedPictures(stagedVideo(facts.video, last.output), sizes, stages, window, sampled);
  return {
    decode: [
      ...[
        ...decoded.args,
        '-filter_complex',
        decodedPictures(facts.video, first.input, sizes, stages, window, sampled),
      ],
      ...rawVideo('[frames]', 'pipe:1'),
      ...rawVideo('[source]', SAMPLES.video.source),
      ...rawVideo('[counted]', SAMPLES.video.counted),
      ...sharedClock(facts),
    ],
    programs: steps.map(({ stage, input: read }) => ({
      stage,
      program: stage.program({ ...read, frameRate, firstFrame: start - window.before }),
    })),
    encode: [
      ...[...PROGRESS, ...STRICT, '-f', 'rawvideo', ...input, '-i', 'pipe:0', '-filter_complex', graph],
      ...sizes.encoded.flatMap((rung, index) => videoOutput(plan, keyframes, rung, index)),
      ...rawVideo('[staged]', SAMPLES.video.staged),
      ...rawVideo('[received]', RECEIVED),
    ],
    window,
  };
}

/** How programs change a track of sound; null where none does. Pure. */
export function pipedAudio(plan: EncodePlan, folder: string, stages: readonly Stage[]): PipedChunk | null {
  const { facts } = plan;
  const rung = audioRungOf(plan, folder);
  const track = [facts.audio, ...facts.otherAudio].find((each) => each?.index === rung.source.index);
  const steps = track ? audioSteps(track, stages) : [];
  const last = steps.at(-1);
  if (!track || !last) return null;
  const { sampleRate } = rung;
  return {
    decode: [
      ...pinnedInput(facts.demuxer),
      ...(isMeasured(plan, folder) ? loudnessOutput(track.index) : []),
      ...['-filter_complex', decodedSound(facts, rung, track)],
      ...['-map', '[samples]', '-c:a', 'pcm_f32le', '-f', 'f32le', 'pipe:1'],
      ...sharedClock(facts),
    ],
    programs: steps.map(({ stage, input }) => ({ stage, program: stage.program({ channels: input }) })),
    encode: [
      ...[...PROGRESS, ...STRICT, '-f', 'f32le', '-ar', `${sampleRate}`, '-ac', `${last.output}`, '-i', 'pipe:0'],
      ...['-filter_complex', stagedSound(rung, stages)],
      ...audioOutput(rung),
      ...rawSound('[staged]', SAMPLES.audio.staged),
    ],
    window: null,
  };
}
