/** Samples of 16 bits, mono: enough for what a waveform shows. */
export const WAVEFORM_RATE = 8_000;
const SAMPLE_BYTES = 2;
const LEAST_MS = 50;
const MOST_PAIRS = 200_000;

/** The waveform of sound. */
export interface Waveform {
  readonly millisecondsPerPair: number;
  /** The lowest and the highest sample of each interval, one signed byte each, from -127 to 127. */
  readonly pairs: Buffer;
}

/** The interval of a pair: 50 ms, more for sound of more than 166 minutes. */
export function pairInterval(durationMs: number): number {
  return Math.max(LEAST_MS, Math.ceil(durationMs / MOST_PAIRS));
}

/** Finds the lowest and the highest sample of each interval, as the samples come. */
export class PeakMeter {
  readonly #pairs: number[] = [];
  readonly #samplesPerPair: number;
  #low = 0;
  #high = 0;
  #count = 0;
  #odd: Buffer = Buffer.alloc(0);

  constructor(millisecondsPerPair: number) {
    this.#samplesPerPair = (WAVEFORM_RATE * millisecondsPerPair) / 1000;
  }

  /** Takes samples: 16 bits, little endian; a chunk may end within one. */
  push(chunk: Buffer): void {
    const bytes = this.#odd.length === 0 ? chunk : Buffer.concat([this.#odd, chunk]);
    const end = bytes.length - (bytes.length % SAMPLE_BYTES);
    for (let at = 0; at < end; at += SAMPLE_BYTES) {
      const sample = bytes.readInt16LE(at);
      if (sample < this.#low) this.#low = sample;
      if (sample > this.#high) this.#high = sample;
      this.#count += 1;
      if (this.#count === this.#samplesPerPair) this.#close();
    }
    this.#odd = bytes.subarray(end);
  }

  finish(): Buffer {
    if (this.#count > 0) this.#close();
    return Buffer.from(Int8Array.from(this.#pairs).buffer);
  }

  #close(): void {
    this.#pairs.push(level(this.#low), level(this.#high));
    this.#low = 0;
    this.#high = 0;
    this.#count = 0;
  }
}

function level(sample: number): number {
  return Math.max(-127, Math.round((sample / 32_767) * 127));
}
