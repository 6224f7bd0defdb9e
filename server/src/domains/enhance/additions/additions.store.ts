import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const COUNT = sql(
  'count_added_files',
  `update video_assets set derived_bytes = derived_bytes + $2, derived_files = derived_files + $3 where id = $1`,
);

/** Counts files that were added to a video. */
export async function countAdded(tx: Executor, videoAssetId: string, bytes: number, files: number): Promise<void> {
  await tx.run(COUNT, [videoAssetId, bytes, files]);
}
