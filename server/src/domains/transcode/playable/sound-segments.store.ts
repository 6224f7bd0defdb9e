import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { SEGMENT_WANTED_CHANNEL, type SegmentState } from '../plans/on-demand.store.ts';

/** A segment of sound as one worker holds it. `attempt` fences its writes. */
export interface ClaimedSound {
  readonly videoAssetId: string;
  readonly contentId: string;
  /** From 0. */
  readonly number: number;
  readonly attempt: number;
  /** Earlier attempts that failed. */
  readonly failures: number;
}

/** A worker that does not renew its lease for this long has lost the segment. */
const LEASE = `interval '10 seconds'`;
/** A segment that failed so often is not tried again. */
export const MOST_SOUND_FAILURES = 3;
const STATE_OF = `case when state = 'DONE' then 'encoded' when failures >= ${MOST_SOUND_FAILURES} then 'failed'
  else 'wanted' end as state`;

const WANT = sql(
  'want_sound_segment',
  `with wanted as (
     insert into sound_segments (video_asset_id, number)
     select v.id, $2 from video_assets v join contents c on c.id = v.content_id where v.id = $1 and c.deleted_at is null
     on conflict (video_asset_id, number) do update set wanted_at = now(),
       state = case when sound_segments.state = 'DONE' then 'WAITING' else sound_segments.state end
     returning state, failures
   )
   select ${STATE_OF}, pg_notify('${SEGMENT_WANTED_CHANNEL}', '')::text from wanted`,
);

/** Has a segment that is not stored encoded for a viewer; `gone` where there is no such video. */
export async function wantSound(db: Executor, videoAssetId: string, number: number): Promise<SegmentState> {
  return (await db.first<{ state: SegmentState }>(WANT, [videoAssetId, number]))?.state ?? 'gone';
}

const STATE = sql(
  'sound_segment_state',
  `select ${STATE_OF} from sound_segments where video_asset_id = $1 and number = $2`,
);

/** The state of a segment that was wanted. */
export async function soundState(db: Executor, videoAssetId: string, number: number): Promise<SegmentState> {
  return (await db.first<{ state: SegmentState }>(STATE, [videoAssetId, number]))?.state ?? 'gone';
}

const CLAIM = sql(
  'claim_sound_segment',
  `with next as (
     select s.video_asset_id, s.number, v.content_id from sound_segments s
       join video_assets v on v.id = s.video_asset_id join contents c on c.id = v.content_id
     where s.state <> 'DONE' and s.available_at <= now() and s.failures < ${MOST_SOUND_FAILURES}
       and s.wanted_at > now() - interval '30 seconds' and c.deleted_at is null
     order by s.wanted_at limit 1 for update of s skip locked
   )
   update sound_segments s set state = 'RUNNING', attempts = s.attempts + 1, available_at = now() + ${LEASE}
   from next n where s.video_asset_id = n.video_asset_id and s.number = n.number
   returning s.video_asset_id as "videoAssetId", n.content_id as "contentId", s.number, s.attempts as attempt,
     s.failures`,
);

/** Claims the segment that a viewer has waited for longest. A request expires after 30 seconds. */
export function claimSound(db: Executor): Promise<ClaimedSound | null> {
  return db.first<ClaimedSound>(CLAIM, []);
}

const HELD = `video_asset_id = $1 and number = $2 and attempts = $3 and state = 'RUNNING'`;
const keyOf = ({ videoAssetId, number, attempt }: ClaimedSound) => [videoAssetId, number, attempt];

const RENEW = sql(
  'renew_sound_segment',
  `update sound_segments set available_at = now() + ${LEASE} where ${HELD} returning 1`,
);

/** Renews the lease; false when the segment is no longer this worker's. */
export async function renewSound(db: Executor, claimed: ClaimedSound): Promise<boolean> {
  return (await db.first(RENEW, keyOf(claimed))) !== null;
}

const DONE = sql(
  'end_sound_segment',
  `update sound_segments set state = 'DONE', failures = 0, available_at = now() where ${HELD}`,
);

/** Marks a segment as stored. */
export async function completeSound(db: Executor, claimed: ClaimedSound): Promise<void> {
  await db.run(DONE, keyOf(claimed));
}

const RELEASE = sql(
  'release_sound_segment',
  `update sound_segments set state = 'WAITING', failures = failures + $4,
     available_at = now() + $5 * interval '1 second' where ${HELD}`,
);

/** Gives a segment back, to be encoded after so many seconds, after so many more failures. */
export async function releaseSound(
  db: Executor,
  claimed: ClaimedSound,
  { failures = 0, afterSeconds = 0 }: { readonly failures?: number; readonly afterSeconds?: number } = {},
): Promise<void> {
  await db.run(RELEASE, [...keyOf(claimed), failures, afterSeconds]);
}

const FORGET = sql('forget_sound_segments', `delete from sound_segments where wanted_at < now() - interval '1 day'`);

/** Forgets requests of earlier days; what was encoded is stored. */
export async function forgetSound(db: Executor): Promise<void> {
  await db.run(FORGET, []);
}
