import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type AccountRecord, findBySession } from '../accounts.store.ts';

type Needs = Pick<Platform, 'db' | 'clock'>;

/** The account that is signed in with this token, or null. */
export async function sessionAccount({ db, clock }: Needs, token: string | null): Promise<AccountRecord | null> {
  return token === null ? null : findBySession(db, token, clock.now());
}

/** The same. Throws UNAUTHENTICATED when there is none. */
export async function requireSessionAccount(platform: Needs, token: string | null): Promise<AccountRecord> {
  const account = await sessionAccount(platform, token);
  if (!account) throw new AppError('UNAUTHENTICATED', t`You are not signed in.`, { suggestedFix: t`Sign in first.` });
  return account;
}
