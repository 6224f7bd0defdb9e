import { hostname } from 'node:os';
import type { WorkerHealth } from '../http/health/health.ts';
import { newId } from '../kernel/ids.ts';
import type { Runner } from '../media/index.ts';
import { sql } from '../platform/db/statement.ts';
import type { Platform } from '../platform/platform.ts';
import { type Repeated, repeat } from '../platform/repeat.ts';
import { sandboxHealth } from './media-runner.ts';

const ANNOUNCE_MS = 20_000;

const ANNOUNCE = sql(
  'announceWorker',
  `with ended as (delete from workers where seen_at < now() - interval '1 day')
   insert into workers (id, host, sandbox) values ($1, $2, $3)
   on conflict (id) do update set sandbox = excluded.sandbox, seen_at = now()`,
);
const LEAVE = sql('removeWorker', 'delete from workers where id = $1');
const RUNNING = sql('runningWorkers', `select host, sandbox from workers where seen_at > now() - interval '1 minute' order by host, id`);

type RunnerState = Pick<Runner, 'sandbox' | 'isUsable'>;

/** Writes that a worker runs in this process and how its media tools are isolated, now and every 20 s. The row is removed by `stop`. */
export function announceWorker({ db, log }: Pick<Platform, 'db' | 'log'>, runner: RunnerState, host = hostname()): Pick<Repeated, 'stop'> {
  const id = newId();
  const presence = repeat(log, 'this worker could not be announced, will be tried again', ANNOUNCE_MS, async () => {
    const { state, details } = sandboxHealth(runner);
    await db.run(ANNOUNCE, [id, host, JSON.stringify({ state, ...details })]);
    return false;
  });
  presence.start();
  return {
    async stop() {
      await presence.stop();
      // One that cannot be removed is no longer listed after a minute.
      await db.run(LEAVE, [id]).catch((error: unknown) => log.warn({ error }, 'this worker could not be signed off'));
    },
  };
}

/** The workers of all machines that ran within the last minute, by host name. */
export async function runningWorkers({ db }: Pick<Platform, 'db'>): Promise<readonly WorkerHealth[]> {
  return db.run<WorkerHealth>(RUNNING, []);
}
