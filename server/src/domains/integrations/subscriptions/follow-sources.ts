import type { SubscriptionContext, SubscriptionEvent } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorizeChannel, requireAccount } from '../../channels/index.ts';
import { readCursor } from '../events/event-cursor.ts';
import { readEventTypes } from '../events/event-types.ts';
import { channelOf, type EventMessage, readMemberships } from './follow.store.ts';
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

/** Follows the events of one content or job that the account may see. Throws RESOURCE_NOT_FOUND for any other. */
export async function followOne(
  context: SubscriptionContext,
  what: 'content' | 'job',
  id: string,
  after: Maybe<string>,
  { types, field = 'id', startsWithState = true, only = () => true }: About,
): Promise<AsyncIterable<SubscriptionEvent>> {
  const { db } = context.services.integrations;
  const place = startPosition(context, after, 'after');
  const channelId = await channelOf(db, what, id, requireAccount(context).accountId);
  if (channelId === null) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field });
  return start(context, {
    audience: { accountId: null, channelIds: new Set([channelId]) },
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

/** Follows the log of one channel or of all channels of the account. Throws as the query of a channel does. */
export async function followLog(
  context: SubscriptionContext,
  { cursor, types, channel }: LogArgs,
): Promise<AsyncIterable<SubscriptionEvent>> {
  const { db } = context.services.integrations;
  const { accountId, token } = requireAccount(context);
  const after = startPosition(context, cursor, 'cursor');
  const names = types == null ? null : readEventTypes(types, 'types');
  const channelId = channel == null ? null : context.parseDid(channel, ['channel'], 'channel').id;
  if (channelId !== null) {
    await authorizeChannel(db, { channelId, accountId, token, permission: 'event:read', field: 'channel' });
  }
  const channelIds = (await readMemberships(db, [accountId])).get(accountId) ?? new Set();
  const wants: Followed['wants'] = (message) => channelId === null || message.channelId === channelId;
  return start(context, {
    audience: { accountId, channelIds },
    types: names,
    wants,
    after,
    startsWithState: false,
    channelId,
    signal: context.signal,
  });
}

/** The header of a reconnecting browser overrides the argument, which still has its initial value. */
function startPosition(context: SubscriptionContext, given: Maybe<string>, field: string) {
  const cursor = context.lastEventId ?? given ?? null;
  if (cursor === null) return null;
  const { logDays } = context.services.integrations;
  return readCursor(cursor, { nowMs: context.nowMs, logDays }, context.lastEventId === null ? field : 'Last-Event-ID');
}

function start({ services }: SubscriptionContext, followed: Followed): Promise<AsyncIterable<SubscriptionEvent>> {
  const { broker, db } = services.integrations;
  return follow(broker, db, followed);
}
