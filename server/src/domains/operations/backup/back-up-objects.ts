import { isKey } from '../../../platform/storage/object-keys.ts';
import type { ListedObject, ObjectInfo, ObjectStore } from '../../../platform/storage/object-store.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import { isIndexKey, isOfStoredSource } from '../../assets/index.ts';
import { MAX_DEFERRED_BYTES } from '../../ingest/index.ts';
import { BackupError } from './backup-error.ts';
import type { BackupFile, BackupFolder } from './backup-folder.ts';
import { inOrder } from './in-order.ts';
import { copyPath, type StoredEntry, uploadPath } from './object-entry.ts';
import type { OpenUpload } from './snapshot.store.ts';

/** What is copied, and where to. */
export interface ObjectSource {
  readonly store: ObjectStore;
  readonly receiving: ReceivingStore;
  readonly folder: BackupFolder;
  /** Of the platform. */
  readonly fingerprint: string;
  readonly backupId: string;
  readonly uploads: readonly OpenUpload[];
}

/** What was done; added up while it is done. */
export interface ObjectCounts {
  objects: number;
  bytes: number;
  /** Those that were not in the folder yet. */
  copied: number;
  copiedBytes: number;
  /** Open uploads of which bytes had arrived. */
  uploads: number;
  /** Open uploads whose bytes cannot be read: their senders begin again. */
  unreadableUploads: string[];
  /** Objects that were deleted before they were copied. */
  deleted: string[];
  /** Files in the store that are no objects. */
  otherFiles: number;
}

export function noObjects(): ObjectCounts {
  const counts = { objects: 0, bytes: 0, copied: 0, copiedBytes: 0, uploads: 0 };
  return { ...counts, unreadableUploads: [], deleted: [], otherFiles: 0 };
}

const AT_ONCE = 8;
const CHUNK_BYTES = 1024 * 1024;
/** Health checks write there; and in S3, what is known of parts that are no objects yet. */
const NOT_COPIED = /^health\/|^uploads\/[^/]+\.(?:journal|tail-\d+)$/;

/**
 * Copies what arrived of open uploads, then all objects. An upload that completes meanwhile is an object by the time
 * that these are listed: in this order none is missed.
 */
export async function* backUpObjects(source: ObjectSource, counts: ObjectCounts): AsyncIterable<StoredEntry> {
  for (const upload of source.uploads) {
    const entry = await copyUpload(source, upload, counts);
    if (entry) yield entry;
  }
  const copies = inOrder(source.store.entries(), AT_ONCE, (object) => copyObject(source, object, counts));
  for await (const entry of copies) if (entry) yield entry;
}

async function copyUpload(
  { receiving, folder, fingerprint, backupId }: ObjectSource,
  { key, sizeBytes }: OpenUpload,
  counts: ObjectCounts,
): Promise<StoredEntry | null> {
  const received = await receiving.receivedBytes(key);
  if (received === 0) return null;
  if (!receiving.read) {
    counts.unreadableUploads.push(key);
    return null;
  }
  const bytes = receivedBytes((position, length) => receiving.read?.(key, position, length), received);
  const copy = await folder.write(uploadPath(fingerprint, key, backupId), bytes, received);
  if (copy.sizeBytes === 0) return null; // its sender begins again
  counts.uploads += 1;
  return { kind: 'upload', key, boundBytes: sizeBytes ?? MAX_DEFERRED_BYTES, copy };
}

type Read = (position: number, length: number) => Promise<Buffer> | undefined;

async function* receivedBytes(read: Read, end: number): AsyncIterable<Buffer> {
  for (let at = 0; at < end; ) {
    const bytes = await read(at, Math.min(CHUNK_BYTES, end - at));
    if (bytes === undefined || bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}

async function copyObject(
  source: ObjectSource,
  object: ListedObject,
  counts: ObjectCounts,
): Promise<StoredEntry | null> {
  const { store, folder, fingerprint } = source;
  const { key } = object;
  if (!isKey(key)) counts.otherFiles += 1;
  if (!isKey(key) || NOT_COPIED.test(key)) return null;
  const there = await folder.find(copyPath(fingerprint, object), object.sizeBytes);
  const info = there && (await store.head(key));
  const stored = there && info ? { copy: there, contentType: info.contentType } : await copyNow(source, key, counts);
  if (!stored) {
    counts.deleted.push(key);
    return null;
  }
  counts.objects += 1;
  counts.bytes += stored.copy.sizeBytes;
  const isIndex = isIndexKey(key) && (await isOfStoredSource(store, key));
  return { kind: 'object', key, ...stored, ...(isIndex ? { isIndex } : {}) };
}

/** The copy of an object as it is now; null where it was deleted. */
async function copyNow(
  { store, folder, fingerprint }: ObjectSource,
  key: string,
  counts: ObjectCounts,
): Promise<{ readonly copy: BackupFile; readonly contentType: string } | null> {
  const found = await store.read(key);
  if (!found) return null;
  const { info, stream } = found;
  const copy = await folder.write(copyPath(fingerprint, { key, ...info }), whole(stream, key, info), info.sizeBytes);
  counts.copied += 1;
  counts.copiedBytes += copy.sizeBytes;
  return { copy, contentType: info.contentType };
}

/** All bytes of an object. @throws BackupError where a read ends early. */
async function* whole(stream: AsyncIterable<Buffer>, key: string, { sizeBytes }: ObjectInfo): AsyncIterable<Buffer> {
  let read = 0;
  for await (const chunk of stream) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== sizeBytes) throw new BackupError(`${key} has ${sizeBytes} bytes, of which ${read} could be read.`);
}
