import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { PlanCode } from '../../../kernel/plans.ts';
import type { GuardedExchange } from '../../../platform/fetch/guarded-exchange.ts';
import { parseRestJson } from '../../../platform/parse-json.ts';
import type {
  BillingInterval,
  Offer,
  PaidSubscription,
  Payer,
  PaymentEvent,
  PaymentProvider,
} from './payment-provider.ts';
import { checkStripeSignature } from './stripe-signature.ts';

/** The version whose objects this file reads. */
const API_VERSION = '2025-03-31.basil';
const TIMEOUT_MS = 10_000;

/** A price at Stripe, and the plan it is for. */
export interface StripePrice extends Offer {
  readonly id: string;
}

export interface StripeSettings {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly prices: readonly StripePrice[];
}

/** `PREMIUM_MONTHLY=price_1,PREMIUM_ANNUAL=price_2`: of several for the same, the first is sold. */
export function parsePrices(text: string): StripePrice[] {
  return text.split(',').map((entry) => {
    const [name = '', id = ''] = entry.trim().split('=');
    const cut = name.lastIndexOf('_');
    return { plan: name.slice(0, cut) as PlanCode, interval: name.slice(cut + 1) as BillingInterval, id };
  });
}

interface StripeSubscription {
  readonly id: string;
  readonly customer: string;
  readonly status: string;
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: number | null;
  readonly ended_at: number | null;
  readonly items: {
    readonly data: readonly { readonly price: { readonly id: string }; readonly current_period_end: number }[];
  };
}

const STATUSES: Readonly<Record<string, PaidSubscription['status']>> = {
  trialing: 'ACTIVE',
  active: 'ACTIVE',
  past_due: 'PAST_DUE',
  incomplete: 'INCOMPLETE',
  // unpaid and paused: Stripe tries no more to collect money.
  unpaid: 'ENDED',
  paused: 'ENDED',
  canceled: 'ENDED',
  incomplete_expired: 'ENDED',
};

/** Payments by Stripe: Checkout, the customer portal and events, by its documented HTTP API. */
export function stripeProvider(settings: StripeSettings, exchange: GuardedExchange): PaymentProvider {
  const { prices, webhookSecret } = settings;
  const call = <Answer>(path: string, form?: Readonly<Record<string, string>>, key?: string) =>
    callStripe<Answer>(settings, exchange, { path, form, key });
  const offers = prices.filter(
    (price, index) =>
      prices.findIndex((each) => each.plan === price.plan && each.interval === price.interval) === index,
  );
  return {
    offers: offers.map(({ plan, interval }) => ({ plan, interval })),
    async createCustomer({ accountId, email, username }: Payer) {
      const form = { email, name: username, 'metadata[account_id]': accountId };
      const customer = await call<{ id: string }>('/v1/customers', form, `reelgraph-customer-${accountId}`);
      return required(customer).id;
    },
    async createCheckout(customer, { plan, interval }, { done, cancel }) {
      const price = prices.find((each) => each.plan === plan && each.interval === interval);
      if (!price) throw new AppError('INVALID_INPUT', t`This plan is not for sale here.`, { field: 'input.plan' });
      const session = await call<{ url: string }>('/v1/checkout/sessions', {
        mode: 'subscription',
        customer,
        'line_items[0][price]': price.id,
        'line_items[0][quantity]': '1',
        success_url: done,
        cancel_url: cancel,
        allow_promotion_codes: 'true',
      });
      return required(session).url;
    },
    async createPortal(customer, back) {
      const session = await call<{ url: string }>('/v1/billing_portal/sessions', { customer, return_url: back });
      return required(session).url;
    },
    async readSubscription(id) {
      const found = await call<StripeSubscription>(`/v1/subscriptions/${encodeURIComponent(id)}`);
      return found && paidSubscription(found, prices);
    },
    readEvent(body, signature, nowMs) {
      checkStripeSignature(body, signature, webhookSecret, nowMs);
      return eventOf(parseRestJson(body) as StripeEvent); // as documented for API_VERSION
    },
  };
}

function paidSubscription(found: StripeSubscription, prices: readonly StripePrice[]): PaidSubscription {
  const [item] = found.items.data;
  const price = prices.find(({ id }) => id === item?.price.id);
  const millis = (seconds: number | null | undefined) => (seconds == null ? null : seconds * 1_000);
  return {
    id: found.id,
    customerId: found.customer,
    status: STATUSES[found.status] ?? 'INCOMPLETE',
    offer: price ? { plan: price.plan, interval: price.interval } : null,
    paidUntilMs: millis(found.cancel_at ?? item?.current_period_end),
    isCanceled: found.cancel_at_period_end || found.cancel_at !== null,
    endedAtMs: millis(found.ended_at),
  };
}

interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly object: {
      readonly id?: string;
      readonly customer?: string | null;
      readonly subscription?: string | null;
      readonly parent?: { readonly subscription_details?: { readonly subscription?: string } | null } | null;
    };
  };
}

function eventOf({ id, type, data: { object } }: StripeEvent): PaymentEvent {
  const isSubscription = type.startsWith('customer.subscription.');
  const isPayment = type === 'checkout.session.completed' || type.startsWith('invoice.');
  const named = object.subscription ?? object.parent?.subscription_details?.subscription;
  const subscriptionId = isSubscription ? object.id : isPayment ? named : null;
  const { customer } = object;
  return { id, type, subject: subscriptionId && customer ? { subscriptionId, customerId: customer } : null };
}

interface StripeCall {
  readonly path: string;
  /** Of a POST; without one it is a GET. */
  readonly form: Readonly<Record<string, string>> | undefined;
  /** Makes repetitions of a POST harmless. */
  readonly key: string | undefined;
}

/** The answer; null for 404. Throws SERVICE_UNAVAILABLE for anything else but success. */
async function callStripe<Answer>(
  { url, secretKey }: StripeSettings,
  exchange: GuardedExchange,
  { path, form, key }: StripeCall,
): Promise<Answer | null> {
  const { status, text } = await exchange({
    method: form ? 'POST' : 'GET',
    url: `${url}${path}`,
    timeoutMs: TIMEOUT_MS,
    headers: {
      authorization: `Bearer ${secretKey}`,
      'stripe-version': API_VERSION,
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(form ? { body: new URLSearchParams(form).toString() } : {}),
  });
  if (status === 404) return null;
  if (status >= 200 && status < 300) return JSON.parse(text) as Answer; // as documented for API_VERSION
  throw new AppError('SERVICE_UNAVAILABLE', t`The payment provider did not accept the request.`, {
    suggestedFix: t`Try again in a minute. If it persists, the operator finds the reason in the log.`,
    retryAfterSeconds: 60,
    cause: new Error(`Stripe answered ${path} with ${status}: ${text.slice(0, 500)}`),
  });
}

function required<Answer>(answer: Answer | null): Answer {
  if (answer === null) throw new AppError('SERVICE_UNAVAILABLE', t`The payment provider does not know this customer.`);
  return answer;
}
