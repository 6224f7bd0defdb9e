import type { CommandContext } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';

/** Id of the account that makes the request. Throws UNAUTHENTICATED for an anonymous one. */
export function accountOf({ viewer }: CommandContext): string {
  if (!viewer) throw new AppError('UNAUTHENTICATED');
  return viewer.accountId;
}
