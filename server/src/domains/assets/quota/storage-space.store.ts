import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { derivedBytesOf } from '../../channels/index.ts';

// Any number that no other advisory lock uses (migrations and counters use no two-part lock with this first part).
const LOCK = sql('lock_storage_space', 'select pg_advisory_xact_lock(4700, 0)');

/** Lets one transaction at a time reserve space, across all instances. It is the last lock a transaction takes. */
export async function lockStorageSpace(tx: Executor): Promise<void> {
  await tx.run(LOCK, []);
}

const WORK =
  '(select coalesce(sum(reserved_bytes), 0)::bigint from transcode_jobs ' +
  `where reserved_bytes > 0 and status in ('QUEUED', 'TRANSCODING'))`;

const OPEN = sql(
  'open_upload_bytes',
  `select coalesce(sum(size_bytes - received_bytes), 0)::bigint as "announcedBytes", ${WORK} as "workBytes",
          coalesce(jsonb_agg(jsonb_build_object('key', object_key, 'noted',
            received_bytes)) filter (where locked_until > now()), '[]') as arriving
   from ingestions where state = 'OPEN' and reserved_until > now() and upload_concat is null`,
);

/** An upload with a running request: its received bytes are recorded when the request ends. */
export interface ArrivingUpload {
  readonly key: string;
  readonly noted: number;
}

/**
 * Bytes reserved by uploads and not recorded as received (parts that are being joined have arrived), bytes reserved by
 * jobs, and the uploads that have received more than is recorded.
 */
export async function openUploadBytes(db: Executor): Promise<{
  readonly announcedBytes: number;
  readonly workBytes: number;
  readonly arriving: readonly ArrivingUpload[];
}> {
  const row = await db.first<{ announcedBytes: number; workBytes: number; arriving: ArrivingUpload[] }>(OPEN, []);
  return row ?? { announcedBytes: 0, workBytes: 0, arriving: [] };
}

const STORED = sql(
  'stored_and_promised_bytes',
  `select (select coalesce(sum(value), 0)::bigint from counters where scope in ('channel:storage',
    'channel:derived-bytes'))
            - (select coalesce(sum(size_bytes - received_bytes), 0)::bigint from ingestions where state = 'OPEN'
              and reserved_until <= now() and upload_concat is null)
            as "storedBytes",
          ${WORK} as "workBytes"`,
);

/** Bytes stored or reserved by uploads for all channels, including derived files, and bytes reserved by jobs. */
export async function storedAndPromisedBytes(
  db: Executor,
): Promise<{ readonly storedBytes: number; readonly workBytes: number }> {
  return (await db.first<{ storedBytes: number; workBytes: number }>(STORED, [])) ?? { storedBytes: 0, workBytes: 0 };
}

const RESERVE = sql(
  'reserve_job_space',
  `update transcode_jobs set reserved_bytes = $3 where id = $1 and attempts = $2 returning id`,
);

/** Writes the reservation of an attempt; false when the job is no longer this attempt's. */
export async function writeJobReservation(
  tx: Executor,
  jobId: string,
  attempt: number,
  bytes: number,
): Promise<boolean> {
  return (await tx.first(RESERVE, [jobId, attempt, bytes])) !== null;
}

const DERIVED = sql(
  'derived_bytes_in_use',
  `select ${derivedBytesOf('$1')} + (
     select coalesce(sum(j.reserved_bytes), 0)::bigint from transcode_jobs j join channels o on o.id = j.channel_id
     where o.account_id = $1 and j.reserved_bytes > 0 and j.status = 'TRANSCODING') as bytes`,
);

/** Bytes derived from the videos of the account's channels, and those that running attempts may still write. */
export async function derivedInUse(tx: Executor, accountId: string): Promise<number> {
  return (await tx.first<{ bytes: number }>(DERIVED, [accountId]))?.bytes ?? 0;
}
