import { sql } from '../../../platform/db/statement.ts';
import type { AssetsTestPlatform } from '../../assets/testing.ts';
import type { VerifyMediaOptions } from './verify-media.ts';

export const HOUR_MS = 3_600_000;
export const OPTIONS: VerifyMediaOptions = { repair: false, graceMs: 48 * HOUR_MS };

/** An upload that waits for its bytes. */
export async function openUpload(
  { db }: Pick<AssetsTestPlatform, 'db'>,
  id: string,
  { channelId, contentId }: { channelId: string; contentId: string },
): Promise<void> {
  await db.run(
    sql(
      'open_upload',
      `insert into ingestions (id, channel_id, content_id, media_kind, hint, filename, filetype, asset_name,
         size_bytes, object_key, expires_at)
       values ($1, $2, $3, 'VIDEO', 'LANDSCAPE_VIDEO', 'a.mp4', '', 'a', 9000000, 'uploads/' || $1::uuid, now())`,
    ),
    [id, channelId, contentId],
  );
}
