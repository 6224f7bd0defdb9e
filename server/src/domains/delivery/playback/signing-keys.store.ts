import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isMember, roleMay, SCOPED } from '../../channels/index.ts';
import { MAX_SIGNING_KEYS, type PublicKey } from './signing-key.ts';

export interface NewSigningKey extends PublicKey {
  readonly id: string;
  readonly channelId: string;
  readonly description: string;
  readonly nowIso: string;
}

const LOCK_CHANNEL = sql(
  'lock_channel_signing_keys',
  `select pg_advisory_xact_lock(hashtextextended('signing keys ' || $1::text, 0))`,
);
const INSERT = sql(
  'insert_signing_key',
  `insert into signing_keys (id, channel_id, description, algorithm, public_key, created_at)
   select $1, $2, $3, $4, $5, $6
   where (select count(*) from signing_keys where channel_id = $2) < ${MAX_SIGNING_KEYS} returning id`,
);

/** Adds a key; false when the channel has reached the limit. */
export async function insertSigningKey(tx: Transaction, key: NewSigningKey): Promise<boolean> {
  await tx.run(LOCK_CHANNEL, [key.channelId]);
  const { id, channelId, description, algorithm, publicKey, nowIso } = key;
  return (await tx.run(INSERT, [id, channelId, description, algorithm, publicKey, nowIso])).length > 0;
}

/** A key as the commands see it, with the account's permissions. */
export interface SigningKeyFacts {
  readonly id: string;
  readonly channelId: string;
  readonly member: boolean;
  readonly may: boolean;
}

const FIND = sql(
  'find_signing_key',
  `select k.id, k.channel_id as "channelId", ${isMember(SCOPED, 'k.channel_id', null)} as member,
     ${roleMay(SCOPED, 'k.channel_id', 'signing_key:manage')} as may
   from signing_keys k, ${viewerRow('$2')} where k.id = $1`,
);

/** The key with this id, and whether the viewer may delete it; null when there is none. */
export function findSigningKey(db: Executor, id: string, viewer: ViewerScope): Promise<SigningKeyFacts | null> {
  return db.first(FIND, [id, viewer]);
}

const DELETE = sql('delete_signing_key', 'delete from signing_keys where id = $1');

export async function deleteSigningKeyRow(db: Executor, id: string): Promise<void> {
  await db.run(DELETE, [id]);
}

const USED = sql(
  'signing_key_used',
  `update signing_keys set last_used_at = $2
   where id = $1 and (last_used_at is null or last_used_at <= $2::timestamptz - interval '1 minute')`,
);

/** Records a use, at most once a minute. */
export async function noteSigningKeyUse(db: Executor, id: string, nowIso: string): Promise<void> {
  await db.run(USED, [id, nowIso]);
}
