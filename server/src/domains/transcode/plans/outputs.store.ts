import type { EncodePlan } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { RenditionOutputs, StoredOutput } from './outputs.ts';

const INSERT = sql(
  'insert_outputs',
  `with video as (
     insert into encoded_videos (video_asset_id, plan, source_tag) values ($1, $2, $3)
     on conflict (video_asset_id) do update set plan = excluded.plan, source_tag = excluded.source_tag
   )
   insert into rendition_outputs (video_asset_id, folder, init, outputs)
   select $1, folder, init, outputs from jsonb_to_recordset($4::jsonb) as r (folder text, init text, outputs jsonb)`,
);

/** Stores how a video was encoded, and what its renditions in the folder of a package consist of. */
export async function insertOutputs(
  tx: Executor,
  videoAssetId: string,
  { plan, sourceTag, folder }: { readonly plan: EncodePlan; readonly sourceTag: string; readonly folder: string },
  renditions: readonly RenditionOutputs[],
): Promise<void> {
  const { chunks, ...stored } = plan;
  const rows = renditions.map((rendition) => ({ ...rendition, folder: `${folder}/${rendition.folder}` }));
  await tx.run(INSERT, [videoAssetId, JSON.stringify(stored), sourceTag, JSON.stringify(rows)]);
}

/** An output of a video, with its place. */
export interface FoundOutput extends StoredOutput {
  /** Of the rendition, below that of the video. */
  readonly folder: string;
  readonly init: string;
}

const FIND = sql(
  'find_outputs',
  `select r.folder, r.init, o.output ->> 'key' as key, (o.output ->> 'firstSegment')::int as "firstSegment",
     o.output -> 'part' as part, o.output -> 'loudness' as loudness, o.output ? 'loudness' as measured
   from rendition_outputs r, jsonb_array_elements(r.outputs) as o (output)
   where r.video_asset_id = $1 and o.output ->> 'key' = any($2)`,
);

/** Outputs of a video that have these keys. */
export async function findOutputs(db: Executor, videoAssetId: string, keys: readonly string[]): Promise<FoundOutput[]> {
  type Row = FoundOutput & { readonly measured: boolean };
  const rows = await db.run<Row>(FIND, [videoAssetId, keys]);
  return rows.map(({ measured, loudness = null, ...output }) => (measured ? { ...output, loudness } : output));
}

const KEYS = sql(
  'output_keys',
  `select o.output ->> 'key' as key from rendition_outputs r, jsonb_array_elements(r.outputs) as o (output)
   where r.video_asset_id = $1`,
);

/** The keys of all outputs of a video. */
export async function outputKeysOf(db: Executor, videoAssetId: string): Promise<ReadonlySet<string>> {
  return new Set((await db.run<{ key: string }>(KEYS, [videoAssetId])).map(({ key }) => key));
}

const PLAN = sql(
  'plan_of_encoded_video',
  'select plan, source_tag as "sourceTag" from encoded_videos where video_asset_id = $1',
);

/** How a video was encoded: a plan without its chunks. */
export interface EncodedVideo {
  readonly plan: Omit<EncodePlan, 'chunks'>;
  readonly sourceTag: string;
}

/** How a video was encoded; null for those that were not, or by an earlier version. */
export function encodedVideo(db: Executor, videoAssetId: string): Promise<EncodedVideo | null> {
  return db.first<EncodedVideo>(PLAN, [videoAssetId]);
}
