import { DEVELOPER_PLANS, PLANS, type PlanCode, type SubscriptionState } from '../../../kernel/plans.ts';

/** The part of a subscription that decides developer access. */
export interface AccessFacts {
  readonly plan: PlanCode;
  /** The stored state, not the current one: it explains why access ended. */
  readonly state: SubscriptionState;
  readonly accessUntilMs: number;
}

export type DeveloperAccess =
  | { readonly eligible: true }
  | { readonly eligible: false; readonly reason: string; readonly howToBecomeEligible: string };

const PLAN_NAMES = DEVELOPER_PLANS.map((plan) => PLANS[plan].name).join(' or ');
const MOVE = `move to ${PLAN_NAMES} (an operator of this server can change the plan)`;

/**
 * Whether the account may hold and use an API key at `nowMs`; otherwise the reason and the suggested fix, as sentences
 * for the settings page and for `suggestedFix`. Spec: "Generating requires an active eligible subscription or trial".
 */
export function developerAccess(facts: AccessFacts, nowMs: number, trialAvailable: boolean): DeveloperAccess {
  const { name, developerAccess } = PLANS[facts.plan];
  if (facts.plan !== 'FREE' && facts.accessUntilMs <= nowMs)
    return no(lapseOf(facts.state, name), remedyOf(facts.state, trialAvailable));
  if (developerAccess) return { eligible: true };
  return no(`The ${name} plan has no developer access.`, openings(trialAvailable));
}

function lapseOf(state: SubscriptionState, name: string): string {
  if (state === 'TRIALING') return `The ${name} trial has ended.`;
  if (state === 'PAST_DUE') return `The last payment for ${name} failed and the grace period has ended.`;
  if (state === 'CANCELED') return `The ${name} subscription was canceled and has ended.`;
  return `The ${name} subscription has expired.`;
}

function remedyOf(state: SubscriptionState, trialAvailable: boolean): string {
  if (state === 'PAST_DUE')
    return (
      'Pay the outstanding amount, or ask an operator of this server to reactivate the plan; the same key then ' +
      'works again.'
    );
  return `${openings(trialAvailable)} A key that exists then works again unchanged.`;
}

function openings(trialAvailable: boolean): string {
  return trialAvailable
    ? `Start the 14-day trial in Developer Settings, or ${MOVE}.`
    : `${MOVE.charAt(0).toUpperCase()}${MOVE.slice(1)}.`;
}

function no(reason: string, howToBecomeEligible: string): DeveloperAccess {
  return { eligible: false, reason, howToBecomeEligible };
}
