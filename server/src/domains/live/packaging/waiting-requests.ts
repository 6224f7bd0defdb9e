import { Deadlines } from '../../../platform/waiting/deadlines.ts';
import type { FileRequest } from '../../delivery/index.ts';

/** What a viewer waits for, and how long. */
export interface Patience {
  readonly limitMs: number;
  readonly whenAbandoned: FileRequest['whenAbandoned'];
}

/** Waits for a change that makes `isDone` true. */
interface Waiting {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
}

const deadlines = new Deadlines();

/** Requests that are answered once something has changed, or after a while. */
export class WaitingRequests {
  readonly #waiting = new Set<Waiting>();

  /** Something has changed: those for whom it is done go on. */
  wake(): void {
    for (const each of this.#waiting) if (each.isDone()) each.resolve();
  }

  /** Fulfilled once `isDone` holds, after the limit, and when the client is gone. */
  async wait(isDone: () => boolean, { limitMs, whenAbandoned }: Patience): Promise<void> {
    if (isDone()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { isDone, resolve };
    const deadline = deadlines.start(limitMs, resolve);
    const stay = whenAbandoned(resolve);
    this.#waiting.add(waiting);
    await promise;
    deadlines.end(deadline);
    stay();
    this.#waiting.delete(waiting);
  }
}
