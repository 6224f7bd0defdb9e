import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

export interface StoredReset {
  /** HMAC of the token in the link. */
  readonly tokenHash: Buffer;
  readonly accountId: AccountId;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

const INSERT = sql(
  'insert_password_reset',
  'insert into password_resets (token_hash, account_id, created_at, expires_at) values ($1, $2, $3, $4)',
);
const FIND = sql(
  'find_password_reset',
  `select a.id, a.email, a.username from password_resets r join accounts a on a.id = r.account_id
   where r.token_hash = $1 and r.expires_at > $2`,
);
const USE = sql(
  'use_password_reset',
  'delete from password_resets where token_hash = $1 and expires_at > $2 returning account_id as id',
);
const LOCK = sql('lock_account_of_reset', 'select id from accounts where id = $1 for no key update');
const END = sql('end_password_resets', 'delete from password_resets where account_id = $1');
const FORGET = sql('delete_expired_password_resets', 'delete from password_resets where expires_at <= $1');

/** Stores the link and ends the earlier ones of its account; also of two that are requested at once, one stays. */
export async function insertReset(tx: Transaction, reset: StoredReset): Promise<void> {
  await tx.run(LOCK, [reset.accountId]);
  await endResets(tx, reset.accountId);
  const [createdAt, expiresAt] = [reset.createdAtMs, reset.expiresAtMs].map((ms) => new Date(ms).toISOString());
  await tx.run(INSERT, [reset.tokenHash, reset.accountId, createdAt, expiresAt]);
}

/** The account that a link is for. */
export interface ResetAccount {
  readonly id: AccountId;
  readonly email: string;
  readonly username: string;
}

/** Null when the link was used, has expired or never existed. */
export function findReset(db: Executor, tokenHash: Buffer, nowMs: number): Promise<ResetAccount | null> {
  return db.first<ResetAccount>(FIND, [tokenHash, new Date(nowMs).toISOString()]);
}

/** Uses the link up, with all others of its account; false when it was used meanwhile. */
export async function useReset(tx: Executor, tokenHash: Buffer, nowMs: number): Promise<boolean> {
  const used = await tx.first<{ id: AccountId }>(USE, [tokenHash, new Date(nowMs).toISOString()]);
  if (used) await endResets(tx, used.id);
  return used !== null;
}

/** Ends all links of the account. */
export async function endResets(tx: Executor, accountId: AccountId): Promise<void> {
  await tx.run(END, [accountId]);
}

export async function forgetResets(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
