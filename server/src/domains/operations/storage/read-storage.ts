import type { Database } from '../../../platform/db/database.ts';
import { readStorage, type StoredBytes } from '../../assets/index.ts';

/** Bytes by what they are, which add up. */
interface StoredParts {
  readonly originalBytes: number;
  readonly otherBytes: number;
  readonly derivedBytes: number;
  readonly totalBytes: number;
}

/** What is stored, as operators see it. */
export interface StorageView {
  readonly total: StoredParts;
  readonly channels: readonly {
    readonly channelId: string;
    readonly handle: string;
    readonly title: string;
    readonly owner: string;
    readonly stored: StoredParts;
  }[];
}

/** Reads it: all channels together, and the `limit` largest ones. */
export async function viewStorage(db: Database, limit: number, did: (id: string) => string): Promise<StorageView> {
  const { total, channels } = await readStorage(db, limit);
  return {
    total: partsOf(total),
    channels: channels.map(({ channelId, handle, title, owner, ...bytes }) => ({
      ...{ channelId: did(channelId), handle, title, owner },
      stored: partsOf(bytes),
    })),
  };
}

function partsOf({ originalBytes, usedBytes, derivedBytes, totalBytes }: StoredBytes): StoredParts {
  return { originalBytes, otherBytes: usedBytes - originalBytes, derivedBytes, totalBytes };
}
