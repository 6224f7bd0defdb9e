import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { StoredSource } from '../../../media/index.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';

/** An object by ranges, without a local copy; null when there is none. Reads fail once the object was replaced. */
export async function storedBytes(
  store: Pick<ObjectStore, 'head' | 'read'>,
  key: string,
): Promise<StoredSource | null> {
  const info = await store.head(key);
  return info && rangesOf(store, { key, sizeBytes: info.sizeBytes, etag: info.etag });
}

/** As `storedBytes`, of an object whose size and ETag are known. */
export function rangesOf(
  store: Pick<ObjectStore, 'read'>,
  { key, sizeBytes, etag }: Omit<StoredSource, 'read'>,
): StoredSource {
  return {
    key,
    sizeBytes,
    etag,
    async read(position, most) {
      const end = Math.min(position + most, sizeBytes);
      if (position >= end) return Buffer.alloc(0);
      const found = await store.read(key, { start: position, end: end - 1 });
      if (found === null) throw new AppError('RESOURCE_NOT_FOUND', t`This file no longer exists.`);
      if (found.info.etag !== etag) {
        found.stream.destroy();
        throw new AppError('RESOURCE_NOT_FOUND', t`This file was replaced.`);
      }
      const bytes = Buffer.allocUnsafeSlow(end - position);
      let length = 0;
      for await (const chunk of found.stream) length += (chunk as Buffer).copy(bytes, length); // streams carry bytes
      return bytes.subarray(0, length);
    },
  };
}
