import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const ORDER = sql(
  'order_object_purge',
  'insert into object_purges (key_prefix, due_at, created_at) values ($1, $2::timestamptz, $2::timestamptz)',
);

/**
 * Schedules the deletion of everything below `keyPrefix` (or, without a trailing `/`, of that object) at `dueMs`, Unix
 * milliseconds.
 */
export async function orderObjectPurge(tx: Executor, keyPrefix: string, dueMs: number): Promise<void> {
  await tx.run(ORDER, [keyPrefix, new Date(dueMs).toISOString()]);
}

/** Ends a key prefix of the segments of a rendition, whose playlists stay. */
export const SEGMENTS_START = '/seg-';

/** Schedules the deletion of the segments in a folder of a rendition, which ends with `/`. */
export async function orderSegmentPurge(tx: Executor, folder: string, dueMs: number): Promise<void> {
  await orderObjectPurge(tx, segmentsIn(folder), dueMs);
}

/** Cancels it; false when none is pending that has not started. */
export function withdrawSegmentPurge(tx: Executor, folder: string): Promise<boolean> {
  return withdrawObjectPurge(tx, segmentsIn(folder));
}

const PENDING = sql('object_purge_pending', 'select 1 from object_purges where key_prefix = $1');

/** Whether segments in a folder are still to be deleted. */
export async function isSegmentPurgePending(db: Executor, folder: string): Promise<boolean> {
  return (await db.first(PENDING, [segmentsIn(folder)])) !== null;
}

function segmentsIn(folder: string): string {
  return folder.slice(0, -1) + SEGMENTS_START;
}

const WITHDRAW = sql(
  'withdraw_object_purge',
  'delete from object_purges where key_prefix = $1 and attempts = 0 returning id',
);

/**
 * Cancels the deletion of this exact prefix, because its objects are now referenced. False when none is pending that
 * has not started.
 */
export async function withdrawObjectPurge(tx: Executor, keyPrefix: string): Promise<boolean> {
  return (await tx.first(WITHDRAW, [keyPrefix])) !== null;
}

const HASTEN = sql(
  'hasten_object_purge',
  'update object_purges set due_at = least(due_at, $2::timestamptz) where key_prefix = $1 returning id',
);

/** Makes the deletion of this exact prefix due. Returns its ids; none when the objects are referenced. */
export async function hastenObjectPurge(tx: Executor, keyPrefix: string, nowMs: number): Promise<number[]> {
  const rows = await tx.run<{ id: number }>(HASTEN, [keyPrefix, new Date(nowMs).toISOString()]);
  return rows.map(({ id }) => id);
}

/**
 * Advisory lock: while a session holds it, no deletion starts. Objects that a row named when it was taken then exist
 * until it is released.
 */
export const PURGES_LOCK = 7_203_119;

const MAY_DELETE = sql('may_delete_objects', `select pg_try_advisory_xact_lock_shared(${PURGES_LOCK}) as may`);

/** Whether deletions are not held off (PURGES_LOCK). */
export async function mayDelete(db: Executor): Promise<boolean> {
  return (await db.first<{ may: boolean }>(MAY_DELETE, []))?.may === true;
}

const CLAIM = sql(
  'claim_object_purges',
  `update object_purges p set attempts = least(p.attempts + 1, 1000),
     due_at = $1::timestamptz + least(86400, 900 * 2 ^ least(p.attempts, 10)) * interval '1 second'
   from (select id from object_purges
     where due_at <= $1 and (select pg_try_advisory_xact_lock_shared(${PURGES_LOCK}))
     order by due_at, id limit $2 for update skip locked) due
   where p.id = due.id
   returning p.id, p.key_prefix as "keyPrefix", p.attempts`,
);

export interface ObjectPurge {
  readonly id: number;
  readonly keyPrefix: string;
  readonly attempts: number;
}

/**
 * Claims up to `limit` due deletions, none while they are held off (PURGES_LOCK). They become due again after 15
 * minutes, then twice as long each time up to a day: the retry delay, also after a worker was killed.
 */
export function claimObjectPurges(db: Executor, nowMs: number, limit: number): Promise<ObjectPurge[]> {
  return db.run<ObjectPurge>(CLAIM, [new Date(nowMs).toISOString(), limit]);
}

const DONE = sql('object_purge_done', 'delete from object_purges where id = $1');

/** Removes a completed deletion. */
export async function objectPurgeDone(db: Executor, id: number): Promise<void> {
  await db.run(DONE, [id]);
}
