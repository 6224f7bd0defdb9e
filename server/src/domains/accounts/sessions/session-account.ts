import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type AccountRecord, findBySession } from '../accounts.store.ts';
import { explainRefusal } from '../suspension/suspension.ts';

type Needs = Pick<Platform, 'db' | 'clock'>;

/** The account that is signed in with this token, or null. */
export async function sessionAccount({ db, clock }: Needs, token: string | null): Promise<AccountRecord | null> {
  return token === null ? null : findBySession(db, token, clock.now());
}

/** The same. Throws UNAUTHENTICATED when there is none, ACCOUNT_SUSPENDED when its account is suspended. */
export async function requireSessionAccount(
  platform: Needs & Pick<Platform, 'config'>,
  token: string | null,
): Promise<AccountRecord> {
  const account = await sessionAccount(platform, token);
  if (account) return account;
  const suspended = token === null ? null : await explainRefusal(platform, { kind: 'session', token });
  throw suspended ?? new AppError('UNAUTHENTICATED', t`You are not signed in.`, { suggestedFix: t`Sign in first.` });
}
