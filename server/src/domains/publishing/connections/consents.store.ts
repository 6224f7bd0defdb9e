import type { Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Maximum pending consents per account; the oldest is dropped. */
const MAX_OPEN = 5;

export interface NewConsent {
  readonly stateHash: Buffer;
  readonly accountId: string;
  readonly sealedVerifier: Buffer;
  readonly nowIso: string;
  readonly expiresIso: string;
}

const CLEAR = sql(
  'clear_youtube_consents',
  `delete from youtube_consents where expires_at <= $2 or state_hash in (
     select state_hash from youtube_consents where account_id = $1 order by expires_at desc offset ${MAX_OPEN - 1})`,
);
const INSERT = sql(
  'insert_youtube_consent',
  'insert into youtube_consents (state_hash, account_id, sealed_verifier, expires_at) values ($1, $2, $3, $4)',
);

/** Stores a pending consent, and deletes expired ones. */
export async function insertConsent(
  tx: Transaction,
  { stateHash, accountId, sealedVerifier, nowIso, expiresIso }: NewConsent,
): Promise<void> {
  await tx.run(CLEAR, [accountId, nowIso]);
  await tx.run(INSERT, [stateHash, accountId, sealedVerifier, expiresIso]);
}

const TAKE = sql(
  'consume_youtube_consent',
  'delete from youtube_consents where state_hash = $1 and account_id = $2 returning sealed_verifier as sealed, ' +
    'expires_at > $3 as good',
);

/** Removes and returns a pending consent of this account; null when there is none or it has expired. */
export async function takeConsent(
  tx: Pick<Transaction, 'first'>,
  stateHash: Buffer,
  accountId: string,
  nowIso: string,
): Promise<Buffer | null> {
  const taken = await tx.first<{ sealed: Buffer; good: boolean }>(TAKE, [stateHash, accountId, nowIso]);
  return taken?.good ? taken.sealed : null;
}
