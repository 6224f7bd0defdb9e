import type { Clock } from '../../../platform/clock.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { publishIfRequested } from './publication.store.ts';

/** Consumes asset.playable and asset.ready, and publishes the content if the owner requested it. */
export function publishWhenReady(clock: Clock): Consumer {
  return {
    name: 'catalog.publish-when-ready',
    types: ['asset.playable', 'asset.ready'],
    handle: (tx, event) => publishIfRequested(tx, event.subjectId, clock.now()),
  };
}
