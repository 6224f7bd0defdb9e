import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { LiveRecording } from '../inputs/live-input-fields.ts';

/** A broadcast that has ended and whose recording is not complete. */
export interface EndedBroadcast {
  readonly id: string;
  readonly channelId: string;
  readonly contentId: string;
  readonly videoAssetId: string;
  readonly recording: LiveRecording;
  readonly missingMs: number;
  readonly startedAt: string;
}

const COLUMNS = `b.id, b.channel_id as "channelId", b.content_id as "contentId", b.video_asset_id as "videoAssetId",
  b.recording, b.missing_ms as "missingMs", b.started_at as "startedAt"`;

const ENDED = sql('ended_broadcast', `select ${COLUMNS} from broadcasts b where b.id = $1 and b.state = 'ENDED'`);

/** The broadcast with this id; null when it has not ended, or is recorded. */
export function endedBroadcast(db: Executor, id: string): Promise<EndedBroadcast | null> {
  return db.first<EndedBroadcast>(ENDED, [id]);
}

const LOCK = sql(
  'lock_ended_broadcast',
  `select b.id from broadcasts b where b.id = $1 and b.state = 'ENDED' for update`,
);

/** Locks it; false when somebody else has completed it. */
export async function lockEnded(tx: Executor, id: string): Promise<boolean> {
  return (await tx.first(LOCK, [id])) !== null;
}

const RECORDED = sql('broadcast_recorded', `update broadcasts set state = 'RECORDED', recorded_at = $2 where id = $1`);

export async function markRecorded(tx: Executor, id: string, nowIso: string): Promise<void> {
  await tx.run(RECORDED, [id, nowIso]);
}

const FORGET = sql('forget_kept_nothing', 'delete from broadcasts where id = $1');

/** Forgets a broadcast of which nothing is kept. */
export async function forgetBroadcast(tx: Executor, id: string): Promise<void> {
  await tx.run(FORGET, [id]);
}

const WAITING = sql(
  'broadcasts_to_record',
  `select b.id from broadcasts b where b.state = 'ENDED' and b.ended_at <= $1 and b.id <> all($2::uuid[])
   order by b.ended_at limit 20`,
);

/** Those that ended before a time and are not recorded, because their process died; but for some. */
export async function unrecordedBroadcasts(
  db: Executor,
  endedBefore: string,
  except: readonly string[],
): Promise<string[]> {
  return (await db.run<{ id: string }>(WAITING, [endedBefore, except])).map(({ id }) => id);
}

const UNRECORDED = sql(
  'unrecorded_broadcasts',
  `select b.id from broadcasts b where b.id = any($1::uuid[]) and b.state <> 'RECORDED'`,
);

/** Those of the broadcasts that go on, or whose recording is not complete. */
export async function unrecorded(db: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.run<{ id: string }>(UNRECORDED, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** A broadcast whose recording is complete, and has no file yet. */
export interface RecordedBroadcast {
  readonly contentId: string;
  readonly videoAssetId: string;
}

const RECORDED_ONE = sql(
  'recorded_broadcast',
  `select b.content_id as "contentId", b.video_asset_id as "videoAssetId" from broadcasts b
   join video_assets v on v.id = b.video_asset_id and v.size_bytes = 0
   join contents c on c.id = b.content_id and c.deleted_at is null
   where b.id = $1 and b.state = 'RECORDED'`,
);

/** The recording of a broadcast; null when there is none, it has a file, or its stream is in the trash. */
export function recordedBroadcast(db: Executor, id: string): Promise<RecordedBroadcast | null> {
  return db.first<RecordedBroadcast>(RECORDED_ONE, [id]);
}
