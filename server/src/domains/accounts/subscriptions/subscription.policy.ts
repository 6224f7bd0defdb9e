import { type Text, t } from '../../../kernel/languages/message.ts';
import type { PlanCode, SubscriptionState } from '../../../kernel/plans.ts';

/** An account's subscription. Instants are Unix milliseconds. */
export interface SubscriptionFacts {
  readonly plan: PlanCode;
  readonly billingInterval: 'MONTHLY' | 'ANNUAL';
  /** As stored; `stateAt` returns the state at a given time. */
  readonly state: SubscriptionState;
  readonly billAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly canceledAtMs: number | null;
  readonly pastDueAtMs: number | null;
  readonly trialStartedAtMs: number | null;
  readonly trialEndsAtMs: number | null;
  readonly trialConverted: boolean;
}

export type SubscriptionAction =
  | { readonly name: 'startTrial' }
  /** Paid, or granted by an operator. */
  | {
      readonly name: 'activate';
      readonly plan: PlanCode;
      readonly billingInterval?: 'MONTHLY' | 'ANNUAL';
      readonly billAtMs?: number;
    }
  | { readonly name: 'paymentFailed' }
  /** Access continues until the end of the paid period. */
  | { readonly name: 'cancel' }
  | { readonly name: 'resume' }
  | { readonly name: 'expire' };

export type SubscriptionOutcome =
  | { readonly kind: 'changed'; readonly subscription: SubscriptionFacts }
  | { readonly kind: 'refused'; readonly reason: Text; readonly suggestedFix: Text };

export const DAY_MS = 86_400_000;
export const TRIAL_DAYS = 14;
export const TRIAL_PLAN = 'CREATOR_PLUS' satisfies PlanCode;
/** Grace period after a failed payment. */
export const GRACE_DAYS = 7;

/**
 * The lifecycle: each action with the states that allow it and the resulting state. A trial is not canceled; it
 * expires.
 */
export const SUBSCRIPTION_TRANSITIONS: Readonly<
  Record<SubscriptionAction['name'], Readonly<Partial<Record<SubscriptionState, SubscriptionState>>>>
> = {
  startTrial: { ACTIVE: 'TRIALING', EXPIRED: 'TRIALING' },
  activate: { TRIALING: 'ACTIVE', ACTIVE: 'ACTIVE', PAST_DUE: 'ACTIVE', CANCELED: 'ACTIVE', EXPIRED: 'ACTIVE' },
  paymentFailed: { ACTIVE: 'PAST_DUE', PAST_DUE: 'PAST_DUE' },
  cancel: { ACTIVE: 'CANCELED', PAST_DUE: 'CANCELED' },
  resume: { CANCELED: 'ACTIVE' },
  expire: { TRIALING: 'EXPIRED', ACTIVE: 'EXPIRED', PAST_DUE: 'EXPIRED', CANCELED: 'EXPIRED' },
};

/**
 * The instant at which access through a paid plan ends; Infinity for never, -Infinity for no access. The column
 * access_until holds this.
 */
export function accessUntilMs(subscription: SubscriptionFacts): number {
  const { plan, state, trialEndsAtMs, endsAtMs, pastDueAtMs } = subscription;
  if (plan === 'FREE' || state === 'EXPIRED') return Number.NEGATIVE_INFINITY;
  if (state === 'ACTIVE') return Number.POSITIVE_INFINITY;
  if (state === 'TRIALING') return trialEndsAtMs ?? Number.NEGATIVE_INFINITY;
  if (state === 'CANCELED') return endsAtMs ?? Number.NEGATIVE_INFINITY;
  return pastDueAtMs === null ? Number.NEGATIVE_INFINITY : pastDueAtMs + GRACE_DAYS * DAY_MS;
}

/** The state at `nowMs`: EXPIRED once its time has passed, without a write. */
export function stateAt(subscription: SubscriptionFacts, nowMs: number): SubscriptionState {
  if (subscription.plan === 'FREE') return subscription.state;
  return accessUntilMs(subscription) <= nowMs ? 'EXPIRED' : subscription.state;
}

/** Whether a trial may be started at `nowMs`: once per account, and not on top of a running paid plan. */
export function isTrialAvailable(subscription: SubscriptionFacts, nowMs: number): boolean {
  return applyToSubscription(subscription, { name: 'startTrial' }, nowMs).kind === 'changed';
}

/** The subscription after `action` at `nowMs`, or why the action is not possible. Pure. */
export function applyToSubscription(
  subscription: SubscriptionFacts,
  action: SubscriptionAction,
  nowMs: number,
): SubscriptionOutcome {
  const from = stateAt(subscription, nowMs);
  const refusal = refusalOf(subscription, action, from);
  if (refusal) return refusal;
  const state = SUBSCRIPTION_TRANSITIONS[action.name][from];
  if (state === undefined) {
    return refused(
      t`A subscription that is ${from} does not allow ${action.name}.`,
      t`Look at the subscription in Developer Settings first.`,
    );
  }
  return { kind: 'changed', subscription: { ...subscription, ...effectOf(subscription, action, nowMs), state } };
}

function refusalOf(
  subscription: SubscriptionFacts,
  action: SubscriptionAction,
  from: SubscriptionState,
): SubscriptionOutcome | null {
  const isFree = subscription.plan === 'FREE';
  if (action.name === 'startTrial') {
    if (subscription.trialStartedAtMs !== null)
      return refused(
        t`This account has already used its trial.`,
        t`Move to Premium+ or Creator+ for developer access.`,
      );
    if (!isFree && from !== 'EXPIRED')
      return refused(t`A trial cannot be started on top of a paid plan.`, t`Move to Premium+ or Creator+ instead.`);
    return null;
  }
  if (isFree && action.name !== 'activate')
    return refused(t`The Free plan has no subscription to change.`, t`Activate a plan first.`);
  if (action.name === 'resume' && subscription.pastDueAtMs !== null)
    return refused(t`A payment is outstanding.`, t`Pay it to reactivate the plan.`);
  return null;
}

function effectOf(
  subscription: SubscriptionFacts,
  action: SubscriptionAction,
  nowMs: number,
): Partial<SubscriptionFacts> {
  switch (action.name) {
    case 'startTrial':
      return {
        plan: TRIAL_PLAN,
        trialStartedAtMs: nowMs,
        trialEndsAtMs: nowMs + TRIAL_DAYS * DAY_MS,
        billAtMs: null,
        endsAtMs: null,
        canceledAtMs: null,
        pastDueAtMs: null,
      };
    case 'activate':
      return {
        plan: action.plan,
        billingInterval: action.billingInterval ?? subscription.billingInterval,
        billAtMs: action.billAtMs ?? null,
        endsAtMs: null,
        canceledAtMs: null,
        pastDueAtMs: null,
        trialConverted:
          subscription.trialConverted || (subscription.trialStartedAtMs !== null && action.plan !== 'FREE'),
      };
    case 'paymentFailed':
      return { pastDueAtMs: subscription.pastDueAtMs ?? nowMs };
    case 'cancel':
      return { canceledAtMs: nowMs, endsAtMs: paidUntilMs(subscription, nowMs), billAtMs: null };
    case 'resume':
      return { canceledAtMs: null, endsAtMs: null, pastDueAtMs: null, billAtMs: subscription.endsAtMs };
    case 'expire':
      return { endsAtMs: nowMs, billAtMs: null };
  }
}

/** End of the paid period; a grant without a billing date ends at once. */
function paidUntilMs(subscription: SubscriptionFacts, nowMs: number): number {
  if (subscription.pastDueAtMs !== null) return subscription.pastDueAtMs + GRACE_DAYS * DAY_MS;
  return subscription.billAtMs ?? nowMs;
}

export interface OperatorSetting {
  readonly plan: PlanCode;
  readonly state: SubscriptionState;
  /** End of the trial, of the canceled subscription, or when it expired. */
  readonly endsAtMs?: number | undefined;
}

/** The subscription as an operator sets it, from any state; refused when plan, state and end contradict each other. */
export function setByOperator(
  current: SubscriptionFacts,
  setting: OperatorSetting,
  nowMs: number,
): SubscriptionOutcome {
  const { plan, state, endsAtMs } = setting;
  if (plan === 'FREE' && state !== 'ACTIVE')
    return refused(t`The Free plan is always ACTIVE.`, t`Leave out the state, or name a paid plan.`);
  if (endsAtMs !== undefined && (state === 'ACTIVE' || state === 'PAST_DUE')) {
    return refused(t`${state} has no end.`, t`Give an end only with TRIALING, CANCELED or EXPIRED.`);
  }
  const base = { ...current, plan, state, billAtMs: null, endsAtMs: null, canceledAtMs: null, pastDueAtMs: null };
  switch (state) {
    case 'ACTIVE':
      return changed({
        ...base,
        trialConverted: current.trialConverted || (current.trialStartedAtMs !== null && plan !== 'FREE'),
      });
    case 'TRIALING': {
      const trialEndsAtMs = endsAtMs ?? nowMs + TRIAL_DAYS * DAY_MS;
      const trialStartedAtMs = Math.min(current.trialStartedAtMs ?? nowMs, trialEndsAtMs);
      return changed({ ...base, trialStartedAtMs, trialEndsAtMs, trialConverted: false });
    }
    case 'PAST_DUE':
      return changed({ ...base, pastDueAtMs: nowMs });
    case 'CANCELED':
      return changed({ ...base, canceledAtMs: nowMs, endsAtMs: endsAtMs ?? nowMs });
    case 'EXPIRED':
      return changed({ ...base, endsAtMs: endsAtMs ?? nowMs });
  }
}

function changed(subscription: SubscriptionFacts): SubscriptionOutcome {
  return { kind: 'changed', subscription };
}

function refused(reason: Text, suggestedFix: Text): SubscriptionOutcome {
  return { kind: 'refused', reason, suggestedFix };
}
