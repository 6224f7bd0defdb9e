import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';

/** A key as it is stored. Instants are ISO 8601. */
export interface KeyRow {
  readonly fingerprint: Buffer;
  readonly state: 'RUNNING' | 'COMPLETED';
  readonly token: string;
  readonly leaseUntil: string;
  readonly committed: boolean;
  /** Sealed. */
  readonly response: Buffer | null;
}

/** What identifies a hold. */
export interface HoldId {
  readonly accountId: string;
  readonly key: string;
  readonly token: string;
}

// A row is taken over when it has expired, or when its holder is dead and committed nothing.
const CLAIM = sql(
  'claim_idempotency_key',
  `insert into idempotency_keys as k (account_id, key, fingerprint, token, lease_until, created_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, key) do update
     set fingerprint = excluded.fingerprint, state = 'RUNNING', token = excluded.token,
       lease_until = excluded.lease_until,
         committed = false, response = null, created_at = excluded.created_at
     where k.created_at <= $7
        or (k.state = 'RUNNING' and not k.committed and k.lease_until <= $6 and k.fingerprint = excluded.fingerprint)
   returning true as held`,
);

/** Claims a key for a request; false when it is held, answered or lost. */
export async function claimKey(
  db: Executor,
  hold: HoldId,
  claim: {
    readonly fingerprint: Buffer;
    readonly leaseUntil: string;
    readonly now: string;
    readonly forgottenBefore: string;
  },
): Promise<boolean> {
  const { fingerprint, leaseUntil, now, forgottenBefore } = claim;
  return (
    (await db.first(CLAIM, [hold.accountId, hold.key, fingerprint, hold.token, leaseUntil, now, forgottenBefore])) !==
    null
  );
}

const FIND = sql(
  'find_idempotency_key',
  'select fingerprint, state, token, lease_until as "leaseUntil", committed, response from idempotency_keys ' +
    'where account_id = $1 and key = $2',
);

export function findKey(db: Executor, accountId: string, key: string): Promise<KeyRow | null> {
  return db.first<KeyRow>(FIND, [accountId, key]);
}

const HELD = `account_id = $1 and key = $2 and token = $3 and state = 'RUNNING'`;
const MARK = sql(
  'mark_idempotency_key',
  `update idempotency_keys set committed = true where ${HELD} returning true as held`,
);
const RENEW = sql('renew_idempotency_key', `update idempotency_keys set lease_until = $4 where ${HELD}`);
const ANSWER = sql(
  'answer_idempotency_key',
  `update idempotency_keys set state = 'COMPLETED', response = $4 where ${HELD}`,
);
const RELEASE = sql('release_idempotency_key', `delete from idempotency_keys where ${HELD} and not committed`);
const SWEEP = sql(
  'sweep_idempotency_keys',
  'delete from idempotency_keys where ctid = any(array(select ctid from idempotency_keys where created_at <= $1 ' +
    'limit 1000)) returning 1 as one',
);

/** Marks in the caller's transaction that the claim has effects; false when the claim is lost. */
export async function markCommitted(tx: Executor, { accountId, key, token }: HoldId): Promise<boolean> {
  return (await tx.first(MARK, [accountId, key, token])) !== null;
}

export async function renewLease(db: Executor, { accountId, key, token }: HoldId, leaseUntil: string): Promise<void> {
  await db.run(RENEW, [accountId, key, token, leaseUntil]);
}

export async function storeAnswer(db: Executor, { accountId, key, token }: HoldId, sealed: Buffer): Promise<void> {
  await db.run(ANSWER, [accountId, key, token, sealed]);
}

/** Removes a claim under which nothing was committed. */
export async function releaseKey(db: Executor, { accountId, key, token }: HoldId): Promise<void> {
  await db.run(RELEASE, [accountId, key, token]);
}

/** Removes up to 1,000 keys created before that instant; returns how many. */
export async function sweepKeys(db: Executor, before: string): Promise<number> {
  return (await db.run(SWEEP, [before])).length;
}
