import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** Address of the demo account, whose password is printed in the terminal at startup. */
export const DEMO_EMAIL = 'demo@reelgraph.localhost';

/** Throws UNAUTHORIZED for the demo account, which is never an operator; the table has the same check. */
export function assertMayBeOperator(account: { readonly email: string }): void {
  if (account.email.toLowerCase() !== DEMO_EMAIL) return;
  throw new AppError('UNAUTHORIZED', t`The demo account cannot be an operator.`, {
    suggestedFix: t`Sign up for an account of your own and make that one an operator.`,
  });
}
