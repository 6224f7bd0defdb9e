import { Interrupted } from './errors.ts';

/** How long a command may take to stop cleanly after Ctrl-C. */
const GRACE_MS = 3_000;

/** Aborted by the first Ctrl-C; the second one ends the process at once. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Interrupted());
    setTimeout(() => process.exit(130), GRACE_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  return controller.signal;
}
