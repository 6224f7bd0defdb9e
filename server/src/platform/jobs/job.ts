import { appErrorOf } from '../../kernel/database-errors.ts';
import { AppError, ERROR_CATALOGUE, StorageFullError } from '../../kernel/errors.ts';

/**
 * The declaration of a job, needed to send it. `Payload` is written to the database as JSON; its `jobId`, if any, is
 * the job that people see.
 */
export interface JobDefinition<Payload extends object> {
  readonly name: string;
  /** How often the job is retried after a transient error. Interruptions are no errors (`decideAfterInterruption`). */
  readonly retryLimit: number;
  /** After this long without a heartbeat the job goes to another worker; at least 10. */
  readonly heartbeatSeconds: number;
  /** The longest one attempt may take; a longer one has failed. */
  readonly expireInSeconds: number;
  /** Only carries the type. */
  readonly payload?: Payload;
}

/** The attempt, for its handler. */
export interface JobRun {
  /** Aborted when the worker stops or loses the job: stop, clean up and throw. */
  readonly signal: AbortSignal;
  /** 1 on the first attempt; interrupted ones count. */
  readonly attempt: number;
}

/** The implementation of a job; only workers load it. */
export interface JobHandler<Payload extends object> {
  readonly job: JobDefinition<Payload>;
  /**
   * Does the work; may be called again for the same payload after a crash, so it must be safe to repeat. Throwing a
   * non-retryable AppError (see ERROR_CATALOGUE) fails the job, any other error retries it.
   */
  readonly handle: (payload: Payload, run: JobRun) => Promise<void>;
  /** Called with the reason when the job has failed permanently; may be called more than once. */
  readonly giveUp: (payload: Payload, reason: AppError) => Promise<void>;
  /** Jobs of this kind one worker runs at the same time; default 1. */
  readonly concurrency?: number;
}

/** Declares a job. Names are `[a-z-]+`. */
export function defineJob<Payload extends object>(
  definition: Omit<JobDefinition<Payload>, 'payload'>,
): JobDefinition<Payload> {
  return definition;
}

const FIRST_DELAY_SECONDS = 2;
const LONGEST_DELAY_SECONDS = 300;
/** Pause between two checks for free storage. */
const STORAGE_WAIT_SECONDS = 60;

/** What happens to a job whose attempt threw. `failures` counts the failed attempts before this one. */
export type FailureDecision =
  | { kind: 'again'; afterSeconds: number; counted: boolean }
  | { kind: 'give-up'; reason: AppError };

/**
 * Transient errors are retried with exponential backoff up to the limit; others end the job. While storage is full the
 * job waits without limit, and the attempt does not count.
 */
export function decideAfterFailure(thrown: unknown, failures: number, retryLimit: number): FailureDecision {
  const error = appErrorOf(thrown) ?? thrown;
  if (error instanceof StorageFullError) return { kind: 'again', afterSeconds: STORAGE_WAIT_SECONDS, counted: false };
  const mayPass = !(error instanceof AppError) || ERROR_CATALOGUE[error.code].retryable;
  if (mayPass && failures < retryLimit) {
    return {
      kind: 'again',
      afterSeconds: Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** failures),
      counted: true,
    };
  }
  const reason = error instanceof AppError ? error : new AppError('INTERNAL_SERVER_ERROR', undefined, { cause: error });
  return { kind: 'give-up', reason };
}
