import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { awaitsStart } from '../broadcasts/broadcast.sql.ts';
import { type BroadcastState, UNBEGUN_STATES } from '../broadcasts/broadcast-states.ts';
import { BROADCAST_COLUMNS, type Broadcast } from '../broadcasts/broadcasts.store.ts';
import type { LiveVisibility } from '../inputs/live-input-fields.ts';
import { EARLY_MS, LATE_MS } from './schedule-limits.ts';

const LOCK_INPUT = sql(
  'lock_live_input_for_schedule',
  'select i.visibility from live_inputs i where i.id = $1 and i.channel_id = $2 for update',
);
const COUNT = sql(
  'scheduled_broadcasts_of_input',
  `select count(*)::integer as scheduled from broadcasts b
   where b.input_id = $1 and b.state = 'SCHEDULED' and b.content_id is distinct from $2`,
);

/** A live input for which broadcasts are scheduled. */
export interface ScheduleInput {
  /** Of its streams. */
  readonly visibility: LiveVisibility;
  /** How many other broadcasts of it are scheduled. */
  readonly scheduled: number;
}

/** A live input of a channel, locked; null when there is none. `contentId`: the stream that is scheduled again. */
export async function lockScheduleInput(
  tx: Transaction,
  inputId: string,
  channelId: string,
  contentId: string | null,
): Promise<ScheduleInput | null> {
  const input = await tx.first<Pick<ScheduleInput, 'visibility'>>(LOCK_INPUT, [inputId, channelId]);
  if (!input) return null;
  // Once the input is locked, so that its limit is exact.
  const counted = await tx.first<{ scheduled: number }>(COUNT, [inputId, contentId]);
  return { ...input, scheduled: counted?.scheduled ?? 0 };
}

const INSERT = sql(
  'insert_scheduled_broadcast',
  `insert into broadcasts (id, input_id, channel_id, state, content_id, scheduled_at, latency, recording,
     reconnect_window_ms)
   select $1, i.id, i.channel_id, 'SCHEDULED', $3, $4, i.latency, i.recording, i.reconnect_window_ms
   from live_inputs i where i.id = $2`,
);

/** Schedules a broadcast of a stream. */
export async function insertScheduled(
  tx: Transaction,
  { id, inputId, contentId, scheduledAt }: Record<'id' | 'inputId' | 'contentId' | 'scheduledAt', string>,
): Promise<void> {
  await tx.run(INSERT, [id, inputId, contentId, scheduledAt]);
}

const OF_STREAM = sql(
  'schedule_of_stream',
  `select b.state, b.input_id as "inputId", b.scheduled_at as "scheduledAt",
     exists (select 1 from video_assets v where v.content_id = b.content_id) as "hasVideo"
   from broadcasts b where b.content_id = $1 and b.state in ${UNBEGUN_STATES}`,
);

/** A broadcast that was scheduled and has not begun. */
export interface Schedule {
  readonly state: Extract<BroadcastState, 'SCHEDULED' | 'MISSED' | 'CANCELED'>;
  /** Null once the live input is deleted. */
  readonly inputId: string | null;
  readonly scheduledAt: string;
  /** Whether a video was uploaded for the stream instead. */
  readonly hasVideo: boolean;
}

/** The schedule of a stream, which the caller has locked; null without one, and after it has begun. */
export function scheduleOfStream(tx: Transaction, contentId: string): Promise<Schedule | null> {
  return tx.first<Schedule>(OF_STREAM, [contentId]);
}

const AWAITS = sql('stream_awaits_start', `select 1 from broadcasts b where b.content_id = $1 and ${awaitsStart('b')}`);

/** Whether an encoder sends for the stream, which waits for startBroadcast. */
export async function isAwaitingStart(tx: Transaction, contentId: string): Promise<boolean> {
  return (await tx.first(AWAITS, [contentId])) !== null;
}

const RESCHEDULE = sql(
  'reschedule_broadcast',
  `update broadcasts set state = 'SCHEDULED', input_id = $2, scheduled_at = $3
   where content_id = $1 and state in ${UNBEGUN_STATES} returning id`,
);

/** Gives the broadcast of a stream another time, and a live input; false when it has begun. */
export async function reschedule(
  tx: Transaction,
  { contentId, inputId, scheduledAt }: Record<'contentId' | 'inputId' | 'scheduledAt', string>,
): Promise<boolean> {
  return (await tx.run(RESCHEDULE, [contentId, inputId, scheduledAt])).length > 0;
}

const CANCEL = sql(
  'cancel_scheduled_broadcast',
  `update broadcasts set state = 'CANCELED' where content_id = $1 and state = 'SCHEDULED' returning id`,
);

/** Cancels the scheduled broadcast of a stream; false when none is scheduled. */
export async function markCanceled(tx: Transaction, contentId: string): Promise<boolean> {
  return (await tx.run(CANCEL, [contentId])).length > 0;
}

const TAKE = sql(
  'take_scheduled_broadcast',
  `update broadcasts b set state = 'CONNECTED', connected_at = $4, connection_id = $2, node = $3, heartbeat_at = $4,
     latency = case when ch.encrypt_private_videos then 'NORMAL' else i.latency end, recording = i.recording,
     reconnect_window_ms = i.reconnect_window_ms, start_mode = i.start_mode
   from live_inputs i join channels ch on ch.id = i.channel_id
   where i.id = $1 and b.id = (
     select d.id from broadcasts d join contents c on c.id = d.content_id
     where d.input_id = $1 and d.state = 'SCHEDULED'
       and d.scheduled_at <= $4::timestamptz + interval '${EARLY_MS} ms'
       and d.scheduled_at > $4::timestamptz - interval '${LATE_MS} ms'
       and c.deleted_at is null and c.taken_down_at is null
       and not exists (select 1 from video_assets v where v.content_id = c.id)
     order by abs(extract(epoch from d.scheduled_at - $4::timestamptz)), d.scheduled_at, d.id limit 1 for update of d)
   returning ${BROADCAST_COLUMNS}`,
);

/**
 * The scheduled broadcast of an input that is due now, taken by an encoder; of several, the one whose time is nearest.
 * Null when none is due. Where private videos are encrypted it has no parts, which cannot be.
 */
export function takeScheduled(
  tx: Transaction,
  { inputId, connectionId, node, nowIso }: Record<'inputId' | 'connectionId' | 'node' | 'nowIso', string>,
): Promise<Broadcast | null> {
  return tx.first<Broadcast>(TAKE, [inputId, connectionId, node, nowIso]);
}

/** SQL: broadcasts that do not take place: their time is long over, or they have no live input. */
const FAILED = `b.state = 'SCHEDULED' and (b.input_id is null
  or b.scheduled_at <= $1::timestamptz - interval '${LATE_MS} ms')`;
const MISSED = sql(
  'missed_broadcasts',
  `select b.content_id as id from broadcasts b where ${FAILED} and b.content_id <> all($2::uuid[])
   order by b.scheduled_at limit 100`,
);

/** The streams of scheduled broadcasts that do not take place, but for some. */
export async function missedStreams(db: Executor, nowIso: string, except: readonly string[]): Promise<string[]> {
  return (await db.run<{ id: string }>(MISSED, [nowIso, except])).map(({ id }) => id);
}

const LOCK_STREAM = sql('lock_missed_stream', 'select id from contents where id = $1 for update');
const GIVE_UP = sql(
  'give_up_scheduled_broadcast',
  `update broadcasts b set state = case when b.input_id is null then 'CANCELED' else 'MISSED' end
   where b.content_id = $2 and ${FAILED}
   returning b.state, b.channel_id as "channelId",
     exists (select 1 from video_assets v where v.content_id = b.content_id) as "hasVideo"`,
);

/** A broadcast that does not take place. */
export interface GivenUp {
  readonly state: Extract<BroadcastState, 'MISSED' | 'CANCELED'>;
  readonly channelId: string;
  /** Whether a video was uploaded for the stream instead. */
  readonly hasVideo: boolean;
}

/** Gives the scheduled broadcast of a stream up; null when it may take place. */
export async function giveUp(tx: Transaction, contentId: string, nowIso: string): Promise<GivenUp | null> {
  await tx.run(LOCK_STREAM, [contentId]); // as everything else locks them: the stream before its broadcast
  return tx.first<GivenUp>(GIVE_UP, [nowIso, contentId]);
}
