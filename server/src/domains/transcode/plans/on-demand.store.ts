import type { EncodePlan } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { MOST_FAILURES, OF_PLAN } from './encode-chunks.store.ts';

/** Workers listen to this channel: a segment is wanted. */
export const SEGMENT_WANTED_CHANNEL = 'segment_wanted';

const PLAN = sql(
  'plan_on_demand',
  `select p.job_id as "jobId", p.plan from encode_plans p join transcode_jobs j on j.id = p.job_id
   where j.video_asset_id = $1 and right(j.id::text, 12) = $2 and p.attempt = $3 and j.status = 'TRANSCODING'`,
);

/** The plan of an attempt to encode a video, by the end of its job's id; null once it has ended. */
export function planOfPackage(
  db: Executor,
  videoAssetId: string,
  jobEnd: string,
  attempt: number,
): Promise<{ jobId: string; plan: Pick<EncodePlan, 'facts' | 'timeline'> } | null> {
  return db.first(PLAN, [videoAssetId, jobEnd, attempt]);
}

/** The state of a segment that was wanted; `gone` once its plan has ended. */
export type SegmentState = 'encoded' | 'failed' | 'gone' | 'wanted';

/** SQL: the state of a wanted chunk. */
export const STATE_OF = `case when state = 'DONE' then 'encoded' when failures >= ${MOST_FAILURES} then 'failed'
  else 'wanted' end as state`;

const WANT = sql(
  'want_segment',
  `with wanted as (
     insert into encode_chunks (job_id, kind, number, chunk, cost_ms, wanted_at)
     select p.job_id, 'on-demand', $2::int, jsonb_build_object('kind', 'on-demand', 'number', $2::int), 1, now()
     from encode_plans p where p.job_id = $1
     on conflict (job_id, kind, number) do update set wanted_at = now()
     returning state, failures
   )
   select ${STATE_OF}, pg_notify('${SEGMENT_WANTED_CHANNEL}', '')::text from wanted`,
);

/** Has a segment of a plan encoded for a viewer. */
export async function wantSegment(db: Executor, jobId: string, number: number): Promise<SegmentState> {
  return (await db.first<{ state: SegmentState }>(WANT, [jobId, number]))?.state ?? 'gone';
}

const STATE = sql(
  'segment_state',
  `select ${STATE_OF} from encode_chunks where job_id = $1 and kind = 'on-demand' and number = $2`,
);

/** The state of a segment that was wanted. */
export async function segmentState(db: Executor, jobId: string, number: number): Promise<SegmentState> {
  return (await db.first<{ state: SegmentState }>(STATE, [jobId, number]))?.state ?? 'gone';
}

const REFUSE = sql(
  'refuse_segment',
  `update encode_chunks set state = 'WAITING', failures = ${MOST_FAILURES}
   where job_id = $1 and kind = 'on-demand' and number = $2 and attempts = $3 and state = 'RUNNING'`,
);

/** Gives up a segment that cannot be encoded. */
export async function refuseSegment(db: Executor, jobId: string, number: number, attempt: number): Promise<void> {
  await db.run(REFUSE, [jobId, number, attempt]);
}

const COVERED = sql(
  'segment_encoded',
  `select 1 from encode_chunks c, jsonb_array_elements(c.result -> 'parts') part
   where c.job_id = $1 and ${OF_PLAN} and c.state = 'DONE' and part ->> 'folder' = $2
     and $3 >= (c.result ->> 'firstSegment')::int
     and $3 < (c.result ->> 'firstSegment')::int + jsonb_array_length(part -> 'segments')`,
);

/** Whether a chunk of the plan has this segment of a rendition. */
export async function isSegmentEncoded(db: Executor, jobId: string, folder: string, number: number): Promise<boolean> {
  return (await db.first(COVERED, [jobId, folder, number])) !== null;
}

const WITHDRAW = sql(
  'withdraw_on_demand',
  `with asset as (
     update video_assets set package_prefix = null, ready_at = null where id = $1 and package_prefix = $2
     returning content_id
   ),
   streams as (delete from renditions r using asset where r.video_asset_id = $1),
   content as (
     update contents c set status = $3, published_at = null, updated_at = $4,
       publish_when_ready = c.publish_when_ready or ($3 = 'PROCESSING' and c.status = 'PUBLISHED')
     from asset
     where c.id = asset.content_id and c.status in ('READY', 'PUBLISHED')
       and not exists (select from video_assets v where v.content_id = c.id and v.id <> $1 and v.ready_at is not null)
     returning c.id, c.channel_id, old.status
   )
   select id as "contentId", channel_id as "channelId", status = 'PUBLISHED' as "wasPublished" from content`,
);

/**
 * Takes back that a video is played while it is encoded. A content that was ready or published and has no other video
 * gets `status`, and is published again after PROCESSING; null for others.
 */
export function withdrawOnDemand(
  tx: Executor,
  videoAssetId: string,
  prefix: string,
  status: 'DRAFT' | 'FAILED' | 'PROCESSING',
  now: string,
): Promise<{ contentId: string; channelId: string; wasPublished: boolean } | null> {
  return tx.first(WITHDRAW, [videoAssetId, prefix, status, now]);
}
