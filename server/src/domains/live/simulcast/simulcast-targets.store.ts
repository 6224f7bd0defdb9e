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
import { MAX_SIMULCAST_TARGETS, MAX_SIMULCAST_TARGETS_OF_CHANNEL } from '../inputs/live-limits.ts';
import {
  SIMULCAST_TARGET_FIELDS,
  type SimulcastTargetChanges,
  type SimulcastTargetValues,
} from './simulcast-target-fields.ts';

export interface NewSimulcastTarget {
  readonly id: string;
  readonly inputId: string;
  readonly channelId: string;
  readonly values: SimulcastTargetValues;
  /** Sealed. */
  readonly streamKey: Buffer;
  readonly nowIso: string;
}

const LOCK_CHANNEL = sql(
  'lock_channel_simulcast_targets',
  `select pg_advisory_xact_lock(hashtextextended('simulcast targets ' || $1::text, 0))`,
);
const placeholders = new NumberedPlaceholders<SimulcastTargetValues>(6);
const inserted = insertion(placeholders, SIMULCAST_TARGET_FIELDS, (values) => values);
const INSERT = sql(
  'insert_simulcast_target',
  `insert into simulcast_targets (id, input_id, stream_key, created_at, updated_at, ${inserted.columns})
   select $1, $2, $4, $5, $5, ${inserted.values}
   where (select count(*) from simulcast_targets where input_id = $2) < ${MAX_SIMULCAST_TARGETS}
     and (select count(*) from simulcast_targets t join live_inputs i on i.id = t.input_id where i.channel_id = $3)
       < ${MAX_SIMULCAST_TARGETS_OF_CHANNEL}
   returning id`,
);

/** Adds a target; false when the live input or its channel has reached the limit. */
export async function insertSimulcastTarget(tx: Transaction, target: NewSimulcastTarget): Promise<boolean> {
  const { id, inputId, channelId, values, streamKey, nowIso } = target;
  await tx.run(LOCK_CHANNEL, [channelId]);
  const row = [id, inputId, channelId, streamKey, nowIso, ...placeholders.values(values)];
  return (await tx.run(INSERT, row)).length > 0;
}

/** A target as the commands see it, with the account's permissions. */
export interface SimulcastTargetFacts {
  readonly id: string;
  readonly inputId: string;
  readonly member: boolean;
  readonly may: boolean;
}

const FIND = sql(
  'find_simulcast_target',
  `select t.id, t.input_id as "inputId", ${isMember(SCOPED, 'i.channel_id', null)} as member,
     ${roleMay(SCOPED, 'i.channel_id', 'live:manage')} as may
   from simulcast_targets t join live_inputs i on i.id = t.input_id, ${viewerRow('$2')} where t.id = $1`,
);

/** The target with this id, and whether the viewer may change it; null when there is none. */
export function findSimulcastTarget(
  db: Executor,
  id: string,
  viewer: ViewerScope,
): Promise<SimulcastTargetFacts | null> {
  return db.first<SimulcastTargetFacts>(FIND, [id, viewer]);
}

const LOCK = sql(
  'lock_simulcast_target',
  `select ${presentValues('t', SIMULCAST_TARGET_FIELDS)} as present, t.stream_key as "streamKey"
   from simulcast_targets t where t.id = $1 for update`,
);

/** A target that is being changed. */
export interface LockedSimulcastTarget {
  readonly present: PresentValues;
  /** Sealed. */
  readonly streamKey: Buffer;
}

/** The present values of a target, locked until the transaction ends; null when there is none. */
export function lockSimulcastTarget(tx: Transaction, id: string): Promise<LockedSimulcastTarget | null> {
  return tx.first<LockedSimulcastTarget>(LOCK, [id]);
}

const changed = new NumberedPlaceholders<SimulcastTargetChanges>(5);
const UPDATE = sql(
  'update_simulcast_target',
  `update simulcast_targets t set
     ${assignments(changed, SIMULCAST_TARGET_FIELDS, 't', (changes) => changes)},
     stream_key = coalesce($3::bytea, t.stream_key), updated_at = $2,
     state = case when $4::boolean then null else t.state end,
     connection_id = case when $4::boolean then null else t.connection_id end,
     error_message = case when $4::boolean then null else t.error_message end,
     error_text = case when $4::boolean then null else t.error_text end
   where id = $1`,
);

export interface SimulcastTargetUpdate {
  readonly changes: SimulcastTargetChanges;
  /** Another stream key, sealed; null for the present one. */
  readonly streamKey: Buffer | null;
  /** Whether it is published elsewhere now, so that what was said of it does not count any more. */
  readonly isMoved: boolean;
  readonly nowIso: string;
}

export async function updateSimulcastTargetRow(
  db: Executor,
  id: string,
  { changes, streamKey, isMoved, nowIso }: SimulcastTargetUpdate,
): Promise<void> {
  await db.run(UPDATE, [id, nowIso, streamKey, isMoved, ...changed.values(changes)]);
}

const DELETE = sql('delete_simulcast_target', 'delete from simulcast_targets where id = $1');

/** Removes a target. */
export async function deleteSimulcastTargetRow(db: Executor, id: string): Promise<void> {
  await db.run(DELETE, [id]);
}

const IS_KEY_OF = sql('is_stream_key_of_input', 'select id from live_inputs where id = $1 and stream_key_hash = $2');

/** Whether this is the hash of the stream key of the live input. */
export async function isStreamKeyOf(db: Executor, inputId: string, hash: Buffer): Promise<boolean> {
  return (await db.first(IS_KEY_OF, [inputId, hash])) !== null;
}

const ENABLED = sql(
  'enabled_simulcast_targets',
  `select t.id, t.input_id as "inputId", t.name, t.url, t.stream_key as "streamKey" from simulcast_targets t
   where t.input_id = any($1::uuid[]) and t.is_enabled order by t.created_at, t.id`,
);

/** A target, as the process that receives the broadcast needs it. */
export interface EnabledTarget {
  readonly id: string;
  readonly inputId: string;
  readonly name: string;
  readonly url: string;
  /** Sealed. */
  readonly streamKey: Buffer;
}

/** The targets of these live inputs that are switched on. */
export function enabledTargets(db: Executor, inputIds: readonly string[]): Promise<EnabledTarget[]> {
  return db.run<EnabledTarget>(ENABLED, [inputIds]);
}

const REPORT = sql(
  'report_simulcast_target',
  `update simulcast_targets set state = $2, connection_id = $3, error_message = $4, error_text = $5
   where id = $1 and url = $6 and stream_key = $7`,
);

/** What is said of a target. */
export interface TargetReport {
  readonly state: 'CONNECTING' | 'LIVE' | 'RETRYING';
  /** Of the encoder. */
  readonly connectionId: string;
  /** As errors of jobs are stored; null for none. */
  readonly error: readonly [english: string, message: string | null] | null;
}

/** Notes the state of a target, unless it was changed meanwhile. */
export async function reportTarget(
  tx: Executor,
  { id, url, streamKey }: EnabledTarget,
  { state, connectionId, error }: TargetReport,
): Promise<void> {
  await tx.run(REPORT, [id, state, connectionId, error?.[0] ?? null, error?.[1] ?? null, url, streamKey]);
}
