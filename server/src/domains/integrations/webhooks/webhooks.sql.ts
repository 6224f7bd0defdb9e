import type { RowScope } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';

/** SQL: whether the viewer manages the webhook of a delivery. */
export function isVisibleDelivery(delivery: string, s: Pick<RowScope, 'viewer'>): string {
  return (
    `exists (select 1 from webhooks w where w.id = ${delivery}.webhook_id ` +
    `and ${mayInChannel(s, 'w.channel_id', 'webhook:manage')})`
  );
}
