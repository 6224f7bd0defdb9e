import type { SubscriptionEvent } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Database } from '../../../platform/db/database.ts';
import { encodeCursor, type LogPosition } from '../events/event-cursor.ts';
import { type EventMessage, readPast } from './follow.store.ts';
import type { Audience, Listener, SubscriptionBroker } from './subscription-broker.ts';

/** The events a subscription follows. */
export interface Followed {
  readonly audience: Audience;
  /** Null for all. */
  readonly types: readonly string[] | null;
  /** Whether an event of those channels and types matches. */
  readonly wants: (message: EventMessage) => boolean;
  /** Continue after this position; null for new events only. */
  readonly after: LogPosition | null;
  /** Whether the first message is the current state, unless it continues after a position. */
  readonly startsWithState: boolean;
  /** The channel that is required for following; null for none. */
  readonly channelId: string | null;
  readonly signal: AbortSignal;
}

/**
 * Events in the order of the log, each exactly once: past events are read from the log, new ones come from the broker.
 * Everything after the returned promise is fulfilled is received; the listener is closed when the signal is aborted. A
 * slow consumer falls back to the log, so that memory stays bounded.
 */
export async function follow(
  broker: SubscriptionBroker,
  db: Database,
  followed: Followed,
): Promise<AsyncIterable<SubscriptionEvent>> {
  const { types, signal } = followed;
  const wants = (message: EventMessage) => (types === null || types.includes(message.type)) && followed.wants(message);
  const listening = await broker.listen(followed.audience, wants);
  const end = () => listening.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return readEvents(db, { ...followed, wants }, listening);
}

async function* readEvents(db: Database, followed: Followed, listening: Listener): AsyncGenerator<SubscriptionEvent> {
  const { audience, types, signal } = followed;
  try {
    if (listening.start === null) return;
    if (followed.after === null && followed.startsWithState) yield { cursor: encodeCursor(listening.start), item: {} };
    let done = followed.after ?? listening.start;
    let behind = followed.after !== null;
    for (;;) {
      const upTo: LogPosition = listening.position ?? listening.start;
      for (let more = behind; more; ) {
        const past = await readPast(db, done, upTo, [...audience.channelIds], types);
        for (const message of past) if (followed.wants(message)) yield itemOf(message);
        // The cursor of another instance may be beyond what this one has read.
        done = past.at(-1) ?? (isAfter(upTo, done) ? upTo : done);
        more = past.length > 0 && !signal.aborted;
      }
      const taken = await listening.take();
      if (taken === null) return;
      requireChannel(followed);
      behind = taken === 'behind';
      for (const message of taken === 'behind' ? [] : taken) {
        if (!isAfter(message, done)) continue;
        yield itemOf(message);
        done = message;
      }
    }
  } finally {
    listening.close();
  }
}

function itemOf(message: EventMessage): SubscriptionEvent {
  return { cursor: encodeCursor(message), item: { event: message.id, subject: message.subjectId } };
}

function isAfter(message: LogPosition, place: LogPosition): boolean {
  const [a, b] = [BigInt(message.xact), BigInt(place.xact)];
  return a > b || (a === b && BigInt(message.id) > BigInt(place.id));
}

/** A removed member gets an error, and the stream ends. */
function requireChannel({ channelId, audience }: Followed): void {
  if (channelId === null || audience.channelIds.has(channelId)) return;
  throw new AppError('UNAUTHORIZED', t`You are no longer a member of this channel.`, {
    field: 'channel',
    suggestedFix: t`Ask the channel's owner or a manager to add you again.`,
  });
}
