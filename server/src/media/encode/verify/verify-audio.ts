import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkLimits } from '../encode-limits.ts';
import { audioRungOf, type EncodePlan } from '../encode-plan.ts';
import type { EncodedPart } from '../encoded.ts';
import { type ComparedSound, FRAME_SAMPLES, findSoundFault, SOUND_STEP } from './compare-sound.ts';
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

/**
 * Compares segments of a track with the sound that was given to the encoder, twice a second.
 * @returns The CPU time in milliseconds.
 * @throws FaultyEncodingError
 */
export async function verifyAudio(plan: EncodePlan, part: EncodedPart, options: VerifyOptions): Promise<number> {
  const { channels, sampleRate } = audioRungOf(plan, part.folder);
  const refuse = (fault: EncodingFault['fault'], frame: number, value?: number) => {
    const atMs = (1000 * frame * FRAME_SAMPLES) / sampleRate;
    const { folder } = part;
    return new FaultyEncodingError('sound', { folder, fault, atMs, ...(value === undefined ? {} : { value }) });
  };
  const limits = options.limits ?? chunkLimits(plan, { kind: 'audio', number: 0, folder: part.folder });
  // Time stamps of sound count samples.
  const select = `aselect='not(mod(round(pts/${FRAME_SAMPLES}),${SOUND_STEP}))'`;
  const graph = `[0:a]${select},aformat=sample_fmts=s16[a]`;
  const outputs = ['-filter_complex', graph, ...rawSound('[a]', DECODED)];
  const cpuMs = await decodeSegments('sound', [{ folder: part.folder, options: [] }], outputs, { ...options, limits });
  const segments = await readSamples(part, channels, options.workDir);
  if (segments === null) throw refuse('unreadable', 0);
  const found = findSoundFault(segments, channels);
  if (found) throw refuse(found.fault, found.frame, found.value);
  return cpuMs;
}

/** Frames at the start of a segment that depend on what is before it, which was not decoded. */
const DEPENDENT_FRAMES = 2;
/** The end of a track is padded. */
const PADDED_FRAMES = 2;

/** What is compared, by segments; null where something is missing. */
async function readSamples(part: EncodedPart, channels: number, workDir: string): Promise<ComparedSound[][] | null> {
  const frameBytes = 2 * channels * FRAME_SAMPLES;
  const decoded = await readFile(join(workDir, DECODED));
  const staged = await open(join(workDir, SAMPLES.audio.staged));
  try {
    const stagedFrame = async (index: number) => {
      const bytes = Buffer.alloc(frameBytes);
      await staged.read(bytes, 0, frameBytes, index * frameBytes);
      return toSamples(bytes);
    };
    let position = 0;
    const segments: ComparedSound[][] = [];
    for (const frames of comparedFrames(part)) {
      const compared: ComparedSound[] = [];
      for (const { frame, isCompared } of frames) {
        const encoded = decoded.subarray(position, position + frameBytes);
        position += frameBytes;
        if (!isCompared) continue;
        if (encoded.length < frameBytes) return null;
        compared.push({ frame, staged: await stagedFrame(frame / SOUND_STEP), encoded: toSamples(encoded) });
      }
      segments.push(compared);
    }
    return segments;
  } finally {
    await staged.close();
  }
}

interface DecodedFrame {
  /** Counted from the start of the track. */
  readonly frame: number;
  readonly isCompared: boolean;
}

/** The frames that were decoded of each segment. */
function comparedFrames({ segments }: EncodedPart): DecodedFrame[][] {
  let played = 0;
  const ends = segments.map(([ticks]) => {
    played += ticks;
    return Math.round(played / FRAME_SAMPLES);
  });
  const last = (ends.at(-1) ?? 0) - PADDED_FRAMES;
  return ends.flatMap((end, segment) => {
    if (!isSoundCompared(segment)) return [];
    const start = ends[segment - 1] ?? 0;
    const first = Math.ceil(start / SOUND_STEP) * SOUND_STEP;
    const frames = Array.from({ length: Math.max(0, Math.ceil((end - first) / SOUND_STEP)) }, (_, index) => {
      const frame = first + index * SOUND_STEP;
      return { frame, isCompared: (start === 0 || frame >= start + DEPENDENT_FRAMES) && frame < last };
    });
    return [frames];
  });
}

function toSamples(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index));
}
