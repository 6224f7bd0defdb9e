const EVERY_MS = 1_000;

export interface WatchedProgress {
  /** Whole percent, 0..99. */
  set(percent: number): void;
  /** Aborted when the job is no longer this attempt's, or its content was deleted. */
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

/**
 * Writes progress at most once a second and checks at the same time whether the job is still current. `report` returns
 * false when it is not; a failed write is ignored and repeated.
 */
export function watchProgress(
  report: (percent: number) => Promise<boolean>,
  everyMs: number = EVERY_MS,
): WatchedProgress {
  const unwanted = new AbortController();
  let percent = 0;
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = report(percent)
      .then((wanted) => {
        if (!wanted) unwanted.abort(new Error('the job is no longer current'));
      })
      .catch(() => {})
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  return {
    set: (value) => {
      percent = Math.max(percent, Math.min(99, Math.floor(value)));
    },
    signal: unwanted.signal,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
