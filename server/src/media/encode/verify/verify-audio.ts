import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkLimits } from '../encode-limits.ts';
import { audioRungOf, type EncodePlan } from '../encode-plan.ts';
import type { EncodedPart } from '../encoded.ts';
import { type ComparedSound, comparedSound, FRAME_SAMPLES, findSoundFault, SOUND_STEP } from './compare-sound.ts';
import { type EncodingFault, FaultyEncodingError } from './faulty-encoding.ts';
import { rawSound, SAMPLES } from './samples.ts';
import { decodeSegments, type VerifyOptions } from './verify-run.ts';

/** The first segments of a track are compared, and one of so many others. */
const SEGMENT_STEP = 5;

/** Whether a segment, counted from 0, is one of those that are compared. */
export function isSoundCompared(segment: number): boolean {
  return segment < SEGMENT_STEP || segment % SEGMENT_STEP === 0;
}

const DECODED = 'decoded.pcm';
/** Of all renditions of sound. */
const SAMPLE_RATE = 48_000;

/**
 * Compares segments of a track with the sound that was given to the encoder, twice a second.
 * @returns The CPU time in milliseconds.
 * @throws FaultyEncodingError
 */
export async function verifyAudio(plan: EncodePlan, part: EncodedPart, options: VerifyOptions): Promise<number> {
  const { channels } = audioRungOf(plan, part.folder);
  const refuse = (fault: EncodingFault['fault'], frame: number, value?: number) => {
    const atMs = (1000 * frame * FRAME_SAMPLES) / SAMPLE_RATE;
    const { folder } = part;
    return new FaultyEncodingError('sound', { folder, fault, atMs, ...(value === undefined ? {} : { value }) });
  };
  const limits = options.limits ?? chunkLimits(plan, { kind: 'audio', number: 0, folder: part.folder });
  // What is missing between segments is filled with silence, so that frames count from the start of the track.
  const graph = `[0:a]aresample=async=1:first_pts=0,${comparedSound()}[a]`;
  const outputs = ['-filter_complex', graph, ...rawSound('[a]', DECODED)];
  const cpuMs = await decodeSegments('sound', [{ folder: part.folder, options: [] }], outputs, { ...options, limits });
  const segments = await readSamples(part, channels, options.workDir);
  if (segments === null) throw refuse('unreadable', 0);
  const found = findSoundFault(segments, channels);
  if (found) throw refuse(found.fault, found.frame, found.value);
  return cpuMs;
}

/** Frames at the start of a segment that depend on what is before it, which was not decoded. */
const DEPENDENT_FRAMES = 4;
/** The end of a track is padded. */
const PADDED_FRAMES = 4;

/** What is compared, by segments; null where something is missing. */
async function readSamples(part: EncodedPart, channels: number, workDir: string): Promise<ComparedSound[][] | null> {
  const frameBytes = 2 * channels * FRAME_SAMPLES;
  const [staged, decoded] = [await open(join(workDir, SAMPLES.audio.staged)), await open(join(workDir, DECODED))];
  const read = async (file: FileHandle, frame: number) => {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(frameBytes),
      0,
      frameBytes,
      (frame / SOUND_STEP) * frameBytes,
    );
    return bytesRead < frameBytes ? null : toSamples(buffer);
  };
  try {
    const segments: ComparedSound[][] = [];
    for (const frames of comparedFrames(part)) {
      const compared: ComparedSound[] = [];
      for (const frame of frames) {
        const pair = { frame, staged: await read(staged, frame), encoded: await read(decoded, frame) };
        if (pair.staged === null || pair.encoded === null) return null;
        compared.push({ ...pair, staged: pair.staged, encoded: pair.encoded });
      }
      segments.push(compared);
    }
    return segments;
  } finally {
    await staged.close();
    await decoded.close();
  }
}

/** The frames that are compared of each segment, counted from the start of the track. */
function comparedFrames({ segments, timescale }: EncodedPart): number[][] {
  let played = 0;
  const ends = segments.map(([ticks]) => {
    played += ticks;
    return Math.floor((played * SAMPLE_RATE) / timescale / FRAME_SAMPLES);
  });
  const last = (ends.at(-1) ?? 0) - PADDED_FRAMES;
  return ends.flatMap((end, segment) => {
    if (!isSoundCompared(segment)) return [];
    const start = ends[segment - 1] ?? 0;
    const first = start === 0 ? 0 : Math.ceil((start + DEPENDENT_FRAMES) / SOUND_STEP) * SOUND_STEP;
    const count = Math.max(0, Math.ceil((Math.min(end, last) - first) / SOUND_STEP));
    return [Array.from({ length: count }, (_, index) => first + index * SOUND_STEP)];
  });
}

function toSamples(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index));
}
