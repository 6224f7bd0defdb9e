import { useEffect, useState } from 'react';
import { type EventPartsFragment, FollowEvents, LatestEvents } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { type FollowState, follow } from '../../lib/follow.ts';

interface Log {
  /** Newest first. */
  readonly events: readonly EventPartsFragment[];
  /** Where older ones are asked for; null when there are none. */
  readonly older: string | null;
}

const NOTHING: Log = { events: [], older: null };
/** Events that the page keeps; older ones are a page away. */
const MOST = 500;

/** The latest events of a channel, then those that happen; `types` narrows both. */
export function useEventLog(channel: string, types: readonly string[] | null) {
  const [log, setLog] = useState<Log | null>(null);
  const [state, setState] = useState<FollowState>('connecting');
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const chosen = types?.join() ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the types are compared by name
  useEffect(() => {
    let stop: (() => void) | null = null;
    let over = false;
    setLog(null);
    setError(null);
    const begin = async (): Promise<void> => {
      const page = await latest(channel, types, null);
      if (over) return;
      setLog(page);
      // Without a place to go on from, the first event would be lost that happens before the stream begins.
      const cursor = page.events[0]?.cursor ?? null;
      stop = follow(
        FollowEvents,
        { channel, types, cursor },
        {
          onMessage: ({ eventsAfter }) => eventsAfter && setLog((known) => withEvent(known ?? NOTHING, eventsAfter)),
          onState: setState,
          onError: setError,
        },
      );
    };
    begin().catch((failure: unknown) => !over && setError(failure));
    return () => {
      over = true;
      stop?.();
    };
  }, [channel, chosen, attempt]);
  const more = async (): Promise<void> => {
    const before = log?.older ?? null;
    const page = await latest(channel, types, before);
    // Meanwhile another list may be shown, in which these have no place.
    setLog((known) => (known?.older === before ? { events: [...known.events, ...page.events], older: page.older } : known));
  };
  return { log, state, error, more, again: () => setAttempt((made) => made + 1) };
}

async function latest(channel: string, types: readonly string[] | null, before: string | null): Promise<Log> {
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
