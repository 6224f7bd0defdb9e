import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const SESSION = sql('session_id', 'select id from sessions where token = $1');
const SESSION_TOKEN = sql('session_token', 'select token from sessions where account_id = $1 and id = $2');
const CLIENT = sql('client_of_access_token', 'select client_id as id from oauth_access_tokens where token = $1');
const ACCESS_TOKEN = sql(
  'newest_access_token',
  `select token from oauth_access_tokens
   where account_id = $1 and client_id = $2 and expires_at > $3 and revoked is null
   order by created_at desc, id desc limit 1`,
);

export async function sessionId(db: Executor, token: string): Promise<string | null> {
  return (await db.first<{ id: string }>(SESSION, [token]))?.id ?? null;
}

export async function sessionToken(db: Executor, accountId: string, id: string): Promise<string | null> {
  return (await db.first<{ token: string }>(SESSION_TOKEN, [accountId, id]))?.token ?? null;
}

/** The application of an access token. */
export async function clientOfToken(db: Executor, tokenHash: string): Promise<string | null> {
  return (await db.first<{ id: string }>(CLIENT, [tokenHash]))?.id ?? null;
}

/** The newest valid access token of an application. */
export async function accessTokenOf(
  db: Executor,
  accountId: string,
  clientId: string,
  now: string,
): Promise<string | null> {
  return (await db.first<{ token: string }>(ACCESS_TOKEN, [accountId, clientId, now]))?.token ?? null;
}
