import { type Migration, migrate, readMigrations } from '../../../platform/db/migrations.ts';
import { restoreQueues, type SavedJob } from '../../../platform/jobs/restore-jobs.ts';
import { BackupError, DamagedBackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readJsonLines } from './json-lines.ts';
import type { Manifest } from './manifest.ts';
import {
  analyze,
  completeTables,
  createEmptyTables,
  loadTable,
  noteGrowth,
  passTransactions,
  withClient,
} from './restore.store.ts';

/** The migrations of the backup. @throws BackupError where this program does not have exactly these. */
export async function requireMigrations({ migrations, version }: Manifest): Promise<Migration[]> {
  const known = new Map((await readMigrations()).map((migration) => [migration.name, migration]));
  return migrations.map(({ name, digest }) => {
    const migration = known.get(name);
    if (migration?.digest === digest) return migration;
    throw new BackupError(
      `The backup was made by version ${version}, whose migration ${name} this version does not have: ` +
        `restore with version ${version} or a newer one.`,
    );
  });
}

interface DatabaseTarget {
  readonly url: string;
  readonly migrations: readonly Migration[];
  readonly growth: ReadonlyMap<string, number>;
  readonly progress: (line: string) => void;
}

/** Fills an empty database, all of it or nothing, and migrates it to this version. */
export async function restoreDatabase(
  folder: BackupFolder,
  manifest: Manifest,
  { url, migrations, growth, progress }: DatabaseTarget,
): Promise<void> {
  const queues = await restoreQueues(url, manifest.jobs.queues);
  try {
    await withClient(url, async (client) => {
      await passTransactions(client, manifest.nextTransaction, progress);
      await client.query('begin');
      const foreignKeys = await createEmptyTables(client, manifest, migrations);
      for (const table of manifest.tables) {
        const rows = await loadTable(client, table, folder.readCompressed(table.file));
        requireCount(`Table ${table.name}`, table.rows, rows);
      }
      await completeTables(client, manifest, foreignKeys);
      await noteGrowth(client, growth);
      const jobs = readJsonLines<SavedJob>(folder.readCompressed(manifest.jobs.file));
      requireCount('The queue', manifest.jobs.count, await queues.add(client, jobs));
      await client.query('commit');
      await migrate(url);
      await analyze(client);
    });
  } finally {
    await queues.close();
  }
}

function requireCount(what: string, expected: number, found: number): void {
  if (found !== expected) throw new DamagedBackupError(`${what} has ${expected} rows, of which ${found} were loaded.`);
}
