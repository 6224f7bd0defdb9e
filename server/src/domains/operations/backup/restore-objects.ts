import { Readable } from 'node:stream';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import { followSource } from '../../assets/index.ts';
import { DamagedBackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';
import { inOrder } from './in-order.ts';
import type { Manifest } from './manifest.ts';
import type { StoredEntry } from './object-entry.ts';
import { entriesOf } from './verify-backup.ts';

/** Where objects are restored to. */
export interface ObjectTarget {
  readonly store: ObjectStore;
  readonly receiving: ReceivingStore;
}

/** What was restored. */
export interface RestoredObjects {
  readonly objects: number;
  readonly uploads: number;
  /** By how many bytes what is stored of videos has grown, by their ids. */
  readonly growth: ReadonlyMap<string, number>;
}

const AT_ONCE = 8;

/** Writes all objects and open uploads. @throws DamagedBackupError where one has other bytes than were written. */
export async function restoreObjects(
  folder: BackupFolder,
  manifest: Manifest,
  target: ObjectTarget,
): Promise<RestoredObjects> {
  let [objects, uploads] = [0, 0];
  const restored = inOrder(entriesOf(folder, manifest), AT_ONCE, (entry) => restoreEntry(folder, entry, target));
  for await (const kind of restored)
    if (kind === 'object') objects += 1;
    else uploads += 1;
  const { count, uploads: uploadCount } = manifest.objects;
  if (objects !== count || uploads !== uploadCount)
    throw new DamagedBackupError(`The backup has ${count} objects, of which ${objects} are in its list.`);
  const growth = new Map<string, number>();
  for await (const entry of entriesOf(folder, manifest)) {
    const grown = entry.kind === 'object' && entry.isIndex ? await followSource(target.store, entry.key) : 0;
    // media/<content>/<video>/…
    const [, , video = ''] = entry.key.split('/');
    if (grown > 0) growth.set(video, (growth.get(video) ?? 0) + grown);
  }
  return { objects, uploads, growth };
}

async function restoreEntry(
  folder: BackupFolder,
  entry: StoredEntry,
  { store, receiving }: ObjectTarget,
): Promise<StoredEntry['kind']> {
  const { key, copy } = entry;
  if (entry.kind === 'upload') {
    // An interrupted body would be no error for the receiving store.
    await folder.check(copy);
    const body = Readable.from(folder.read(copy), { objectMode: false });
    await receiving.append(key, body, { offset: 0, sizeBytes: entry.boundBytes });
    return 'upload';
  }
  const body = Readable.from(folder.read(copy), { objectMode: false });
  await store.put(key, body, { contentType: entry.contentType, sizeBytes: copy.sizeBytes });
  return 'object';
}
