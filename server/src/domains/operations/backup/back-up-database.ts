import type { BackupFile, BackupFolder } from './backup-folder.ts';
import { jsonLines } from './json-lines.ts';
import { folderOf, type Manifest } from './manifest.ts';
import type { Snapshot, SnapshotTable, WaitingJob } from './snapshot.store.ts';

type DatabasePart = Pick<Manifest, 'nextTransaction' | 'tables' | 'partitions' | 'sequences' | 'jobs'>;

/** Writes all rows of the snapshot to the folder of the backup. */
export async function backUpDatabase(
  snapshot: Snapshot,
  folder: BackupFolder,
  id: string,
  progress: (line: string) => void,
): Promise<DatabasePart> {
  const nextTransaction = await snapshot.nextTransaction();
  const tables: Manifest['tables'] = [];
  for (const table of await snapshot.tables()) {
    const { rows, file } = await writeTable(snapshot, table, { folder, id });
    tables.push({ name: table.name, columns: table.columns, rows, file });
  }
  const partitions = await snapshot.partitions();
  const jobs = await writeJobs(snapshot, { folder, id });
  progress(`${tables.length} tables with ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows`);
  return { nextTransaction, tables, partitions, jobs, sequences: await snapshot.sequences() };
}

interface Target {
  readonly folder: BackupFolder;
  readonly id: string;
}

async function writeTable(
  snapshot: Snapshot,
  table: SnapshotTable,
  { folder, id }: Target,
): Promise<{ rows: number; file: BackupFile }> {
  const copy = snapshot.copy(table);
  const file = await folder.writeCompressed(`${folderOf(id)}tables/${table.name}.copy.gz`, copy, table.sizeBytes);
  return { rows: copy.rows, file };
}

/**
 * Jobs that wait or run, as pg-boss takes them: its tables belong to its version, and finished jobs have no further
 * effect.
 */
async function writeJobs(snapshot: Snapshot, { folder, id }: Target): Promise<Manifest['jobs']> {
  const queues = await snapshot.queues();
  let count = 0;
  async function* counted(): AsyncIterable<WaitingJob> {
    for await (const job of queues.length > 0 ? snapshot.jobs() : []) {
      count += 1;
      yield job;
    }
  }
  const file = await folder.writeCompressed(`${folderOf(id)}jobs.jsonl.gz`, jsonLines(counted()), 0);
  return { queues, count, file };
}
