import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { labelOfCaptions } from './captions-label.sql.ts';

/** Captions of a stream. */
export interface OfferedCaptions {
  readonly id: string;
  readonly language: string;
  readonly label: string;
  readonly kind: 'SUBTITLES' | 'CAPTIONS';
  readonly isDefault: boolean;
  readonly isForced: boolean;
  readonly version: number;
  /** Of the WebVTT file. */
  readonly sizeBytes: number;
}

const OFFERED = sql(
  'offered_captions',
  `select id, language, ${labelOfCaptions('c')} as label, kind, is_default as "isDefault", is_forced as "isForced",
     version, octet_length(vtt) as "sizeBytes"
   from captions c
   where content_id = $1 and kind <> 'DESCRIPTIONS' and (video_asset_id is null or video_asset_id = $2)
   order by automatic is not null, video_asset_id is null, created_at, id`,
);

/**
 * The captions found in a video, then those that creators added, in their order, and automatic ones last; without a
 * video only those that are not in its file.
 */
export function offeredCaptions(
  db: Executor,
  contentId: string,
  videoAssetId: string | null,
): Promise<OfferedCaptions[]> {
  return db.run<OfferedCaptions>(OFFERED, [contentId, videoAssetId]);
}

const FILE = sql(
  'captions_file',
  `select c.vtt, c.version, v.duration_ms / 1000.0::float8 as "durationSeconds"
   from captions c join video_assets v on v.content_id = c.content_id where c.id = $1 and c.content_id = $2
     and v.id = $3`,
);

/** The text of captions and the length of the video they are shown with; null when there are none. */
export function captionsFile(
  db: Executor,
  id: string,
  contentId: string,
  videoAssetId: string,
): Promise<{ vtt: string; version: number; durationSeconds: number | null } | null> {
  return db.first(FILE, [id, contentId, videoAssetId]);
}

/** Captions that were found in a video file. */
export interface FoundCaptions {
  readonly id: string;
  readonly language: string;
  readonly label: string;
  readonly kind: 'SUBTITLES' | 'CAPTIONS';
  /** At most one is; it stays so unless the creator has added a default. */
  readonly isDefault: boolean;
  /** At most one of a language is; it stays so unless the creator has added forced ones in this language. */
  readonly isForced: boolean;
  readonly vtt: string;
}

const FOUND = sql(
  'replace_found_captions',
  `with gone as (delete from captions where content_id = $2 and video_asset_id is not null)
   insert into captions (id, channel_id, content_id, video_asset_id, language, label, kind, is_default, is_forced,
     vtt, created_at, updated_at)
   select id, $1, $2, $3, language, label, kind,
     "isDefault" and not exists (select 1 from captions a
       where a.content_id = $2 and a.video_asset_id is null and a.is_default),
     "isForced" and not exists (select 1 from captions a
       where a.content_id = $2 and a.video_asset_id is null and a.is_forced and a.language = found.language),
     vtt, $4, $4
   from jsonb_to_recordset($5::jsonb)
     as found (id uuid, language text, label text, kind text, "isDefault" boolean, "isForced" boolean, vtt text)`,
);

/** Stores the captions found in the video file of a content, replacing those of earlier files. */
export async function replaceFoundCaptions(
  tx: Executor,
  {
    channelId,
    contentId,
    videoAssetId,
  }: { readonly channelId: string; readonly contentId: string; readonly videoAssetId: string },
  found: readonly FoundCaptions[],
  now: string,
): Promise<void> {
  await tx.run(FOUND, [channelId, contentId, videoAssetId, now, JSON.stringify(found)]);
}
