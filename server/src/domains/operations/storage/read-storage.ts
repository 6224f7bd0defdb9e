import type { Database } from '../../../platform/db/database.ts';
import { readStorage } from '../../assets/index.ts';

/** What is stored, as operators see it: bytes by what they are, which add up. */
export interface StorageView {
  readonly total: {
    readonly originalBytes: number;
    readonly otherBytes: number;
    readonly derivedBytes: number;
    readonly totalBytes: number;
  };
}

/** Reads it, of all channels together. */
export async function viewStorage(db: Database): Promise<StorageView> {
  const { originalBytes, usedBytes, derivedBytes, totalBytes } = (await readStorage(db, 0)).total;
  return { total: { originalBytes, otherBytes: usedBytes - originalBytes, derivedBytes, totalBytes } };
}
