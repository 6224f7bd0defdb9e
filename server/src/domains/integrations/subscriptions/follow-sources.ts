import type { SourceContext, SubscriptionEvent } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorizeChannel } from '../../channels/index.ts';
import { readCursor } from '../events/event-cursor.ts';
import { readEventTypes } from '../events/event-types.ts';
import { channelOf, type EventMessage, type FollowedObject, readMemberships } from './follow.store.ts';
import { type Followed, follow } from './follow.ts';

/** Options for following one object. */
export interface About {
  readonly types: readonly EventType[];
  /** Argument name of its identifier; defaults to `id`. */
  readonly field?: string;
  /** Whether the first message is its current state; defaults to true. */
  readonly startsWithState?: boolean;
  /** Filter of events; defaults to all. */
  readonly only?: (message: EventMessage) => boolean;
}

/** Follows the events of one content or job that the viewer may see. Throws RESOURCE_NOT_FOUND for any other. */
export async function followOne(
  context: SourceContext,
  object: FollowedObject,
  after: Maybe<string>,
  { types, field = 'id', startsWithState = true, only = () => true }: About,
): Promise<AsyncIterable<SubscriptionEvent>> {
  const { db } = context.services.integrations;
  const place = startPosition(context, after, 'after');
  const { id } = object;
  const channelId = await channelOf(db, object, context.scope);
  if (channelId === null) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field });
  return start(context, {
    audience: { viewer: null, channelIds: new Set([channelId]) },
    types,
    wants: (message) => (message.subjectId === id || message.contentId === id || message.jobId === id) && only(message),
    after: place,
    startsWithState,
    channelId: null,
    signal: context.signal,
  });
}

/** Arguments of eventsAfter. */
export interface LogArgs {
  readonly cursor?: Maybe<string>;
  readonly types?: readonly string[] | null | undefined;
  readonly channel?: Maybe<string>;
}

/** Follows the log of one channel or of all channels of the viewer. Throws as the query of a channel does. */
export async function followLog(
  context: SourceContext,
  { cursor, types, channel }: LogArgs,
): Promise<AsyncIterable<SubscriptionEvent>> {
  const { db } = context.services.integrations;
  const viewer = context.scope;
  const after = startPosition(context, cursor, 'cursor');
  const names = types == null ? null : readEventTypes(types, 'types');
  const channelId = channel == null ? null : context.parseDid(channel, ['channel'], 'channel').id;
  if (channelId !== null) {
    await authorizeChannel(db, { channelId, viewer, permission: 'event:read', field: 'channel' });
  }
  const channelIds = (await readMemberships(db, [viewer])).get(viewer) ?? new Set();
  const wants: Followed['wants'] = (message) => channelId === null || message.channelId === channelId;
  return start(context, {
    audience: { viewer, channelIds },
    types: names,
    wants,
    after,
    startsWithState: false,
    channelId,
    signal: context.signal,
  });
}

/** The header of a reconnecting browser overrides the argument, which still has its initial value. */
function startPosition(context: SourceContext, given: Maybe<string>, field: string) {
  const cursor = context.lastEventId ?? given ?? null;
  if (cursor === null) return null;
  const { logDays } = context.services.integrations;
  return readCursor(cursor, { nowMs: context.nowMs, logDays }, context.lastEventId === null ? field : 'Last-Event-ID');
}

function start({ services }: SourceContext, followed: Followed): Promise<AsyncIterable<SubscriptionEvent>> {
  const { broker, db } = services.integrations;
  return follow(broker, db, followed);
}
