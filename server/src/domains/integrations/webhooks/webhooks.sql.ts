import type { RowScope } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';

/** SQL: whether the viewer manages the webhook of a delivery. */
export function isVisibleDelivery(delivery: string, s: Pick<RowScope, 'viewer' | 'credential'>): string {
  return (
    `exists (select 1 from webhooks w where w.id = ${delivery}.webhook_id ` +
    `and ${mayInChannel(s, 'w.channel_id', 'webhook:manage')})`
  );
}

/** SQL: whether a webhook (alias) subscribes to the type of an event (alias), by name or by a wildcard. */
export function subscribesTo(webhook: string, event: string): string {
  return `${webhook}.events && array[${event}.type, split_part(${event}.type, '.', 1) || '.*', '*']`;
}

/** SQL: a column of the event (alias e) of a delivery, as text; null once the event is deleted. */
export function ofDeliveredEvent(delivery: string, column: string): string {
  return `(select (${column})::text from events e where e.id = ${delivery}.event_id)`;
}
