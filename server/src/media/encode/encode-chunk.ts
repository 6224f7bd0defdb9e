import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { spoken } from '../inspect/accept-media.ts';
import { toNumber } from '../inspect/fraction.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import { parseLoudness } from '../inspect/measure-loudness.ts';
import { isDurationPlausible } from '../inspect/plausible-duration.ts';
import type { Runner, RunResult } from '../runner.ts';
import type { RunLimits } from '../sandbox/limits.ts';
import {
  type AudioPlacement,
  cutCopiedAudio,
  cutEncodedAudio,
  cutEncodedVideo,
  type SegmentSink,
} from './cut-encoded.ts';
import { explainEncodeError } from './encode-errors.ts';
import { chunkLimits } from './encode-limits.ts';
import { audioRungOf, type EncodeChunk, type EncodePlan, ticksOf } from './encode-plan.ts';
import { type EncodedChunk, type EncodedPart, PackageError, segmentName } from './encoded.ts';
import { copyArgs, encodeArgs, encodedName, isMeasured, parseProgress } from './encoder-args.ts';
import { planLadder } from './ladder.ts';
import { keyframesOf, type VideoChunk } from './timeline.ts';
import { isSoundCompared, verifyAudio } from './verify/verify-audio.ts';
import { keepForVerification } from './verify/verify-run.ts';
import { verifyVideo } from './verify/verify-video.ts';

type AudioChunk = EncodeChunk & { readonly kind: 'audio' };

export interface EncodeChunkOptions {
  readonly inputPath: string;
  /** An empty or missing folder for temporary files. Remove it when done, or when this throws. */
  readonly workDir: string;
  /** Takes a segment by its path, relative to the package. */
  readonly write: (path: string, bytes: Buffer) => Promise<void>;
  /** Default `chunkLimits`. */
  readonly limits?: RunLimits;
  /** Maximum size of what is encoded; default: that of the limits. */
  readonly maxBytes?: number;
  /** Called with rising values from 0 to 1, about once a second. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
  /** Whether it yields the CPU to other runs. */
  readonly background?: boolean;
}

/**
 * Encodes a chunk in the sandbox and cuts it into segments. The same plan gives the same bytes on every machine.
 * @throws AppError TRANSCODE_FAILED when the file is the cause, SERVICE_UNAVAILABLE when this machine is (disk full,
 *   tool missing); RunError `aborted` or `signal` when the work was stopped from outside and may simply be tried again.
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
  if (chunk.kind === 'video') {
    const { cpuMs } = await run(runner, plan, chunk, encodeArgs(plan, chunk), options);
    const parts = await cutVideo(plan, chunk, options);
    const verifyCpuMs = await verifyVideo(plan, chunk, parts, { ...options, runner });
    return { firstSegment: chunk.firstSegment, parts, cpuMs: cpuMs + verifyCpuMs };
  }
  const copied = await copyAudio(runner, plan, chunk, options);
  if (copied?.part) return { firstSegment: 0, parts: [copied.part], cpuMs: copied.cpuMs };
  const { cpuMs, stderrTail } = await run(runner, plan, chunk, encodeArgs(plan, chunk), options);
  const place = { ...placeOf(plan, chunk), codec: audioRungOf(plan, chunk.folder).codec };
  const file = join(options.workDir, encodedName(chunk.folder));
  const part = await cutEncodedAudio(file, place, kept(chunk, options));
  await rm(file);
  const verifyCpuMs = await verifyAudio(plan, part, { ...options, runner });
  const encoded = { firstSegment: 0, parts: [part], cpuMs: cpuMs + verifyCpuMs + (copied?.cpuMs ?? 0) };
  // The default audio track is measured while it is encoded.
  return isMeasured(plan, chunk.folder) ? { ...encoded, loudness: parseLoudness(stderrTail) } : encoded;
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

async function run(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk,
  args: readonly string[],
  { inputPath, workDir, limits, maxBytes, onProgress, signal, background = false }: EncodeChunkOptions,
): Promise<RunResult> {
  const own = limits ?? chunkLimits(plan, chunk);
  const tooLong = new AbortController();
  const watch = progressWatch(plan, chunk, () => tooLong.abort(), onProgress);
  try {
    return await runner.run('ffmpeg', args, {
      cwd: workDir,
      inputs: [inputPath],
      limits: { ...own, outputBytes: Math.min(own.outputBytes, maxBytes ?? Number.POSITIVE_INFINITY) },
      signal: signal ? AbortSignal.any([signal, tooLong.signal]) : tooLong.signal,
      onStdoutLine: watch,
      background,
      maxStdoutBytes: 0,
    });
  } catch (error) {
    // Charges and reservations are for the declared duration: no more is encoded.
    if (tooLong.signal.aborted && !signal?.aborted) throw longerThanDeclared(plan.facts.durationMs ?? 0);
    throw error;
  }
}

/** Cutting has the rest. */
const ENCODE_SHARE = 0.98;

function progressWatch(
  { facts: { durationMs }, timeline }: EncodePlan,
  chunk: EncodeChunk,
  onTooLong: () => void,
  onProgress: EncodeChunkOptions['onProgress'],
): (line: string) => void {
  const msOf = (frame: number) => (1000 * frame) / toNumber(timeline.baseRate);
  const startMs = chunk.kind === 'video' ? msOf(chunk.startFrame) : 0;
  const endMs = chunk.kind === 'video' && chunk.endFrame !== null ? msOf(chunk.endFrame) : durationMs;
  let reported = 0;
  return (line) => {
    const doneMs = parseProgress(line);
    if (doneMs === null || durationMs === null || endMs === null || endMs <= startMs) return;
    const position = startMs + doneMs;
    if (position > durationMs && !isDurationPlausible(position / 1000, durationMs)) onTooLong();
    const fraction = Math.min(ENCODE_SHARE, (ENCODE_SHARE * doneMs) / (endMs - startMs));
    if (fraction <= reported) return;
    reported = fraction;
    onProgress?.(fraction);
  };
}

function longerThanDeclared(declaredMs: number): AppError {
  return new AppError('TRANSCODE_FAILED', `The file declares a duration of ${spoken(declaredMs)}, but it is longer.`, {
    suggestedFix: 'Export it again, for example as MP4 with H.264 and AAC, and upload that file.',
  });
}

/** A chunk of a source that ends before it has no parts. */
async function cutVideo(
  plan: EncodePlan,
  chunk: VideoChunk,
  { workDir, write }: EncodeChunkOptions,
): Promise<EncodedPart[]> {
  const { segmentFrames } = plan.timeline;
  const keyframes = keyframesOf(plan.timeline, chunk);
  const parts: EncodedPart[] = [];
  for (const rung of planLadder(plan.facts).video) {
    const { folder, framesPerBase } = rung;
    const file = join(workDir, encodedName(folder));
    const place = {
      ...{ folder, ticks: ticksOf(rung), startFrame: chunk.startFrame * framesPerBase },
      frames: chunk.endFrame === null ? null : (chunk.endFrame - chunk.startFrame) * framesPerBase,
      keyframes: keyframes ? keyframes.map((frame) => frame * framesPerBase) : segmentFrames * framesPerBase,
    };
    const part = await cutEncodedVideo(file, place, {
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
  return parts;
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
