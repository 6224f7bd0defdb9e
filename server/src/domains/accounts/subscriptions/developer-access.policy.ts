import { type Message, type Text, t } from '../../../kernel/languages/message.ts';
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
  | { readonly eligible: false; readonly reason: Text; readonly howToBecomeEligible: Text };

const [FIRST_PLAN, SECOND_PLAN] = DEVELOPER_PLANS.map((plan) => PLANS[plan].name) as [string, string];

/**
 * Whether the account may hold and use an API key at `nowMs`; otherwise the reason and the suggested fix, as sentences
 * for the settings page and for `suggestedFix`. Spec: "Generating requires an active eligible subscription or trial".
 */
export function developerAccess(facts: AccessFacts, nowMs: number, trialAvailable: boolean): DeveloperAccess {
  const { name, developerAccess } = PLANS[facts.plan];
  if (facts.plan !== 'FREE' && facts.accessUntilMs <= nowMs)
    return no(lapseOf(facts.state, name), remedyOf(facts.state, trialAvailable));
  if (developerAccess) return { eligible: true };
  return no(t`The ${name} plan has no developer access.`, openings(trialAvailable));
}

function lapseOf(state: SubscriptionState, name: string): Text {
  if (state === 'TRIALING') return t`The ${name} trial has ended.`;
  if (state === 'PAST_DUE') return t`The last payment for ${name} failed and the grace period has ended.`;
  if (state === 'CANCELED') return t`The ${name} subscription was canceled and has ended.`;
  return t`The ${name} subscription has expired.`;
}

function remedyOf(state: SubscriptionState, trialAvailable: boolean): Text {
  if (state === 'PAST_DUE')
    return t`Pay the outstanding amount, or ask an operator of this server to reactivate the plan; the same key then
      works again.`;
  return t`${openings(trialAvailable)} A key that exists then works again unchanged.`;
}

function openings(trialAvailable: boolean): Message {
  return trialAvailable
    ? t`Start the 14-day trial in Developer Settings, or move to ${FIRST_PLAN} or ${SECOND_PLAN} (an operator of this
        server can change the plan).`
    : t`Move to ${FIRST_PLAN} or ${SECOND_PLAN} (an operator of this server can change the plan).`;
}

function no(reason: Text, howToBecomeEligible: Text): DeveloperAccess {
  return { eligible: false, reason, howToBecomeEligible };
}
