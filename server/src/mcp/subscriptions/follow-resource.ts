import type { SubscriptionMessage } from '../../gql/requests.ts';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { type EventType, eventTypeName } from '../../kernel/event-types.ts';
import { kindOfResource, noResource } from '../resources.ts';
import { type AgentEngine, type Caller, failureOf } from '../session/caller.ts';

/** Events of a channel that change what its resource shows: texts and latest contents. */
const CHANNEL_EVENTS: readonly EventType[] = [
  'channel.updated',
  'channel.transferred',
  'content.published',
  'content.unpublished',
  'content.updated',
  'content.deleted',
  'content.restored',
];

/** A stream of the API for each kind of resource that changes while the server runs. */
const STREAMS = {
  content: {
    query: 'subscription ContentResource($id: DID!) { contentUpdated(id: $id) { id } }',
    startsWithState: true,
  },
  channel: {
    query:
      'subscription ChannelResource($id: DID!, $types: [EventType!]) ' +
      '{ eventsAfter(channel: $id, types: $types) { id } }',
    startsWithState: false,
  },
} as const;

export interface Following {
  readonly engine: AgentEngine;
  readonly caller: Caller;
  /** Ends following. */
  readonly signal: AbortSignal;
  /** Called when the resource may read differently, also when the caller may not read it any more. */
  readonly changed: () => void;
  /** Called when following ended for a reason that may pass; the client has to ask again. */
  readonly lost: () => void;
}

/**
 * Follows a resource by the API's own streams, which read the event log once for all clients of the process. Resolves
 * when following has begun. Throws the API's errors when the caller may not see the resource, or its events.
 */
export async function followResource(uri: string, { engine, caller, ...following }: Following): Promise<void> {
  const kind = kindOfResource(uri);
  if (kind === null) throw noResource(uri);
  if (kind === 'document') return;
  const { query, startsWithState } = STREAMS[kind];
  const { credential, requestId, clientAddress, client } = caller;
  const started = await engine.subscribe({
    ...{ query, variables: { id: uri, ...(kind === 'channel' ? { types: CHANNEL_EVENTS.map(eventTypeName) } : {}) } },
    ...{ credential, requestId, clientAddress, client, signal: following.signal, queriesOnly: false },
  });
  if (started.kind === 'stream') void report(started.messages, startsWithState ? 1 : 0, following);
  else throw failureOf(engine, started.result, started.result.failure ?? 'INTERNAL_SERVER_ERROR');
}

/** Whether an error says that a resource cannot be followed, rather than not now. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && [400, 403, 404].includes(error.httpStatus);
}

/** Whether the caller may follow a resource. Throws as `followResource` does. */
export async function requireFollowing(uri: string, { engine, caller }: Pick<Following, 'engine' | 'caller'>) {
  const trial = new AbortController();
  try {
    await followResource(uri, { engine, caller, signal: trial.signal, changed: () => {}, lost: () => {} });
  } finally {
    trial.abort();
  }
}

/** The stream never rejects: its last message may be an error, for example that the content is hidden now. */
async function report(
  messages: AsyncIterable<SubscriptionMessage>,
  skipped: number,
  { signal, changed, lost }: Pick<Following, 'signal' | 'changed' | 'lost'>,
): Promise<void> {
  let left = skipped;
  for await (const { body } of messages) {
    if (signal.aborted) return;
    const code = body.errors?.[0]?.extensions?.['code'];
    if (code && !isRefusal(new AppError(code as ErrorCode))) return lost(); // rendered from an AppError
    // What was hidden before its state was read begins with that.
    if (left > 0 && !code) left -= 1;
    else changed();
  }
}
