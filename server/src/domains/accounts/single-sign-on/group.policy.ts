import { PLANS, type PlanCode } from '../../../kernel/plans.ts';
import type { OidcProviderSettings } from '../../../platform/config/oidc-settings.ts';
import type { SubscriptionFacts } from '../subscriptions/subscription.policy.ts';
import { stateAt } from '../subscriptions/subscription.policy.ts';

/** What groups give. */
export interface Given {
  readonly isOperator: boolean;
  readonly plan: PlanCode | null;
}

export const NOTHING_GIVEN: Given = { isOperator: false, plan: null };

type Rules = Pick<OidcProviderSettings, 'OPERATOR_GROUPS' | 'PLAN_GROUPS'>;

const ORDER = Object.keys(PLANS);

/** Whether groups of the provider give anything. */
export function hasRules({ OPERATOR_GROUPS, PLAN_GROUPS }: Rules): boolean {
  return OPERATOR_GROUPS.length > 0 || PLAN_GROUPS.length > 0;
}

/** What these groups give. */
export function givenBy({ OPERATOR_GROUPS, PLAN_GROUPS }: Rules, groups: readonly string[]): Given {
  return {
    isOperator: OPERATOR_GROUPS.some((group) => groups.includes(group)),
    plan: highest(PLAN_GROUPS.flatMap(({ group, plan }) => (groups.includes(group) ? [plan] : []))),
  };
}

/** What several providers give together. */
export function together(all: readonly Given[]): Given {
  return {
    isOperator: all.some(({ isOperator }) => isOperator),
    plan: highest(all.flatMap(({ plan }) => plan ?? [])),
  };
}

function highest(plans: readonly PlanCode[]): PlanCode | null {
  return plans.reduce<PlanCode | null>(
    (best, plan) => (best === null || ORDER.indexOf(plan) > ORDER.indexOf(best) ? plan : best),
    null,
  );
}

/**
 * Whether groups decide about the plan: where they gave the present one, and where none is in use. One that is paid for
 * or that an operator set stays. `before`: the plan that groups gave so far.
 */
export function plansByGroup(facts: SubscriptionFacts, before: PlanCode | null, nowMs: number): boolean {
  const state = stateAt(facts, nowMs);
  if (before !== null && facts.plan === before && state === 'ACTIVE') return true;
  return facts.plan === 'FREE' || state === 'EXPIRED' || state === 'TRIALING';
}
