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
import { liveInputsOf } from './live-inputs.sql.ts';
import { MAX_LIVE_INPUTS } from './live-limits.ts';
import type { StoredStreamKey } from './stream-key.ts';

/** Where an input receives SRT, and the sealed passphrase. */
export interface StoredSrt {
  readonly port: number;
  readonly passphrase: Buffer;
}

export interface NewLiveInput {
  readonly id: string;
  readonly channelId: string;
  readonly values: LiveInputValues;
  readonly key: StoredStreamKey;
  /** Null unless it receives SRT. */
  readonly srt: StoredSrt | null;
  readonly nowIso: string;
}

const LOCK_CHANNEL = sql(
  'lock_channel_live_inputs',
  `select pg_advisory_xact_lock(hashtextextended('live inputs ' || $1::text, 0))`,
);
const placeholders = new NumberedPlaceholders<LiveInputValues>(8);
const inserted = insertion(placeholders, LIVE_INPUT_FIELDS, (values) => values);
const INSERT = sql(
  'insert_live_input',
  `insert into live_inputs (id, channel_id, stream_key, stream_key_hash, created_at, updated_at, srt_port,
     srt_passphrase, ${inserted.columns})
   select $1, $2, $3, $4, $5, $5, $6::integer, $7::bytea, ${inserted.values}
   where (select count(*) from live_inputs where channel_id = $2) < ${MAX_LIVE_INPUTS} returning id`,
);

/** Adds a live input; false when the channel has reached the limit. */
export async function insertLiveInput(tx: Transaction, input: NewLiveInput): Promise<boolean> {
  const { id, channelId, values, key, srt, nowIso } = input;
  await tx.run(LOCK_CHANNEL, [channelId]);
  const fixed = [id, channelId, key.sealed, key.hash, nowIso, srt?.port ?? null, srt?.passphrase ?? null];
  const row = [...fixed, ...placeholders.values(values)];
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
  `select ${presentValues('i', LIVE_INPUT_FIELDS)} as present, i.srt_port as port, i.srt_passphrase as passphrase
   from live_inputs i where i.id = $1 for update`,
);

/** An input that is being changed. */
export interface LockedLiveInput {
  readonly present: PresentValues;
  readonly srt: StoredSrt | null;
}

/** The present values of an input and their revision, locked until the transaction ends; null when there is none. */
export async function lockLiveInput(tx: Transaction, id: string): Promise<LockedLiveInput | null> {
  type Row = { present: PresentValues; port: number | null; passphrase: Buffer | null };
  const row = await tx.first<Row>(LOCK, [id]);
  if (!row) return null;
  const { present, port, passphrase } = row;
  return { present, srt: port !== null && passphrase !== null ? { port, passphrase } : null };
}

const LOCK_PORTS = sql('lock_srt_ports', `select pg_advisory_xact_lock(hashtextextended('ports of SRT', 0))`);
const FREE_PORT = sql(
  'free_srt_port',
  `select port from unnest($1::integer[]) port where not exists (select 1 from live_inputs where srt_port = port)
   order by port limit 1`,
);

/** The first of the ports that no input has, kept for this transaction; null when all are taken. */
export async function takeSrtPort(tx: Transaction, ports: readonly number[]): Promise<number | null> {
  await tx.run(LOCK_PORTS, []);
  return (await tx.first<{ port: number }>(FREE_PORT, [ports]))?.port ?? null;
}

const WITH_PORTS = sql(
  'live_inputs_with_srt_ports',
  `select i.id, i.srt_port as port, i.srt_passphrase as passphrase from live_inputs i
   where i.srt_port = any($1::integer[])`,
);

/** An input that receives SRT. */
export interface SrtInput extends StoredSrt {
  readonly id: string;
}

/** The inputs that receive SRT on one of the ports. */
export function srtInputs(db: Executor, ports: readonly number[]): Promise<SrtInput[]> {
  return db.run<SrtInput>(WITH_PORTS, [ports]);
}

const changed = new NumberedPlaceholders<LiveInputChanges>(5);
const UPDATE = sql(
  'update_live_input',
  `update live_inputs i set ${assignments(changed, LIVE_INPUT_FIELDS, 'i', (changes) => changes)}, updated_at = $2,
     srt_port = $3, srt_passphrase = $4
   where id = $1`,
);

/** Changes an input; `srt` is what it has then. */
export async function updateLiveInputRow(
  db: Executor,
  id: string,
  { changes, srt, nowIso }: { changes: LiveInputChanges; srt: StoredSrt | null; nowIso: string },
): Promise<void> {
  await db.run(UPDATE, [id, nowIso, srt?.port ?? null, srt?.passphrase ?? null, ...changed.values(changes)]);
}

const DELETE = sql('delete_live_input', 'delete from live_inputs where id = $1');

/** Removes an input. What it is receiving ends. */
export async function deleteLiveInputRow(db: Executor, id: string): Promise<void> {
  await db.run(DELETE, [id]);
}

const ROTATE = sql(
  'rotate_stream_key',
  `update live_inputs set stream_key = $2, stream_key_hash = $3, srt_passphrase = case when srt then $4::bytea end,
     updated_at = $5
   where id = $1`,
);

/** What replaces the credentials of an input. */
export interface NewCredentials {
  readonly key: StoredStreamKey;
  /** Of SRT, sealed; unused where the input does not receive it. */
  readonly passphrase: Buffer;
}

/** Replaces the stream key and the passphrase at once; a broadcast that runs goes on. */
export async function replaceCredentials(
  db: Executor,
  id: string,
  { key, passphrase }: NewCredentials,
  nowIso: string,
): Promise<void> {
  await db.run(ROTATE, [id, key.sealed, key.hash, passphrase, nowIso]);
}

/** An input to which an encoder publishes. */
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

const BY_ID = sql('live_input_channel', 'select i.id, i.channel_id as "channelId" from live_inputs i where i.id = $1');

/** The input with this id; null when there is none. */
export function liveInputOf(db: Executor, id: string): Promise<PublishedInput | null> {
  return db.first<PublishedInput>(BY_ID, [id]);
}

const INPUTS = sql('live_inputs_of_account', `select ${liveInputsOf('$1')} as count`);

/** How many live inputs the channels of an account have. */
export async function liveInputCount(tx: Executor, accountId: string): Promise<number> {
  return (await tx.first<{ count: number }>(INPUTS, [accountId]))?.count ?? 0;
}
