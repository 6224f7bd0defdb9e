import type { CommandContext, Viewer } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';

/** The viewer of a command that requires a permission: it has been authorized, so there is one. */
export function requireAccount(context: CommandContext): Viewer {
  if (!context.viewer) throw new AppError('UNAUTHENTICATED');
  return context.viewer;
}
