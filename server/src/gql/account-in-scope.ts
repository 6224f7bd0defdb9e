import { AppError } from '../kernel/errors.ts';
import type { ViewerScope } from './viewer.ts';

/**
 * The account of a scope, for what belongs to the account as a whole, such as its cost points. An import rule lets only
 * the services import it that resolve no identifiers. Throws UNAUTHENTICATED for an anonymous one.
 */
export function accountInScope(scope: ViewerScope): string {
  // As viewer.ts makes it.
  const { account_id: accountId } = JSON.parse(scope) as { readonly account_id: string | null };
  if (accountId === null) throw new AppError('UNAUTHENTICATED');
  return accountId;
}
