import { AppError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Executor } from '../../platform/db/database.ts';
import { type AccountRecord, findAccount, type ListedAccount, listAccountsAfter } from './accounts.store.ts';

/** The account with this email address or username. Throws RESOURCE_NOT_FOUND. */
export async function requireAccount(
  db: Executor,
  by: { email?: string | undefined; username?: string | undefined },
): Promise<AccountRecord> {
  const account = await findAccount(db, by);
  if (account) return account;
  throw new AppError('RESOURCE_NOT_FOUND', t`Account ${by.email ?? by.username ?? ''} not found.`, {
    suggestedFix: t`See list-accounts.`,
  });
}

/** All accounts, in the order of their creation. */
export async function listAccounts(db: Executor): Promise<ListedAccount[]> {
  const all: ListedAccount[] = [];
  for (let after: AccountId | null = null; ; ) {
    const page: ListedAccount[] = await listAccountsAfter(db, after);
    all.push(...page);
    const last = page.at(-1);
    if (!last) return all;
    after = last.id;
  }
}
