import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, ERROR_CATALOGUE } from '../../../../kernel/errors.ts';
import type { IngestionId } from '../../../../kernel/ids.ts';
import type { FinishUploadTools } from '../finish-upload.ts';
import type { UploadLocker } from '../locks/upload-lock.ts';
import { joinPartials } from './join-partials.ts';
import { isUnjoined } from './partial-uploads.store.ts';

/** How many uploads one process joins at the same time. */
const AT_ONCE = 2;
/** How long an upload that another request works on is waited for. */
const LOCK_PATIENCE_MS = 1_000;

export interface JoinTools extends FinishUploadTools {
  readonly locker: UploadLocker;
}

/** Uploads whose parts this process joins in the background. */
export interface Joins {
  /** Joins the parts of an upload unless another process does; whatever interrupts it, a later call continues. */
  begin(id: IngestionId): void;
  /**
   * Begins and waits until the upload is finished here, at most so long.
   * @throws AppError that the upload has ended with.
   */
  finish(id: IngestionId, patienceMs: number): Promise<void>;
  /** Interrupts all, and waits until they have stopped. */
  stop(): Promise<void>;
}

export function openJoins(tools: JoinTools): Joins {
  const running = new Map<IngestionId, Promise<void>>();
  const waiting: (() => void)[] = [];
  const stopped = new AbortController();
  let free = AT_ONCE;

  async function join(id: IngestionId): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      const taken = new AbortController();
      const signal = AbortSignal.any([taken.signal, stopped.signal]);
      signal.throwIfAborted();
      // Asking for the lock would interrupt another process.
      const { db, clock } = tools.platform;
      if (!(await isUnjoined(db, id, new Date(clock.now()).toISOString()))) return;
      await tools.locker.hold(
        id,
        AbortSignal.timeout(LOCK_PATIENCE_MS),
        () => joinPartials(tools, id, signal),
        () => taken.abort(),
      );
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  function start(id: IngestionId): Promise<void> {
    const known = running.get(id);
    if (known) return known;
    const joining = join(id)
      .catch((error: unknown) => {
        const isExpected = error instanceof AppError || stopped.signal.aborted;
        if (!isExpected) tools.platform.log.warn({ error, id }, 'the parts of an upload could not be joined');
        throw error;
      })
      .finally(() => running.delete(id));
    running.set(id, joining);
    joining.catch(() => {}); // the sweep begins it again
    return joining;
  }

  return {
    begin: (id) => void start(id),
    async finish(id, patienceMs) {
      const ended = start(id).catch((error: unknown) => {
        if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) throw error;
      });
      await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })]);
    },
    async stop() {
      stopped.abort();
      await Promise.allSettled(running.values());
    },
  };
}
