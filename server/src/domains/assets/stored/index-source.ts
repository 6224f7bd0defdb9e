import { buffer } from 'node:stream/consumers';
import { INDEX_PATH, replaceSource } from '../../../media/index.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { readIndex } from './copied-segments.ts';

/** Whether an object is an index of segments that are cut from another object. */
export function isIndexKey(key: string): boolean {
  return key.startsWith('media/') && key.endsWith(`/${INDEX_PATH}`);
}

/** Whether an index is of the file that is stored, by its size and ETag. */
export async function isOfStoredSource(store: ObjectStore, key: string): Promise<boolean> {
  const { value: index } = await readIndex(store, key);
  const source = index && (await store.head(index.directory.source.key));
  return source?.etag === index?.directory.source.etag && source?.sizeBytes === index?.directory.source.sizeBytes;
}

/**
 * Writes the current ETag of its source into an index of segments. The source has the same bytes as before; storing a
 * file again changes its ETag. Returns by how many bytes the index has grown.
 */
export async function followSource(store: ObjectStore, key: string): Promise<number> {
  const { value: index } = await readIndex(store, key);
  const source = index && (await store.head(index.directory.source.key));
  const found = source && (await store.read(key));
  if (!found) return 0;
  const before = await buffer(found.stream);
  const { key: sourceKey } = index.directory.source;
  const bytes = replaceSource(before, { key: sourceKey, sizeBytes: source.sizeBytes, etag: source.etag });
  await store.put(key, bytes, { contentType: found.info.contentType });
  return bytes.length - before.length;
}
