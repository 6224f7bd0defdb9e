/** Cost of an operation in points (docs/limits.md). */
export interface Cost {
  readonly requested: number;
  readonly actual: number;
  /** Points left afterwards. */
  readonly available: number;
  /** Points restored per second. */
  readonly restoreRate: number;
}

const MAX_KNOWN = 200;

/**
 * The account's rate limit as of the latest response: a request that exceeds it waits instead of being rejected. The
 * platform decides; this only keeps long iterations below its limit.
 */
export class Budget {
  #available = Number.POSITIVE_INFINITY;
  #restoreRate = 0;
  #atMs = 0;
  readonly #prices = new Map<string, number>();

  /** Records the cost that a response reports for the operation with this text. */
  note(text: string, cost: Cost, nowMs: number): void {
    if (this.#prices.size >= MAX_KNOWN) this.#prices.clear();
    this.#prices.set(text, cost.requested);
    [this.#available, this.#restoreRate, this.#atMs] = [cost.available, cost.restoreRate, nowMs];
  }

  /** How long until enough points are available for the operation; 0 when unknown. */
  waitMs(text: string, nowMs: number): number {
    const price = this.#prices.get(text);
    if (price === undefined || this.#restoreRate <= 0) return 0;
    const now = this.#available + ((nowMs - this.#atMs) / 1_000) * this.#restoreRate;
    return now >= price ? 0 : Math.ceil(((price - now) / this.#restoreRate) * 1_000);
  }
}
