import type { Clock } from '../../../platform/clock.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { forgetNotified, notifyOf, notifyOfInvitation, notifyOfLive } from './notify.store.ts';

/** Writes notifications of what happened, with the cursor of the event log: each once. */
export function notifyConsumer({ clock, mails }: { readonly clock: Clock; readonly mails: boolean }): Consumer {
  return {
    name: 'social.notifications',
    types: [
      ...['comment.created', 'comment.updated', 'content.published', 'content.updated', 'stream.live'],
      ...['asset.ready', 'asset.failed', 'member.invited', 'report.resolved'],
    ] as const,
    async handle(tx, event) {
      const { subjectId } = event;
      const at = { nowMs: clock.now(), mails };
      switch (event.type) {
        case 'comment.created':
          await notifyOf(tx, 'COMMENT_REPLY', subjectId, at);
          break;
        case 'comment.updated':
          if (says(event, 'approved')) await notifyOf(tx, 'COMMENT_REPLY', subjectId, at);
          if (says(event, 'hearted')) await notifyOf(tx, 'COMMENT_HEART', subjectId, at);
          break;
        case 'content.published':
          await notifyOf(tx, 'NEW_VIDEO', subjectId, at);
          break;
        case 'content.updated': // it may have become public
        case 'stream.live':
          await notifyOfLive(tx, subjectId, at);
          break;
        case 'member.invited':
          await notifyOfInvitation(tx, subjectId, at.nowMs);
          break;
        case 'report.resolved':
          await notifyOf(tx, 'REPORT_REVIEWED', subjectId, at);
          break;
        case 'asset.ready':
          await forgetNotified(tx, 'PROCESSING_FAILED', subjectId);
          await notifyOf(tx, 'PROCESSING_DONE', subjectId, at);
          break;
        case 'asset.failed':
          await forgetNotified(tx, 'PROCESSING_FAILED', subjectId);
          await notifyOf(tx, 'PROCESSING_FAILED', subjectId, at);
          break;
      }
    },
  };
}

const says = ({ payload }: LoggedEvent, name: string): boolean => payload[name] === true;
