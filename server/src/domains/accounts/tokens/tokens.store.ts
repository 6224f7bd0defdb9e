import { type AccountId, newId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { notingUses } from '../keys/credential-uses.store.ts';
import { EXPIRED_TOKEN_DAYS, type TokenScope } from './token.policy.ts';

/** What is stored of a token: never the token itself. */
export interface StoredToken extends TokenScope {
  readonly accountId: AccountId;
  readonly id: string;
  /** HMAC-SHA256 of the token under SECRET_KEY. */
  readonly lookupHash: Buffer;
  readonly hint: string;
  readonly createdAtMs: number;
}

const INSERT = sql(
  'insert_token',
  `insert into api_tokens (id, account_id, name, lookup_hash, hint, permissions, channel_ids, is_test, created_at,
     expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (account_id, lower(name)) do nothing returning id`,
);
const COUNT = sql('count_tokens', 'select count(*)::int as count from api_tokens where account_id = $1');
const FOREIGN = sql(
  'foreign_channels',
  `select c.id from unnest($2::uuid[]) c (id)
   where not exists (select from channel_members m where m.channel_id = c.id and m.account_id = $1) limit 1`,
);
const DELETE = sql('delete_token', 'delete from api_tokens where id = $1 and account_id = $2 returning id');
const FORGET = sql(
  'delete_expired_tokens',
  `delete from api_tokens where expires_at < $1::timestamptz - make_interval(days => ${EXPIRED_TOKEN_DAYS})`,
);
// Both parts see the same snapshot: a use is either written or returned as too early.
const TOUCH = sql(
  'touch_tokens',
  `with uses as (
     select t.id, u.at, t.last_used_at, t.last_used_at is null or t.last_used_at <= $3::timestamptz as due
     from unnest($1::uuid[], $2::timestamptz[]) as u (id, at) join api_tokens t on t.id = u.id
     where t.last_used_at is null or t.last_used_at < u.at
   ),
   written as (
     update api_tokens t set last_used_at = u.at from uses u
     where u.due and t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)
   )
   select id, last_used_at as "lastUsedAt" from uses where not due`,
);

/** False when a token of the account has this name. */
export async function insertToken(tx: Executor, token: StoredToken): Promise<boolean> {
  const { id, accountId, name, lookupHash, hint, permissions, channelIds, isTest, createdAtMs, expiresAtMs } = token;
  const [createdAt, expiresAt] = [createdAtMs, expiresAtMs].map((ms) =>
    ms === null ? null : new Date(ms).toISOString(),
  );
  const values = [id, accountId, name, lookupHash, hint, permissions, channelIds, isTest, createdAt, expiresAt];
  return (await tx.first(INSERT, values)) !== null;
}

export async function countTokens(tx: Executor, accountId: AccountId): Promise<number> {
  return (await tx.first<{ count: number }>(COUNT, [accountId]))?.count ?? 0;
}

/** Whether the account is a member of all these channels. */
export async function isMemberOfAll(tx: Executor, accountId: AccountId, ids: readonly string[]): Promise<boolean> {
  return (await tx.first(FOREIGN, [accountId, ids])) === null;
}

const TEST_CHANNEL = sql('ensure_test_channel', 'select ensure_test_channel($1, $2, $3) as id');

/** The test channel of the account, made when there is none. The account's subscription is locked. */
export async function ensureTestChannel(tx: Executor, accountId: AccountId, nowMs: number): Promise<string> {
  const id = newId<'channel'>(nowMs);
  return (await tx.first<{ id: string }>(TEST_CHANNEL, [accountId, id, new Date(nowMs).toISOString()]))?.id ?? id;
}

/** False when the account has no such token. */
export async function deleteToken(db: Executor, accountId: AccountId, id: string): Promise<boolean> {
  return (await db.first(DELETE, [id, accountId])) !== null;
}

/** Deletes tokens that expired long ago. */
export async function forgetTokens(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}

export const noteTokenUses = notingUses(TOUCH);
