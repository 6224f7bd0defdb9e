import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunResult } from '@reelgraph/sandbox';
import { toNumber } from '../inspect/fraction.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import { parseLoudness } from '../inspect/measure-loudness.ts';
import { TICKS_PER_SECOND } from '../inspect/picture-times.ts';
import type { VideoRung } from '../ladder/ladder.ts';
import type { VideoCodec } from '../ladder/video-codecs.ts';
import type { Runner } from '../runner.ts';
import type { Stage } from '../stages/stages.ts';
import {
  type AudioPlacement,
  cutCopiedAudio,
  cutEncodedAudio,
  cutEncodedVideo,
  type SegmentSink,
  type VideoPlacement,
} from './cut-encoded.ts';
import { explainEncodeError } from './encode-errors.ts';
import { audioRungOf, type EncodeChunk, type EncodePlan, encodedSizes, stagesOfPlan, ticksOf } from './encode-plan.ts';
import { type EncodedChunk, type EncodedPart, MissingPicturesError, PackageError, segmentName } from './encoded.ts';
import { copyArgs, encodeArgs, encodedName, isMeasured } from './encoder-args.ts';
import { type ProgramsResult, pipedChunk, runPrograms } from './piped/run-programs.ts';
import { keyframesOf, type VideoChunk } from './times/timeline.ts';
import { isSoundCompared, verifyAudio } from './verify/verify-audio.ts';
import { keepForVerification } from './verify/verify-run.ts';
import { verifyVideo } from './verify/verify-video.ts';
import { type WatchOptions, watchEncoding } from './watch-encoding.ts';

type AudioChunk = EncodeChunk & { readonly kind: 'audio' };

export interface EncodeChunkOptions extends WatchOptions {
  readonly inputPath: string;
  /** An empty or missing folder for temporary files. Remove it when done, or when this throws. */
  readonly workDir: string;
  /** Takes a segment by its path, relative to the package. */
  readonly write: (path: string, bytes: Buffer) => Promise<void>;
  /** All stages that there are; default `STAGES`. */
  readonly stages?: readonly Stage[] | undefined;
  /** The programs of stages are ended when they used no CPU time for so long; default two minutes. */
  readonly stallMs?: number;
}

/**
 * Encodes a chunk in the sandbox and cuts it into segments. The same plan gives the same bytes on every machine.
 * @throws AppError TRANSCODE_FAILED when the file is the cause, SERVICE_UNAVAILABLE when this machine is (disk full,
 *   tool missing); FaultyEncodingError or StageError when the encoding is; RunError `aborted` or `signal` when the work
 *   was stopped from outside and may simply be tried again.
 */
export async function encodeChunk(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk,
  options: EncodeChunkOptions,
): Promise<EncodedChunk> {
  try {
    await runner.prepareWorkDir(options.workDir);
    const encoded = await encodeKind(runner, plan, chunk, options);
    options.onProgress?.(1);
    return encoded;
  } catch (error) {
    throw explainEncodeError(error);
  }
}

async function encodeKind(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk,
  options: EncodeChunkOptions,
): Promise<EncodedChunk> {
  if (chunk.kind === 'video') return encodePictures(runner, plan, chunk, options);
  const copied = await copyAudio(runner, plan, chunk, options);
  if (copied?.part) return { firstSegment: 0, parts: [copied.part], cpuMs: copied.cpuMs };
  const { cpuMs, stderrTail, workDir } = await encode(runner, plan, chunk, options);
  const place = { ...placeOf(plan, chunk), codec: audioRungOf(plan, chunk.folder).codec };
  const file = join(workDir, encodedName(chunk.folder));
  const part = await cutEncodedAudio(file, place, kept(chunk, { ...options, workDir }));
  await rm(file);
  const verifyCpuMs = await verifyAudio(plan, part, { ...options, workDir, runner });
  const encoded = { firstSegment: 0, parts: [part], cpuMs: cpuMs + verifyCpuMs + (copied?.cpuMs ?? 0) };
  // The default audio track is measured while it is encoded.
  return isMeasured(plan, chunk.folder) ? { ...encoded, loudness: parseLoudness(stderrTail) } : encoded;
}

async function encodePictures(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk & { readonly kind: 'video' },
  options: EncodeChunkOptions,
): Promise<EncodedChunk> {
  const { cpuMs, ...made } = await encode(runner, plan, chunk, options);
  try {
    const { parts, pictureTimes } = await cutVideo(plan, chunk, { ...options, ...made });
    const verifyCpuMs = await verifyVideo(plan, chunk, parts, { ...options, ...made, pictureTimes, runner });
    return { firstSegment: chunk.firstSegment, parts, cpuMs: cpuMs + verifyCpuMs };
  } catch (error) {
    const { timed } = plan.timeline;
    if (!(error instanceof MissingPicturesError) || !timed || timed.filled) throw error;
    const timeline = { ...plan.timeline, timed: { ...timed, filled: true as const } };
    const again = { ...options, workDir: join(options.workDir, 'filled') };
    await runner.prepareWorkDir(again.workDir);
    const encoded = await encodePictures(runner, { ...plan, timeline }, chunk, again);
    return { ...encoded, cpuMs: encoded.cpuMs + cpuMs };
  }
}

/** Takes the frames of a track as they are, where its rendition asks for it; no part where that is not possible. */
async function copyAudio(
  runner: Runner,
  plan: EncodePlan,
  chunk: AudioChunk,
  options: EncodeChunkOptions,
): Promise<{ part: EncodedPart | null; cpuMs: number } | null> {
  const { durationMs } = plan.facts;
  if (!audioRungOf(plan, chunk.folder).copies || durationMs === null) return null;
  const file = join(options.workDir, encodedName(chunk.folder));
  try {
    const { cpuMs } = await run(runner, plan, chunk, copyArgs(plan, chunk.folder), options);
    const place = { ...placeOf(plan, chunk), videoSeconds: durationMs / 1000 };
    return { part: await cutCopiedAudio(file, place, written(chunk, options)), cpuMs };
  } catch (error) {
    if (!isFileError(error) && !(error instanceof PackageError)) throw error;
    return { part: null, cpuMs: 0 };
  } finally {
    await rm(file, { force: true });
  }
}

/** Encodes a chunk: by one ffmpeg process, or by two with the programs of stages between them. */
async function encode(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk,
  options: EncodeChunkOptions,
): Promise<ProgramsResult> {
  const { workDir, inputPath, stallMs } = options;
  const stages = stagesOfPlan(plan, options.stages);
  const piped = pipedChunk(plan, chunk, stages);
  if (piped === null) return { ...(await run(runner, plan, chunk, encodeArgs(plan, chunk, stages), options)), workDir };
  return watchEncoding(plan, chunk, options, (watch) =>
    runPrograms(runner, plan, chunk, piped, {
      ...{ ...watch, inputPath, workDir },
      ...(stallMs === undefined ? {} : { stallMs }),
    }),
  );
}

function run(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk,
  args: readonly string[],
  options: EncodeChunkOptions,
): Promise<RunResult> {
  const { workDir: cwd, inputPath } = options;
  return watchEncoding(plan, chunk, options, (watch) =>
    runner.run('ffmpeg', args, { ...watch, cwd, inputs: [inputPath], maxStdoutBytes: 0 }),
  );
}

/** A chunk of a source that ends before it has no parts. */
async function cutVideo(
  plan: EncodePlan,
  chunk: VideoChunk,
  { workDir, write }: EncodeChunkOptions,
): Promise<{ parts: EncodedPart[]; pictureTimes: Map<string, readonly number[]> }> {
  const parts: EncodedPart[] = [];
  const pictureTimes = new Map<string, readonly number[]>();
  for (const rung of encodedSizes(plan)) {
    const { folder } = rung;
    const file = join(workDir, encodedName(folder));
    const part = await cutEncodedVideo(file, placeOfVideo(plan, chunk, rung), {
      pictures: (times) => pictureTimes.set(folder, times),
      init: (bytes) => keepForVerification(workDir, folder, bytes),
      async segment(index, bytes) {
        await keepForVerification(workDir, folder, bytes);
        await write(`${folder}/${segmentName(chunk.firstSegment + index)}`, bytes);
      },
    });
    await rm(file);
    if (part) parts.push(part);
  }
  checkSegments(parts);
  return { parts, pictureTimes };
}

function placeOfVideo(plan: EncodePlan, chunk: VideoChunk, rung: VideoRung): VideoPlacement {
  const { timeline } = plan;
  const codec: VideoCodec = plan.codec ?? 'H264';
  const { folder, framesPerBase } = rung;
  const { startFrame, endFrame } = chunk;
  const place = { folder, codec, ticks: ticksOf(rung), startFrame: startFrame * framesPerBase };
  const keyframes = keyframesOf(timeline, chunk);
  if (timeline.timed && keyframes)
    return { ...place, frames: null, keyframes, timed: { end: (endFrame ?? timeline.timed.end) - startFrame } };
  const { timescale } = place.ticks;
  const borders = timeline.borders?.slice(chunk.firstSegment).map((tick) => (tick * timescale) / TICKS_PER_SECOND);
  return {
    ...place,
    ...(borders ? { borders: borders.map(Math.round) } : {}),
    frames: endFrame === null ? null : (endFrame - startFrame) * framesPerBase,
    keyframes: keyframes ? keyframes.map((frame) => frame * framesPerBase) : timeline.segmentFrames * framesPerBase,
    ...(timeline.keyframes ? { hasMoreKeyframes: true } : {}),
  };
}

/** Players switch between renditions at the start of a segment: all have the same number of them. */
function checkSegments([first, ...others]: readonly EncodedPart[]): void {
  for (const { folder, segments } of others) {
    if (first && segments.length !== first.segments.length)
      throw new PackageError(
        `${folder} has ${segments.length} segments, ${first.folder} has ${first.segments.length}.`,
      );
  }
}

function placeOf({ timeline: { cuts, segmentFrames, baseRate } }: EncodePlan, { folder }: AudioChunk): AudioPlacement {
  const rate = toNumber(baseRate);
  return { folder, starts: cuts ? cuts.map((frame) => frame / rate) : segmentFrames / rate };
}

/** Stores segments of sound. */
function written({ folder }: AudioChunk, { write }: EncodeChunkOptions): SegmentSink {
  return { init: async () => {}, segment: (index, bytes) => write(`${folder}/${segmentName(index)}`, bytes) };
}

/** Stores segments of sound, and keeps those that are compared. */
function kept(chunk: AudioChunk, options: EncodeChunkOptions): SegmentSink {
  const { folder } = chunk;
  return {
    init: (bytes) => keepForVerification(options.workDir, folder, bytes),
    async segment(index, bytes) {
      if (isSoundCompared(index)) await keepForVerification(options.workDir, folder, bytes);
      await written(chunk, options).segment(index, bytes);
    },
  };
}
