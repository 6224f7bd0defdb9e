import type { PlanCode } from '../../../kernel/plans.ts';

export type BillingInterval = 'MONTHLY' | 'ANNUAL';

/** A plan that can be bought. */
export interface Offer {
  readonly plan: PlanCode;
  readonly interval: BillingInterval;
}

/** A subscription as the provider has it now. Instants are Unix milliseconds. */
export interface PaidSubscription {
  readonly id: string;
  readonly customerId: string;
  /** INCOMPLETE: the first payment was not made yet. */
  readonly status: 'ACTIVE' | 'PAST_DUE' | 'ENDED' | 'INCOMPLETE';
  /** Null for a price that the settings do not know. */
  readonly offer: Offer | null;
  readonly paidUntilMs: number | null;
  /** Whether it ends with the paid period. */
  readonly isCanceled: boolean;
  readonly endedAtMs: number | null;
}

/** A genuine event. It only tells what to read again: events come late, twice and in any order. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** What it is about; null for events about something else. */
  readonly subject: { readonly subscriptionId: string; readonly customerId: string } | null;
}

export interface Payer {
  readonly accountId: string;
  readonly email: string;
  readonly username: string;
}

/** Where accounts pay. */
export interface PaymentProvider {
  readonly offers: readonly Offer[];
  /** A customer for the account; the same one when it is called again. */
  createCustomer(payer: Payer): Promise<string>;
  /** The page where the customer subscribes; afterwards it leads to one of the addresses. */
  createCheckout(
    customerId: string,
    offer: Offer,
    back: { readonly done: string; readonly cancel: string },
  ): Promise<string>;
  /** The page where the customer changes cards, plan and cancellation. */
  createPortal(customerId: string, back: string): Promise<string>;
  readSubscription(id: string): Promise<PaidSubscription | null>;
  /** Throws INVALID_INPUT for a body that the provider did not sign, or signed more than five minutes ago. */
  readEvent(body: Buffer, signature: string | undefined, nowMs: number): PaymentEvent;
}
