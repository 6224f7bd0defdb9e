import { createHash } from 'node:crypto';
import type { ListedObject } from '../../../platform/storage/object-store.ts';
import type { BackupFile } from './backup-folder.ts';

/** Folder of the copies of objects, which backups share. */
export const OBJECTS = 'objects/';

/** An object of the platform and its copy, as a line of a file. */
export interface ObjectEntry {
  readonly kind: 'object';
  readonly key: string;
  readonly contentType: string;
  readonly copy: BackupFile;
  /** Whether it is an index of segments whose source, by ETag, is the stored file. A restore updates it. */
  readonly isIndex?: boolean;
}

/** What had arrived of an open upload. */
export interface UploadEntry {
  readonly kind: 'upload';
  readonly key: string;
  /** The bound that bytes are appended with. */
  readonly boundBytes: number;
  readonly copy: BackupFile;
}

export type StoredEntry = ObjectEntry | UploadEntry;

/**
 * Path of the copy of an object of the platform with this fingerprint. Objects whose key, size and time of their last
 * change are the same are the same: they are not copied again.
 */
export function copyPath(fingerprint: string, { key, sizeBytes, modifiedAtMs }: ListedObject): string {
  return pathOf([fingerprint, key, sizeBytes, modifiedAtMs]);
}

/** Path of what arrived of an upload until a backup: a sender may begin again with other bytes. */
export function uploadPath(fingerprint: string, key: string, backupId: string): string {
  return pathOf([fingerprint, key, backupId]);
}

function pathOf(parts: readonly unknown[]): string {
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${OBJECTS}${name.slice(0, 2)}/${name}`;
}
