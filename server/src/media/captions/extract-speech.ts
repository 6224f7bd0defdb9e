import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type AudioPiece,
  LevelMeter,
  LONGEST_PIECE_MS,
  pieceBytes,
  planPieces,
  SPEECH_RATE,
  waveFile,
} from '@reelgraph/captions';
import type { Runner } from '../runner.ts';
import { decodeSound, type SoundInput } from './decode-sound.ts';

/** The sound of a video for recognizers. */
export interface SpeechSource {
  /** What is not silent, in pieces that a recognizer takes. */
  readonly pieces: readonly AudioPiece[];
  /** A piece as a WAV file. */
  read(piece: AudioPiece): Promise<Buffer>;
}

/**
 * Decodes a fragmented MP4 of sound to what recognizers take, in the sandbox. `workDir` has the result as long as it
 * exists.
 * @throws AppError TRANSCODE_FAILED where the file cannot be decoded; RunError `aborted` when it was stopped.
 */
export async function extractSpeech(
  runner: Runner,
  {
    longestPieceMs = LONGEST_PIECE_MS,
    ...input
  }: SoundInput & {
    /** Default LONGEST_PIECE_MS. */
    readonly longestPieceMs?: number;
  },
): Promise<SpeechSource> {
  const path = await decodeSound(runner, input, SPEECH_RATE);
  const meter = new LevelMeter();
  for await (const chunk of createReadStream(path)) {
    input.signal.throwIfAborted();
    meter.push(chunk as Buffer);
  }
  return { pieces: planPieces(meter.finish(), longestPieceMs), read: (piece) => readPiece(path, piece) };
}

async function readPiece(path: string, piece: AudioPiece): Promise<Buffer> {
  const { start, length } = pieceBytes(piece);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    return waveFile(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
