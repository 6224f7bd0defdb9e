import type { Clock } from '../../../platform/clock.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { publishIfAsked } from './publication.store.ts';

/** Hears that a video is ready and publishes its content, if the owner asked for that when the video was sent. */
export function publishWhenReady(clock: Clock): Consumer {
  return {
    name: 'catalog.publish-when-ready',
    types: ['asset.ready'],
    handle: (tx, event) => publishIfAsked(tx, event.subjectId, clock.now()),
  };
}
