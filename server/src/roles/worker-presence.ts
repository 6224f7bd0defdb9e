import { hostname } from 'node:os';
import { newId } from '../kernel/ids.ts';
import type { Runner } from '../media/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Repeated, repeat } from '../platform/repeat.ts';
import { removeWorker, writeWorker } from '../platform/running-workers.ts';
import { sandboxHealth } from './media-runner.ts';

const ANNOUNCE_MS = 20_000;

type RunnerState = Pick<Runner, 'sandbox' | 'isUsable'>;

/** Writes that a worker runs in this process and how its media tools are isolated, now and every 20 s. The row is removed by `stop`. */
export function announceWorker({ db, log }: Pick<Platform, 'db' | 'log'>, runner: RunnerState, host = hostname()): Pick<Repeated, 'stop'> {
  const id = newId();
  const presence = repeat(log, 'this worker could not be announced, will be retried', ANNOUNCE_MS, async () => {
    const { state, details } = sandboxHealth(runner);
    await writeWorker(db, id, { host, sandbox: { state, ...details } });
    return false;
  });
  presence.start();
  return {
    async stop() {
      await presence.stop();
      // One that cannot be removed is no longer listed after a minute.
      await removeWorker(db, id).catch((error: unknown) => log.warn({ error }, 'this worker could not be signed off'));
    },
  };
}
