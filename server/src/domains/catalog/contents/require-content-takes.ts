import { authorize } from '../../../kernel/policy.ts';
import type { RequireContentTakes } from '../../ingest/index.ts';
import { CONTENT_ACTIONS, checkHasVideo } from './content.policy.ts';
import { lockContent } from './contents.store.ts';

/**
 * Locks a content and throws unless the viewer may add a video or an image in its current state; used by every API
 * that opens uploads.
 */
export const requireContentTakes: RequireContentTakes = async (tx, { content, viewer, mediaKind, field }) => {
  const action = mediaKind === 'VIDEO' ? 'addVideo' : 'addImage';
  authorize(CONTENT_ACTIONS[action], await lockContent(tx, content, viewer), field);
  const none = mediaKind === 'VIDEO' ? checkHasVideo(content.kind, field) : null;
  if (none) throw none;
};
