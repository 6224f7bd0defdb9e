import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** What is stored to cut the segments of a video from its uploaded file, or from a copy of that. */
export interface MediaIndex {
  readonly keyPrefix: string;
  /** Whether they are cut from a copy of the uploaded file below the prefix. */
  readonly isRemuxed: boolean;
  readonly storedBytes: number;
  readonly storedFiles: number;
}

const INSERT = sql(
  'insert_media_index',
  `insert into media_indexes (video_asset_id, key_prefix, is_remuxed, stored_bytes, stored_files)
   values ($1, $2, $3, $4, $5)`,
);

export async function insertMediaIndex(tx: Executor, videoAssetId: string, index: MediaIndex): Promise<void> {
  const { keyPrefix, isRemuxed, storedBytes, storedFiles } = index;
  await tx.run(INSERT, [videoAssetId, keyPrefix, isRemuxed, storedBytes, storedFiles]);
}

const COLUMNS = `key_prefix as "keyPrefix", is_remuxed as "isRemuxed", stored_bytes as "storedBytes",
  stored_files as "storedFiles"`;
const FIND = sql('media_index', `select ${COLUMNS} from media_indexes where video_asset_id = $1`);

/** The index of a video; null for one that is played as it was encoded. */
export function mediaIndexOf(db: Executor, videoAssetId: string): Promise<MediaIndex | null> {
  return db.first(FIND, [videoAssetId]);
}

const DELETE = sql('delete_media_index', 'delete from media_indexes where video_asset_id = $1');

export async function deleteMediaIndex(tx: Executor, videoAssetId: string): Promise<void> {
  await tx.run(DELETE, [videoAssetId]);
}
