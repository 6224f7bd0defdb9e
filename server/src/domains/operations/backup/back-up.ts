import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import { readMigrations } from '../../../platform/db/migrations.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import { backUpDatabase } from './back-up-database.ts';
import { backUpObjects, noObjects, type ObjectCounts } from './back-up-objects.ts';
import { BackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';
import { jsonLines } from './json-lines.ts';
import { backupIds, folderOf, idOf, type Manifest, readManifest, writeManifest } from './manifest.ts';
import { pruneBackups } from './prune-backups.ts';
import { type OpenUpload, type Snapshot, takeSnapshot } from './snapshot.store.ts';

export interface BackupSource {
  readonly databaseUrl: string;
  readonly store: ObjectStore;
  readonly receiving: ReceivingStore;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

export interface BackupOptions {
  readonly folder: BackupFolder;
  readonly version: string;
  /** SECRET_KEY, base64, to be stored in the backup. */
  readonly key: string | null;
  /** How many backups are kept in the folder; all of them by default. */
  readonly keep: number | null;
  /** Called with what was done so far. */
  readonly progress: (line: string) => void;
}

export interface BackupReport {
  readonly id: string;
  readonly snapshotAt: string;
  readonly hasKey: boolean;
  readonly tables: number;
  readonly rows: number;
  readonly jobs: number;
  readonly objects: ObjectCounts;
  /** Ids of older backups that were removed. */
  readonly removed: readonly string[];
}

/**
 * Makes a backup while the platform runs. Rows are those of one snapshot. Objects are written before rows that name
 * them, so those of the snapshot exist when it is taken; their deletion is held off until they are copied.
 */
export async function backUp(source: BackupSource, options: BackupOptions): Promise<BackupReport> {
  const { folder, key, keep, progress } = options;
  const { fingerprint } = source.secrets;
  await requireSamePlatform(folder, source.secrets);
  const snapshot = await takeSnapshot(source.databaseUrl);
  try {
    const snapshotAt = new Date(source.clock.now()).toISOString();
    const id = idOf(snapshotAt);
    const schema = await readSchema(snapshot);
    const uploads = await snapshot.uploads();
    const database = await backUpDatabase(snapshot, folder, id, progress);
    await snapshot.endTransaction();
    const { counts, objects } = await writeObjects(source, options, { id, fingerprint, uploads });
    if (!(await snapshot.isHeld()))
      throw new BackupError('The connection to the database was lost, so objects may be missing: back up again.');
    if (key !== null) await folder.writeText(`${folderOf(id)}secret-key`, `${key}\n`);
    const finishedAt = new Date(source.clock.now()).toISOString();
    const head = { format: 1 as const, id, snapshotAt, finishedAt, version: options.version };
    const manifest = { ...head, keyFingerprint: fingerprint, hasKey: key !== null, ...schema, ...database, objects };
    await writeManifest(folder, manifest);
    const removed = keep === null ? [] : await pruneBackups(folder, keep);
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    const done = { id, snapshotAt, hasKey: key !== null, tables: database.tables.length, rows };
    return { ...done, jobs: database.jobs.count, objects: counts, removed };
  } finally {
    await snapshot.close();
  }
}

/** A folder is for one platform: its objects are shared, and older backups are removed. */
async function requireSamePlatform(folder: BackupFolder, { accepted }: Secrets): Promise<void> {
  const newest = (await backupIds(folder)).complete.at(-1);
  const manifest = newest === undefined ? null : await readManifest(folder, newest);
  if (manifest && !accepted.some(({ fingerprint }) => fingerprint === manifest.keyFingerprint))
    throw new BackupError(
      `${folder.address} has backups of a platform with another SECRET_KEY: name another folder, or set SECRET_KEY ` +
        'or SECRET_KEY_PREVIOUS to that one.',
    );
}

/** The applied migrations, with the text of functions and triggers. */
async function readSchema(snapshot: Snapshot): Promise<Pick<Manifest, 'migrations' | 'functions'>> {
  const applied = new Map((await snapshot.applied()).map(({ name, digest }) => [name, digest]));
  const known = await readMigrations();
  if (known.length !== applied.size || known.some(({ name, digest }) => applied.get(name) !== digest))
    throw new BackupError('A newer version has migrated this database: back up with that version.');
  return {
    migrations: known.filter((each) => !each.isRepeatable).map(({ name, digest }) => ({ name, digest })),
    functions: known.filter((each) => each.isRepeatable).map(({ name, text }) => ({ name, text })),
  };
}

interface Begun {
  readonly id: string;
  readonly fingerprint: string;
  readonly uploads: readonly OpenUpload[];
}

async function writeObjects(
  { store, receiving }: BackupSource,
  { folder, progress }: BackupOptions,
  { id, fingerprint, uploads }: Begun,
): Promise<{ counts: ObjectCounts; objects: Manifest['objects'] }> {
  const counts = noObjects();
  const entries = backUpObjects({ store, receiving, folder, fingerprint, backupId: id, uploads }, counts);
  const file = await folder.writeCompressed(`${folderOf(id)}objects.jsonl.gz`, jsonLines(entries), 0);
  progress(`${counts.objects} objects with ${counts.bytes} bytes, of which ${counts.copied} were copied`);
  const { objects: count, bytes } = counts;
  return { counts, objects: { count, bytes, uploads: counts.uploads, file } };
}
