import type { Executor } from '../../../platform/db/database.ts';
import { firstLocked } from '../../../platform/db/first-locked.ts';
import { sql } from '../../../platform/db/statement.ts';
import { playableVideo } from '../visibility.sql.ts';
import type { NewImageAsset } from './image-assets.store.ts';
import { hasChosenPicture } from './live-posters.sql.ts';

/** The poster of a content that is a frame of its video. */
export interface FramePoster extends Pick<NewImageAsset, 'objectPrefix' | 'variants'> {
  readonly id: string;
}

const SHOWN = sql(
  'frame_poster',
  `select i.id, i.object_prefix as "objectPrefix", i.variants from image_assets i join contents c on c.id = i.content_id
   where i.content_id = $1 and i.video_asset_id = $2 and i.purpose = 'POSTER' and c.deleted_at is null
     and not ${hasChosenPicture('c.id', '$2::uuid')}
   for update of i`,
);

/** The poster that is a frame of a video, locked; null where there is none, or its content has another picture. */
export function lockFramePoster(tx: Executor, contentId: string, videoAssetId: string): Promise<FramePoster | null> {
  return firstLocked(tx, SHOWN, [contentId, videoAssetId]);
}

const REFRESH = sql(
  'refresh_poster',
  `update image_assets set variants = $2, size_bytes = $3, dominant_color = $4, blurhash = $5, created_at = $6
   where id = $1`,
);

/** Writes what the files of a picture are now, whose names are the same. */
export async function refreshPoster(
  tx: Executor,
  id: string,
  facts: Pick<NewImageAsset, 'variants' | 'sizeBytes' | 'dominantColor' | 'blurhash'>,
  now: string,
): Promise<void> {
  const { variants, sizeBytes, dominantColor, blurhash } = facts;
  await tx.run(REFRESH, [id, JSON.stringify(variants), sizeBytes, dominantColor, blurhash, now]);
}

const WITHOUT = sql(
  'content_for_frame_poster',
  `select c.channel_id as "channelId", c.title from contents c
   where c.id = $1 and c.deleted_at is null and ${playableVideo('c.id')} = $2
     and not ${hasChosenPicture('c.id', '$2::uuid')}
   for update of c`,
);

/** A content that plays this video, and for which nobody chose a picture, locked; null for others. */
export function lockContentForFrame(
  tx: Executor,
  contentId: string,
  videoAssetId: string,
): Promise<{ channelId: string; title: string } | null> {
  return firstLocked(tx, WITHOUT, [contentId, videoAssetId]);
}
