import type { Logger } from './log.ts';

/** A periodic task. */
export interface Repeated {
  /** Has no effect where it was started before. */
  start(): void;
  /** Stops, and waits for the run in progress. */
  stop(): Promise<void>;
}

/**
 * Calls `run` at once and then `everyMs` after each run has ended, without a pause while it returns true (there is more
 * to do). A run that throws is logged with `failureMessage` and repeated after the pause, so it must be safe to repeat.
 * The timer does not keep the process alive.
 */
export function repeat(log: Logger, failureMessage: string, everyMs: number, run: () => Promise<boolean>): Repeated {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let started = false;
  let stopped = false;

  const runOnce = async (): Promise<void> => {
    try {
      while (!stopped && (await run()));
    } catch (error) {
      log.warn({ error }, failureMessage);
    }
  };
  const next = (): void => {
    if (stopped) return;
    running = runOnce();
    void running.then(() => {
      if (!stopped) timer = setTimeout(next, everyMs).unref();
    });
  };
  return {
    start() {
      if (!started) next();
      started = true;
    },
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
