import type { Executor } from './db/database.ts';
import { sql } from './db/statement.ts';

/** A worker process as it describes itself. */
export interface RunningWorker<Sandbox> {
  readonly host: string;
  /** How it isolates media tools; JSON. */
  readonly sandbox: Sandbox;
  /** What it works on: kinds of work with their numbers. */
  readonly running: Readonly<Record<string, number>>;
}

/** With the instant of its last report, ISO 8601. */
export type SeenWorker<Sandbox> = RunningWorker<Sandbox> & { readonly seenAt: string };

const ANNOUNCE = sql(
  'announce_worker',
  `with ended as (delete from workers where seen_at < now() - interval '1 day')
   insert into workers (id, host, sandbox, running) values ($1, $2, $3, $4)
   on conflict (id) do update set sandbox = excluded.sandbox, running = excluded.running, seen_at = now()`,
);

/** Records that the worker is running. Deletes workers last seen more than a day ago. */
export async function writeWorker(
  db: Executor,
  id: string,
  { host, sandbox, running }: RunningWorker<object>,
): Promise<void> {
  await db.run(ANNOUNCE, [id, host, JSON.stringify(sandbox), JSON.stringify(running)]);
}

const REMOVE = sql('remove_worker', 'delete from workers where id = $1');

export async function removeWorker(db: Executor, id: string): Promise<void> {
  await db.run(REMOVE, [id]);
}

const RUNNING = sql(
  'running_workers',
  `select host, sandbox, running, seen_at as "seenAt" from workers
   where seen_at > now() - interval '1 minute' order by host, id`,
);

/** The workers of all machines that were seen within the last minute, by host name. */
export async function runningWorkers<Sandbox>(db: Executor): Promise<readonly SeenWorker<Sandbox>[]> {
  return db.run<SeenWorker<Sandbox>>(RUNNING, []);
}
