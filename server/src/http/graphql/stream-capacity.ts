import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

export interface CapacityLimits {
  /** Maximum number of streams and connections of an account, and in total, on this instance. */
  readonly perAccount: number;
  readonly total: number;
}

/** Counts what stays open: streams of server-sent events, WebSocket connections and the subscriptions in them. */
export class StreamCapacity {
  readonly #limits: CapacityLimits;
  readonly #byAccount = new Map<string, number>();
  #total = 0;
  #closed = false;

  constructor(limits: CapacityLimits) {
    this.#limits = limits;
  }

  /**
   * Counts one more and returns what ends that, once. Throws RATE_LIMIT_EXCEEDED when the account, or the instance, has
   * reached its limit, or when the instance stops.
   */
  claim(accountId: string): () => void {
    const own = this.#byAccount.get(accountId) ?? 0;
    if (own >= this.#limits.perAccount || this.#total >= this.#limits.total || this.#closed) throw this.#exceeded(own);
    this.#byAccount.set(accountId, own + 1);
    this.#total += 1;
    let released = false;
    return () => {
      if (!released) this.#release(accountId);
      released = true;
    };
  }

  /** Nothing more is opened: clients connect to another instance. */
  close(): void {
    this.#closed = true;
  }

  #release(accountId: string): void {
    const left = (this.#byAccount.get(accountId) ?? 1) - 1;
    if (left === 0) this.#byAccount.delete(accountId);
    else this.#byAccount.set(accountId, left);
    this.#total -= 1;
  }

  #exceeded(own: number): AppError {
    const message = t`${own} streams are open for this account; the limit is ${this.#limits.perAccount}.`;
    return new AppError('RATE_LIMIT_EXCEEDED', message, {
      suggestedFix: t`Close streams that are not needed, or follow several objects with one eventsAfter.`,
      retryAfterSeconds: 5,
    });
  }
}
