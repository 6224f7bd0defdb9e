import { createHash } from 'node:crypto';
import { z } from 'zod';
import { BackupError, DamagedBackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';

/** Changes with the layout of backups. */
const FORMAT = 1;
const FOLDER = 'backups/';
const MANIFEST = 'manifest.json';

const File = z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() });
const Text = z.record(z.string(), z.unknown());

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** When the snapshot was taken, in digits: backups sort by it. */
  id: z.string(),
  /** What is in the backup is what had been committed then, ISO 8601. */
  snapshotAt: z.string(),
  finishedAt: z.string(),
  version: z.string(),
  /** Tells whether a SECRET_KEY is that of this platform. */
  keyFingerprint: z.string(),
  hasKey: z.boolean(),
  /** Greater than every transaction id in the rows. */
  nextTransaction: z.string(),
  /** Applied to the database, in their order. */
  migrations: z.array(z.object({ name: z.string(), digest: z.string() })),
  /** Functions and triggers, as they were. */
  functions: z.array(z.object({ name: z.string(), text: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), file: File })),
  partitions: z.array(z.object({ table: z.string(), name: z.string(), bounds: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  /** Queues with their settings, and a file of the jobs that waited or ran. */
  jobs: z.object({ queues: z.array(Text), count: z.number(), file: File }),
  /** A file with a line for each object and each open upload. */
  objects: z.object({ count: z.number(), bytes: z.number(), uploads: z.number(), file: File }),
});
export type Manifest = z.infer<typeof Manifest>;

const Sealed = z.object({ sha256: z.string(), manifest: z.unknown() });

/** The folder of a backup. */
export function folderOf(id: string): string {
  return `${FOLDER}${id}/`;
}

/** The id of a backup of this instant; ids sort by time. */
export function idOf(snapshotAt: string): string {
  return snapshotAt.replaceAll(/[-:.]/g, '');
}

/** Makes a backup complete: written last, and at once. */
export async function writeManifest(folder: BackupFolder, manifest: Manifest): Promise<void> {
  const sha256 = digestOf(manifest);
  await folder.writeText(folderOf(manifest.id) + MANIFEST, `${JSON.stringify({ sha256, manifest })}\n`);
}

/** Null for a backup that was not completed, and for one that does not exist. */
export async function readManifest(folder: BackupFolder, id: string): Promise<Manifest | null> {
  const path = folderOf(id) + MANIFEST;
  const text = await folder.readText(path);
  if (text === null) return null;
  const { sha256, manifest } = Sealed.parse(parse(text, path));
  if (digestOf(manifest) !== sha256) throw new DamagedBackupError(`${path} does not have the bytes that were written.`);
  const read = Manifest.safeParse(manifest);
  if (!read.success)
    throw new BackupError(`${path} has a format that this version does not know: use the version that wrote it.`);
  return read.data;
}

/** Removes a backup, its manifest first: what an interruption leaves is no backup. */
export async function removeBackup(folder: BackupFolder, id: string): Promise<void> {
  await folder.delete(folderOf(id) + MANIFEST);
  await folder.deleteFolder(folderOf(id));
}

/** Backups in the folder. */
export interface BackupIds {
  /** The oldest first. */
  readonly complete: readonly string[];
  /** Those that were interrupted, or are being made. */
  readonly incomplete: readonly string[];
}

export async function backupIds(folder: BackupFolder): Promise<BackupIds> {
  const found = new Map<string, boolean>();
  for await (const path of folder.list(FOLDER)) {
    const [id = '', name] = path.slice(FOLDER.length).split('/');
    found.set(id, found.get(id) === true || name === MANIFEST);
  }
  const ids = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  const those = (complete: boolean) => ids.filter(([, isComplete]) => isComplete === complete).map(([id]) => id);
  return { complete: those(true), incomplete: those(false) };
}

/** The backup with this id, or the newest. @throws BackupError where there is none, or it was not completed. */
export async function requireManifest(folder: BackupFolder, id: string | undefined): Promise<Manifest> {
  const { complete, incomplete } = await backupIds(folder);
  const wanted = id ?? complete.at(-1);
  const manifest = wanted === undefined ? null : await readManifest(folder, wanted);
  if (manifest) return manifest;
  const others = complete.length > 0 ? ` Complete are: ${complete.join(', ')}.` : ' It has no complete one.';
  if (id === undefined) throw new BackupError(`${folder.address} has no backup.${unfinished(incomplete)}`);
  const state = incomplete.includes(id) ? 'was not completed and cannot be used' : 'does not exist';
  throw new BackupError(`Backup ${id} in ${folder.address} ${state}.${others}`);
}

function unfinished(ids: readonly string[]): string {
  return ids.length === 0 ? '' : ` ${ids.join(', ')} was not completed and cannot be used: back up again.`;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedBackupError(`${path} does not have the bytes that were written.`);
  }
}

function digestOf(manifest: unknown): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
