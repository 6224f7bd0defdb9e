import { inFolder, type Rendition } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type RenditionRow, renditionOf, rowOf, runsOf } from './rendition-row.ts';

const COLUMNS = `folder, kind, origin, position, codecs, peak_bps, average_bps, label, width, height, frame_rate,
  iframe_peak_bps, iframe_average_bps, track, name, language, channels, sample_rate, is_default, upmix, enhanced,
  timescale, durations`;

const REPLACE = sql(
  'replace_renditions',
  `with gone as (
     delete from renditions where video_asset_id = $1
       and folder not in (select value ->> 'folder' from jsonb_array_elements($2::jsonb))
   )
   insert into renditions (video_asset_id, ${COLUMNS})
   select $1, ${COLUMNS} from jsonb_populate_recordset(null::renditions, $2::jsonb)
   on conflict (video_asset_id, folder) do update set position = excluded.position, label = excluded.label`,
);

/** Makes these the streams of a video. A folder is one rendition for good: only its place and its label change. */
export async function replaceRenditions(
  tx: Executor,
  videoAssetId: string,
  renditions: readonly Rendition[],
): Promise<void> {
  const rows = renditions.map((rendition, position) => ({ ...rowOf(rendition), position }));
  await tx.run(REPLACE, [videoAssetId, JSON.stringify(rows)]);
}

const ADD = sql(
  'add_renditions',
  `insert into renditions (video_asset_id, ${COLUMNS})
   select $1, ${COLUMNS.replace('position', 'after.position + r.position')}
   from jsonb_populate_recordset(null::renditions, $2::jsonb) r,
     (select max(position) + 1 as position from renditions where video_asset_id = $1) after`,
);

/** Adds streams in the folder of a package to those that a video has. */
export async function addRenditions(
  tx: Executor,
  videoAssetId: string,
  folder: string,
  renditions: readonly Rendition[],
): Promise<void> {
  const rows = inFolder(folder, renditions).map((rendition, position) => ({ ...rowOf(rendition), position }));
  await tx.run(ADD, [videoAssetId, JSON.stringify(rows)]);
}

const COMPLETE = sql(
  'complete_renditions',
  `with measured as (
     select * from jsonb_to_recordset($2::jsonb)
       as m (folder text, peak_bps bigint, average_bps bigint, durations jsonb)),
   dropped as (
     delete from renditions r where r.video_asset_id = $1 and r.folder not in (select folder from measured))
   update renditions r set peak_bps = m.peak_bps, average_bps = m.average_bps, durations = m.durations
   from measured m where r.video_asset_id = $1 and r.folder = m.folder`,
);

/** Completes the streams of a video that was broadcast, by what their segments are; those without are dropped. */
export async function completeRenditions(
  tx: Executor,
  videoAssetId: string,
  measured: readonly Pick<Rendition, 'folder' | 'peakBps' | 'averageBps' | 'durations'>[],
): Promise<void> {
  const rows = measured.map(({ folder, peakBps, averageBps, durations }) => {
    return { folder, peak_bps: peakBps, average_bps: averageBps, durations: runsOf(durations) };
  });
  await tx.run(COMPLETE, [videoAssetId, JSON.stringify(rows)]);
}

const DROP_COPY = sql(
  'drop_copy_rendition',
  `with index as (delete from media_indexes where video_asset_id = $1 returning *),
   streams as (delete from renditions r using index i where r.video_asset_id = $1 and r.origin = 'COPY')
   update video_assets v set derived_bytes = v.derived_bytes - i.stored_bytes,
     derived_files = v.derived_files - i.stored_files
   from index i where v.id = $1 returning i.key_prefix as "keyPrefix"`,
);

/** Offers an encoded video without its copy; returns the prefix of the files of that, null where there was none. */
export async function dropCopyRendition(tx: Executor, videoAssetId: string): Promise<string | null> {
  return (await tx.first<{ keyPrefix: string }>(DROP_COPY, [videoAssetId]))?.keyPrefix ?? null;
}

/** What the manifests of a video offer. */
export interface OfferedRenditions {
  /** The rows of its streams as a JSON text, with the durations of their segments or without. */
  readonly text: string;
  /** Whether its channel has players choose what was enhanced by themselves. */
  readonly prefersEnhanced: boolean;
}

const TEXT = sql(
  'renditions_text',
  `select jsonb_agg(case when $3 then to_jsonb(r) else to_jsonb(r) - 'durations' end order by r.position)::text as text,
     coalesce(bool_or(ch.prefer_enhanced), false) as "prefersEnhanced"
   from renditions r join video_assets v on v.id = r.video_asset_id join contents c on c.id = v.content_id
   left join channels ch on ch.id = c.channel_id
   where v.id = $1 and v.content_id = $2`,
);

/** The streams of a video of this content as its manifests offer them; null for none. */
export async function offeredRenditions(
  db: Executor,
  videoAssetId: string,
  contentId: string,
  withDurations: boolean,
): Promise<OfferedRenditions | null> {
  const found = await db.first<{ text: string | null; prefersEnhanced: boolean }>(TEXT, [
    ...[videoAssetId, contentId, withDurations],
  ]);
  const { text = null, prefersEnhanced = false } = found ?? {};
  return text === null ? null : { text, prefersEnhanced };
}

/** The streams in a text of `OfferedRenditions`, in their order. */
export function readRenditions(text: string): Rendition[] {
  // Rows of the table, as the database prints them.
  return (JSON.parse(text) as RenditionRow[]).map(renditionOf);
}

/** The streams of a video of this content, in their order. */
export async function renditionsOfVideo(db: Executor, videoAssetId: string, contentId: string): Promise<Rendition[]> {
  return readRenditions((await offeredRenditions(db, videoAssetId, contentId, true))?.text ?? '[]');
}
