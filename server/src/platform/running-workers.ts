import type { Executor } from './db/database.ts';
import { sql } from './db/statement.ts';

/** A worker process as it describes itself. */
export interface RunningWorker<Sandbox> {
  readonly host: string;
  /** How it isolates media tools; JSON. */
  readonly sandbox: Sandbox;
}

const ANNOUNCE = sql(
  'announce_worker',
  `with ended as (delete from workers where seen_at < now() - interval '1 day')
   insert into workers (id, host, sandbox) values ($1, $2, $3)
   on conflict (id) do update set sandbox = excluded.sandbox, seen_at = now()`,
);

/** Records that the worker is running. Deletes workers last seen more than a day ago. */
export async function writeWorker(db: Executor, id: string, { host, sandbox }: RunningWorker<object>): Promise<void> {
  await db.run(ANNOUNCE, [id, host, JSON.stringify(sandbox)]);
}

const REMOVE = sql('remove_worker', 'delete from workers where id = $1');

export async function removeWorker(db: Executor, id: string): Promise<void> {
  await db.run(REMOVE, [id]);
}

const RUNNING = sql(
  'running_workers',
  `select host, sandbox from workers where seen_at > now() - interval '1 minute' order by host, id`,
);

/** The workers of all machines that were seen within the last minute, by host name. */
export async function runningWorkers<Sandbox>(db: Executor): Promise<readonly RunningWorker<Sandbox>[]> {
  return db.run<RunningWorker<Sandbox>>(RUNNING, []);
}
