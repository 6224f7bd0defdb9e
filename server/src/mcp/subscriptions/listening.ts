import {
  isJSONRPCRequest,
  type JSONRPCRequest,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { HttpError } from '../../http/errors.ts';
import { type Following, followResource, isRefusal } from './follow-resource.ts';

/** Resources of one stream, and of one session. */
export const MAX_SUBSCRIPTIONS = 100;

const Filter = z.looseObject({
  notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()) }),
});

/** Whether a message opens a stream (MCP 2026-07-28 "Subscriptions"). */
export function isListenRequest(message: unknown): message is JSONRPCRequest {
  return isJSONRPCRequest(message) && message.method === 'subscriptions/listen';
}

/** What a request for a stream gets. */
export interface Listening {
  /** The request, with the resources only that the caller may follow: the SDK acknowledges these. */
  readonly message: object;
  /** Where the SDK takes events from. */
  readonly bus: ServerEventBus;
}

/**
 * Begins to follow the resources of a `subscriptions/listen`; null for any other message. Following ends with the
 * signal.
 */
export async function listenTo(message: unknown, following: Omit<Following, 'changed'>): Promise<Listening | null> {
  if (!isListenRequest(message)) return null;
  const { data: params } = Filter.safeParse(message.params);
  if (!params) return null; // no resources, or invalid: the SDK responds
  const requested = [...new Set(params.notifications.resourceSubscriptions)];
  if (requested.length > MAX_SUBSCRIPTIONS)
    throw new HttpError(400, 'INVALID_INPUT', `A stream follows at most ${MAX_SUBSCRIPTIONS} resources.`, {
      field: 'resourceSubscriptions',
      suggestedFix: 'Follow the others in another stream.',
    });
  const bus = new ListenerBus();
  const followed = await Promise.all(
    requested.map((uri) =>
      isFollowed(uri, { ...following, changed: () => bus.publish({ kind: 'resource_updated', uri }) }),
    ),
  );
  const resourceSubscriptions = requested.filter((_, index) => followed[index]);
  const notifications = { ...params.notifications, resourceSubscriptions };
  return { message: { ...message, params: { ...params, notifications } }, bus };
}

/** A resource that the caller may not follow is left out, as the protocol has it, like one that there is not. */
async function isFollowed(uri: string, following: Following): Promise<boolean> {
  try {
    await followResource(uri, following);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Events of one stream. */
class ListenerBus implements ServerEventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
