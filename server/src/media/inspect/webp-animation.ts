import { type FileHandle, open } from 'node:fs/promises';
import { animationRate, correctedDelay, sumOf } from './animation-times.ts';
import type { MediaFacts } from './media-facts.ts';

/** The demuxer of what an animated WebP is converted to (`decodableFile`). */
export const CONVERTED_DEMUXER = 'apng';

const CHUNK_HEADER_BYTES = 8;
/** Of VP8X and ANMF: position, size, duration. */
const READ_BYTES = CHUNK_HEADER_BYTES + 16;
/** Ten hours at ten frames per second. */
const MAX_FRAMES = 360_000;

/**
 * Facts about an animated WebP from its chunks (RFC 9649 section 2.7), without decoding anything; null where they are
 * damaged. The facts are those of its conversion.
 */
export async function readWebpAnimation(path: string): Promise<{ facts: MediaFacts; frames: number } | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const header = await chunkAt(file, 12);
    if (header?.type !== 'VP8X') return null;
    const [width, height] = [header.uint24(4) + 1, header.uint24(7) + 1];
    const delaysMs = await delaysOf(file, size);
    if (delaysMs === null || delaysMs.length === 0) return null;
    return { facts: factsOf({ width, height, delaysMs, sizeBytes: size }), frames: delaysMs.length };
  } finally {
    await file.close();
  }
}

interface Chunk {
  readonly type: string;
  /** With its header and padding. */
  readonly wholeBytes: number;
  /** A number of three bytes at an offset in its content. */
  uint24(at: number): number;
}

async function chunkAt(file: FileHandle, at: number): Promise<Chunk | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, at);
  if (bytesRead < CHUNK_HEADER_BYTES) return null;
  const contentBytes = buffer.readUInt32LE(4);
  return {
    type: buffer.toString('latin1', 0, 4),
    wholeBytes: CHUNK_HEADER_BYTES + contentBytes + (contentBytes % 2),
    uint24: (offset) => buffer.readUIntLE(CHUNK_HEADER_BYTES + offset, 3),
  };
}

/** The corrected delay of each frame; null where a chunk reaches beyond the end of the file. */
async function delaysOf(file: FileHandle, size: number): Promise<number[] | null> {
  const delaysMs: number[] = [];
  for (let at = 12; at + CHUNK_HEADER_BYTES <= size; ) {
    const chunk = await chunkAt(file, at);
    if (chunk === null || at + chunk.wholeBytes > size + 1 || delaysMs.length > MAX_FRAMES) return null;
    if (chunk.type === 'ANMF') delaysMs.push(correctedDelay(chunk.uint24(12)));
    at += chunk.wholeBytes;
  }
  return delaysMs;
}

function factsOf(animation: {
  readonly width: number;
  readonly height: number;
  readonly delaysMs: readonly number[];
  readonly sizeBytes: number;
}): MediaFacts {
  const { width, height, delaysMs, sizeBytes } = animation;
  const durationMs = sumOf(delaysMs);
  return {
    demuxer: CONVERTED_DEMUXER,
    randomAccess: false,
    durationMs,
    startMs: 0,
    video: {
      index: 0,
      codec: 'webp',
      profile: null,
      width,
      height,
      displayWidth: width,
      displayHeight: height,
      rotation: 0,
      sar: { num: 1, den: 1 },
      ...animationRate(delaysMs),
      pixelFormat: 'rgba',
      bitDepth: 8,
      colour: { primaries: null, transfer: null, matrix: null, range: 'pc' },
      hdr: null,
      interlaced: null,
      bitrateBps: Math.ceil((sizeBytes * 8000) / durationMs),
    },
    audio: null,
    otherAudio: [],
    cover: null,
    chapters: [],
    subtitles: [],
    undecodable: { video: [], audio: [] },
  };
}
