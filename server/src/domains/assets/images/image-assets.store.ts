import type { ImageAssetId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A processed image. Its own width, height, type and size are those of the first variant. */
export interface NewImageAsset {
  readonly id: ImageAssetId;
  readonly channelId: string;
  readonly contentId: string | null;
  /** Set for the cover of a playlist. */
  readonly playlistId: string | null;
  /** The video that a poster was taken from without being asked for: the image goes with it. */
  readonly videoAssetId: string | null;
  readonly purpose: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** Ends with `/`; the files of `variants` lie below it. */
  readonly objectPrefix: string;
  readonly variants: readonly {
    readonly file: string;
    readonly width: number;
    readonly height: number;
    readonly format: string;
    readonly sizeBytes: number;
  }[];
  /** `#rrggbb`. */
  readonly dominantColor: string;
  readonly blurhash: string;
}

const INSERT = sql(
  'insert_image_asset',
  `insert into image_assets (id, channel_id, content_id, playlist_id, purpose, alt, width, height, mime_type,
    size_bytes, object_prefix, variants, dominant_color, blurhash, created_at, video_asset_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);

export async function insertImageAsset(tx: Executor, image: NewImageAsset, now: string): Promise<void> {
  await tx.run(INSERT, [
    image.id,
    image.channelId,
    image.contentId,
    image.playlistId,
    image.purpose,
    image.alt,
    image.width,
    image.height,
    image.mimeType,
    image.sizeBytes,
    image.objectPrefix,
    JSON.stringify(image.variants),
    image.dominantColor,
    image.blurhash,
    now,
    image.videoAssetId,
  ]);
}

const REPLACE = sql(
  'replace_image_assets',
  `delete from image_assets where channel_id = $1 and content_id is not distinct from $2::uuid
    and playlist_id is not distinct from $5::uuid
     and purpose = $3 and id <> $4
   returning object_prefix as "objectPrefix"`,
);

/** Removes the earlier images of the same purpose; returns the prefixes of their files. */
export async function removeReplacedImages(
  tx: Executor,
  image: Pick<NewImageAsset, 'channelId' | 'contentId' | 'playlistId' | 'purpose' | 'id'>,
): Promise<string[]> {
  const rows = await tx.run<{ objectPrefix: string }>(REPLACE, [
    image.channelId,
    image.contentId,
    image.purpose,
    image.id,
    image.playlistId,
  ]);
  return rows.map(({ objectPrefix }) => objectPrefix);
}
