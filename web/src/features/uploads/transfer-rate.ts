/** The speed of the last seconds: older progress says little about what is left. */
const WINDOW_MS = 8_000;
/** Before this much was observed, an estimate jumps. */
const LEAST_MS = 1_000;

/** How fast a file is sent. */
export class TransferRate {
  #samples: { readonly atMs: number; readonly sentBytes: number }[] = [];

  add(sentBytes: number, atMs: number): void {
    this.#samples = [...this.#samples.filter((sample) => sample.atMs > atMs - WINDOW_MS), { atMs, sentBytes }];
  }

  /** For a transfer that starts again. */
  reset(): void {
    this.#samples = [];
  }

  /** Null until there is enough to tell. */
  bytesPerSecond(): number | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.atMs - first.atMs < LEAST_MS) return null;
    return Math.max(0, ((last.sentBytes - first.sentBytes) * 1000) / (last.atMs - first.atMs));
  }
}

/** Seconds until all bytes are sent; null while that cannot be told. */
export function remainingSeconds(leftBytes: number, bytesPerSecond: number | null): number | null {
  return bytesPerSecond ? leftBytes / bytesPerSecond : null;
}
