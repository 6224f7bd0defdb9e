import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import {
  type ChangedQuotas,
  QUOTA_NAMES,
  QUOTA_PLANS,
  QUOTA_RANGES,
  type QuotaName,
  type QuotaPlan,
} from '../../../kernel/plans.ts';

/** Changes of the quotas of a plan: an omitted one keeps its value, null restores the default. */
export type PlanQuotasInput = { readonly plan: QuotaPlan } & Partial<Readonly<Record<QuotaName, Maybe<number>>>>;

/**
 * The changed quotas after these changes. Pure.
 * @throws AppError INVALID_INPUT with the field, for a number that is too small or too large.
 */
export function changeQuotas(before: ChangedQuotas, changes: readonly PlanQuotasInput[]): ChangedQuotas {
  const after = new Map(QUOTA_PLANS.map((plan) => [plan, { ...before[plan] }] as const));
  changes.forEach((change, place) => {
    const own: Partial<Record<QuotaName, number>> = after.get(change.plan) ?? {};
    for (const name of QUOTA_NAMES) {
      const value = change[name];
      if (value === null) delete own[name];
      else if (value !== undefined) own[name] = checkQuota(name, value, `input.planQuotas.${place}.${name}`);
    }
  });
  return Object.fromEntries([...after].filter(([, own]) => Object.keys(own).length > 0));
}

function checkQuota(name: QuotaName, value: number, field: string): number {
  const [least, most] = QUOTA_RANGES[name];
  if (value >= least && value <= most) return value;
  throw new AppError('INVALID_INPUT', t`${name} is between ${least} and ${most}.`, {
    field,
    suggestedFix: t`Send a number in this range, or null for the default.`,
  });
}
