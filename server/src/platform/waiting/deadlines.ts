/** How late an expiry may come. */
const STEP_MS = 50;

/** An operation with a deadline. */
interface Deadline {
  atMs: number;
  readonly expire: () => void;
}

/**
 * Time limits that are nearly always met: they share one timer, because a timer each would cost a short request more
 * than its parsing. An expiry comes up to 50 ms late.
 */
export class Deadlines {
  readonly #running = new Set<Deadline>();
  #timer: NodeJS.Timeout | null = null;

  /** Calls `expire` once, unless the deadline ends before. */
  start(limitMs: number, expire: () => void): Deadline {
    const deadline: Deadline = { atMs: performance.now() + limitMs, expire };
    this.#running.add(deadline);
    this.#timer ??= setInterval(() => this.#check(), STEP_MS).unref();
    return deadline;
  }

  end(deadline: Deadline): void {
    this.#running.delete(deadline);
  }

  #check(): void {
    const nowMs = performance.now();
    for (const deadline of this.#running) {
      if (deadline.atMs > nowMs) continue;
      this.#running.delete(deadline);
      deadline.expire();
    }
    if (this.#running.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
