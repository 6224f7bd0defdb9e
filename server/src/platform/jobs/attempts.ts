import { setTimeout as pause } from 'node:timers/promises';
import type { AppError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import { type Repeated, repeat } from '../repeat.ts';
import {
  type AttemptOutcome,
  beginAttempt,
  endAttempt,
  endInterrupted,
  hasAnyDied,
  haveOthersSurvived,
  type PastOfWork,
  pastOfWork,
  SEEN_MS,
  seeProcess,
  setInterruptedState,
  stopProcess,
  writeInterrupted,
} from './attempts.store.ts';
import { decideAfterInterruption, INTERRUPTED_MS, interruptedForADay, SUSPICIOUS_DEATHS } from './interruptions.ts';

/** Something that processes work on: a job, or a part of one. */
export interface Work {
  /** Name of the kind and its id; the log has it. */
  readonly work: string;
  /** The job that it is part of, where people see one. */
  readonly subject: string | null;
}

/** An attempt that this process makes. */
export interface Attempt {
  /** Earlier attempts that were interrupted. */
  readonly interruptions: number;
  end(outcome: AttemptOutcome): Promise<void>;
}

/** Whether this process may work on something now. */
export type Begun =
  | { readonly kind: 'begun'; readonly attempt: Attempt }
  | { readonly kind: 'wait'; readonly afterSeconds: number }
  | { readonly kind: 'give-up'; readonly reason: AppError };

/** Work that was set apart is tried when no process has died for so long. */
const QUIET_SECONDS = 60;
const LOOK_SECONDS = 15;
/** So long a process takes up nothing new until it has ended the rest, to work on one thing alone. */
const DRAIN_MS = 120_000;
const BUSY_SECONDS = 300;
const LOOK_MS = 100;
/** Work that ran for so long since its last interruption has been interrupted for the first time again. */
const FORGOTTEN_MS = 6 * 3_600_000;

/**
 * What this process works on, written to the database, so that work whose process died is known and told from work that
 * failed: see `decideAfterInterruption`.
 */
export class Attempts {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #processId = newId();
  readonly #presence: Repeated;
  #isPresent = false;
  #running = 0;
  /** While this process works on one thing alone, or waits to. */
  #closed: Promise<void> | null = null;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#presence = repeat(log, 'this process could not be registered, will be retried', SEEN_MS, async () => {
      await seeProcess(db, this.#processId);
      return false;
    });
  }

  /** Whether this process takes up more work now. */
  get isOpen(): boolean {
    return this.#closed === null;
  }

  /**
   * Begins an attempt, once this process takes up work. Work that was interrupted may have to wait, and ends when it
   * was interrupted for a day or seems to be what its processes die of.
   */
  async begin(work: Work, signal: AbortSignal): Promise<Begun> {
    this.#announce();
    const past = await pastOfWork(this.#db, work.work);
    if (past.lost > 0) {
      const after = await this.#interrupted(work, past);
      if (after) return after;
    } else if (past.state === 'APART' || past.state === 'ALONE') return this.#beginAlone(work, past, signal);
    while (this.#closed) await aborted(this.#closed, signal);
    return this.#open(work, past.interruptions + (past.lost > 0 ? 1 : 0), () => {});
  }

  /** Ends what was begun; the work that runs has been handed back before. */
  async stop(): Promise<void> {
    await this.#presence.stop();
    if (!this.#isPresent) return;
    await stopProcess(this.#db, this.#processId).catch((error: unknown) =>
      this.#log.warn({ error }, 'the end of this process could not be written; its work counts as interrupted'),
    );
  }

  #announce(): void {
    if (this.#isPresent) return;
    this.#isPresent = true;
    this.#presence.start();
  }

  /** Decides about work that was interrupted; null: it goes on at once. */
  async #interrupted(work: Work, past: PastOfWork): Promise<Exclude<Begun, { kind: 'begun' }> | null> {
    const isFirst = past.interruptions === 0 || past.pausedMs > FORGOTTEN_MS;
    const found = {
      interruptions: isFirst ? 1 : past.interruptions + 1,
      deaths: (isFirst ? 0 : past.deaths) + (past.died > 0 ? 1 : 0),
    };
    const decision = decideAfterInterruption({
      ...{ work: work.work, count: found.interruptions, sinceMs: isFirst ? 0 : past.sinceMs, deaths: found.deaths },
      othersSurvived:
        found.deaths >= SUSPICIOUS_DEATHS && (await haveOthersSurvived(this.#db, work.work, QUIET_SECONDS)),
      wasAlone: past.state === 'ALONE' && past.died > 0,
    });
    const facts = { ...work, ...found, decision: decision.kind };
    if (decision.kind === 'give-up') {
      this.#log.error(facts, 'interrupted work is given up');
      await endInterrupted(this.#db, work.work, past.state === 'ALONE' && past.died > 0);
      return decision;
    }
    this.#log.warn(facts, 'work was interrupted');
    await writeInterrupted(this.#db, work, found, decision.kind === 'apart' ? 'APART' : 'AGAIN');
    if (decision.kind === 'apart') return { kind: 'wait', afterSeconds: QUIET_SECONDS };
    return decision.afterSeconds > 0 ? { kind: 'wait', afterSeconds: decision.afterSeconds } : null;
  }

  /** Begins an attempt at work that was set apart: when no process dies for other reasons, and beside nothing else. */
  async #beginAlone(work: Work, past: PastOfWork, signal: AbortSignal): Promise<Begun> {
    if (past.sinceMs >= INTERRUPTED_MS) {
      await endInterrupted(this.#db, work.work, false);
      return { kind: 'give-up', reason: interruptedForADay(past.interruptions) };
    }
    if (await hasAnyDied(this.#db, QUIET_SECONDS)) return { kind: 'wait', afterSeconds: LOOK_SECONDS };
    if (this.#closed) return { kind: 'wait', afterSeconds: LOOK_SECONDS };
    const { promise, resolve } = Promise.withResolvers<void>();
    const reopen = () => {
      this.#closed = null;
      resolve();
    };
    this.#closed = promise;
    try {
      if (!(await this.#drained(signal))) {
        reopen();
        return { kind: 'wait', afterSeconds: BUSY_SECONDS };
      }
      await setInterruptedState(this.#db, work.work, 'ALONE');
      this.#log.warn(work, 'interrupted work is tried alone');
      return await this.#open(work, past.interruptions, reopen);
    } catch (error) {
      reopen();
      throw error;
    }
  }

  async #drained(signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + DRAIN_MS;
    while (this.#running > 0 && performance.now() < until) await pause(LOOK_MS, undefined, { signal });
    return this.#running === 0;
  }

  async #open({ work }: Work, interruptions: number, then: () => void): Promise<Begun> {
    this.#running += 1;
    const id = newId();
    const close = () => {
      this.#running -= 1;
      then();
    };
    try {
      await beginAttempt(this.#db, id, work, this.#processId);
    } catch (error) {
      close();
      throw error;
    }
    const end = async (outcome: AttemptOutcome): Promise<void> => {
      close();
      // What is not written counts as interrupted.
      await endAttempt(this.#db, id, outcome).catch((error: unknown) =>
        this.#log.warn({ error, work }, 'the end of an attempt could not be written'),
      );
    };
    return { kind: 'begun', attempt: { interruptions, end } };
  }
}

/** Waits for a promise, or throws when the signal is aborted. */
async function aborted(until: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([until, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
