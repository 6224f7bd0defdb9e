import { AppError } from '../kernel/errors.ts';

/** Runs some pieces of work at a time, the others in their order. */
export class WorkQueue {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  readonly #refusal: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `refusal` is the message of the error when more than `maxWaiting` would wait. */
  constructor(options: { readonly concurrency: number; readonly maxWaiting: number; readonly refusal: string }) {
    this.#concurrency = options.concurrency;
    this.#maxWaiting = options.maxWaiting;
    this.#refusal = options.refusal;
  }

  /** @throws AppError SERVICE_UNAVAILABLE when too much is waiting; errors of `work`. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#concurrency) {
      if (this.#waiting.length >= this.#maxWaiting) throw new AppError('SERVICE_UNAVAILABLE', this.#refusal);
      // The one that ends hands its place over.
      await new Promise<void>((begin) => this.#waiting.push(begin));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
