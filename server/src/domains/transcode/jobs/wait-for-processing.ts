import { AppError } from '../../../kernel/errors.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { Executor } from '../../../platform/db/database.ts';
import {
  type JobState,
  newestTranscodeJob,
  type TranscodeJobStatus,
  transcodeJobStates,
} from './transcode-jobs.store.ts';

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 300;
const POLL_MS = 250;
/**
 * How long a finished job waits for the requested publication: a running statement (10 s at most) may delay the event
 * log.
 */
const FOLLOW_UP_MS = 15_000;

export interface WaitOptions {
  /** 0 returns at once; default 60, at most 300. */
  readonly timeoutSeconds?: number | null;
  /** Ends the wait with the current state, as does the timeout. */
  readonly signal?: AbortSignal;
}

/** NONE: never submitted. */
export interface ProcessingState {
  readonly jobId: string | null;
  readonly status: TranscodeJobStatus | 'NONE';
  readonly progress: number;
  /** A message for the uploader; only with ERROR. */
  readonly error: Text | null;
}

/** Waits for processing to end; all waits of a process share one query every 250 ms. */
export interface ProcessingWaiter {
  /**
   * The state of the content's latest job once it has ended (and its content was published, if requested), or at the
   * timeout. Throws INVALID_INPUT for a timeout out of range.
   */
  wait(contentId: ContentId, options?: WaitOptions): Promise<ProcessingState>;
  /** Ends all waits. */
  stop(): void;
}

interface Waiting {
  readonly jobId: string;
  endedAtMs: number | null;
  last: JobState | null;
  readonly finish: () => void;
}

export function processingWaiter(db: Executor): ProcessingWaiter {
  return new SharedPoller(db);
}

class SharedPoller implements ProcessingWaiter {
  readonly #db: Executor;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(db: Executor) {
    this.#db = db;
  }

  async wait(contentId: ContentId, options: WaitOptions = {}): Promise<ProcessingState> {
    const timeoutMs = checkTimeout(options.timeoutSeconds) * 1_000;
    const job = await newestTranscodeJob(this.#db, contentId);
    if (!job) return { jobId: null, status: 'NONE', progress: 0, error: null };
    const [state] = await transcodeJobStates(this.#db, [job.id]);
    if (!state || state.settled || timeoutMs === 0 || this.#stopped || options.signal?.aborted)
      return describe(job.id, state ?? null);
    return describe(job.id, await this.#until(job.id, state, timeoutMs, options.signal));
  }

  stop(): void {
    this.#stopped = true;
    for (const waiting of [...this.#waiting]) waiting.finish();
  }

  #until(jobId: string, state: JobState, timeoutMs: number, signal: AbortSignal | undefined): Promise<JobState | null> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        this.#waiting.delete(waiting);
        resolve(waiting.last);
      };
      const waiting: Waiting = { jobId, endedAtMs: null, last: state, finish };
      const timer = setTimeout(finish, timeoutMs);
      signal?.addEventListener('abort', finish);
      this.#waiting.add(waiting);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#timer || this.#waiting.size === 0) return;
    this.#timer = setTimeout(async () => {
      await this.#look().catch(() => {}); // the next poll, or the timeout, returns
      this.#timer = null;
      this.#schedule();
    }, POLL_MS);
  }

  async #look(): Promise<void> {
    const waits = [...this.#waiting]; // later waits join the next poll
    const states = await transcodeJobStates(this.#db, [...new Set(waits.map(({ jobId }) => jobId))]);
    const byId = new Map(states.map((state) => [state.id as string, state]));
    const nowMs = performance.now();
    for (const waiting of waits) {
      const state = byId.get(waiting.jobId) ?? null;
      waiting.last = state;
      if (state && isOver(state.status)) waiting.endedAtMs ??= nowMs;
      const tired = waiting.endedAtMs !== null && nowMs - waiting.endedAtMs > FOLLOW_UP_MS;
      if (!state || state.settled || tired) waiting.finish();
    }
  }
}

function isOver(status: TranscodeJobStatus): boolean {
  return status === 'COMPLETE' || status === 'ERROR' || status === 'CANCELLED';
}

/** A job whose content was purged during the wait counts as cancelled. */
function describe(jobId: string, state: JobState | null): ProcessingState {
  if (!state) return { jobId, status: 'CANCELLED', progress: 0, error: null };
  return { jobId, status: state.status, progress: state.progress, error: state.error };
}

function checkTimeout(seconds: Maybe<number>): number {
  if (seconds == null) return DEFAULT_SECONDS;
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_SECONDS) return seconds;
  throw new AppError('INVALID_INPUT', t`timeoutSeconds is out of range.`, {
    field: 'input.timeoutSeconds',
    suggestedFix: t`Send a whole number from 0 to ${MAX_SECONDS}, and call again while the status is not COMPLETE or
      ERROR.`,
  });
}
