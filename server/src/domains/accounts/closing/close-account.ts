import { AppError } from '../../../kernel/errors.ts';
import { day, t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type AccountRecord, findAccount } from '../accounts.store.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { isPasswordOf, provePassword } from '../passwords/prove-password.ts';
import { isCharged } from '../payments/payments.store.ts';
import { wrongCredentials } from '../sessions/auth-errors.ts';
import { concealBatch, deleteDueBatch, markClosed, markReopened, revealBatch } from './closing.store.ts';

type Needs = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;

/** Days until a closed account is deleted; as long as contents stay in the trash. */
export const GRACE_DAYS = 30;
const DAY_MS = 86_400_000;
/** How long the caller waits until everything is hidden or shown; workers do the rest. */
const PATIENCE_MS = 3_000;

/**
 * Closes an account: it is signed out everywhere, its key stops working, its channels and what they published are
 * hidden, and it is deleted after {@link GRACE_DAYS} days unless it is reopened.
 * @returns When it is deleted, ISO 8601.
 * @throws AppError INVALID_INPUT (field `password`) for a wrong password, for the only operator of the server, or
 *   while a plan is paid for;
 *   RATE_LIMIT_EXCEEDED after too many wrong passwords.
 */
export async function closeAccount(
  platform: Needs,
  attempts: Attempts,
  account: AccountRecord,
  password: unknown,
): Promise<string> {
  await provePassword(platform, attempts, account.id, password);
  const { db, clock, config } = platform;
  if (await isCharged(db, account.id)) throw stillPaying();
  const nowMs = clock.now();
  const deletesAt = new Date(nowMs + GRACE_DAYS * DAY_MS).toISOString();
  await db.transaction(async (tx) => {
    if (!(await markClosed(tx, account.id, new Date(nowMs).toISOString(), deletesAt))) throw onlyOperator();
    await queueMail(platform, tx, closedMail(account, deletesAt, `${config.BASE_URL}/sign-in`));
  });
  await patiently(() => concealBatch(db, account.id));
  return deletesAt;
}

/**
 * Reopens a closed account: everything is shown again. A closed account is reopened before it signs in.
 * @throws AppError UNAUTHENTICATED for a wrong address or password, or an account that is not closed;
 *   RATE_LIMIT_EXCEEDED after too many.
 */
export async function reopenAccount(
  platform: Needs,
  attempts: Attempts,
  { email, password }: { readonly email: string; readonly password: string },
  clientAddress: string,
): Promise<void> {
  const { db, clock } = platform;
  const attempt = await attempts.signIn(email, clientAddress);
  const account = await findAccount(db, { email });
  if (!account || !(await isPasswordOf(platform, account.id, password))) throw wrongCredentials();
  if (!(await markReopened(db, account.id, new Date(clock.now()).toISOString()))) throw wrongCredentials();
  await attempt.succeeded();
  await patiently(() => revealBatch(db, account.id));
}

/** A step of what workers do: hide, show or delete. Returns whether there may be more. */
export async function settleClosedAccounts({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<boolean> {
  const steps = [
    await concealBatch(db, null),
    await revealBatch(db, null),
    await deleteDueBatch(db, new Date(clock.now()).toISOString()),
  ];
  return steps.includes(true);
}

/** Repeats a batch while there may be more, for a while; what fails is left to workers, because it is decided. */
async function patiently(batch: () => Promise<boolean>): Promise<void> {
  for (const begunMs = performance.now(); performance.now() - begunMs < PATIENCE_MS; )
    if (!(await batch().catch(() => false))) return;
}

function closedMail({ email, username }: AccountRecord, deletesAt: string, signInUrl: string): Mail {
  return {
    to: email,
    subject: t`Your account will be deleted`,
    paragraphs: [
      t`The account ${username} is closed, and will be deleted on ${day(Date.parse(deletesAt))} with its channels,
        videos, comments and history.`,
      t`Sign in before that day to keep it: everything is shown again as it was.`,
    ],
    action: { label: t`Keep the account`, url: signInUrl },
  };
}

function stillPaying(): AppError {
  return new AppError('INVALID_INPUT', t`The plan of this account is still paid for.`, {
    suggestedFix: t`Cancel it first: Settings, Account, Manage billing. The account can then be deleted at once.`,
  });
}

function onlyOperator(): AppError {
  return new AppError('INVALID_INPUT', t`The only operator of this server cannot be deleted.`, {
    suggestedFix: t`Make another account an operator first: npm run admin -- grant-operator --username NAME`,
  });
}
