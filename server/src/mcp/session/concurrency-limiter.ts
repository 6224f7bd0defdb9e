import type { ServiceLimit } from '../../kernel/service-limits.ts';

/** Limits concurrent requests per account on this instance. */
export class ConcurrencyLimiter {
  readonly limit: number;
  readonly #taken = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** What is left to the account. */
  of(account: string): ServiceLimit {
    const remaining = this.limit - (this.#taken.get(account) ?? 0);
    return { name: 'concurrency', quota: this.limit, unit: 'concurrent-requests', remaining };
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
