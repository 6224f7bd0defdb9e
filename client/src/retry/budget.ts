/** Cost of an operation in points (docs/limits.md). */
export interface Cost {
  readonly requested: number;
  readonly actual: number;
  /** Points left afterwards. */
  readonly available: number;
  /** Points that come back each second. */
  readonly restoreRate: number;
}

const MAX_KNOWN = 200;

/**
 * What is known of the account's budget from the latest answer: a request that it cannot pay now waits until it can, instead of being
 * refused. The platform judges; this only keeps long iterations from running into its limit.
 */
export class Budget {
  #available = Number.POSITIVE_INFINITY;
  #restoreRate = 0;
  #atMs = 0;
  readonly #prices = new Map<string, number>();

  /** Notes what an answer said about the operation that has this text. */
  note(text: string, cost: Cost, nowMs: number): void {
    if (this.#prices.size >= MAX_KNOWN) this.#prices.clear();
    this.#prices.set(text, cost.requested);
    [this.#available, this.#restoreRate, this.#atMs] = [cost.available, cost.restoreRate, nowMs];
  }

  /** How long until the operation can be paid for; 0 when that is not known. */
  waitMs(text: string, nowMs: number): number {
    const price = this.#prices.get(text);
    if (price === undefined || this.#restoreRate <= 0) return 0;
    const now = this.#available + ((nowMs - this.#atMs) / 1_000) * this.#restoreRate;
    return now >= price ? 0 : Math.ceil(((price - now) / this.#restoreRate) * 1_000);
  }
}
