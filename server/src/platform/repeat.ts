import type { Logger } from './log.ts';

/** Work that is looked for again and again while a process runs. */
export interface Repeated {
  start(): void;
  /** Waits for the look in progress; there is none after it. */
  stop(): Promise<void>;
}

/**
 * Calls `look` at once and then `everyMs` after each look has ended, and without a pause while it answers true: there is more. A look that
 * throws is logged with `fault` and made again after the pause, so it must tolerate its own half-done work. The pauses
 * keep no process alive.
 */
export function repeat(log: Logger, fault: string, everyMs: number, look: () => Promise<boolean>): Repeated {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const lookOnce = async (): Promise<void> => {
    try {
      while (!stopped && (await look()));
    } catch (error) {
      log.warn({ error }, fault);
    }
  };
  const next = (): void => {
    if (stopped) return;
    running = lookOnce();
    void running.then(() => {
      if (!stopped) timer = setTimeout(next, everyMs).unref();
    });
  };
  return {
    start: next,
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
