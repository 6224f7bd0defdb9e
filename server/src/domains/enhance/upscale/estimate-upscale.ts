import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { gateSeconds, planUpscale } from '../../../media/index.ts';
import { estimatePlan, type ProcessingEstimate } from '../../transcode/index.ts';
import { requireEnhanceable } from '../additions/order-enhancement.ts';
import { ADDITION_FINISH_COST_MS } from '../additions/plan-addition.ts';
import { sizeBeside } from '../codecs/plan-codec-job.ts';
import { offeredModels } from './offered-models.ts';
import { chooseUpscale, type UpscaleInput, upscaleCredits, upscaleOfModel } from './order-upscale.ts';

/**
 * What upscaling the newest video of a content would take if it were ordered now, and if all scenes gain.
 * @throws AppError INVALID_INPUT naming `field`, or the field of the input, where it cannot be upscaled.
 */
export async function estimateUpscale(
  context: Pick<CommandContext, 'services' | 'nowMs'>,
  contentId: string,
  input: UpscaleInput,
  field: string,
): Promise<ProcessingEstimate> {
  const { db } = context.services.assets;
  const { plan: encoded, videoAssetId } = await requireEnhanceable(db, contentId, field);
  const model = (await offeredModels(db))(input.model);
  const chosen = chooseUpscale(encoded, input, model, field);
  const beside = await sizeBeside(db, { contentId, videoAssetId });
  const upscale = upscaleOfModel(chosen, model);
  const plan = beside && planUpscale(encoded, upscale, beside);
  if (!plan)
    throw new AppError('INVALID_INPUT', t`The segments of this video cannot be found in its file.`, {
      field,
      suggestedFix: t`Call submitContentForProcessing with again: true, then try again.`,
    });
  const planning = { planning: 1000 * gateSeconds(encoded.facts, upscale), planningKind: 'upscale-plan' as const };
  const credits = upscaleCredits(encoded, chosen);
  return estimatePlan(context, plan, { ...planning, finish: ADDITION_FINISH_COST_MS, credits });
}
