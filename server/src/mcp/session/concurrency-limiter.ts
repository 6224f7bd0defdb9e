/** Places that each account can take, so many at once on this instance. */
export class ConcurrencyLimiter {
  readonly limit: number;
  readonly #taken = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Takes a place; what is answered gives it back. Null when the account has taken all it may. */
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
