import { AppError } from '../../../kernel/errors.ts';
import { plural, t } from '../../../kernel/languages/message.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';

/** The error when the channels of an account can have no further live input; null when they can. */
export function checkLiveInputQuota(
  { name, maxLiveInputs }: PlanLimits,
  liveInputs: number,
  field: string,
): AppError | null {
  if (liveInputs < maxLiveInputs) return null;
  return new AppError(
    'INVALID_INPUT',
    t`The ${name} plan of the channel's owner allows ${plural(maxLiveInputs, {
      one: '# live input',
      other: '# live inputs',
    })}, and the channels of the account have ${liveInputs}.`,
    { field, suggestedFix: t`Delete one that is not used, or choose a plan with more live inputs.` },
  );
}
