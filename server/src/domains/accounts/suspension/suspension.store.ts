import type { Credential } from '../../../gql/index.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const reasonBy = (name: string, credential: string) =>
  sql(
    `suspension_by_${name}`,
    `select a.suspension_reason as reason from ${credential} join accounts a on a.id = c.account_id
     where a.suspended_at is not null and a.closed_at is null`,
  );
const BY = {
  key: reasonBy('key', '(select account_id from api_keys where lookup_hash = $1) c'),
  token: reasonBy('token', '(select account_id from api_tokens where lookup_hash = $1) c'),
  oauth: reasonBy(
    'access_token',
    '(select account_id from oauth_access_tokens where token = $1 and revoked is null) c',
  ),
  session: reasonBy('session', '(select account_id from sessions where token = $1) c'),
} as const;

/** Why the account of a credential is suspended; null where it is not, or where there is no such credential. */
export async function findSuspension(
  db: Executor,
  credential: Exclude<Credential, { kind: 'anonymous' }>,
): Promise<string | null> {
  const value =
    credential.kind === 'session'
      ? credential.token
      : credential.kind === 'oauth'
        ? credential.tokenHash
        : credential.lookupHash;
  return (await db.first<{ reason: string }>(BY[credential.kind], [value]))?.reason ?? null;
}

const OF_ACCOUNT = sql('suspension_of_account', 'select suspension_reason as reason from accounts where id = $1');

/** Why an account is suspended; empty where it is not. */
export async function suspensionOf(db: Executor, accountId: string): Promise<string> {
  return (await db.first<{ reason: string | null }>(OF_ACCOUNT, [accountId]))?.reason ?? '';
}

const END_SESSIONS = sql(
  'end_sessions_of_suspended',
  'update sessions set expires_at = $2 where account_id = $1 and expires_at > $2',
);

/** Ends the sessions of an account, and keeps them: their requests get the reason of the suspension. */
export async function endSuspendedSessions(tx: Executor, accountId: AccountId, nowIso: string): Promise<void> {
  await tx.run(END_SESSIONS, [accountId, nowIso]);
}
