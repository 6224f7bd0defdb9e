import type { Clock } from '../../../platform/clock.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { dropFailedVideo } from './replaced-videos.store.ts';

/**
 * Consumes job.updated: a replacement that failed or was cancelled is removed, and the earlier video of the content is
 * played as before.
 */
export function keepReplaced(clock: Clock): Consumer {
  return {
    name: 'assets.keep-replaced',
    types: ['job.updated'],
    async handle(tx, { subjectId, payload: { status } }) {
      if (status !== 'ERROR' && status !== 'CANCELLED') return;
      const kept = await dropFailedVideo(tx, subjectId, new Date(clock.now()).toISOString());
      if (kept)
        await appendEvent(tx, { type: 'content.updated', channelId: kept.channelId, subjectId: kept.id, payload: {} });
    },
  };
}
