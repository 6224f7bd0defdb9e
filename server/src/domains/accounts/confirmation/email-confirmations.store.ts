import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const INSERT = sql(
  'insert_email_confirmation',
  `insert into email_confirmations (token_hash, account_id, email, created_at, expires_at)
   values ($1, $2, $3, $4, $5)`,
);
const USE = sql(
  'use_email_confirmation',
  `with used as (delete from email_confirmations where token_hash = $1 and expires_at > $2 returning account_id, email)
   select a.id, a.username, a.email as "oldEmail", u.email as "newEmail" from used u join accounts a
     on a.id = u.account_id for update of a`,
);
const LOCK = sql('lock_account_of_confirmation', 'select id from accounts where id = $1 for no key update');
const END = sql('end_email_confirmations', 'delete from email_confirmations where account_id = $1');
const SET = sql(
  'set_email',
  'update accounts set email = $2, email_verified = $3, updated_at = $4 where id = $1 returning id',
);
const FORGET = sql('delete_expired_email_confirmations', 'delete from email_confirmations where expires_at <= $1');

/** Stores the link and ends the earlier ones of its account, which may name another address. */
export async function insertConfirmation(
  tx: Transaction,
  confirmation: {
    readonly tokenHash: Buffer;
    readonly accountId: AccountId;
    readonly email: string;
    readonly createdAtMs: number;
    readonly expiresAtMs: number;
  },
): Promise<void> {
  const { tokenHash, accountId, email } = confirmation;
  const [createdAt, expiresAt] = [confirmation.createdAtMs, confirmation.expiresAtMs].map((ms) =>
    new Date(ms).toISOString(),
  );
  await tx.run(LOCK, [accountId]);
  await tx.run(END, [accountId]);
  await tx.run(INSERT, [tokenHash, accountId, email, createdAt, expiresAt]);
}

/** The account of a link, with its address and the one that the link confirms; they differ when it is a new one. */
export interface ConfirmedEmail {
  readonly id: AccountId;
  readonly username: string;
  readonly oldEmail: string;
  readonly newEmail: string;
}

/** Uses the link up and locks its account; null when it was used, has expired or never existed. */
export function useConfirmation(tx: Executor, tokenHash: Buffer, nowMs: number): Promise<ConfirmedEmail | null> {
  return tx.first<ConfirmedEmail>(USE, [tokenHash, new Date(nowMs).toISOString()]);
}

/**
 * Sets the address, and ends links that confirm one. Fails with a unique violation when another account has the
 * address.
 */
export async function setEmail(
  tx: Executor,
  accountId: AccountId,
  { email, isVerified, nowMs }: { readonly email: string; readonly isVerified: boolean; readonly nowMs: number },
): Promise<void> {
  await tx.run(SET, [accountId, email, isVerified, new Date(nowMs).toISOString()]);
  await tx.run(END, [accountId]);
}

export async function forgetConfirmations(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
