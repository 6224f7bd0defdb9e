import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

/** UNAUTHORIZED for an account that the channel's moderators blocked. */
export function blockedHere(field: string): AppError {
  return new AppError(
    'UNAUTHORIZED',
    t`The moderators of this channel have blocked this account: it cannot comment or like here.`,
    {
      field,
      suggestedFix: t`Ask the moderators of the channel to unblock the account.`,
    },
  );
}
