import type { ContentId } from '../../../kernel/ids.ts';
import type { Consumer } from '../../../platform/events/events.ts';
import { type EnhanceTools, enhanceIfRequested } from './enhance-video.ts';

/** Consumes asset.ready, and enhances the video if the owner requested it. */
export function enhanceWhenReady(tools: EnhanceTools): Consumer {
  return {
    name: 'catalog.enhance-when-ready',
    types: ['asset.ready'],
    // The subject of this event is a content.
    handle: (tx, event) => enhanceIfRequested(tools, tx, event.subjectId as ContentId),
  };
}
