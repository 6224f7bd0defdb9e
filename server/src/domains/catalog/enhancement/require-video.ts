import { authorize } from '../../../kernel/policy.ts';
import { CONTENT_CHANGE, checkHasVideo } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import type { FoundContent } from '../contents/contents.store.ts';

/** The content, if the account may change it and it is one with a video. @throws AppError otherwise. */
export function requireVideo(found: FoundContent | null, { kind }: ContentTarget): FoundContent {
  authorize(CONTENT_CHANGE, found, 'id');
  const none = checkHasVideo(kind, 'id');
  if (none) throw none;
  return found;
}
