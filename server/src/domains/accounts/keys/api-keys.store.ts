import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { notingUses } from './credential-uses.store.ts';

/** What is stored of a key: never the key itself. */
export interface StoredKey {
  readonly accountId: AccountId;
  readonly id: string;
  /** HMAC-SHA256 of the key under SECRET_KEY. */
  readonly lookupHash: Buffer;
  /** The key under AES-256-GCM. */
  readonly sealed: Buffer;
  readonly hint: string;
  readonly createdAtMs: number;
}

const INSERT = sql(
  'insert_api_key',
  `insert into api_keys (account_id, id, lookup_hash, sealed, hint, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id) do nothing returning id`,
);
const REPLACE = sql(
  'replace_api_key',
  'update api_keys set id = $2, lookup_hash = $3, sealed = $4, hint = $5, created_at = $6, last_used_at = null ' +
    'where account_id = $1 returning id',
);
const SEALED = sql('sealed_api_key', 'select sealed from api_keys where account_id = $1');
const DELETE = sql('delete_api_key', 'delete from api_keys where account_id = $1 returning id');
// Both parts see the same snapshot: a use is either written or returned as too early.
const TOUCH = sql(
  'touch_api_keys',
  `with uses as (
     select k.account_id, u.at, k.last_used_at, k.last_used_at is null or k.last_used_at <= $3::timestamptz as due
     from unnest($1::uuid[], $2::timestamptz[]) as u (account_id, at) join api_keys k on k.account_id = u.account_id
     where u.at >= k.created_at and (k.last_used_at is null or k.last_used_at < u.at)
   ),
   written as (
     update api_keys k set last_used_at = u.at from uses u
     where u.due and k.account_id = u.account_id and u.at >= k.created_at and (k.last_used_at is null
       or k.last_used_at < u.at)
   )
   select account_id as id, last_used_at as "lastUsedAt" from uses where not due`,
);

/** False when the account already has a key. */
export async function insertKey(tx: Executor, key: StoredKey): Promise<boolean> {
  return (await tx.first(INSERT, values(key))) !== null;
}

/** The old key stops working with the commit. False when there was none. */
export async function replaceKey(tx: Executor, key: StoredKey): Promise<boolean> {
  return (await tx.first(REPLACE, values(key))) !== null;
}

/** The sealed key, or null when the account has none. */
export async function readSealedKey(db: Executor, accountId: AccountId): Promise<Buffer | null> {
  return (await db.first<{ sealed: Buffer }>(SEALED, [accountId]))?.sealed ?? null;
}

/** False when the account had no key. */
export async function deleteKey(db: Executor, accountId: AccountId): Promise<boolean> {
  return (await db.first(DELETE, [accountId])) !== null;
}

/**
 * Records uses of keys without a recorded use after `lastBeforeMs`, and returns the others: account and recorded use. A
 * use from before the current key was generated is dropped: it belongs to a replaced key.
 */
export const noteKeyUses = notingUses(TOUCH);

function values(key: StoredKey): unknown[] {
  return [key.accountId, key.id, key.lookupHash, key.sealed, key.hint, new Date(key.createdAtMs).toISOString()];
}
