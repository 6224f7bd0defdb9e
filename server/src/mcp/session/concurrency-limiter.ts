/** Limits concurrent requests per account on this instance. */
export class ConcurrencyLimiter {
  readonly limit: number;
  readonly #taken = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Takes a slot; the returned function releases it. Null when the account has reached the limit. */
  take(account: string): (() => void) | null {
    const taken = this.#taken.get(account) ?? 0;
    if (taken >= this.limit) return null;
    this.#taken.set(account, taken + 1);
    return () => {
      const left = (this.#taken.get(account) ?? 1) - 1;
      if (left === 0) this.#taken.delete(account);
      else this.#taken.set(account, left);
    };
  }
}
