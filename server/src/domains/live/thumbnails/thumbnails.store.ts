import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { hasChosenPicture } from '../../assets/index.ts';

/** Between two pictures of a broadcast. */
const EVERY_SECONDS = 10;
/** The same while its process leaves sizes out, because it has no CPU time for them. */
const BEHIND_SECONDS = 60;

/** A broadcast whose picture is due, and its newest segment. */
export interface DueThumbnail {
  readonly broadcastId: string;
  readonly contentId: string;
  readonly videoAssetId: string;
  /** Of its newest stored segment, and of the initialization segment of that. */
  readonly number: number;
  readonly init: number;
}

const CLAIM = sql(
  'claim_live_thumbnail',
  `with due as (
     select b.id, newest.number, newest.init
     from broadcasts b join contents c on c.id = b.content_id and c.deleted_at is null
       cross join lateral (select s.number, s.init from broadcast_segments s where s.broadcast_id = b.id
         order by s.number desc limit 1) newest
     where b.state = 'LIVE' and not ${hasChosenPicture('b.content_id', 'b.video_asset_id')}
       and (b.pictured_at is null or b.pictured_at <= $1::timestamptz - interval '1 second' * case when exists (
         select from broadcasts o where o.node is not distinct from b.node and o.state = 'LIVE'
           and jsonb_array_length(o.health -> 'leftOutSizes') > 0) then ${BEHIND_SECONDS} else ${EVERY_SECONDS} end)
     order by b.pictured_at nulls first, b.id limit 1 for update of b skip locked
   )
   update broadcasts b set pictured_at = $1
   from due where b.id = due.id
   returning b.id as "broadcastId", b.content_id as "contentId", b.video_asset_id as "videoAssetId", due.number,
     due.init`,
);

/** Claims a live broadcast of which a picture is due; null without one. */
export function claimThumbnail(db: Executor, nowIso: string): Promise<DueThumbnail | null> {
  return db.first<DueThumbnail>(CLAIM, [nowIso]);
}

const LIVE = sql('broadcast_is_live', `select 1 from broadcasts where id = $1 and state in ('LIVE', 'RECONNECTING')`);

/** Whether a broadcast has not ended. */
export async function isLive(tx: Executor, broadcastId: string): Promise<boolean> {
  return (await tx.first(LIVE, [broadcastId])) !== null;
}

const UNPICTURED = sql(
  'recording_without_chosen_picture',
  `select b.content_id as "contentId", b.video_asset_id as "videoAssetId", v.duration_ms::float8 as "durationMs"
   from broadcasts b join video_assets v on v.id = b.video_asset_id join contents c on c.id = b.content_id
   where b.id = $1 and b.state = 'RECORDED' and c.deleted_at is null
     and not ${hasChosenPicture('c.id', 'v.id')}`,
);

/** A recording for whose stream nobody chose a picture. */
export interface Unpictured {
  readonly contentId: string;
  readonly videoAssetId: string;
  readonly durationMs: number;
}

/** The recording of a broadcast; null where it is not complete, or somebody chose a picture. */
export function unpicturedRecording(db: Executor, broadcastId: string): Promise<Unpictured | null> {
  return db.first<Unpictured>(UNPICTURED, [broadcastId]);
}
