import { formatDid } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { aboutOf } from '../events/event-subject.ts';
import { ALL_EVENT_TYPES } from '../events/event-types.ts';
import { findWantedEvent, insertDeliveries } from './deliveries.store.ts';
import { eventData } from './event-data.ts';
import { GIVE_UP_MS } from './webhook-retries.ts';

/**
 * Consumes every event and creates one delivery for each subscribed webhook of its channel, in the transaction of the
 * consumer's cursor, so exactly one is created.
 */
export function deliverEvents({ clock, namespace }: { clock: Clock; namespace: string }): Consumer {
  const names = { did: (kind: Parameters<typeof formatDid>[1], id: string) => formatDid(namespace, kind, id) };
  return {
    name: 'integrations.webhooks',
    types: ALL_EVENT_TYPES,
    async handle(tx, { id }) {
      const event = await findWantedEvent(tx, id);
      if (!event) return;
      const nowMs = clock.now();
      await insertDeliveries(
        tx,
        event.webhookIds.map(() => newId(nowMs)),
        event.webhookIds,
        {
          eventId: id,
          eventType: event.type,
          aboutId: aboutOf(event),
          data: eventData(event, names),
          occurredAt: event.createdAt,
          nowIso: new Date(nowMs).toISOString(),
          expiresIso: new Date(nowMs + GIVE_UP_MS).toISOString(),
        },
      );
    },
  };
}
