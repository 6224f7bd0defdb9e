import { hostname } from 'node:os';
import { newId } from '../kernel/ids.ts';
import type { Runner } from '../media/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Repeated, repeat } from '../platform/repeat.ts';
import { removeWorker, writeWorker } from '../platform/running-workers.ts';
import { sandboxHealth } from './media-runner.ts';

const ANNOUNCE_MS = 20_000;

type RunnerState = Pick<Runner, 'sandbox' | 'isUsable'>;

/**
 * Records that a worker runs in this process, its isolation and its work, now and every 20 s. `stop` removes the row.
 */
export function announceWorker(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  runner: RunnerState,
  running: () => Readonly<Record<string, number>>,
  host = hostname(),
): Pick<Repeated, 'stop'> {
  const id = newId();
  const presence = repeat(log, 'this worker could not be registered, will be retried', ANNOUNCE_MS, async () => {
    const { state, details } = sandboxHealth(runner);
    await writeWorker(db, id, { host, sandbox: { state, ...details }, running: running() });
    return false;
  });
  presence.start();
  return {
    async stop() {
      await presence.stop();
      // A row that cannot be removed is no longer listed after a minute.
      await removeWorker(db, id).catch((error: unknown) =>
        log.warn({ error }, 'this worker could not be unregistered'),
      );
    },
  };
}
