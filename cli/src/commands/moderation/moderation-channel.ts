import { CliError, EXIT } from '../../errors.ts';

/** What the platform shows to moderators of a channel only. Throws CliError for anyone else. */
export function visible<T>(value: T | null): T {
  if (value !== null) return value;
  throw new CliError(
    'You do not moderate this channel.',
    'Name a channel in which you are an editor, a manager or the owner.',
    EXIT.unauthorized,
  );
}
