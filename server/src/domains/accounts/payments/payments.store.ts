import type { AccountId } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const CUSTOMER = sql(
  'payment_customer',
  `select p.customer_id as "customerId", p.subscription_id is not null and s.state in ('ACTIVE', 'PAST_DUE', 'CANCELED')
     and s.access_until > $2 as subscribed
   from payment_customers p join subscriptions s on s.account_id = p.account_id where p.account_id = $1`,
);

/** The customer of an account, and whether it has a subscription that has not ended. */
export function findCustomer(
  db: Executor,
  accountId: AccountId,
  nowIso: string,
): Promise<{ readonly customerId: string; readonly subscribed: boolean } | null> {
  return db.first(CUSTOMER, [accountId, nowIso]);
}

const ADD = sql(
  'add_payment_customer',
  `insert into payment_customers (account_id, customer_id, created_at) values ($1, $2, $3)
   on conflict (account_id) do nothing`,
);

export async function addCustomer(
  db: Executor,
  accountId: AccountId,
  customerId: string,
  nowIso: string,
): Promise<void> {
  await db.run(ADD, [accountId, customerId, nowIso]);
}

const SEEN = sql('payment_event_seen', 'select 1 from payment_events where id = $1');
const NOTE = sql('note_payment_event', 'insert into payment_events (id, type, received_at) values ($1, $2, $3)');

export async function isKnownEvent(db: Executor, id: string): Promise<boolean> {
  return (await db.first(SEEN, [id])) !== null;
}

export async function noteEvent(tx: Executor, id: string, type: string, nowIso: string): Promise<void> {
  await tx.run(NOTE, [id, type, nowIso]);
}

const LOCK = sql(
  'lock_payment_customer',
  `select p.account_id as "accountId", p.subscription_id as "subscriptionId", a.email::text as email,
     a.username::text as username
   from payment_customers p join accounts a on a.id = p.account_id where p.customer_id = $1 for update of p`,
);

export interface LockedCustomer {
  readonly accountId: AccountId;
  /** The subscription that decides the plan; null before the first one. */
  readonly subscriptionId: string | null;
  readonly email: string;
  readonly username: string;
}

/** The account of a customer, locked until the transaction ends. */
export function lockCustomer(tx: Executor, customerId: string): Promise<LockedCustomer | null> {
  return tx.first<LockedCustomer>(LOCK, [customerId]);
}

const DECIDES = sql(
  'set_payment_subscription',
  'update payment_customers set subscription_id = $2 where account_id = $1',
);

export async function setPaidSubscription(tx: Executor, accountId: AccountId, subscriptionId: string): Promise<void> {
  await tx.run(DECIDES, [accountId, subscriptionId]);
}

const RENEWS = sql(
  'has_renewing_subscription',
  `select 1 from payment_customers p join subscriptions s on s.account_id = p.account_id
   where p.account_id = $1 and p.subscription_id is not null and s.state in ('ACTIVE', 'PAST_DUE')`,
);

/** Whether the account would be charged again. */
export async function isCharged(db: Executor, accountId: AccountId): Promise<boolean> {
  return (await db.first(RENEWS, [accountId])) !== null;
}

const FORGET = sql(
  'forget_payment_events',
  `delete from payment_events where received_at < $1::timestamptz - interval '60 days'`,
);

/** Deletes events that Stripe no longer repeats. */
export async function forgetPaymentEvents(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
