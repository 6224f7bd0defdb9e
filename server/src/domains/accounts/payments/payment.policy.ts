import type { SubscriptionFacts } from '../subscriptions/subscription.policy.ts';
import type { Offer, PaidSubscription } from './payment-provider.ts';

/**
 * The subscription of an account as its provider has it: null for one that was never paid. A failed payment begins the
 * grace period once; what has ended keeps its plan by name, and the limits of Free.
 */
export function subscriptionFromPayment(
  current: SubscriptionFacts,
  paid: PaidSubscription & { readonly offer: Offer },
  nowMs: number,
): SubscriptionFacts | null {
  const { status, offer, paidUntilMs, isCanceled, endedAtMs } = paid;
  if (status === 'INCOMPLETE') return null;
  const plain = { billAtMs: null, endsAtMs: null, canceledAtMs: null, pastDueAtMs: null };
  const trialConverted = current.trialConverted || current.trialStartedAtMs !== null;
  const base = { ...current, ...plain, plan: offer.plan, billingInterval: offer.interval, trialConverted };
  if (status === 'ENDED') return { ...base, state: 'EXPIRED', endsAtMs: endedAtMs ?? nowMs };
  if (status === 'PAST_DUE') {
    const pastDueAtMs = current.state === 'PAST_DUE' ? (current.pastDueAtMs ?? nowMs) : nowMs;
    return { ...base, state: 'PAST_DUE', pastDueAtMs };
  }
  if (isCanceled)
    return { ...base, state: 'CANCELED', canceledAtMs: current.canceledAtMs ?? nowMs, endsAtMs: paidUntilMs ?? nowMs };
  return { ...base, state: 'ACTIVE', billAtMs: paidUntilMs };
}
