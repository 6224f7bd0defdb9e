import { AppError, ERROR_CATALOGUE, StorageFullError } from '../../kernel/errors.ts';

/** What is needed to send a job: light, importable by anyone. `Payload` is written to the database as JSON. */
export interface JobDefinition<Payload extends object> {
  readonly name: string;
  /** How often the job is tried again after a fault that may pass, and, counted apart, after a worker was lost. */
  readonly retryLimit: number;
  /** A worker that stays silent for so long has lost its job to another; at least 10. */
  readonly heartbeatSeconds: number;
  /** The longest one attempt may take. */
  readonly expireInSeconds: number;
  /** Only carries the type. */
  readonly payload?: Payload;
}

/** What a handler knows of the attempt it makes. */
export interface JobRun {
  /** Aborted when the worker stops or the job was given to another worker: stop working, leave nothing behind, throw. */
  readonly signal: AbortSignal;
  /** 1 on the first attempt. */
  readonly attempt: number;
}

/** The heavy half of a job, known to workers only. */
export interface JobHandler<Payload extends object> {
  readonly job: JobDefinition<Payload>;
  /**
   * Does the work; may be called again for the same payload after a crash, so it must tolerate its own half-done
   * work. Throwing a non-retryable AppError (see ERROR_CATALOGUE) gives up at once, any other error tries again.
   */
  readonly handle: (payload: Payload, run: JobRun) => Promise<void>;
  /** Called when there will be no further attempt, with the reason; may be called more than once. */
  readonly giveUp: (payload: Payload, reason: AppError) => Promise<void>;
  /** Jobs of this kind one worker runs at the same time; default 1. */
  readonly concurrency?: number;
}

/** Declares a job. Names are `[a-z-]+`. */
export function defineJob<Payload extends object>(definition: Omit<JobDefinition<Payload>, 'payload'>): JobDefinition<Payload> {
  return definition;
}

const FIRST_DELAY_SECONDS = 2;
const LONGEST_DELAY_SECONDS = 300;
/** Between two looks whether there is room by now. */
const STORAGE_WAIT_SECONDS = 60;

/** What becomes of a job whose attempt threw. `failures` counts the attempts that threw before this one. */
export type Verdict = { kind: 'again'; afterSeconds: number; counted: boolean } | { kind: 'give-up'; reason: AppError };

/**
 * Faults that may pass are tried again with growing pauses, until the limit; others end the job. A full storage is nobody's fault: the job
 * waits for room as long as it takes, and the attempt does not count.
 */
export function judgeFailure(error: unknown, failures: number, retryLimit: number): Verdict {
  if (error instanceof StorageFullError) return { kind: 'again', afterSeconds: STORAGE_WAIT_SECONDS, counted: false };
  const mayPass = !(error instanceof AppError) || ERROR_CATALOGUE[error.code].retryable;
  if (mayPass && failures < retryLimit) {
    return { kind: 'again', afterSeconds: Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** failures), counted: true };
  }
  const reason = error instanceof AppError ? error : new AppError('INTERNAL_SERVER_ERROR', undefined, { cause: error });
  return { kind: 'give-up', reason };
}

/** The reason given when workers vanished again and again under the same job. */
export function lostTooOften(): AppError {
  return new AppError('INTERNAL_SERVER_ERROR', 'The work was broken off several times before it could finish.', {
    suggestedFix: 'Submit it once more; if that fails too, the operator finds the cause in the log of the worker.',
  });
}
