/** Resolves after a while; rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A signal of its own that follows another one, and that can be aborted for a reason of its own. */
export class LinkedSignal {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #follow = () => this.#controller.abort(this.#outer?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer?.aborted) this.#follow();
    else outer?.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Aborts with `reason` after a while; a later call starts over. */
  abortAfter(ms: number, reason: unknown): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.abort(reason), ms);
  }

  /** Forgets the outer signal and the clock. */
  release(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#follow);
  }
}
