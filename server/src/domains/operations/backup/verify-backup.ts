import { DamagedBackupError } from './backup-error.ts';
import type { BackupFile, BackupFolder } from './backup-folder.ts';
import { inOrder } from './in-order.ts';
import { readJsonLines } from './json-lines.ts';
import type { Manifest } from './manifest.ts';
import type { StoredEntry } from './object-entry.ts';

export interface VerifyReport {
  readonly id: string;
  readonly snapshotAt: string;
  readonly files: number;
  readonly bytes: number;
  readonly problemCount: number;
  /** The first ones. */
  readonly problems: readonly string[];
}

const AT_ONCE = 8;
/** More problems than these are only counted. */
const MAX_LISTED = 100;

/** Reads every byte of a backup again and compares it with its checksum. */
export async function verifyBackup(folder: BackupFolder, manifest: Manifest): Promise<VerifyReport> {
  const { id, snapshotAt } = manifest;
  const report = { id, snapshotAt, files: 0, bytes: 0, problemCount: 0, problems: [] as string[] };
  const note = (problem: string) => {
    report.problemCount += 1;
    if (report.problems.length < MAX_LISTED) report.problems.push(problem);
  };
  const check = async (file: BackupFile, what: string) => {
    report.files += 1;
    report.bytes += file.sizeBytes;
    const problem = await problemOf(folder.check(file));
    if (problem) note(`${what}: ${problem}`);
  };
  for (const { name, file } of manifest.tables) await check(file, `Table ${name}`);
  await check(manifest.jobs.file, 'Jobs');
  const listProblem = await problemOf(folder.check(manifest.objects.file));
  if (listProblem) note(`List of objects: ${listProblem}`);
  const entries = listProblem
    ? []
    : inOrder(entriesOf(folder, manifest), AT_ONCE, ({ key, copy }) => check(copy, `Object ${key}`));
  for await (const _ of entries);
  return report;
}

/** @throws DamagedBackupError unless rows, jobs and the list of objects are as they were written. */
export async function requireIntactRows(folder: BackupFolder, { tables, jobs, objects }: Manifest): Promise<void> {
  for (const { file } of [...tables, jobs, objects]) await folder.check(file);
}

/** The objects and open uploads of a backup. */
export function entriesOf(folder: BackupFolder, { objects }: Manifest): AsyncIterable<StoredEntry> {
  return readJsonLines<StoredEntry>(folder.readCompressed(objects.file));
}

async function problemOf(work: Promise<void>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof DamagedBackupError) return error.message;
      throw error;
    },
  );
}
