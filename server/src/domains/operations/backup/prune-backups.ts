import type { BackupFolder } from './backup-folder.ts';
import { readJsonLines } from './json-lines.ts';
import { backupIds, readManifest, removeBackup } from './manifest.ts';
import { OBJECTS, type StoredEntry } from './object-entry.ts';

/**
 * Keeps the newest `keep` backups, at least one; removes the others, interrupted ones and objects that no other backup
 * has. Returns the ids of those that were complete. Holds 32 bytes in memory for each object.
 */
export async function pruneBackups(folder: BackupFolder, keep: number): Promise<string[]> {
  const { complete, incomplete } = await backupIds(folder);
  const kept = complete.slice(-Math.max(1, keep));
  const removed = complete.slice(0, complete.length - kept.length);
  for (const id of [...removed, ...incomplete]) await removeBackup(folder, id);
  const named = new Set<string>();
  for (const id of kept) {
    const manifest = await readManifest(folder, id);
    if (!manifest) continue;
    for await (const { copy } of readJsonLines<StoredEntry>(folder.readCompressed(manifest.objects.file)))
      named.add(digestIn(copy.path));
  }
  for await (const path of folder.list(OBJECTS)) if (!named.has(digestIn(path))) await folder.delete(path);
  return removed;
}

/** The name of a copy in as few bytes as possible. */
function digestIn(path: string): string {
  return Buffer.from(path.slice(path.lastIndexOf('/') + 1), 'hex').toString('latin1');
}
