import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** A sign-up whose address is not confirmed. */
export interface PendingSignUp {
  readonly email: string;
  readonly username: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly invitationId: string | null;
}

const INSERT = sql(
  'insert_pending_sign_up',
  `insert into pending_sign_ups (token_hash, email, username, name, password_hash, invitation_id, created_at,
     expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const FIND = sql(
  'find_pending_sign_up',
  `select email, username, name, password_hash as "passwordHash", invitation_id as "invitationId"
   from pending_sign_ups where token_hash = $1 and expires_at > $2`,
);
const USE = sql('use_pending_sign_up', 'delete from pending_sign_ups where token_hash = $1 returning email');
const END = sql('end_pending_sign_ups', 'delete from pending_sign_ups where email = $1::citext');
const FORGET = sql('delete_expired_pending_sign_ups', 'delete from pending_sign_ups where expires_at <= $1');

export async function insertPendingSignUp(
  tx: Executor,
  signUp: PendingSignUp & { readonly tokenHash: Buffer; readonly createdAtMs: number; readonly expiresAtMs: number },
): Promise<void> {
  const { tokenHash, email, username, name, passwordHash, invitationId } = signUp;
  const [createdAt, expiresAt] = [signUp.createdAtMs, signUp.expiresAtMs].map((ms) => new Date(ms).toISOString());
  await tx.run(INSERT, [tokenHash, email, username, name, passwordHash, invitationId, createdAt, expiresAt]);
}

/** Null when the link was used, has expired or never existed. */
export function findPendingSignUp(db: Executor, tokenHash: Buffer, nowMs: number): Promise<PendingSignUp | null> {
  return db.first<PendingSignUp>(FIND, [tokenHash, new Date(nowMs).toISOString()]);
}

/** Uses the link up, with all others to its address; false when it was used meanwhile. */
export async function usePendingSignUp(tx: Executor, tokenHash: Buffer): Promise<boolean> {
  const used = await tx.first<{ email: string }>(USE, [tokenHash]);
  if (used) await tx.run(END, [used.email]);
  return used !== null;
}

export async function forgetPendingSignUps(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
