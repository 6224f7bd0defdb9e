import type { PlanCode } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';

/** Plans in words. */
export const PLAN_NAMES: Readonly<Record<PlanCode, string>> = {
  FREE: t`Free`,
  PREMIUM: t`Premium`,
  PREMIUM_PLUS: 'Premium+',
  CREATOR_PLUS: 'Creator+',
};

/** The plan with a name of the API: `Premium+` is PREMIUM_PLUS. */
export function planCode(apiName: string): PlanCode | undefined {
  const code = apiName.replace('+', '_plus').toUpperCase();
  return code in PLAN_NAMES ? (code as PlanCode) : undefined; // a key of the names
}

/** A plan in words, by its name of the API. */
export function planName(apiName: string): string {
  const code = planCode(apiName);
  return code ? PLAN_NAMES[code] : apiName;
}
