/** Sound for recognizers: samples of 16 bits, mono. */
export const SPEECH_RATE = 16_000;
const SAMPLE_BYTES = 2;
/** Of a level. */
export const LEVEL_MS = 20;
const LEVEL_SAMPLES = (SPEECH_RATE * LEVEL_MS) / 1000;

/** The longest piece that a recognizer gets: 19 MB, and OpenAI takes at most 25 MB. */
export const LONGEST_PIECE_MS = 600_000;
/** Quieter sound than this has no speech: -60 dBFS. */
const SILENT = 0.001;
/** Levels that are compared where a piece may end: 300 ms. */
const QUIET_LEVELS = 15;

/** A part of a track of sound, in milliseconds from its beginning. */
export interface AudioPiece {
  readonly startMs: number;
  readonly endMs: number;
}

/** Measures how loud sound is, as its samples come. */
export class LevelMeter {
  readonly #levels: number[] = [];
  #sum = 0;
  #count = 0;
  #odd: Buffer = Buffer.alloc(0);

  /** Takes samples: 16 bits, little endian; a chunk may end within one. */
  push(chunk: Buffer): void {
    const bytes = this.#odd.length === 0 ? chunk : Buffer.concat([this.#odd, chunk]);
    const end = bytes.length - (bytes.length % SAMPLE_BYTES);
    for (let at = 0; at < end; at += SAMPLE_BYTES) {
      const sample = bytes.readInt16LE(at) / 32_768;
      this.#sum += sample * sample;
      this.#count += 1;
      if (this.#count === LEVEL_SAMPLES) this.#close();
    }
    this.#odd = bytes.subarray(end);
  }

  /** The root mean square of every 20 ms, 0 to 1. */
  finish(): Float32Array {
    if (this.#count > 0) this.#close();
    return Float32Array.from(this.#levels);
  }

  #close(): void {
    this.#levels.push(Math.sqrt(this.#sum / this.#count));
    this.#sum = 0;
    this.#count = 0;
  }
}

/**
 * Divides a track into pieces of at most `mostMs`, each cut at the quietest moment of the second half of what a piece
 * may be, the last one of equals; silent pieces are left out. Pure.
 */
export function planPieces(levels: Float32Array, mostMs = LONGEST_PIECE_MS): AudioPiece[] {
  const most = Math.floor(mostMs / LEVEL_MS);
  const pieces: AudioPiece[] = [];
  for (let start = 0; start < levels.length; ) {
    const end =
      levels.length - start <= most ? levels.length : quietest(levels, start + Math.floor(most / 2), start + most);
    if (levels.subarray(start, end).some((level) => level > SILENT))
      pieces.push({ startMs: start * LEVEL_MS, endMs: end * LEVEL_MS });
    start = end;
  }
  return pieces;
}

/** The middle of the quietest 300 ms between two levels. */
function quietest(levels: Float32Array, from: number, to: number): number {
  let [best, bestSum] = [to, Number.POSITIVE_INFINITY];
  for (let at = from; at + QUIET_LEVELS <= to; at += 1) {
    const sum = levels.subarray(at, at + QUIET_LEVELS).reduce((total, level) => total + level, 0);
    if (sum <= bestSum) [best, bestSum] = [at + Math.floor(QUIET_LEVELS / 2), sum];
  }
  return best;
}

/** Where the samples of a piece are in a file of samples. Pure. */
export function pieceBytes({ startMs, endMs }: AudioPiece): { readonly start: number; readonly length: number } {
  const offset = (ms: number) => Math.round((ms * SPEECH_RATE) / 1000) * SAMPLE_BYTES;
  return { start: offset(startMs), length: offset(endMs) - offset(startMs) };
}

/** A WAV file of samples. Pure. */
export function waveFile(samples: Buffer): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // one channel
  header.writeUInt32LE(SPEECH_RATE, 24);
  header.writeUInt32LE(SPEECH_RATE * SAMPLE_BYTES, 28);
  header.writeUInt16LE(SAMPLE_BYTES, 32);
  header.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
