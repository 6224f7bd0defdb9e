import type { PackagedExtras, Rendition } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';

/** A rendition and its files. */
export interface StoredStream {
  /** Prefix of its playlists. */
  readonly prefix: string;
  readonly origin: Rendition['origin'];
  readonly hasIframes: boolean;
  /** Whether its segments were deleted. */
  readonly isEvicted: boolean;
}

/** A video and the objects its row names. */
export interface VideoObjects {
  readonly id: string;
  readonly sourceKey: string;
  readonly sizeBytes: number;
  /** Whether the uploaded file is to be there. */
  readonly hasOriginal: boolean;
  /** Null until there is a package. */
  readonly packagePrefix: string | null;
  /** Of the package; 0 files where they were not counted. */
  readonly derivedBytes: number;
  readonly derivedFiles: number;
  /** Null for videos that were processed before there were rows of renditions, whose manifests are in the package. */
  readonly streams: readonly StoredStream[] | null;
  /** Of what is stored to cut segments from the uploaded file. */
  readonly indexPrefix: string | null;
  /** Of videos without streams. */
  readonly renditions: readonly { readonly path: string }[] | null;
  readonly thumbnails: { readonly pattern: string; readonly count: number; readonly vtt?: string } | null;
  readonly extras: (Partial<PackagedExtras> & { readonly dash?: string | null }) | null;
}

/** An image and the objects its row names. */
export interface ImageObjects {
  readonly id: string;
  readonly objectPrefix: string;
  readonly variants: readonly { readonly file: string; readonly sizeBytes?: number }[];
}

const VIDEO = `select id, source_key as "sourceKey", size_bytes as "sizeBytes",
    original_deleted_at is null as "hasOriginal", package_prefix as "packagePrefix",
    derived_bytes as "derivedBytes", derived_files as "derivedFiles", renditions, thumbnails, extras,
    (select key_prefix from media_indexes where video_asset_id = id) as "indexPrefix",
    (select jsonb_agg(jsonb_build_object('prefix', 'media/' || content_id || '/' || id || '/' || r.folder || '/',
      'origin', r.origin, 'hasIframes', r.iframe_peak_bps is not null,
      'isEvicted', r.state = 'EVICTED') order by r.position)
      from renditions r where r.video_asset_id = id) as streams
  from video_assets`;
const IMAGE = 'select id, object_prefix as "objectPrefix", variants from image_assets';

/** Rows that are read page by page, and one of them again. */
export interface MediaTable<Row extends { readonly id: string }> {
  pages(db: Executor): AsyncIterable<Row>;
  read(db: Executor, id: string): Promise<Row | null>;
}

const PAGE_ROWS = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export const VIDEO_ROWS = table<VideoObjects>('verify_videos', VIDEO);
export const IMAGE_ROWS = table<ImageObjects>('verify_images', IMAGE);

function table<Row extends { readonly id: string }>(label: string, select: string): MediaTable<Row> {
  const page: Statement = sql(label, `${select} where id > $1 order by id limit ${PAGE_ROWS}`);
  const one: Statement = sql(`${label}_again`, `${select} where id = $1`);
  return {
    async *pages(db) {
      for (let after = FIRST_ID; ; ) {
        const rows = await db.run<Row>(page, [after]);
        yield* rows;
        const last = rows.at(-1);
        if (!last || rows.length < PAGE_ROWS) return;
        after = last.id;
      }
    },
    read: (db, id) => db.first<Row>(one, [id]),
  };
}
