import type pg from 'pg';
import { type JobInsert, PgBoss, type Queue } from 'pg-boss';

/** A job that waits. */
export interface SavedJob {
  readonly id: string;
  readonly name: string;
  readonly data: object;
  readonly priority: number;
  /** ISO 8601. */
  readonly startAfter: string;
}

const BATCH = 500;

/** Fills the queues of a new database. */
export interface JobRestorer {
  /** Adds jobs in the transaction of `client`, each with its id; returns how many. */
  add(client: pg.ClientBase, jobs: AsyncIterable<SavedJob>): Promise<number>;
  close(): Promise<void>;
}

/** Creates the tables of the queue, and these queues, with the settings that pg-boss has for them. */
export async function restoreQueues(url: string, queues: readonly Record<string, unknown>[]): Promise<JobRestorer> {
  const options = { supervise: false, schedule: false, max: 1, application_name: 'reelgraph restore' };
  const boss = new PgBoss({ connectionString: url, ...options });
  boss.on('error', () => {}); // of idle connections
  await boss.start();
  for (const queue of queues) {
    const { name, ...settings } = Object.fromEntries(Object.entries(queue).filter(([, value]) => value !== null));
    await boss.createQueue(String(name), settings as Omit<Queue, 'name'>);
  }
  return {
    async add(client, jobs) {
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values ?? []) };
      let count = 0;
      let batch: SavedJob[] = [];
      const insert = async () => {
        for (const [name, same] of Map.groupBy(batch, (job) => job.name))
          await boss.insert(name, same.map(withoutName), { db });
        count += batch.length;
        batch = [];
      };
      for await (const job of jobs) if (batch.push(job) === BATCH) await insert();
      await insert();
      return count;
    },
    close: () => boss.stop({ graceful: false }),
  };
}

function withoutName({ name: _, ...job }: SavedJob): JobInsert {
  return job;
}
