import { AppError } from '../../../kernel/errors.ts';
import { plural, t } from '../../../kernel/languages/message.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';
import { nextMonthMs } from './quota.policy.ts';

/** What an enhancement makes, as far as its price depends on it. `target`: lines of the enlarged picture. */
export type Enhanced =
  | { readonly kind: 'UPMIX' | 'SPEECH' | 'TRANSLATION' }
  | { readonly kind: 'UPSCALE'; readonly target: number };

/** Credits for a minute of sound or text. */
const PER_MINUTE = 1;
/** Credits for a minute of enlarged pictures, up to these lines: the work grows with their pixels. */
const UPSCALED_MINUTE = [
  [720, 2],
  [1080, 4],
  [1440, 8],
  [2160, 16],
  [4320, 64],
] as const;

const MINUTE_MS = 60_000;

/** What an enhancement takes: credits for each started minute, at least one. Pure. */
export function creditsFor(enhanced: Enhanced, durationMs: number): number {
  const minutes = Math.max(1, Math.ceil(durationMs / MINUTE_MS));
  return minutes * (enhanced.kind === 'UPSCALE' ? upscaledMinute(enhanced.target) : PER_MINUTE);
}

function upscaledMinute(target: number): number {
  const rate = UPSCALED_MINUTE.find(([lines]) => target <= lines);
  if (!rate) throw new Error(`There is no price for ${target} lines.`);
  return rate[1];
}

/** Credits that the owner of a channel has left this month, of `spent`; never negative. Pure. */
export function creditsLeft({ generationCredits }: Pick<PlanLimits, 'generationCredits'>, spent: number): number {
  return Math.max(0, generationCredits - spent);
}

/** An enhancement, and what its payer has spent this month. */
export interface CreditsFacts {
  readonly limits: Pick<PlanLimits, 'name' | 'generationCredits'>;
  readonly spent: number;
  readonly credits: number;
  readonly nowMs: number;
  /** The caller's argument name for the content, for errors. */
  readonly field: string;
}

/** The error when an enhancement takes more credits than are left; null when it fits. Pure. */
export function checkCredits({ limits, spent, credits, nowMs, field }: CreditsFacts): AppError | null {
  const left = creditsLeft(limits, spent);
  if (credits <= left) return null;
  const day = new Date(nextMonthMs(nowMs)).toISOString().slice(0, 10);
  return new AppError(
    'INVALID_INPUT',
    t`This takes ${plural(credits, { one: '# credit', other: '# credits' })}, but ${left} of the
      ${limits.generationCredits} credits per month in the ${limits.name} plan of the channel's owner are left.`,
    {
      field,
      suggestedFix: t`Order it from ${day} on, or choose a plan with more credits; me.credits reports the usage.`,
    },
  );
}
