import type { AccountId, ChannelId } from '../../kernel/ids.ts';
import type { PlanCode, SubscriptionState } from '../../kernel/plans.ts';
import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import { instantMs } from '../../platform/db/types.ts';
import { accessUntilMs, type SubscriptionFacts } from './subscriptions/subscription.policy.ts';

/** An account as operators and commands see it. */
export interface AccountRecord {
  readonly id: AccountId;
  readonly channelId: ChannelId;
  readonly email: string;
  readonly username: string;
  readonly createdAt: string;
}

const FIND = sql(
  'find_account',
  `select id, primary_channel_id as "channelId", email, username, created_at as "createdAt" from accounts
   where email = $1::citext or username = $2::citext`,
);

/** The account with this email address or username. */
export async function findAccount(
  db: Executor,
  by: { email?: string | undefined; username?: string | undefined },
): Promise<AccountRecord | null> {
  return db.first<AccountRecord>(FIND, [by.email ?? null, by.username ?? null]);
}

const BY_SESSION = sql(
  'account_by_session',
  `select a.id, a.primary_channel_id as "channelId", a.email, a.username, a.created_at as "createdAt"
   from sessions s join accounts a on a.id = s.account_id where s.token = $1 and s.expires_at > $2`,
);

/** The account that is signed in with this token at `nowMs`. */
export async function findBySession(db: Executor, token: string, nowMs: number): Promise<AccountRecord | null> {
  return db.first<AccountRecord>(BY_SESSION, [token, new Date(nowMs).toISOString()]);
}

const BY_ID = sql(
  'account_by_id',
  'select id, primary_channel_id as "channelId", email, username, created_at as "createdAt" from accounts ' +
    'where id = $1',
);

/** The account with this id. */
export async function findAccountById(db: Executor, id: AccountId): Promise<AccountRecord | null> {
  return db.first<AccountRecord>(BY_ID, [id]);
}

const LANGUAGE = sql(
  'language_of_address',
  'select s.language from accounts a join account_settings s on s.account_id = a.id where a.email = $1::citext',
);

/** The language that the account with this address prefers, as a tag; null without an account. */
export async function languageOfAddress(db: Executor, email: string): Promise<string | null> {
  return (await db.first<{ language: string }>(LANGUAGE, [email]))?.language ?? null;
}

const REFUSAL = sql(
  'account_sign_in_refusal',
  `select case when suspended_at is not null then 'SUSPENDED' when closed_at is not null then 'CLOSED' end as reason
   from accounts where id = $1`,
);

/** Why no session may begin for the account; null when it may sign in. */
export async function findSignInRefusal(db: Executor, id: string): Promise<'SUSPENDED' | 'CLOSED' | null> {
  return (await db.first<{ reason: 'SUSPENDED' | 'CLOSED' | null }>(REFUSAL, [id]))?.reason ?? null;
}

const TAKEN = sql(
  'account_names_taken',
  `select exists (select from accounts where email = $1::citext) as email,
     exists (select from accounts where username = $2::citext) or exists (select from channels
       where handle = $2::citext) as username`,
);

/** Which of the two is in use; a username is also the handle of the account's channel. */
export async function namesTaken(
  db: Executor,
  email: string,
  username: string,
): Promise<{ email: boolean; username: boolean }> {
  const row = await db.first<{ email: boolean; username: boolean }>(TAKEN, [email, username]);
  return row ?? { email: false, username: false };
}

const INSERT_ACCOUNT = sql(
  'insert_account',
  'insert into accounts (id, email, name, username, primary_channel_id, created_at, updated_at, email_verified, ' +
    'invitation_id) values ($1, $2, $3, $4, $5, $6, $6, $7, $8)',
);
const INSERT_PASSWORD = sql(
  'insert_password',
  'insert into credentials (id, account_id, provider_id, provider_account_id, password) values ($1, $2, ' +
    `'credential', $2::uuid::text, $3)`,
);

/** Creates the account; a trigger creates its channel and subscription. */
export async function insertAccount(
  tx: Executor,
  account: {
    id: AccountId;
    channelId: ChannelId;
    email: string;
    username: string;
    name: string;
    nowMs: number;
    credentialId: string;
    /** Null for an account that signs in without one. */
    passwordHash: string | null;
    emailVerified?: boolean;
    invitationId?: string | null;
  },
): Promise<void> {
  await tx.run(INSERT_ACCOUNT, [
    account.id,
    account.email,
    account.name,
    account.username,
    account.channelId,
    instant(account.nowMs),
    account.emailVerified ?? false,
    account.invitationId ?? null,
  ]);
  if (account.passwordHash !== null)
    await tx.run(INSERT_PASSWORD, [account.credentialId, account.id, account.passwordHash]);
}

const PASSWORD = sql(
  'password_of_account',
  `select password from credentials where account_id = $1 and provider_id = 'credential'`,
);

/** Hash of the password; null when the account has none. */
export async function findPasswordHash(db: Executor, accountId: AccountId): Promise<string | null> {
  return (await db.first<{ password: string | null }>(PASSWORD, [accountId]))?.password ?? null;
}

const SET_PASSWORD = sql(
  'set_password',
  `insert into credentials (id, account_id, provider_id, provider_account_id, password) values ($1, $2, 'credential',
    $2::uuid::text, $3)
   on conflict (provider_id, provider_account_id) do update set password = excluded.password, updated_at = now()`,
);
const END_SESSIONS = sql('end_sessions', 'delete from sessions where account_id = $1');

/** Replaces the password and signs the account out everywhere. */
export async function replacePassword(
  tx: Executor,
  accountId: AccountId,
  credentialId: string,
  passwordHash: string,
): Promise<void> {
  await tx.run(SET_PASSWORD, [credentialId, accountId, passwordHash]);
  await endSessions(tx, accountId);
}

/** Signs the account out everywhere. */
export async function endSessions(tx: Executor, accountId: AccountId): Promise<void> {
  await tx.run(END_SESSIONS, [accountId]);
}

interface SubscriptionRow {
  plan: PlanCode;
  billing_interval: 'MONTHLY' | 'ANNUAL';
  state: SubscriptionState;
  bill_at: string | null;
  ends_at: string | null;
  canceled_at: string | null;
  past_due_at: string | null;
  trial_started_at: string | null;
  trial_ends_at: string | null;
  trial_converted: boolean;
}

const SUBSCRIPTION_COLUMNS =
  'plan, billing_interval, state, bill_at, ends_at, canceled_at, ' +
  'past_due_at, trial_started_at, trial_ends_at, trial_converted';
const LOCK_SUBSCRIPTION = sql(
  'lock_subscription',
  `select ${SUBSCRIPTION_COLUMNS} from subscriptions where account_id = $1 for update`,
);
const SAVE_SUBSCRIPTION = sql(
  'save_subscription',
  `update subscriptions set plan = $2, billing_interval = $3, state = $4, bill_at = $5, ends_at = $6, canceled_at = $7,
    past_due_at = $8,
     trial_started_at = $9, trial_ends_at = $10, trial_converted = $11, access_until = $12, updated_at = $13
       where account_id = $1`,
);

/** The subscription, locked until the transaction ends; null when there is no such account. */
export async function lockSubscription(tx: Executor, accountId: AccountId): Promise<SubscriptionFacts | null> {
  const row = await tx.first<SubscriptionRow>(LOCK_SUBSCRIPTION, [accountId]);
  return row && subscriptionFrom(row);
}

/** Writes the facts together with the access_until that follows from them. */
export async function saveSubscription(
  tx: Executor,
  accountId: AccountId,
  facts: SubscriptionFacts,
  nowMs: number,
): Promise<void> {
  const instants = [
    facts.billAtMs,
    facts.endsAtMs,
    facts.canceledAtMs,
    facts.pastDueAtMs,
    facts.trialStartedAtMs,
    facts.trialEndsAtMs,
  ].map(instant);
  await tx.run(SAVE_SUBSCRIPTION, [
    accountId,
    facts.plan,
    facts.billingInterval,
    facts.state,
    ...instants,
    facts.trialConverted,
    instant(accessUntilMs(facts)),
    instant(nowMs),
  ]);
}

const LIST = sql(
  'list_accounts',
  `select a.id, a.primary_channel_id as "channelId", a.email, a.username, a.created_at as "createdAt", s.plan, s.state,
     s.access_until as "accessUntil", a.is_operator as "isOperator", k.hint as "apiKeyHint",
       k.last_used_at as "apiKeyLastUsedAt"
   from accounts a join subscriptions s on s.account_id = a.id left join api_keys k on k.account_id = a.id
   where $1::uuid is null or a.id > $1 order by a.id limit 500`,
);

export interface ListedAccount extends AccountRecord {
  readonly plan: PlanCode;
  readonly state: SubscriptionState;
  readonly accessUntil: string;
  readonly isOperator: boolean;
  readonly apiKeyHint: string | null;
  readonly apiKeyLastUsedAt: string | null;
}

/** Up to 500 accounts in order of their ids, after the given one. */
export async function listAccountsAfter(db: Executor, after: AccountId | null): Promise<ListedAccount[]> {
  return db.run<ListedAccount>(LIST, [after]);
}

function subscriptionFrom(row: SubscriptionRow): SubscriptionFacts {
  return {
    plan: row.plan,
    billingInterval: row.billing_interval,
    state: row.state,
    billAtMs: millis(row.bill_at),
    endsAtMs: millis(row.ends_at),
    canceledAtMs: millis(row.canceled_at),
    pastDueAtMs: millis(row.past_due_at),
    trialStartedAtMs: millis(row.trial_started_at),
    trialEndsAtMs: millis(row.trial_ends_at),
    trialConverted: row.trial_converted,
  };
}

function millis(text: string | null): number | null {
  return text === null ? null : instantMs(text);
}

/** An instant in milliseconds as PostgreSQL text; ±Infinity becomes PostgreSQL's infinity. */
function instant(ms: number | null): string | null {
  if (ms === null) return null;
  if (ms === Number.POSITIVE_INFINITY) return 'infinity';
  if (ms === Number.NEGATIVE_INFINITY) return '-infinity';
  return new Date(ms).toISOString();
}
