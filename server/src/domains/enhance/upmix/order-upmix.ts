import { AppError } from '../../../kernel/errors.ts';
import type { ContentId, JobId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { planUpmix, UPMIX, type UpmixLayout } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { creditsFor } from '../../assets/index.ts';
import {
  type ChosenEnhancement,
  costsOf,
  type EnhanceableVideo,
  type EnhancementTools,
  removeEnhancement,
  startEnhancement,
} from '../additions/order-enhancement.ts';

/** What is made. A type: stored as JSON. */
export type ChosenUpmix = { readonly layout: UpmixLayout };

interface UpmixOrder {
  readonly contentId: ContentId;
  /** Null: what was ordered before, or 5.1. */
  readonly layout: UpmixLayout | null;
  readonly again: boolean;
  readonly field: string;
}

/**
 * Has the newest video of a content upmixed, in the caller's transaction: see `startEnhancement`.
 * @throws AppError INVALID_INPUT naming `field` where there is nothing to upmix, with the reason.
 */
export function startUpmix(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, layout, again, field }: UpmixOrder,
): Promise<JobId> {
  const choose = ({ plan }: EnhanceableVideo, ordered: object | null): ChosenEnhancement => {
    requireUpmixable(plan, field);
    // What was ordered was stored here.
    const input: ChosenUpmix = { layout: layout ?? (ordered as ChosenUpmix | null)?.layout ?? '5.1' };
    const upmix = planUpmix(plan, { layout: input.layout, gain: 1 });
    return { input, credits: upmixCredits(plan), costs: costsOf(upmix, upmixPlanningMs(plan)) };
  };
  return startEnhancement(tools, tx, { contentId, kind: 'UPMIX', choose, again, field });
}

/** CPU time that measuring the sound of a video takes, in ms. Pure. */
export function upmixPlanningMs({ facts: { durationMs } }: EnhanceableVideo['plan']): number {
  return (durationMs ?? 0) * UPMIX.measuringCost;
}

/** Credits that the upmix of a video takes. Pure. */
export function upmixCredits({ facts: { durationMs } }: EnhanceableVideo['plan']): number {
  return creditsFor({ kind: 'UPMIX' }, durationMs ?? 0);
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
    throw new AppError('INVALID_INPUT', t`This video has no sound.`, {
      field,
      suggestedFix: t`Upload a video with a track in mono or stereo.`,
    });
  if (audio.channels > 2)
    throw new AppError('INVALID_INPUT', t`The sound of this video has ${audio.channels} channels already.`, {
      field,
      suggestedFix: t`Only mono and stereo are upmixed; sound in 5.1 is offered as it is.`,
    });
}
