import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toNumber } from '../../inspect/fraction.ts';
import { TICKS_PER_SECOND } from '../../inspect/picture-times.ts';
import { ladderOf, smallestClearRung, type VideoRung } from '../../ladder/ladder.ts';
import { chunkLimits } from '../encode-limits.ts';
import { type EncodePlan, encodedSizes, ticksOf } from '../encode-plan.ts';
import type { EncodedPart } from '../encoded.ts';
import { listedTimes, selectFirst, TICK_BASE, taken } from '../times/timed-pictures.ts';
import { keyframesOf, type VideoChunk } from '../times/timeline.ts';
import { type Compared, findPictureFault, PICTURE_BYTES, type Picture } from './compare-pictures.ts';
import { type EncodingFault, FaultyEncodingError } from './faulty-encoding.ts';
import {
  framesBelow,
  picturesAt,
  SAMPLE_SIZE,
  type SampledFrame,
  type SampledFrames,
  sampledFrames,
  selectSampled,
} from './sample-frames.ts';
import { rawVideo, SAMPLES } from './samples.ts';
import { decodeSegments, type VerifyOptions } from './verify-run.ts';

/**
 * Compares the segments of a chunk with the pictures that were given to the encoders: their number, and sampled frames
 * of them. All of the smallest rendition with the bit rate of its size is decoded, of the others the first frame of
 * each segment.
 * @returns The CPU time in milliseconds.
 * @throws FaultyEncodingError
 */
export async function verifyVideo(
  plan: EncodePlan,
  chunk: VideoChunk,
  parts: readonly EncodedPart[],
  options: VerifyOptions,
): Promise<number> {
  const rungs = encodedSizes(plan);
  const whole = smallestClearRung({ video: rungs });
  const refuse = refusal(plan, chunk);
  const sampled = sampledFrames(plan, chunk);
  const expected = sampled.timed
    ? picturesAt(sampled, await checkTimes(plan, chunk, parts, refuse, options))
    : framesBelow(sampled, await checkCount(plan, parts, refuse, options));
  if (parts.length === 0) return 0;
  const decoded = rungs.map((rung) => ({ rung, isWhole: isDecoded(plan, parts, rung, whole) }));
  const cpuMs = await decodeSamples(plan, chunk, parts, decoded, sampled, options);
  const made = await readMade(options.workDir);
  for (const { rung, isWhole } of decoded) {
    const file = await readFile(join(options.workDir, sampleName(rung.folder)));
    const compared = pair(expected, made, file, { isWhole, used: usedRates(parts, rung) });
    if (compared === null) throw refuse(rung.folder, 'unreadable', 0);
    const found = findPictureFault(compared);
    if (found) throw refuse(rung.folder, found.fault, found.frame, found.value);
  }
  return cpuMs;
}

type Refuse = ReturnType<typeof refusal>;

/** Checks the number of frames at a constant rate. @returns Those of the base rate that were decoded. */
async function checkCount(
  plan: EncodePlan,
  parts: readonly EncodedPart[],
  refuse: Refuse,
  { workDir }: VerifyOptions,
): Promise<number> {
  const fastest = Math.max(...ladderOf(plan).video.map(({ framesPerBase }) => framesPerBase));
  const frames = (await stat(join(workDir, SAMPLES.video.counted))).size / fastest;
  for (const rung of encodedSizes(plan)) {
    const encoded = framesOf(parts, rung);
    if (Math.abs(encoded - frames) > 1) throw refuse(rung.folder, 'incomplete', Math.min(encoded, frames));
  }
  return Math.floor(frames);
}

/** Checks that each picture that a rendition keeps is at its time, and no other. @returns When all are shown. */
async function checkTimes(
  plan: EncodePlan,
  chunk: VideoChunk,
  parts: readonly EncodedPart[],
  refuse: Refuse,
  { workDir, pictureTimes }: VerifyOptions,
): Promise<readonly number[]> {
  const decoded = listedTimes(await readFile(join(workDir, SAMPLES.video.counted), 'utf8'));
  const cuts = keyframesOf(plan.timeline, chunk) ?? [0];
  for (const { folder, leastStep = 1 } of encodedSizes(plan)) {
    const expected = parts.length === 0 ? [] : taken(decoded, { cuts, leastStep });
    const encoded = pictureTimes?.get(folder) ?? [];
    const wrong = expected.findIndex((time, index) => Math.abs(time - (encoded[index] ?? Number.NaN)) > 1);
    const missing = expected.findIndex((_, index) => encoded[index] === undefined);
    const first = [wrong, missing, expected.length === encoded.length ? -1 : expected.length - 1].find((at) => at >= 0);
    if (first !== undefined) throw refuse(folder, 'incomplete', expected[first] ?? 0);
  }
  return decoded;
}

const sampleName = (folder: string) => `${folder}.yuv`;

function refusal({ timeline }: EncodePlan, { startFrame }: VideoChunk) {
  return (folder: string, fault: EncodingFault['fault'], frame: number, value?: number) => {
    const atMs = (1000 * (startFrame + frame)) / toNumber(timeline.baseRate);
    return new FaultyEncodingError('picture', { folder, fault, atMs, ...(value === undefined ? {} : { value }) });
  };
}

/** Frames of a rendition in those of the base rate. */
function framesOf(parts: readonly EncodedPart[], rung: VideoRung): number {
  const segments = parts.find(({ folder }) => folder === rung.folder)?.segments ?? [];
  return segments.reduce((sum, [duration]) => sum + duration, 0) / ticksOf(rung).frame / rung.framesPerBase;
}

/** Bit rates of the segments of a rendition in the one it may have. */
function usedRates(parts: readonly EncodedPart[], rung: VideoRung): number[] {
  const { segments = [], timescale = 1 } = parts.find(({ folder }) => folder === rung.folder) ?? {};
  return segments.map(([ticks, bytes]) => Math.min(1, (8 * bytes * timescale) / ticks / rung.maxrateBps));
}

/** Whether all of a rendition is decoded: ffmpeg's decoder of AV1 cannot skip to other keyframes than the first. */
function isDecoded({ codec }: EncodePlan, parts: readonly EncodedPart[], rung: VideoRung, whole: VideoRung | null) {
  const segments = parts.find(({ folder }) => folder === rung.folder)?.segments ?? [];
  return rung === whole || (codec === 'AV1' && segments.length > 1);
}

/** Options with which the first frame of each segment is decoded; of AV1, that of the only one. */
const ONE_FRAME = ['-t', '0.001'];
const KEYFRAMES = ['-skip_frame', 'nokey'];

/** When segments begin, in ticks from the start of the chunk: others than their first keyframes are not compared. */
function segmentTicks(parts: readonly EncodedPart[], { folder }: VideoRung): number[] {
  const { segments = [], timescale = 1 } = parts.find((part) => part.folder === folder) ?? {};
  let ticks = 0;
  return segments.map(([duration]) => {
    const start = Math.round((ticks * TICKS_PER_SECOND) / timescale);
    ticks += duration;
    return start;
  });
}

async function decodeSamples(
  plan: EncodePlan,
  chunk: VideoChunk,
  parts: readonly EncodedPart[],
  rungs: readonly { readonly rung: VideoRung; readonly isWhole: boolean }[],
  sampled: SampledFrames,
  options: VerifyOptions,
): Promise<number> {
  const chains = rungs.map(({ rung, isWhole }, index) => {
    const chosen = isWhole ? selectSampled(sampled, rung.framesPerBase) : selectFirst(segmentTicks(parts, rung));
    const ticks = isWhole && !sampled.timed ? [] : [TICK_BASE, 'setpts=PTS-STARTPTS'];
    const select = [...ticks, chosen, ''].join(',');
    return `[${index}:v]${select}scale=${SAMPLE_SIZE.width}:${SAMPLE_SIZE.height},format=yuv420p[v${index}]`;
  });
  const inputs = rungs.map(({ rung, isWhole }) => ({
    folder: rung.folder,
    options: isWhole ? [] : plan.codec === 'AV1' ? ONE_FRAME : KEYFRAMES,
  }));
  const outputs = rungs.flatMap(({ rung: { folder } }, index) => rawVideo(`[v${index}]`, sampleName(folder)));
  return decodeSegments('picture', inputs, ['-filter_complex', chains.join(';'), ...outputs], {
    ...options,
    limits: options.limits ?? chunkLimits(plan, { kind: 'video', ...chunk }),
  });
}

interface Made {
  readonly source: Buffer;
  readonly staged: Buffer;
}

async function readMade(workDir: string): Promise<Made> {
  const { source, staged } = SAMPLES.video;
  return { source: await readFile(join(workDir, source)), staged: await readFile(join(workDir, staged)) };
}

/** The pictures of a rendition with those they were made from; null where some are missing. */
function pair(
  expected: readonly SampledFrame[],
  made: Made,
  encoded: Buffer,
  { isWhole, used }: { readonly isWhole: boolean; readonly used: readonly number[] },
): Compared[] | null {
  let segment = -1;
  const compared = expected.map(({ frame, startsSegment }, index) => {
    if (startsSegment) segment += 1;
    return {
      frame,
      source: pictureAt(made.source, index),
      staged: pictureAt(made.staged, index),
      around: around(made.staged, index),
      used: used[segment] ?? 0,
    };
  });
  const chosen = compared.filter((_, index) => isWhole || expected[index]?.startsSegment);
  const pictures = chosen.map((each, index) => ({ ...each, encoded: pictureAt(encoded, index) }));
  // The encoder may have one frame less than it was given.
  const missing = pictures.findIndex(({ encoded: picture }) => picture.length < PICTURE_BYTES);
  if (missing >= 0 && missing < pictures.length - 1) return null;
  return missing < 0 ? pictures : pictures.slice(0, -1);
}

/** Sampled pictures before and after one that it is compared with, too. */
const NEIGHBOURS = 8;

function around(file: Buffer, index: number): Picture[] {
  const from = Math.max(0, index - NEIGHBOURS);
  const end = Math.min(file.length / PICTURE_BYTES, index + NEIGHBOURS + 1);
  return Array.from({ length: Math.max(0, end - from) }, (_, offset) => pictureAt(file, from + offset));
}

function pictureAt(file: Buffer, index: number): Picture {
  return file.subarray(index * PICTURE_BYTES, (index + 1) * PICTURE_BYTES);
}
