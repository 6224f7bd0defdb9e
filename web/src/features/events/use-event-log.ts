import { useEffect, useState } from 'react';
import {
  type EventPartsFragment,
  EventsAfter,
  type EventsAfterResult,
  LatestEvents,
} from '../../gql/generated/operations.gen.ts';
import type { EventType } from '../../gql/generated/types.gen.ts';
import { api } from '../../lib/api.ts';
import { type SubscriptionState, subscribe } from '../../lib/subscribe.ts';

interface Log {
  /** Newest first. */
  readonly events: readonly EventPartsFragment[];
  /** Cursor for older events; null when there are none. */
  readonly older: string | null;
}

const NOTHING: Log = { events: [], older: null };
/** Maximum number of events on the page; older ones can be loaded again. */
const MOST = 500;

/** The latest events of a channel, then new ones; `types` filters both. */
export function useEventLog(channel: string, types: readonly EventType[] | null) {
  const [log, setLog] = useState<Log | null>(null);
  const [state, setState] = useState<SubscriptionState>('connecting');
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const chosen = types?.join() ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the types are compared by name
  useEffect(() => {
    setLog(null);
    setError(null);
    return followEvents(channel, types, { onLog: setLog, onState: setState, onError: setError });
  }, [channel, chosen, attempt]);
  const more = async (): Promise<void> => {
    const before = log?.older ?? null;
    const page = await latest(channel, types, before);
    // Ignored if another list is shown by now.
    setLog((known) =>
      known?.older === before ? { events: [...known.events, ...page.events], older: page.older } : known,
    );
  };
  return { log, state, error, more, again: () => setAttempt((attempts) => attempts + 1) };
}

interface Watcher {
  readonly onLog: (change: Log | ((known: Log | null) => Log)) => void;
  readonly onState: (state: SubscriptionState) => void;
  readonly onError: (error: unknown) => void;
}

/** Emits the latest events, then each new one, until the returned function is called. */
function followEvents(
  channel: string,
  types: readonly EventType[] | null,
  { onLog, onState, onError }: Watcher,
): () => void {
  let stop: (() => void) | null = null;
  let over = false;
  const add = (events: readonly EventPartsFragment[]): void =>
    onLog((known) => events.reduceRight(withEvent, known ?? NOTHING));
  const catchUp = async (): Promise<void> => {
    const { events } = await latest(channel, types, null);
    if (!over) add(events);
  };
  const begin = async (): Promise<void> => {
    const page = await latest(channel, types, null);
    if (over) return;
    onLog(page);
    const cursor = page.events[0]?.cursor ?? null;
    const onStreamState = (state: SubscriptionState): void => {
      onState(state);
      // Without a cursor, events between the first request and the start of the stream would be missing.
      if (state === 'live' && cursor === null) catchUp().catch(() => undefined);
    };
    const onMessage = ({ eventsAfter }: EventsAfterResult): void => {
      if (eventsAfter) add([eventsAfter]);
    };
    stop = subscribe(EventsAfter, { channel, types, cursor }, { onMessage, onState: onStreamState, onError });
  };
  begin().catch((failure: unknown) => !over && onError(failure));
  return () => {
    over = true;
    stop?.();
  };
}

async function latest(channel: string, types: readonly EventType[] | null, before: string | null): Promise<Log> {
  const { events } = await api(LatestEvents, { channel, types, before });
  if (!events) return NOTHING;
  const { hasPreviousPage, startCursor } = events.pageInfo;
  return { events: events.edges.map(({ node }) => node).reverse(), older: hasPreviousPage ? startCursor : null };
}

function withEvent({ events, older }: Log, event: EventPartsFragment): Log {
  if (events.some(({ id }) => id === event.id)) return { events, older };
  if (events.length < MOST) return { events: [event, ...events], older };
  const kept = events.slice(0, MOST - 1);
  return { events: [event, ...kept], older: kept.at(-1)?.cursor ?? older };
}
