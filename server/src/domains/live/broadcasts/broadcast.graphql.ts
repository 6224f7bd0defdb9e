import type { EntityRef, Graph, RowScope } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { StoredText } from '../../../kernel/languages/message.ts';
import { errorTextOf } from '../../../platform/db/stored-text.ts';
import {
  isOpenContent,
  isSentEncrypted,
  MASTER_PLAYLIST,
  type MediaPermission,
  mediaPermission,
  packageAddress,
} from '../../assets/index.ts';
import { isMember } from '../../channels/index.ts';
import type { LiveRecording } from '../inputs/live-input-fields.ts';
import {
  livePrefixOf,
  openBroadcastOf,
  playedStreamOf,
  shownStateOf,
  storedTicksOf,
  waitingBroadcastOf,
} from './broadcast.sql.ts';
import { BROADCAST_STATES, type BroadcastState, END_REASONS, type EndReason, OPEN_STATES } from './broadcast-states.ts';
import { LIVE_MANIFEST, LIVE_NAME } from './live-names.ts';
import { storedRange } from './stored-range.ts';

interface Types {
  readonly LiveInput: EntityRef;
  readonly Stream: EntityRef;
  readonly TimeRange: EntityRef;
}

/** Declares the broadcast of a stream, and of the live input that receives it. */
export function declareBroadcasts(
  graph: Graph,
  { LiveInput, Stream, TimeRange }: Types,
): { readonly Broadcast: EntityRef; readonly BroadcastState: BroadcastStateRef } {
  const State = declareState(graph);
  const Broadcast = declareBroadcast(graph, State, TimeRange);
  const EncoderRefusal = graph.object('EncoderRefusal', {
    description: 'Why an encoder was refused, or its connection was closed.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When.' }),
      reason: f.value({ type: 'String', description: 'The reason, and what to change.' }),
    }),
  });
  graph.extend(Stream, (f) => ({
    broadcast: f.one({
      type: Broadcast,
      nullable: true,
      description: 'Its broadcast; null for a stream that was uploaded.',
      on: (child, s) => `${child}.content_id = ${s.t}.id`,
    }),
  }));
  graph.extend(LiveInput, (f) => ({
    state: f.column({
      type: State,
      description: 'State of the broadcast that it receives; IDLE without one.',
      sql: (s) => openBroadcastOf(s.t, 'state'),
      read: ([state]: [string | null]) => state ?? 'IDLE',
    }),
    lastRefusal: f.column({
      type: EncoderRefusal,
      nullable: true,
      description:
        'Why its last encoder was refused, or its connection was closed; null after the next one has gone live.',
      sql: (s) => [`${s.t}.refused_at`, errorTextOf(s.t)],
      read: ([at, text]: [string | null, StoredText | null], env) =>
        at === null || text === null ? null : { at, reason: localized(text, env.language) },
    }),
    preview: f.column({
      type: 'URL',
      nullable: true,
      description:
        'Absolute address of an HLS playlist with what its encoder sends, for six hours: whoever has it can watch. ' +
        'Null unless its broadcast waits for startBroadcast.',
      sql: (s) => waitingBroadcastOf(s.t),
      read: ([id]: [string | null], { services, nowMs }) =>
        id === null ? null : services.live.previewAddress(id, nowMs),
    }),
    currentStream: f.one({
      type: Stream,
      nullable: true,
      description: 'The stream that it makes; null while none can be played.',
      on: (child, s) => `${child}.id = ${playedStreamOf(s.t)} and ${child}.deleted_at is null`,
    }),
  }));
  return { Broadcast, BroadcastState: State };
}

export type BroadcastStateRef = ReturnType<typeof declareState>;

function declareState(graph: Graph) {
  const values = Object.fromEntries(
    Object.entries(BROADCAST_STATES).map(([name, { is }]) => [name, { description: is }]),
  ) as Record<BroadcastState, { description: string }>; // fromEntries widens the keys
  return graph.builder.enumType('BroadcastState', { description: 'State of a broadcast.', values });
}

function declareEndReason(graph: Graph) {
  const values = Object.fromEntries(
    Object.entries(END_REASONS).map(([name, description]) => [name, { description }]),
  ) as Record<EndReason, { description: string }>; // fromEntries widens the keys
  return graph.builder.enumType('BroadcastEndReason', { description: 'Why a broadcast ended.', values });
}

type AddressColumns = [prefix: string | null, permission: MediaPermission, isEncrypted: boolean];

function addressColumns(s: RowScope): string[] {
  const contentId = `${s.t}.content_id`;
  return [livePrefixOf(s.t), mediaPermission(contentId, s, isOpenContent(contentId)), isSentEncrypted(contentId)];
}

function declareHealth(graph: Graph) {
  return graph.object('BroadcastHealth', {
    description: 'What is measured of an encoder, over the last seconds.',
    fields: (f) => ({
      bitrateBps: f.value({ type: 'Int', description: 'What it sends, in bits per second.' }),
      frameRate: f.value({
        type: 'Float',
        nullable: true,
        description: 'Pictures in a second; null before it is known.',
      }),
      keyframeMs: f.value({
        type: 'Int',
        nullable: true,
        description:
          'Time between its last two keyframes in milliseconds, which is the length of segments; null before it is ' +
          'known. 2,000 is best.',
      }),
      lagMs: f.value({
        type: 'Int',
        description:
          'How far what arrives is behind the encoder, in milliseconds: where it grows, the connection of the ' +
          'encoder is too slow.',
      }),
      leftOutSizes: f.value({
        type: ['String'],
        description:
          'Smaller sizes, such as 720p, that viewers do not get for now, because this server has no CPU time to ' +
          'encode them.',
      }),
      minutesLeft: f.value({
        type: 'Int',
        nullable: true,
        description:
          "Minutes of broadcasts that are left this month in the plan of the channel's owner, after which it ends; " +
          'null before that is known.',
      }),
    }),
  });
}

function declareBroadcast(graph: Graph, State: BroadcastStateRef, TimeRange: EntityRef): EntityRef {
  const BroadcastHealth = declareHealth(graph);
  const EndReasonEnum = declareEndReason(graph);
  return graph.entity('Broadcast', {
    description: 'The broadcast of a stream, from its schedule to its recording.',
    table: 'broadcasts',
    fields: (f) => ({
      state: f.column({ type: State, description: 'Its state.', sql: (s) => shownStateOf(s.t) }),
      scheduledAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it is to begin, or was; null for one that was not scheduled.',
        sql: (s) => `${s.t}.scheduled_at`,
      }),
      startedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When its first picture arrived; null before.',
        sql: (s) => `${s.t}.started_at`,
      }),
      endedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it ended; null before.',
        sql: (s) => `${s.t}.ended_at`,
      }),
      endReason: f.column({
        type: EndReasonEnum,
        nullable: true,
        description: 'Why it ended; null before, and for non-members of the channel.',
        sql: (s) => [`${s.t}.end_reason`, isMember(s, `${s.t}.channel_id`)],
        read: ([reason, member]: [EndReason | null, boolean]) => (member ? reason : null),
      }),
      hls: f.column({
        type: 'URL',
        nullable: true,
        description:
          'Absolute address of its HLS master playlist; null once it is recorded: the outputAssets of the stream ' +
          'have the same address.',
        sql: addressColumns,
        read: ([prefix, permission]: AddressColumns, env) => packageAddress(env, prefix, permission, MASTER_PLAYLIST),
      }),
      dash: f.column({
        type: 'URL',
        nullable: true,
        description:
          'Absolute address of its MPEG-DASH manifest, with the segments of the HLS streams; null once it is ' +
          'recorded, and while it is sent encrypted (Channel.encryptPrivateVideos).',
        sql: addressColumns,
        read: ([prefix, permission, isEncrypted]: AddressColumns, env) =>
          isEncrypted ? null : packageAddress(env, prefix, permission, `${LIVE_NAME}/${LIVE_MANIFEST}`),
      }),
      missingMs: f.column({
        type: 'Int',
        description: 'How many milliseconds are missing in the recording, because they could not be stored.',
        sql: (s) => `${s.t}.missing_ms`,
      }),
      clippableRange: f.column({
        type: TimeRange,
        nullable: true,
        description:
          'While it is live: what createClip makes clips of, in milliseconds from its beginning. Null before ' +
          'something is stored, and once it has ended: then it is the whole recording.',
        sql: (s) => [...storedTicksOf(s.t), `${s.t}.recording`, `${s.t}.state in ${OPEN_STATES}`],
        read: ([startTicks, endTicks, recording, isOpen]: [number | null, number | null, LiveRecording, boolean]) =>
          isOpen ? storedRange({ startTicks, endTicks }, recording) : null,
      }),
      health: f.column({
        type: BroadcastHealth,
        nullable: true,
        description: 'What is measured of its encoder; null without one, and for non-members of the channel.',
        sql: (s) => [`${s.t}.health`, isMember(s, `${s.t}.channel_id`)],
        read: ([health, member]: [object | null, boolean]) =>
          member && health ? { leftOutSizes: [], minutesLeft: null, ...health } : null,
      }),
    }),
  });
}
