import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A segment that is stored. */
export interface ArrivingSegment {
  readonly number: number;
  readonly init: number;
  readonly isDiscontinuity: boolean;
  readonly videoSeconds: number;
  /** 0 where there is none meanwhile; null without sound. */
  readonly audioSeconds: number | null;
  /** Of all tracks. */
  readonly bytes: number;
}

const INSERT = sql(
  'insert_arriving_segment',
  `with playing as (update arriving_videos set stored_at = $8 where video_asset_id = $1 returning video_asset_id),
   added as (
     insert into arriving_segments (video_asset_id, number, init, is_discontinuity, video_seconds, audio_seconds, bytes)
     select video_asset_id, $2::int, $3::smallint, $4::boolean, $5::float8, $6::float8, $7::int from playing
     on conflict do nothing
   )
   select video_asset_id from playing`,
);

/** Lists a segment whose objects are stored; false where the video is not played any more. */
export async function insertArrivingSegment(
  db: Executor,
  videoAssetId: string,
  { number, init, isDiscontinuity, videoSeconds, audioSeconds, bytes }: ArrivingSegment,
  now: string,
): Promise<boolean> {
  const values = [videoAssetId, number, init, isDiscontinuity, videoSeconds, audioSeconds, bytes, now];
  return (await db.first(INSERT, values)) !== null;
}

const COLUMNS = `s.number, s.init, s.is_discontinuity as "isDiscontinuity", s.video_seconds as "videoSeconds",
  s.audio_seconds as "audioSeconds", s.bytes`;
const FROM = sql(
  'arriving_segments',
  `select ${COLUMNS} from arriving_videos a join video_assets v on v.id = a.video_asset_id
   left join arriving_segments s on s.video_asset_id = a.video_asset_id and s.number >= $3
   where a.video_asset_id = $1 and v.content_id = $2 order by s.number`,
);

/** The segments of a video of this content from a number on; null where it does not arrive. */
export async function arrivingSegments(
  db: Executor,
  video: { readonly contentId: string; readonly videoAssetId: string },
  first: number,
): Promise<ArrivingSegment[] | null> {
  const rows = await db.run<ArrivingSegment | { readonly number: null }>(FROM, [
    ...[video.videoAssetId, video.contentId, first],
  ]);
  return rows.length === 0 ? null : rows.filter((row) => row.number !== null);
}
