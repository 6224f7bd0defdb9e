import type { EntityRef, Graph } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { eventTypeName, type EventType as Type } from '../../../kernel/event-types.ts';
import { mayInChannel } from '../../channels/index.ts';
import { encodeCursor, logOrder, RETENTION_DAYS, requireRecent } from './event-cursor.ts';
import { contentKindOfEvent, type EventFacts, publicPayload, subjectDid } from './event-subject.ts';
import type { EventTypeRef } from './event-types.ts';
import { eventCount, isSettled, readableChannels } from './events.sql.ts';

interface Types {
  readonly EventType: EventTypeRef;
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
}

/** Maximum of totalCount. */
const MAX_COUNTED = 1_000;

/** Declares the event log: `Event` and `events`. */
export function declareEvents(graph: Graph, types: Types): EntityRef {
  const Event = declareEvent(graph, types);
  graph.queryConnection('events', {
    access: 'event:read',
    type: Event,
    nullable: true,
    denied: { field: 'channel' },
    description:
      `Events of the channels that the caller is a member of, of the last ${RETENTION_DAYS} days, oldest first. To ` +
      'follow the log, keep pageInfo.endCursor and pass it as after: no event is skipped and none is repeated, ' +
      `whatever is written meanwhile. totalCount counts at most ${MAX_COUNTED} events.`,
    args: (t) => ({
      types: t.field({ type: [types.EventType], description: 'Only events of these types.' }),
      channel: t.field({ type: 'DID', description: 'Only events of this channel.' }),
    }),
    cost: [{ points: 10, if: { applies: (args) => args.given('types'), when: 'with types' } }],
    within: { of: readableChannels, on: (child, channel) => `${child}.channel_id = ${channel}` },
    where: isSettled,
    visibleIf: (s, args) =>
      args.given('channel') ? mayInChannel(s, args.id('channel', ['channel']), 'event:read') : 'true',
    order: { by: logOrder, direction: 'asc' },
    checkCursor: (values, env, argument) =>
      requireRecent(values, { nowMs: env.nowMs, logDays: env.services.integrations.logDays }, argument),
    total: (s, args) => eventCount(s, args, MAX_COUNTED),
  });
  return Event;
}

function declareEvent(graph: Graph, { Node, Channel, EventType }: Types): EntityRef {
  const facts = (event: string) => [
    `${event}.type`,
    `${event}.subject_id`,
    `${event}.payload`,
    contentKindOfEvent(event),
  ];
  type Facts = [Type, string, EventFacts['payload'], ContentKind | null];
  const factsOf = ([type, subjectId, payload, contentKind]: Facts): EventFacts => ({
    type,
    subjectId,
    payload,
    contentKind,
  });
  return graph.entity('Event', {
    description: `An event in a channel. Events are kept for ${RETENTION_DAYS} days.`,
    table: 'events',
    key: 'uid',
    interfaces: [Node],
    node: { kinds: ['event'], where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'event:read') },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description:
          'Id of the event; the same in queries, streams and webhooks, so that receivers can detect repetitions.',
        sql: (s) => `${s.t}.uid`,
        read: ([uid]: [string], env) => env.did('event', uid),
      }),
      type: f.column({
        type: EventType,
        description: 'What happened.',
        sql: (s) => `${s.t}.type`,
        read: ([type]: [string]) => eventTypeName(type),
      }),
      channel: f.one({
        type: Channel,
        nullable: true,
        description: 'Channel of the event; null once the channel is deleted.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      channelId: f.column({
        type: 'DID',
        description: 'Id of the channel.',
        sql: (s) => `${s.t}.channel_id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      subject: f.column({
        type: 'DID',
        description: 'Id of the object of the event, for node(id): the content, comment, playlist, job, upload, …',
        sql: (s) => facts(s.t),
        read: (values: Facts, env) => subjectDid(factsOf(values), env),
      }),
      payload: f.column({
        type: 'JSON',
        description:
          'Details that depend on the type: an object whose members are listed in docs/events.md. Ids are DIDs.',
        sql: (s) => facts(s.t),
        read: (values: Facts, env) => publicPayload(factsOf(values), env),
      }),
      cursor: f.column({
        type: 'String',
        description: 'Position of the event in the log, for events(after) and eventsAfter(cursor).',
        sql: (s) => logOrder(s.t).map((column) => `(${column})::text`),
        read: ([xact, id, createdAt]: [string, string, string]) => encodeCursor({ xact, id, createdAt }),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it happened.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}
