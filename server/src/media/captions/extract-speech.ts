import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { explainEncodeError } from '../encode/encode-errors.ts';
import { pinnedInput } from '../inspect/probe.ts';
import type { Runner } from '../runner.ts';
import {
  type AudioPiece,
  LevelMeter,
  LONGEST_PIECE_MS,
  pieceBytes,
  planPieces,
  SPEECH_RATE,
  waveFile,
} from './audio-pieces.ts';

const FILE_NAME = 'speech.pcm';
const MEMORY_BYTES = 2 * 1024 ** 3;
const SLACK_BYTES = 1024 ** 2;

/** The sound of a video for recognizers. */
export interface SpeechSource {
  /** What is not silent, in pieces that a recognizer takes. */
  readonly pieces: readonly AudioPiece[];
  /** A piece as a WAV file. */
  read(piece: AudioPiece): Promise<Buffer>;
}

/**
 * Decodes a fragmented MP4 of sound to what recognizers take, in the sandbox. `workDir` is a folder prepared by
 * `Runner.prepareWorkDir`, which has the result as long as it exists.
 * @throws AppError TRANSCODE_FAILED where the file cannot be decoded; RunError `aborted` when it was stopped.
 */
export async function extractSpeech(
  runner: Runner,
  {
    inputPath,
    workDir,
    durationMs,
    longestPieceMs = LONGEST_PIECE_MS,
    signal,
  }: {
    readonly inputPath: string;
    readonly workDir: string;
    readonly durationMs: number;
    /** Default LONGEST_PIECE_MS. */
    readonly longestPieceMs?: number;
    readonly signal: AbortSignal;
  },
): Promise<SpeechSource> {
  const seconds = Math.ceil(durationMs / 1000);
  const cpuSeconds = 60 + seconds;
  const limits = {
    ...{ cpuSeconds, memoryBytes: MEMORY_BYTES, wallMs: 2_000 * cpuSeconds },
    outputBytes: SLACK_BYTES + 4 * seconds * SPEECH_RATE,
  };
  const filters = `aresample=${SPEECH_RATE}:async=1:first_pts=0,aformat=sample_fmts=s16:channel_layouts=mono`;
  const args = [...pinnedInput('mov'), '-map', '0:a:0', '-af', filters, '-f', 's16le', FILE_NAME];
  try {
    await runner.run('ffmpeg', args, { cwd: workDir, inputs: [inputPath], limits, signal, background: true });
  } catch (error) {
    throw explainEncodeError(error);
  }
  const path = join(workDir, FILE_NAME);
  const meter = new LevelMeter();
  for await (const chunk of createReadStream(path)) {
    signal.throwIfAborted();
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
