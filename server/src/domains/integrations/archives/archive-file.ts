import type { Platform } from '../../../platform/platform.ts';
import { archiveFile, originalOf } from './archives.store.ts';

type Needs = Pick<Platform, 'db' | 'clock'>;

/** The file of an archive of the account; null when there is none, or none any more. */
export function readArchiveFile({ db, clock }: Needs, id: string, accountId: string) {
  return archiveFile(db, id, accountId, new Date(clock.now()).toISOString());
}

/** The name of the original file of a video of the account; null when there is none. */
export function readOriginal({ db }: Needs, videoAssetId: string, accountId: string): Promise<string | null> {
  return originalOf(db, videoAssetId, accountId);
}
