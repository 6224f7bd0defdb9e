import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { findAccountById } from '../accounts.store.ts';
import type { PaymentNeeds } from './apply-payment-event.ts';
import type { Offer, PaymentProvider } from './payment-provider.ts';
import { addCustomer, findCustomer } from './payments.store.ts';

/**
 * The address of the page where the account subscribes to a plan.
 * @throws AppError INVALID_INPUT without payments on this server, for a plan that is not sold, and for an account that
 *   has a paid plan; SERVICE_UNAVAILABLE when the provider does not answer.
 */
export async function startCheckout(
  platform: PaymentNeeds,
  provider: PaymentProvider | null,
  accountId: AccountId,
  { plan, interval }: Offer,
): Promise<string> {
  const { db, clock, config } = platform;
  const payments = required(provider);
  const isSold = payments.offers.some((each) => each.plan === plan && each.interval === interval);
  if (!isSold)
    throw new AppError('INVALID_INPUT', t`This plan is not for sale on this server.`, {
      field: 'input.plan',
      suggestedFix: t`Choose one of me.billing.offers.`,
    });
  const nowIso = new Date(clock.now()).toISOString();
  const known = await findCustomer(db, accountId, nowIso);
  if (known?.subscribed)
    throw new AppError('INVALID_INPUT', t`This account has a paid plan already.`, {
      suggestedFix: t`Change or cancel it in the billing portal: openBillingPortal.`,
    });
  const customerId = known?.customerId ?? (await newCustomer(platform, payments, accountId, nowIso));
  const page = `${config.BASE_URL}/settings/account`;
  return payments.createCheckout(
    customerId,
    { plan, interval },
    { done: `${page}?billing=done#plan`, cancel: `${page}#plan` },
  );
}

async function newCustomer(
  { db }: PaymentNeeds,
  payments: PaymentProvider,
  accountId: AccountId,
  nowIso: string,
): Promise<string> {
  const account = await findAccountById(db, accountId);
  if (!account) throw new AppError('UNAUTHENTICATED', t`This account does not exist any more.`);
  const { email, username } = account;
  await addCustomer(db, accountId, await payments.createCustomer({ accountId, email, username }), nowIso);
  const added = await findCustomer(db, accountId, nowIso);
  if (!added) throw new AppError('UNAUTHENTICATED', t`This account does not exist any more.`);
  return added.customerId;
}

/** The address of the billing portal. Throws INVALID_INPUT for an account that never began a payment. */
export async function openBillingPortal(
  { db, clock, config }: PaymentNeeds,
  provider: PaymentProvider | null,
  accountId: AccountId,
): Promise<string> {
  const payments = required(provider);
  const customer = await findCustomer(db, accountId, new Date(clock.now()).toISOString());
  if (!customer)
    throw new AppError('INVALID_INPUT', t`This account has no payments.`, {
      suggestedFix: t`Choose a plan first: startCheckout.`,
    });
  return payments.createPortal(customer.customerId, `${config.BASE_URL}/settings/account#plan`);
}

function required(provider: PaymentProvider | null): PaymentProvider {
  if (provider) return provider;
  throw new AppError('INVALID_INPUT', t`This server takes no payments.`, {
    suggestedFix: t`Ask an operator of this server to set your plan.`,
  });
}
