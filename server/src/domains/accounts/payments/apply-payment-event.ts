import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { lockSubscription, saveSubscription } from '../accounts.store.ts';
import { type SubscriptionFacts, stateAt } from '../subscriptions/subscription.policy.ts';
import { subscriptionFromPayment } from './payment.policy.ts';
import { planMail } from './payment-mails.ts';
import type { PaymentEvent, PaymentProvider } from './payment-provider.ts';
import { isKnownEvent, type LockedCustomer, lockCustomer, noteEvent, setPaidSubscription } from './payments.store.ts';

export type PaymentNeeds = Pick<Platform, 'db' | 'clock' | 'jobs' | 'secrets' | 'config'>;

/**
 * Brings an account's plan to what the provider has now, once per event. The payload decides nothing: the subscription
 * is read again, while its customer is locked, so that events may come late, twice, in any order and at once.
 * Throws SERVICE_UNAVAILABLE when it cannot be read; the provider then sends the event again.
 */
export async function applyPaymentEvent(
  platform: PaymentNeeds,
  provider: PaymentProvider,
  { id, type, subject }: PaymentEvent,
): Promise<void> {
  const { db, clock } = platform;
  if (subject === null || (await isKnownEvent(db, id))) return;
  const { subscriptionId } = subject;
  await db.transaction(async (tx) => {
    const customer = await lockCustomer(tx, subject.customerId);
    if (!customer || (await isKnownEvent(tx, id))) return; // of another product, or processed meanwhile
    const paid = await provider.readSubscription(subscriptionId);
    const nowMs = clock.now();
    await noteEvent(tx, id, type, new Date(nowMs).toISOString());
    const isOther = customer.subscriptionId !== null && customer.subscriptionId !== subscriptionId;
    if (!paid || paid.customerId !== subject.customerId || (isOther && paid.status === 'ENDED')) return;
    const { offer } = paid;
    if (!offer) throw unknownPrice(subscriptionId);
    const current = await lockSubscription(tx, customer.accountId);
    const next = current && subscriptionFromPayment(current, { ...paid, offer }, nowMs);
    if (!next) return;
    await setPaidSubscription(tx, customer.accountId, subscriptionId);
    await saveSubscription(tx, customer.accountId, next, nowMs);
    await tell(platform, tx, customer, { before: stateAt(current, nowMs), next });
  });
}

/** Tells the account of a failed payment and of the end of its plan. */
async function tell(
  platform: PaymentNeeds,
  tx: Transaction,
  customer: LockedCustomer,
  { before, next }: { readonly before: SubscriptionFacts['state']; readonly next: SubscriptionFacts },
): Promise<void> {
  if (next.state === before) return;
  const mail = planMail(customer, next, `${platform.config.BASE_URL}/settings/account#plan`);
  if (mail) await queueMail(platform, tx, mail);
}

function unknownPrice(subscriptionId: string): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    t`The price of the subscription ${subscriptionId} is not in STRIPE_PRICES.`,
    {
      suggestedFix: t`Add it to STRIPE_PRICES, also prices that are no longer sold; Stripe sends the event again.`,
    },
  );
}
