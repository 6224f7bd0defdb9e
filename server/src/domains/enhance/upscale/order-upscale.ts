import { AppError } from '../../../kernel/errors.ts';
import type { ContentId, JobId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import {
  gateSeconds,
  planUpscale,
  type UpscaleFactor,
  type UpscalePlan,
  type UpscaleTarget,
  upscaleTargets,
} from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { creditsFor } from '../../assets/index.ts';
import {
  costsOf,
  type EnhanceableVideo,
  type EnhancementTools,
  removeEnhancement,
  startEnhancement,
} from '../additions/order-enhancement.ts';
import { sizeBeside } from '../codecs/plan-codec-job.ts';
import { type OfferedModel, offeredModels } from './offered-models.ts';

/** What is asked for. */
export interface UpscaleInput {
  /** Nominal lines; default the most with twice the size, otherwise the fewest. */
  readonly target?: Maybe<number>;
  /** The name of one that is offered; default `compressed`. */
  readonly model?: Maybe<string>;
}

/** What it stands for. A type: stored as JSON. */
export type ChosenUpscale = {
  readonly target: UpscaleTarget;
  readonly factor: UpscaleFactor;
  readonly model: string;
  /** SHA-256 of the file of a model of the operator. */
  readonly digest?: string;
};

interface UpscaleOrder {
  readonly contentId: ContentId;
  /** Null: what was ordered before, or the default. */
  readonly input: UpscaleInput | null;
  readonly again: boolean;
  readonly field: string;
}

/**
 * Has the newest video of a content upscaled, in the caller's transaction: see `startEnhancement`.
 * @throws AppError INVALID_INPUT naming `field`, or the field of the input, where that is not possible.
 */
export async function startUpscale(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, input: given, again, field }: UpscaleOrder,
): Promise<JobId> {
  const modelOf = await offeredModels(tx);
  // What was ordered was stored here.
  const choose = async ({ videoAssetId, plan }: EnhanceableVideo, ordered: object | null) => {
    const wanted = given ?? (ordered as ChosenUpscale | null) ?? {};
    const model = modelOf(wanted.model);
    const input = chooseUpscale(plan, wanted, model, field);
    const upscale = upscaleOfModel(input, model);
    const beside = await sizeBeside(tx, { contentId, videoAssetId });
    const planned = beside && planUpscale(plan, upscale, beside);
    const costs = planned && costsOf(planned, 1000 * gateSeconds(plan.facts, upscale));
    return { input, credits: upscaleCredits(plan, input), costs };
  };
  return startEnhancement(tools, tx, { contentId, kind: 'UPSCALE', choose, again, field });
}

/** What is planned before the scenes are known. Pure. */
export function upscaleOfModel(chosen: ChosenUpscale, { operator }: Pick<OfferedModel, 'operator'>): UpscalePlan {
  return { ...chosen, ...(operator ? { operator } : {}), scenes: [] };
}

/** Credits that the enhanced quality of a video takes. Pure. */
export function upscaleCredits(
  { facts: { durationMs } }: EnhanceableVideo['plan'],
  { target }: Pick<ChosenUpscale, 'target'>,
): number {
  return creditsFor({ kind: 'UPSCALE', target }, durationMs ?? 0);
}

/**
 * Removes the enhanced quality of a content; false where there is none. The others stay as they are.
 * @throws AppError INVALID_INPUT naming `field` while it is being made.
 */
export function removeUpscale(
  tools: EnhancementTools,
  tx: Transaction,
  { contentId, field }: { readonly contentId: ContentId; readonly field: string },
): Promise<boolean> {
  return removeEnhancement(tools, tx, { contentId, kind: 'UPSCALE', field });
}

/** The target, factor and model for a video. @throws AppError INVALID_INPUT where there are none. Pure. */
export function chooseUpscale(
  { facts: { video } }: EnhanceableVideo['plan'],
  { target }: Pick<UpscaleInput, 'target'>,
  { name, factors, operator }: OfferedModel,
  field: string,
): ChosenUpscale {
  if (video === null)
    throw new AppError('INVALID_INPUT', t`This content has sound only.`, {
      field,
      suggestedFix: t`Upload a video with pictures.`,
    });
  if (video.hdr !== null)
    throw new AppError(
      'INVALID_INPUT',
      t`Videos in high dynamic range are not upscaled: the models do not know them.`,
      {
        field,
        suggestedFix: t`Upload the video in standard dynamic range.`,
      },
    );
  const targets = upscaleTargets(video, factors);
  const { displayWidth, displayHeight } = video;
  const [fewest] = targets;
  if (!fewest)
    throw new AppError('INVALID_INPUT', t`No larger size is offered for ${displayWidth}x${displayHeight} pixels.`, {
      field,
      suggestedFix: t`Videos of 90 to 3700 lines are upscaled, to at most four times their size and 4320 lines.`,
    });
  const twice = upscaleTargets(video, [2]).at(-1) ?? fewest;
  const found = targets.find((each) => each.target === (target ?? twice.target));
  if (!found)
    throw new AppError(
      'INVALID_INPUT',
      t`${target ?? twice.target} lines are not offered for ${displayWidth}x${displayHeight} pixels with the model
        ${name}.`,
      {
        field: 'input.target',
        suggestedFix: t`Send one of ${targets.map((each) => each.target).join(', ')}.`,
      },
    );
  return { ...found, model: name, ...(operator ? { digest: operator.digest } : {}) };
}
