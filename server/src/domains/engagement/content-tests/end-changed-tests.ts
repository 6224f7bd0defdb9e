import type { Consumer } from '../../../platform/events/events.ts';
import type { Platform } from '../../../platform/platform.ts';
import { endTest, lockRunningTest, readShownContent } from './content-tests.store.ts';
import { endByChange } from './decide-test.ts';

/**
 * Ends the running test of a content whose title or images were changed, or that is no longer public: viewers would no
 * longer see what is compared.
 */
export function endChangedTests({ clock }: Pick<Platform, 'clock'>): Consumer {
  return {
    name: 'end-changed-tests',
    types: ['content.updated', 'content.unpublished', 'content.deleted', 'image.ready'],
    async handle(tx, { type, subjectId, payload }) {
      const contentId = type === 'image.ready' ? payload.contentId : subjectId;
      if (typeof contentId !== 'string') return;
      // Most contents have none, and need no lock.
      const shown = await readShownContent(tx, contentId);
      if (!shown?.hasRunningTest) return;
      const test = await lockRunningTest(tx, contentId);
      const end = test && endByChange(test);
      if (end) await endTest(tx, test, end, { nowMs: clock.now(), applied: false });
    },
  };
}
