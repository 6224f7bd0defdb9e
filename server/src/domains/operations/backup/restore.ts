import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../platform/config/config.ts';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { lockOwner } from '../../../platform/instance-lock.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import { BackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';
import { folderOf, type Manifest, requireManifest } from './manifest.ts';
import { isEmptyDatabase, withClient } from './restore.store.ts';
import { requireMigrations, restoreDatabase } from './restore-database.ts';
import { type ObjectTarget, restoreObjects } from './restore-objects.ts';
import { requireIntactRows } from './verify-backup.ts';

export interface RestoreOptions {
  readonly folder: BackupFolder;
  /** The newest by default. */
  readonly backupId: string | undefined;
  readonly config: Config;
  /** Starts the database server, if it is not running; called when nothing else prevents the restore. */
  readonly openServer: () => Promise<{ readonly url: string; stop(): Promise<void> }>;
  /** Called with what was done so far. */
  readonly progress: (line: string) => void;
}

export interface RestoreReport {
  readonly id: string;
  readonly snapshotAt: string;
  readonly version: string;
  readonly tables: number;
  readonly rows: number;
  readonly jobs: number;
  readonly objects: number;
  readonly uploads: number;
}

/**
 * Restores a backup to an empty database, an empty store and a data folder without another key. What was written is
 * removed when it fails; the rows, last and in one transaction, are not there then.
 */
export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const { folder, config, openServer, progress } = options;
  const manifest = await requireManifest(folder, options.backupId);
  const migrations = await requireMigrations(manifest);
  if (lockOwner(config.DATA_DIR) !== null)
    throw new BackupError(
      `A platform is running with ${config.DATA_DIR}: stop it, or set DATA_DIR to an empty folder.`,
    );
  const key = await requireKey(folder, manifest, config);
  const target = await openStorage(config);
  await requireEmptyStore(target, config);
  await requireIntactRows(folder, manifest);
  const server = await openServer();
  try {
    if (!(await withClient(server.url, isEmptyDatabase)))
      throw new BackupError(
        'The database has tables: name an empty database in DATABASE_URL, or an empty folder in DATA_DIR.',
      );
    const { tables, jobs, id, snapshotAt, version } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const { objects, uploads } = await orNothing(target, key, async () => {
      if (key.isNew) await writeFile(key.path, `${key.text}\n`, { mode: 0o600, flag: 'wx' });
      const restored = await restoreObjects(folder, manifest, target);
      progress(`${restored.objects} objects and ${restored.uploads} open uploads`);
      const { growth } = restored;
      await restoreDatabase(folder, manifest, { url: server.url, migrations, growth, progress });
      progress(`${tables.length} tables with ${rows} rows`);
      return restored;
    });
    return { id, snapshotAt, version, tables: tables.length, rows, jobs: jobs.count, objects, uploads };
  } finally {
    await server.stop();
  }
}

interface RestoredKey {
  readonly path: string;
  readonly text: string;
  /** Whether it is written to the data folder. */
  readonly isNew: boolean;
}

/** SECRET_KEY of the settings, of the data folder or of the backup. @throws BackupError unless it is the right one. */
async function requireKey(folder: BackupFolder, manifest: Manifest, config: Config): Promise<RestoredKey> {
  const path = join(config.DATA_DIR, 'secret-key');
  const given = config.SECRET_KEY ?? (existsSync(path) ? await readFile(path, 'utf8') : undefined);
  const text = given ?? (manifest.hasKey ? await folder.readText(`${folderOf(manifest.id)}secret-key`) : null);
  if (text === null)
    throw new BackupError('The backup has no SECRET_KEY: set SECRET_KEY to that of the platform that was backed up.');
  if (secretsFrom(Buffer.from(text.trim(), 'base64')).fingerprint !== manifest.keyFingerprint) {
    const source = given === undefined ? 'secret-key of the backup' : config.SECRET_KEY ? 'SECRET_KEY' : path;
    throw new BackupError(`${source} is not the key of the platform that was backed up: set SECRET_KEY to that one.`);
  }
  return { path, text: text.trim(), isNew: given === undefined };
}

async function requireEmptyStore({ store }: ObjectTarget, config: Config): Promise<void> {
  for await (const { key } of store.entries()) {
    const place = config.STORAGE === 's3' ? `The bucket ${config.S3_BUCKET}` : join(config.DATA_DIR, 'objects');
    throw new BackupError(`${place} is not empty (it has ${key}): restore to an empty one.`);
  }
}

/** Removes objects and key again where `work` fails: the store was empty before. */
async function orNothing<T>({ store }: ObjectTarget, key: RestoredKey, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for await (const { key: object } of store.entries()) await store.delete(object);
    if (key.isNew) await rm(key.path, { force: true });
    throw error;
  }
}
