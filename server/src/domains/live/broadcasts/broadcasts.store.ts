import type { Text } from '../../../kernel/languages/message.ts';
import type { Executor, Transaction } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { storedError } from '../../../platform/db/stored-text.ts';
import type { LiveLatency, LiveRecording, LiveVisibility } from '../inputs/live-input-fields.ts';
import { awaitsStart } from './broadcast.sql.ts';
import { type BroadcastState, DEAD_MS, type EndReason, OPEN_STATES } from './broadcast-states.ts';

/** A broadcast, as the process that receives it needs it. */
export interface Broadcast {
  readonly id: string;
  readonly inputId: string;
  readonly channelId: string;
  /** Null until it is live, unless it was scheduled. */
  readonly contentId: string | null;
  /** Null until it is live. */
  readonly videoAssetId: string | null;
  /** When its first picture arrived; null until it is live. */
  readonly startedAt: string | null;
  readonly latency: LiveLatency;
  readonly recording: LiveRecording;
  /** Whether it begins only with startBroadcast. */
  readonly awaitsStart: boolean;
}

/** SQL: the columns of a broadcast `b`. */
export const BROADCAST_COLUMNS = `b.id, b.input_id as "inputId", b.channel_id as "channelId",
  b.content_id as "contentId", b.video_asset_id as "videoAssetId", b.started_at as "startedAt", b.latency, b.recording,
  ${awaitsStart('b')} as "awaitsStart"`;

/** SQL: whether a process receives the broadcast. The connection of one that is silent stays, since it may go on. */
const hasEncoder = (now: string): string =>
  `(b.connection_id is not null and b.heartbeat_at > ${now}::timestamptz - interval '${DEAD_MS} ms')`;

/** What an encoder that connects finds. */
export interface EncoderTarget {
  readonly channelId: string;
  readonly name: string;
  readonly visibility: LiveVisibility;
  readonly isSuspended: boolean;
  /** Encoders are refused until then, after the channel ended a broadcast; null when they are not. */
  readonly refusedUntil: string | null;
  readonly lastAttemptAt: string | null;
  readonly open: (Broadcast & { readonly hasEncoder: boolean }) | null;
}

const LOCK = sql(
  'lock_live_input_for_encoder',
  'select id from live_inputs where id = $1 and (stream_key_hash = $2 or srt_passphrase = $2) for update',
);
const TARGET = sql(
  'encoder_target',
  `select i.channel_id as "channelId", i.name, i.visibility,
     exists (select 1 from channel_members m join accounts a on a.id = m.account_id
       where m.channel_id = i.channel_id and m.role = 'OWNER' and a.suspended_at is not null) as "isSuspended",
     i.refused_until as "refusedUntil", i.last_attempt_at as "lastAttemptAt",
     (select to_jsonb(o) from (select ${BROADCAST_COLUMNS}, ${hasEncoder('$2')} as "hasEncoder" from broadcasts b
       where b.input_id = i.id and b.state in ${OPEN_STATES}) o) as open
   from live_inputs i where i.id = $1`,
);

/**
 * An input, locked so that encoders are accepted one after the other; null when the hash of the stream key, or the
 * sealed passphrase, that the encoder has shown is not its own.
 */
export async function lockEncoderTarget(
  tx: Transaction,
  inputId: string,
  shown: Buffer,
  nowIso: string,
): Promise<EncoderTarget | null> {
  if (!(await tx.first(LOCK, [inputId, shown]))) return null;
  return tx.first<EncoderTarget>(TARGET, [inputId, nowIso]);
}

const BEGIN = sql(
  'begin_broadcast',
  `insert into broadcasts as b (id, input_id, channel_id, state, latency, recording, reconnect_window_ms, start_mode,
     connected_at, connection_id, node, heartbeat_at)
   select $2, i.id, i.channel_id, 'CONNECTED', case when ch.encrypt_private_videos then 'NORMAL' else i.latency end,
     i.recording, i.reconnect_window_ms, i.start_mode, $4, $3, $5, $4
   from live_inputs i join channels ch on ch.id = i.channel_id where i.id = $1
   returning ${BROADCAST_COLUMNS}`,
);

/** A new broadcast of an input. Where private videos are encrypted it has no parts, which cannot be. */
export async function beginBroadcast(
  tx: Transaction,
  { inputId, id, connectionId, node, nowIso }: Record<'inputId' | 'id' | 'connectionId' | 'node' | 'nowIso', string>,
): Promise<Broadcast> {
  const begun = await tx.first<Broadcast>(BEGIN, [inputId, id, connectionId, nowIso, node]);
  if (!begun) throw new Error('The live input is locked and does not exist.');
  return begun;
}

const AGAIN = sql(
  'encoder_is_back',
  `update broadcasts set connection_id = $2, node = $4, heartbeat_at = $3,
     state = case when video_asset_id is null then 'CONNECTED' else 'RECONNECTING' end,
     reconnect_until = case when video_asset_id is null then null
       else $3::timestamptz + reconnect_window_ms * interval '1 ms' end
   where id = $1`,
);

/** An encoder continues a broadcast whose last one is gone. */
export async function continueBroadcast(
  tx: Transaction,
  id: string,
  { connectionId, node, nowIso }: Record<'connectionId' | 'node' | 'nowIso', string>,
): Promise<void> {
  await tx.run(AGAIN, [id, connectionId, nowIso, node]);
}

const LIVE = sql(
  'broadcast_live',
  `update broadcasts set state = 'LIVE', content_id = $3, video_asset_id = $4, reconnect_until = null,
     started_at = coalesce(started_at, $5::timestamptz)
   where id = $1 and connection_id = $2 and state in ${OPEN_STATES} returning old.state`,
);

/** It can be played, or again. Its state before; null when the connection is no longer the one of the broadcast. */
export async function markLive(
  tx: Executor,
  id: string,
  connectionId: string,
  stream: { readonly contentId: string; readonly videoAssetId: string; readonly startedAt: string },
): Promise<BroadcastState | null> {
  const { contentId, videoAssetId, startedAt } = stream;
  const values = [id, connectionId, contentId, videoAssetId, startedAt];
  return (await tx.first<{ state: BroadcastState }>(LIVE, values))?.state ?? null;
}

const FORGET = sql(
  'forget_broadcast',
  `with waiting as (
     update broadcasts set state = 'SCHEDULED', connection_id = null, connected_at = null, heartbeat_at = null,
       node = null, health = null, start_requested_at = null
     where id = $1 and connection_id = $2 and state = 'CONNECTED' and scheduled_at is not null returning id
   ),
   gone as (
     delete from broadcasts where id = $1 and connection_id = $2 and state = 'CONNECTED' and scheduled_at is null
     returning id
   )
   select id from waiting union all select id from gone`,
);

/** Forgets a broadcast of which nothing was played: one that was scheduled waits again. Whether it was one. */
export async function forgetUnplayed(tx: Executor, id: string, connectionId: string): Promise<boolean> {
  return (await tx.run(FORGET, [id, connectionId])).length > 0;
}

const LOST = sql(
  'encoder_lost',
  `update broadcasts set state = 'RECONNECTING', connection_id = null, health = null,
     reconnect_until = $3::timestamptz + reconnect_window_ms * interval '1 ms'
   where id = $1 and connection_id = $2 and state in ('LIVE', 'RECONNECTING')
   returning content_id as "contentId", channel_id as "channelId"`,
);

/** A stream whose state changed. */
export interface ChangedStream {
  readonly contentId: string;
  readonly channelId: string;
}

/** The encoder is gone, and may come back; null when another one has taken over. */
export function markReconnecting(
  tx: Executor,
  id: string,
  connectionId: string,
  nowIso: string,
): Promise<ChangedStream | null> {
  return tx.first<ChangedStream>(LOST, [id, connectionId, nowIso]);
}

const SILENT = sql(
  'broadcast_silent',
  `update broadcasts set state = 'RECONNECTING', health = null,
     reconnect_until = $3::timestamptz + reconnect_window_ms * interval '1 ms'
   where id = $1 and connection_id = $2 and state = 'LIVE'
     and heartbeat_at <= $3::timestamptz - interval '${DEAD_MS} ms'
   returning content_id as "contentId", channel_id as "channelId"`,
);

/**
 * The process that received it is dead, or cannot reach the database and will say so; null when it has given a sign of
 * life again.
 */
export function markSilent(
  tx: Executor,
  id: string,
  connectionId: string,
  nowIso: string,
): Promise<ChangedStream | null> {
  return tx.first<ChangedStream>(SILENT, [id, connectionId, nowIso]);
}

const END = sql(
  'end_broadcast',
  `update broadcasts set state = 'ENDED', ended_at = $2, connection_id = null, heartbeat_at = null, health = null,
     reconnect_until = null, end_reason = case when input_id is null then 'REMOVED' else $4 end
   where id = $1 and state in ('LIVE', 'RECONNECTING') and ($3::uuid is null or connection_id = $3)
   returning content_id as "contentId", channel_id as "channelId", input_id as "inputId", end_reason as reason`,
);

/** A stream whose broadcast has ended. */
export interface EndedStream extends ChangedStream {
  /** Null where it is deleted. */
  readonly inputId: string | null;
  readonly reason: EndReason;
}

/** Ends a broadcast, with `connectionId` only while it is that of its encoder; null when it had ended. */
export function markEnded(
  tx: Executor,
  id: string,
  { nowIso, connectionId, reason }: { nowIso: string; connectionId: string | null; reason: EndReason },
): Promise<EndedStream | null> {
  return tx.first<EndedStream>(END, [id, nowIso, connectionId, reason]);
}

const HOLD_OFF = sql(
  'hold_off_encoders',
  'update live_inputs set refused_until = $2, last_attempt_at = $3 where id = $1',
);

/** Has an input refuse encoders until a time. */
export async function holdOff(tx: Executor, inputId: string, untilIso: string, nowIso: string): Promise<void> {
  await tx.run(HOLD_OFF, [inputId, untilIso, nowIso]);
}

const REFUSED = sql(
  'encoder_refused',
  'update live_inputs set refused_at = $2, error_message = $3, error_text = $4 where id = $1',
);

/** Notes why an encoder was refused, or its connection closed. */
export async function noteRefusal(db: Executor, inputId: string, reason: Text, nowIso: string): Promise<void> {
  await db.run(REFUSED, [inputId, nowIso, ...storedError(reason)]);
}

const ADMITTED = sql(
  'encoder_admitted',
  `update live_inputs set refused_at = null, error_message = null, error_text = null
   where id = $1 and refused_at is not null`,
);

/** Forgets why an earlier encoder was refused. */
export async function forgetRefusal(tx: Executor, inputId: string): Promise<void> {
  await tx.run(ADMITTED, [inputId]);
}

/** What a process says of a broadcast that it receives. */
export interface SignOfLife {
  readonly id: string;
  readonly connectionId: string;
  /** JSON; null as long as nothing is known. */
  readonly health: string | null;
}

const HEARTBEAT = sql(
  'broadcast_heartbeats',
  `update broadcasts b set heartbeat_at = $4, health = s.health::jsonb
   from unnest($1::uuid[], $2::uuid[], $3::text[]) as s (id, connection, health)
   where b.id = s.id and b.connection_id = s.connection and b.state in ${OPEN_STATES} and b.input_id is not null
     and not exists (select 1 from contents c where c.id = b.content_id
       and (c.deleted_at is not null or c.taken_down_at is not null))
     and not exists (select 1 from channel_members m join accounts a on a.id = m.account_id
       where m.channel_id = b.channel_id and m.role = 'OWNER' and a.suspended_at is not null)
   returning b.id, b.state, ${awaitsStart('b')} as "awaitsStart"`,
);

/** A broadcast that may go on. */
export type LivingBroadcast = Pick<Broadcast, 'awaitsStart'> & { readonly state: BroadcastState };

/**
 * Says that these broadcasts are being received; returns those that may go on, with their states. The others were
 * ended, or their input or stream was deleted, or their account suspended.
 */
export async function keepAlive(
  db: Executor,
  signs: readonly SignOfLife[],
  nowIso: string,
): Promise<Map<string, LivingBroadcast>> {
  const columns = [signs.map(({ id }) => id), signs.map(({ connectionId }) => connectionId)];
  const values = [...columns, signs.map(({ health }) => health), nowIso];
  const rows = await db.run<{ id: string } & LivingBroadcast>(HEARTBEAT, values);
  return new Map(rows.map(({ id, state, awaitsStart }) => [id, { state, awaitsStart }]));
}

const OVERDUE = sql(
  'overdue_broadcasts',
  `select b.id, b.state, b.connection_id as "connectionId" from broadcasts b
   where b.id <> all($2::uuid[]) and (
     (b.state = 'RECONNECTING' and b.reconnect_until <= $1 and (b.connection_id is null
       or b.heartbeat_at <= $1::timestamptz - interval '${DEAD_MS} ms'))
     or (b.state in ('CONNECTED', 'LIVE') and b.heartbeat_at <= $1::timestamptz - interval '${DEAD_MS} ms')
     or (b.state in ('LIVE', 'RECONNECTING') and b.connection_id is null and b.input_id is null))
   limit 100`,
);

/** A broadcast that no process receives any more. */
export interface OverdueBroadcast {
  readonly id: string;
  readonly state: 'CONNECTED' | 'LIVE' | 'RECONNECTING';
  readonly connectionId: string | null;
}

/** Broadcasts whose reconnect window is over, and those of processes that died, but for some. */
export function overdueBroadcasts(
  db: Executor,
  nowIso: string,
  except: readonly string[],
): Promise<OverdueBroadcast[]> {
  return db.run<OverdueBroadcast>(OVERDUE, [nowIso, except]);
}

const OF_VIDEO = sql(
  'open_broadcast_of_video',
  `select ${BROADCAST_COLUMNS}, ${hasEncoder('$2')} as "hasEncoder", b.node from broadcasts b
   where b.video_asset_id = $1 and b.state in ('LIVE', 'RECONNECTING')`,
);

/** A broadcast that goes on. */
export interface OpenBroadcast extends Broadcast {
  /** Whether a process receives it. */
  readonly hasEncoder: boolean;
  /** Where other processes reach that one, or the last one; null where that did not say. */
  readonly node: string | null;
}

/** The broadcast that this video is, while that goes on; null for others. */
export function openBroadcastOfVideo(
  db: Executor,
  videoAssetId: string,
  nowIso: string,
): Promise<OpenBroadcast | null> {
  return db.first<OpenBroadcast>(OF_VIDEO, [videoAssetId, nowIso]);
}

const OPEN = sql(
  'open_broadcasts',
  `select b.id, case when ${hasEncoder('$2')} then b.connection_id end as "connectionId" from broadcasts b
   where b.id = any($1::uuid[]) and b.state in ${OPEN_STATES}`,
);

/** Those of the broadcasts that have not ended, and the connections of their encoders; null without one. */
export async function openBroadcasts(
  db: Executor,
  ids: readonly string[],
  nowIso: string,
): Promise<Map<string, string | null>> {
  const rows = await db.run<{ id: string; connectionId: string | null }>(OPEN, [ids, nowIso]);
  return new Map(rows.map(({ id, connectionId }) => [id, connectionId]));
}

const OF_STREAM = sql(
  'broadcast_of_stream',
  `select b.id, b.state in ('LIVE', 'RECONNECTING') as "isOpen", ${hasEncoder('$2')} as "hasEncoder"
   from broadcasts b where b.content_id = $1`,
);

/** The broadcast of a stream; null for one that was uploaded. */
export function broadcastOfStream(
  tx: Executor,
  contentId: string,
  nowIso: string,
): Promise<{ id: string; isOpen: boolean; hasEncoder: boolean } | null> {
  return tx.first(OF_STREAM, [contentId, nowIso]);
}

const NODE = sql(
  'node_of_waiting_broadcast',
  `select b.node from broadcasts b where b.id = $1 and ${awaitsStart('b')} and ${hasEncoder('$2')}`,
);

/** Where other processes reach the one that receives a broadcast that waits to be started; null where there is none. */
export async function nodeOfWaiting(db: Executor, id: string, nowIso: string): Promise<string | null> {
  return (await db.first<{ node: string | null }>(NODE, [id, nowIso]))?.node ?? null;
}
