import type { Executor } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/statement.ts';

/** The clock of leases is the database's, which all instances share. */
const TAKE = sql(
  'acquire_upload_lease',
  `update ingestions set lock_owner = $2, locked_until = now() + $3 * interval '1 second', lock_requested = false
   where id = $1 and (lock_owner is null or locked_until < now()) returning id`,
);
const WANT = sql(
  'want_upload_lease',
  'update ingestions set lock_requested = true where id = $1 and lock_owner is not null',
);
const RENEW = sql(
  'renew_upload_lease',
  `update ingestions set locked_until = now() + $3 * interval '1 second' where id = $1 and lock_owner = $2 ` +
    'returning lock_requested as wanted',
);
const RELEASE = sql(
  'release_upload_lease',
  'update ingestions set lock_owner = null, locked_until = null, lock_requested = false where id = $1 ' +
    'and lock_owner = $2',
);

/** Whether `owner` holds the lease now. */
export async function takeLease(db: Executor, id: string, owner: string, seconds: number): Promise<boolean> {
  return (await db.first(TAKE, [id, owner, seconds])) !== null;
}

/** Asks the current holder to end early. */
export async function wantLease(db: Executor, id: string): Promise<void> {
  await db.run(WANT, [id]);
}

/** Renews the lease; `lost` when another owner took it after it had expired. */
export async function renewLease(
  db: Executor,
  id: string,
  owner: string,
  seconds: number,
): Promise<'held' | 'wanted' | 'lost'> {
  const row = await db.first<{ wanted: boolean }>(RENEW, [id, owner, seconds]);
  if (!row) return 'lost';
  return row.wanted ? 'wanted' : 'held';
}

export async function releaseLease(db: Executor, id: string, owner: string): Promise<void> {
  await db.run(RELEASE, [id, owner]);
}
