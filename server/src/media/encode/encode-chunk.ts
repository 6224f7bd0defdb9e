import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { spoken } from '../inspect/accept-media.ts';
import { toNumber } from '../inspect/fraction.ts';
import { measureLoudness } from '../inspect/measure-loudness.ts';
import { isDurationPlausible } from '../inspect/plausible-duration.ts';
import type { Runner } from '../runner.ts';
import type { RunLimits } from '../sandbox/limits.ts';
import { cutEncodedAudio, cutEncodedVideo } from './cut-encoded.ts';
import { explainEncodeError } from './encode-errors.ts';
import { chunkLimits } from './encode-limits.ts';
import { type EncodeChunk, type EncodePlan, ticksOf } from './encode-plan.ts';
import { type EncodedChunk, type EncodedPart, PackageError, segmentName } from './encoded.ts';
import { encodeArgs, encodedName, parseProgress } from './encoder-args.ts';
import { planLadder } from './ladder.ts';
import { keyframesOf, type VideoChunk } from './timeline.ts';
import { isSoundCompared, verifyAudio } from './verify/verify-audio.ts';
import { keepForVerification, type VerifyOptions } from './verify/verify-run.ts';
import { verifyVideo } from './verify/verify-video.ts';

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
    const cpuMs = await encode(runner, plan, chunk, options);
    const parts =
      chunk.kind === 'video' ? await cutVideo(plan, chunk, options) : [await cutAudio(plan, chunk, options)];
    const verifyCpuMs = await verify(plan, chunk, parts, { ...options, runner });
    const firstSegment = chunk.kind === 'video' ? chunk.firstSegment : 0;
    const encoded = { firstSegment, parts, cpuMs: cpuMs + verifyCpuMs };
    const measured = chunk.kind === 'video' ? encoded : await withLoudness(runner, plan, chunk, options, encoded);
    options.onProgress?.(1);
    return measured;
  } catch (error) {
    throw explainEncodeError(error);
  }
}

async function verify(
  plan: EncodePlan,
  chunk: EncodeChunk,
  parts: readonly EncodedPart[],
  options: VerifyOptions,
): Promise<number> {
  if (chunk.kind === 'video') return verifyVideo(plan, chunk, parts, options);
  let cpuMs = 0;
  for (const part of parts) cpuMs += await verifyAudio(plan, part, options);
  return cpuMs;
}

/** The default audio track is measured when it is encoded. */
async function withLoudness(
  runner: Runner,
  plan: EncodePlan,
  { folder }: { readonly folder: string },
  { inputPath, signal }: EncodeChunkOptions,
  encoded: EncodedChunk,
): Promise<EncodedChunk> {
  if (folder !== planLadder(plan.facts).audio?.folder) return encoded;
  const { loudness, cpuMs } = await measureLoudness(runner, inputPath, plan.facts, signal);
  return { ...encoded, loudness, cpuMs: encoded.cpuMs + cpuMs };
}

async function encode(
  runner: Runner,
  plan: EncodePlan,
  chunk: EncodeChunk,
  { inputPath, workDir, limits, maxBytes, onProgress, signal, background = false }: EncodeChunkOptions,
): Promise<number> {
  const own = limits ?? chunkLimits(plan, chunk);
  const tooLong = new AbortController();
  const watch = progressWatch(plan, chunk, () => tooLong.abort(), onProgress);
  try {
    const { cpuMs } = await runner.run('ffmpeg', encodeArgs(plan, chunk), {
      cwd: workDir,
      inputs: [inputPath],
      limits: { ...own, outputBytes: Math.min(own.outputBytes, maxBytes ?? Number.POSITIVE_INFINITY) },
      signal: signal ? AbortSignal.any([signal, tooLong.signal]) : tooLong.signal,
      onStdoutLine: watch,
      background,
      maxStdoutBytes: 0,
    });
    return cpuMs;
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

async function cutAudio(
  { timeline: { cuts, segmentFrames, baseRate } }: EncodePlan,
  { folder }: { readonly folder: string },
  { workDir, write }: EncodeChunkOptions,
): Promise<EncodedPart> {
  const rate = toNumber(baseRate);
  const starts = cuts ? cuts.map((frame) => frame / rate) : segmentFrames / rate;
  const file = join(workDir, encodedName(folder));
  const part = await cutEncodedAudio(
    file,
    { folder, starts },
    {
      init: (bytes) => keepForVerification(workDir, folder, bytes),
      async segment(index, bytes) {
        if (isSoundCompared(index)) await keepForVerification(workDir, folder, bytes);
        await write(`${folder}/${segmentName(index)}`, bytes);
      },
    },
  );
  await rm(file);
  return part;
}
