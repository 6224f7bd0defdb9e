import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../kernel/errors.ts';
import { type Message, minute, phrase, type Text, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { PLANS, type PlanCode, type SubscriptionState } from '../../../kernel/plans.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { lockSubscription } from '../accounts.store.ts';
import type { OperatorActionKind } from '../operator-actions/operator-action-kinds.ts';
import { noteOperatorAction } from '../operator-actions/operator-actions.store.ts';
import { sendPasswordReset } from '../recovery/reset-password-by-mail.ts';
import { setSubscription } from '../subscriptions/change-subscription.ts';
import { endSuspendedSessions } from '../suspension/suspension.store.ts';
import { appeal } from '../suspension/suspension.ts';
import { type AdministeredAccount, lockAccount, markReinstated, markSuspended } from './administration.store.ts';
import { reinstatedMail, suspendedMail } from './administration-mails.ts';

type Needs = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;

const MAX_REASON = 500;
const CONTROL = /[^\P{Cc}\n]/u;

/**
 * Suspends an account: its sessions end, and its key, tokens and applications are refused at once. It is notified by
 * email. Nothing changes for one that is suspended already.
 * @throws AppError RESOURCE_NOT_FOUND, INVALID_INPUT (field `input.reason`, or `id` for an operator).
 */
export async function suspendAccount(platform: Needs, operatorId: string, id: string, reason: string): Promise<void> {
  const checked = checkReason(reason);
  await administer(platform, { operatorId, id, kind: 'ACCOUNT_SUSPENDED' }, async (tx, account, nowIso) => {
    if (account.isOperator) throw isOperatorError();
    if (account.isSuspended) return null;
    await markSuspended(tx, account.id, checked, nowIso);
    await endSuspendedSessions(tx, account.id, nowIso);
    await queueMail(platform, tx, suspendedMail(account, checked, appeal(platform.config.CONTACT)));
    return checked;
  });
}

/** Ends a suspension; nothing changes for an account that is not suspended. Throws RESOURCE_NOT_FOUND. */
export async function reinstateAccount(platform: Needs, operatorId: string, id: string): Promise<void> {
  await administer(platform, { operatorId, id, kind: 'ACCOUNT_REINSTATED' }, async (tx, account, nowIso) => {
    if (!account.isSuspended) return null;
    await markReinstated(tx, account.id, nowIso);
    await queueMail(platform, tx, reinstatedMail(account, `${platform.config.BASE_URL}/sign-in`));
    return '';
  });
}

const STATE_NAMES: Readonly<Record<SubscriptionState, Message>> = {
  ACTIVE: phrase`active`,
  TRIALING: phrase`trial`,
  PAST_DUE: phrase`past due`,
  CANCELED: phrase`canceled`,
  EXPIRED: phrase`expired`,
};

/** Plan and state as an operator enters them. */
export interface AccountPlanInput {
  readonly plan: PlanCode;
  readonly state: SubscriptionState;
  readonly endsAt?: Maybe<string>;
}

/** Sets plan and state of an account. Throws RESOURCE_NOT_FOUND, or INVALID_INPUT for settings that contradict. */
export async function setAccountPlan(
  platform: Needs,
  operatorId: string,
  id: string,
  { plan, state, endsAt }: AccountPlanInput,
): Promise<void> {
  const end = endsAt === undefined || endsAt === null ? undefined : Date.parse(endsAt);
  await administer(platform, { operatorId, id, kind: 'PLAN_SET' }, async (tx, account) => {
    const before = await lockSubscription(tx, account.id);
    const after = await setSubscription(tx, account.id, { plan, state, endsAtMs: end }, platform.clock.now());
    if (isDeepStrictEqual(before, after)) return null;
    const [name, stateName] = [PLANS[plan].name, STATE_NAMES[state]];
    return end === undefined ? t`${name}, ${stateName}` : t`${name}, ${stateName}, until ${minute(end)}`;
  });
}

/** Sends the account a link that resets its password. Throws RESOURCE_NOT_FOUND. */
export async function sendAccountPasswordReset(platform: Needs, operatorId: string, id: string): Promise<void> {
  await administer(platform, { operatorId, id, kind: 'PASSWORD_RESET_SENT' }, async (tx, account) => {
    await sendPasswordReset(platform, tx, account);
    return '';
  });
}

interface Action {
  readonly operatorId: string;
  readonly id: string;
  readonly kind: OperatorActionKind;
}

/** Changes the locked account and notes it in the audit log, in one transaction; `null` changed nothing. */
function administer(
  { db, clock }: Needs,
  { operatorId, id, kind }: Action,
  change: (tx: Transaction, account: AdministeredAccount, nowIso: string) => Promise<Text | null>,
): Promise<void> {
  const nowMs = clock.now();
  const nowIso = new Date(nowMs).toISOString();
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, id);
    if (!account) throw new AppError('RESOURCE_NOT_FOUND', t`There is no such account.`, { field: 'id' });
    const details = await change(tx, account, nowIso);
    if (details === null) return;
    await noteOperatorAction(tx, { operatorId, kind, to: { accountId: account.id }, details, nowMs });
  });
}

function checkReason(reason: Maybe<string>): string {
  const text = (reason ?? '').trim();
  if (text === '') throw new AppError('FIELD_REQUIRED', t`reason is missing.`, { field: 'input.reason' });
  if (text.length > MAX_REASON || CONTROL.test(text))
    throw new AppError('INVALID_INPUT', t`A reason has at most ${MAX_REASON} characters and no control characters.`, {
      field: 'input.reason',
      suggestedFix: t`Shorten it.`,
    });
  return text;
}

function isOperatorError(): AppError {
  return new AppError('INVALID_INPUT', t`An operator cannot be suspended.`, {
    field: 'id',
    suggestedFix: t`Remove the role first: npm run admin -- revoke-operator --username NAME`,
  });
}
