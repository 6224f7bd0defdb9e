import type { CommandContext } from '../../../gql/index.ts';
import { planUpmix, UPMIX } from '../../../media/index.ts';
import { estimatePlan, type ProcessingEstimate } from '../encoding/estimate.ts';
import { requireUpmixable } from './order-upmix.ts';

/** Of the playlists and rows. */
const FINISH_COST_MS = 100;

/**
 * What the upmix of the newest video of a content would take if it were ordered now.
 * @throws AppError INVALID_INPUT naming `field` where there is nothing to upmix, with the reason.
 */
export async function estimateUpmix(
  context: Pick<CommandContext, 'services' | 'nowMs'>,
  contentId: string,
  field: string,
): Promise<ProcessingEstimate> {
  const { plan } = await requireUpmixable(context.services.assets.db, contentId, field);
  const measuringMs = (plan.facts.durationMs ?? 0) * UPMIX.measuringCost;
  return estimatePlan(context, planUpmix(plan, { gain: 1 }), FINISH_COST_MS, measuringMs);
}
