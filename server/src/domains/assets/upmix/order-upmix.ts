import { AppError } from '../../../kernel/errors.ts';
import type { ContentId, JobId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import {
  type EnhanceableVideo,
  type EnhancementTools,
  removeEnhancement,
  startEnhancement,
} from '../additions/order-enhancement.ts';

/**
 * Has the newest video of a content upmixed, in the caller's transaction: see `startEnhancement`.
 * @throws AppError INVALID_INPUT naming `field` where there is nothing to upmix, with the reason.
 */
export function startUpmix(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, again, field }: { readonly contentId: ContentId; readonly again: boolean; readonly field: string },
): Promise<JobId> {
  const choose = (plan: EnhanceableVideo['plan']) => {
    requireUpmixable(plan, field);
    return {};
  };
  return startEnhancement(tools, tx, { contentId, kind: 'UPMIX', choose, again, field });
}

/**
 * Removes the upmix of a content; false where there is none. The original stays as it is.
 * @throws AppError INVALID_INPUT naming `field` while it is being made.
 */
export function removeUpmix(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, field }: { readonly contentId: ContentId; readonly field: string },
): Promise<boolean> {
  return removeEnhancement(tools, tx, { contentId, kind: 'UPMIX', field });
}

/** @throws AppError INVALID_INPUT naming `field` where the sound of a video cannot be upmixed, with the reason. */
export function requireUpmixable({ facts: { audio } }: EnhanceableVideo['plan'], field: string): void {
  if (audio === null)
    throw new AppError('INVALID_INPUT', 'This video has no sound.', {
      field,
      suggestedFix: 'Upload a video with a track in mono or stereo.',
    });
  if (audio.channels > 2)
    throw new AppError('INVALID_INPUT', `The sound of this video has ${audio.channels} channels already.`, {
      field,
      suggestedFix: 'Only mono and stereo are upmixed; sound in 5.1 is offered as it is.',
    });
}
