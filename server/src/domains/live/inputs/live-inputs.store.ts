import {
  assignments,
  insertion,
  NumberedPlaceholders,
  type PresentValues,
  presentValues,
  type ViewerScope,
  viewerRow,
} from '../../../gql/index.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isMember, roleMay, SCOPED } from '../../channels/index.ts';
import { LIVE_INPUT_FIELDS, type LiveInputChanges, type LiveInputValues } from './live-input-fields.ts';
import { MAX_LIVE_INPUTS } from './live-limits.ts';
import type { StoredStreamKey } from './stream-key.ts';

export interface NewLiveInput {
  readonly id: string;
  readonly channelId: string;
  readonly values: LiveInputValues;
  readonly key: StoredStreamKey;
  readonly nowIso: string;
}

const LOCK_CHANNEL = sql(
  'lock_channel_live_inputs',
  `select pg_advisory_xact_lock(hashtextextended('live inputs ' || $1::text, 0))`,
);
const placeholders = new NumberedPlaceholders<LiveInputValues>(6);
const inserted = insertion(placeholders, LIVE_INPUT_FIELDS, (values) => values);
const INSERT = sql(
  'insert_live_input',
  `insert into live_inputs (id, channel_id, stream_key, stream_key_hash, created_at, updated_at, ${inserted.columns})
   select $1, $2, $3, $4, $5, $5, ${inserted.values}
   where (select count(*) from live_inputs where channel_id = $2) < ${MAX_LIVE_INPUTS} returning id`,
);

/** Adds a live input; false when the channel has reached the limit. */
export async function insertLiveInput(tx: Transaction, input: NewLiveInput): Promise<boolean> {
  const { id, channelId, values, key, nowIso } = input;
  await tx.run(LOCK_CHANNEL, [channelId]);
  const row = [id, channelId, key.sealed, key.hash, nowIso, ...placeholders.values(values)];
  return (await tx.run(INSERT, row)).length > 0;
}

/** A live input as the commands see it, with the account's permissions. */
export interface LiveInputFacts {
  readonly id: string;
  readonly channelId: string;
  readonly member: boolean;
  readonly may: boolean;
}

const FIND = sql(
  'find_live_input',
  `select i.id, i.channel_id as "channelId", ${isMember(SCOPED, 'i.channel_id', null)} as member,
     ${roleMay(SCOPED, 'i.channel_id', 'live:manage')} as may
   from live_inputs i, ${viewerRow('$2')} where i.id = $1`,
);

/** The input with this id, and whether the viewer may change it; null when there is none. */
export function findLiveInput(db: Executor, id: string, viewer: ViewerScope): Promise<LiveInputFacts | null> {
  return db.first<LiveInputFacts>(FIND, [id, viewer]);
}

const LOCK = sql(
  'lock_live_input',
  `select ${presentValues('i', LIVE_INPUT_FIELDS)} as present from live_inputs i where i.id = $1 for update`,
);

/** The present values of an input and their revision, locked until the transaction ends; null when there is none. */
export async function lockLiveInput(tx: Transaction, id: string): Promise<PresentValues | null> {
  return (await tx.first<{ present: PresentValues }>(LOCK, [id]))?.present ?? null;
}

const changed = new NumberedPlaceholders<LiveInputChanges>(3);
const UPDATE = sql(
  'update_live_input',
  `update live_inputs i set ${assignments(changed, LIVE_INPUT_FIELDS, 'i', (changes) => changes)}, updated_at = $2
   where id = $1`,
);

export async function updateLiveInputRow(
  db: Executor,
  id: string,
  changes: LiveInputChanges,
  nowIso: string,
): Promise<void> {
  await db.run(UPDATE, [id, nowIso, ...changed.values(changes)]);
}

const DELETE = sql('delete_live_input', 'delete from live_inputs where id = $1');

/** Removes an input. What it is receiving ends. */
export async function deleteLiveInputRow(db: Executor, id: string): Promise<void> {
  await db.run(DELETE, [id]);
}

const ROTATE = sql(
  'rotate_stream_key',
  'update live_inputs set stream_key = $2, stream_key_hash = $3, updated_at = $4 where id = $1',
);

/** Replaces the stream key at once; a broadcast that runs goes on. */
export async function replaceStreamKey(db: Executor, id: string, key: StoredStreamKey, nowIso: string): Promise<void> {
  await db.run(ROTATE, [id, key.sealed, key.hash, nowIso]);
}

/** An input that a publisher named by its key. */
export interface PublishedInput {
  readonly id: string;
  readonly channelId: string;
}

const BY_KEY = sql(
  'live_input_of_key',
  `select i.id, i.channel_id as "channelId" from live_inputs i where i.stream_key_hash = $1`,
);

/** The input with this key; null when there is none. */
export function liveInputOfKey(db: Executor, hash: Buffer): Promise<PublishedInput | null> {
  return db.first<PublishedInput>(BY_KEY, [hash]);
}
