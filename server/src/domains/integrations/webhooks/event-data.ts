import type { RequestEnv } from '../../../gql/index.ts';
import { publicPayload, subjectDid } from '../events/event-subject.ts';
import type { WantedEvent } from './deliveries.store.ts';

/** The property `data` of the message about an event. */
export function eventData(
  event: Omit<WantedEvent, 'webhookIds' | 'createdAt'>,
  names: Pick<RequestEnv, 'did'>,
): Readonly<Record<string, unknown>> {
  return {
    id: names.did('event', event.uid),
    channel: names.did('channel', event.channelId),
    subject: subjectDid(event, names),
    payload: publicPayload(event, names),
  };
}
