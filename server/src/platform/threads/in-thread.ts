import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { t } from '../../kernel/languages/message.ts';
import { WorkQueue } from '../work-queue.ts';

export interface ThreadLimits {
  /** How long one call may take; the thread is ended then. */
  readonly deadlineMs: number;
  readonly maxHeapMb: number;
}

/** What a thread posts for a call. */
export type ThreadAnswer = { readonly value: unknown } | { readonly error: unknown };

/** A call took too long, or more memory than it may. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
}

/** How long a thread waits for the next call before it ends. */
const IDLE_MS = 10_000;
/** Calls that wait for a thread; more are refused. */
const MAX_WAITING = 50;

/**
 * Runs the function of a file (`answerCalls`) in a thread of its own, one call after another, so that work on the texts
 * of one request does not hold up all others. The thread starts with the first call and ends when it has none.
 * Arguments and results are copied.
 */
export class InThread<Input, Output> {
  readonly #file: URL;
  readonly #limits: ThreadLimits;
  readonly #queue = new WorkQueue({
    concurrency: 1,
    maxWaiting: MAX_WAITING,
    refusal: t`Too many long texts are being read at the moment.`,
  });
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(file: URL, limits: ThreadLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /**
   * @throws ThreadError for a call that takes too long or too much memory; what the function throws; AppError
   *   SERVICE_UNAVAILABLE where too many calls are waiting.
   */
  run(input: Input): Promise<Output> {
    return this.#queue.run(async () => {
      clearTimeout(this.#idle);
      const worker = this.#worker ?? (await this.#start());
      worker.ref();
      try {
        const answer = await answerOf(worker, input, this.#limits.deadlineMs);
        if ('error' in answer) throw answer.error;
        return answer.value as Output; // what the file's function returns
      } catch (error) {
        if (error instanceof ThreadError) this.#end();
        throw error;
      } finally {
        worker.unref();
        this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
      }
    });
  }

  /** Resolves when the thread can answer: loading its files is no part of a call. */
  async #start(): Promise<Worker> {
    const worker = new Worker(this.#file, { resourceLimits: { maxOldGenerationSizeMb: this.#limits.maxHeapMb } });
    await once(worker, 'message');
    // One that fails between two calls is replaced with the next.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    this.#worker = worker;
    return worker;
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }
}

function answerOf(worker: Worker, input: unknown, deadlineMs: number): Promise<ThreadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const timer = setTimeout(() => reject(new ThreadError(`It took more than ${deadlineMs} ms.`)), deadlineMs);
  const broken = (error: Error) => reject(new ThreadError(error.message, { cause: error }));
  worker.on('message', resolve).on('error', broken);
  worker.postMessage(input);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', broken);
  });
}
