/** The waveform of a video: the lowest and the highest sample of each interval. */
export interface Peaks {
  readonly millisecondsPerPair: number;
  /** -127 to 127. */
  readonly pairs: Int8Array;
  /** What is drawn as full height: the loudest sample, but not less than some noise. */
  readonly loudest: number;
}

/** Quieter sound stays low. */
const LEAST_LOUDEST = 6;

/** Peaks as the API sends them. */
export function readPeaks(millisecondsPerPair: number, base64: string): Peaks {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const pairs = new Int8Array(bytes.buffer);
  const loudest = pairs.reduce((most, sample) => Math.max(most, Math.abs(sample)), LEAST_LOUDEST);
  return { millisecondsPerPair, pairs, loudest };
}

/** The lowest and highest sample between two times, from -1 to 1. */
export function rangeBetween(
  { millisecondsPerPair, pairs, loudest }: Peaks,
  fromMs: number,
  toMs: number,
): [number, number] {
  const first = Math.max(0, Math.floor(fromMs / millisecondsPerPair));
  const last = Math.min(pairs.length / 2, Math.max(first + 1, Math.ceil(toMs / millisecondsPerPair)));
  let [low, high] = [0, 0];
  for (let pair = first; pair < last; pair += 1) {
    low = Math.min(low, pairs[2 * pair] ?? 0);
    high = Math.max(high, pairs[2 * pair + 1] ?? 0);
  }
  return [low / loudest, high / loudest];
}
