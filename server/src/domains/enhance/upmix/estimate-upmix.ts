import type { CommandContext } from '../../../gql/index.ts';
import { planUpmix, type UpmixLayout } from '../../../media/index.ts';
import { estimatePlan, type ProcessingEstimate } from '../../transcode/index.ts';
import { requireEnhanceable } from '../additions/order-enhancement.ts';
import { ADDITION_FINISH_COST_MS } from '../additions/plan-addition.ts';
import { requireUpmixable, upmixCredits, upmixPlanningMs } from './order-upmix.ts';

/**
 * What the upmix of the newest video of a content would take if it were ordered now.
 * @throws AppError INVALID_INPUT naming `field` where there is nothing to upmix, with the reason.
 */
export async function estimateUpmix(
  context: Pick<CommandContext, 'services' | 'nowMs'>,
  contentId: string,
  layout: UpmixLayout,
  field: string,
): Promise<ProcessingEstimate> {
  const { plan } = await requireEnhanceable(context.services.assets.db, contentId, field);
  requireUpmixable(plan, field);
  const upmix = planUpmix(plan, { layout, gain: 1 });
  const planning = { planning: upmixPlanningMs(plan), planningKind: 'upmix-plan' as const };
  return estimatePlan(context, upmix, { ...planning, finish: ADDITION_FINISH_COST_MS, credits: upmixCredits(plan) });
}
