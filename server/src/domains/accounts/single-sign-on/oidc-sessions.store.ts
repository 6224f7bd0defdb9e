import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { IdentityKey } from './oidc-identities.store.ts';

const INSERT = sql(
  'insert_oidc_session',
  `insert into oidc_sessions (session_id, account_id, issuer, subject, provider_session, sealed_tokens, created_at,
     checked_at)
   select s.id, s.account_id, $2, $3, $4, $5, $6, $6 from sessions s where s.token = $1`,
);
/** The newest session of each account at an issuer whose groups give it something, once the last check is old. */
const CLAIM = sql(
  'claim_oidc_sessions',
  `with due as (
     select o.session_id from oidc_grants g
       join lateral (select * from oidc_sessions o where o.account_id = g.account_id and o.issuer = g.issuer
         order by o.created_at desc, o.session_id limit 1) o on true
       join sessions s on s.id = o.session_id and s.expires_at > $1
     where g.issuer = any($3::text[]) and o.checked_at <= $2
     order by o.checked_at limit $4)
   update oidc_sessions o set checked_at = $1 from due
   where o.session_id = due.session_id and o.checked_at <= $2
   returning o.session_id as "sessionId", o.account_id as "accountId", o.issuer, o.subject,
     o.sealed_tokens as "sealedTokens"`,
);
const KEEP_TOKENS = sql('keep_oidc_tokens', 'update oidc_sessions set sealed_tokens = $2 where session_id = $1');
const END = sql('end_oidc_session', 'delete from sessions where id = $1');
const END_OF_SUBJECT = sql(
  'end_sessions_of_oidc_subject',
  `delete from sessions s using oidc_sessions o where o.session_id = s.id and o.issuer = $1
     and ($2::text is null or o.subject = $2) and ($3::text is null or o.provider_session = $3)
   returning s.account_id as id`,
);
const USE_LOGOUT_TOKEN = sql(
  'use_oidc_logout_token',
  `insert into oidc_logout_tokens (issuer, token_id, expires_at) values ($1, $2, $3)
   on conflict do nothing returning 1`,
);
const FORGET_LOGOUT_TOKENS = sql('forget_oidc_logout_tokens', 'delete from oidc_logout_tokens where expires_at <= $1');

export interface NewOidcSession extends IdentityKey {
  /** Of the session of ours. */
  readonly sessionToken: string;
  readonly providerSession: string | null;
  readonly sealedTokens: Buffer;
  readonly nowIso: string;
}

export async function insertOidcSession(db: Executor, session: NewOidcSession): Promise<void> {
  const { sessionToken, issuer, subject, providerSession, sealedTokens, nowIso } = session;
  await db.run(INSERT, [sessionToken, issuer, subject, providerSession, sealedTokens, nowIso]);
}

export interface DueSession extends IdentityKey {
  readonly sessionId: string;
  readonly accountId: AccountId;
  readonly sealedTokens: Buffer;
}

/** Sessions whose groups are to be checked now; each is returned to one worker only. */
export function claimDueSessions(
  db: Executor,
  {
    nowIso,
    checkedBeforeIso,
    issuers,
    most,
  }: Record<'nowIso' | 'checkedBeforeIso', string> & {
    readonly issuers: readonly string[];
    readonly most: number;
  },
): Promise<DueSession[]> {
  return db.run<DueSession>(CLAIM, [nowIso, checkedBeforeIso, issuers, most]);
}

export async function keepTokens(db: Executor, sessionId: string, sealedTokens: Buffer): Promise<void> {
  await db.run(KEEP_TOKENS, [sessionId, sealedTokens]);
}

/** Signs one session out. */
export async function endOidcSession(db: Executor, sessionId: string): Promise<void> {
  await db.run(END, [sessionId]);
}

/** Signs out the sessions of a person at the issuer, of one session there, or both; the accounts they were of. */
export async function endSessionsOf(
  db: Executor,
  issuer: string,
  { subject, providerSession }: { readonly subject: string | null; readonly providerSession: string | null },
): Promise<AccountId[]> {
  const ended = await db.run<{ id: AccountId }>(END_OF_SUBJECT, [issuer, subject, providerSession]);
  return [...new Set(ended.map(({ id }) => id))];
}

/** False when the token was used before. */
export async function useLogoutToken(
  db: Executor,
  issuer: string,
  tokenId: string,
  expiresIso: string,
): Promise<boolean> {
  return (await db.first(USE_LOGOUT_TOKEN, [issuer, tokenId, expiresIso])) !== null;
}

export async function forgetLogoutTokens(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET_LOGOUT_TOKENS, [nowIso]);
}
