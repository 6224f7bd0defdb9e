import { Option } from '@commander-js/extra-typings';
import type { CommandContext } from './context.ts';
import { CliError } from './errors.ts';
import { prompt } from './prompt.ts';

/** For commands that cannot be undone. */
export const yesOption = new Option('-y, --yes', 'Do not ask for confirmation');

/**
 * Asks before something that cannot be undone, unless --yes was given. Throws CliError for another answer than yes, and
 * where there is no terminal to ask on.
 */
export async function confirm(context: CommandContext, isConfirmed: boolean | undefined, question: string) {
  if (isConfirmed) return;
  if (!process.stdin.isTTY)
    throw new CliError(`${question} There is no terminal to ask on.`, 'Add --yes to confirm it.');
  const reply = await prompt(`${question} [y/N] `, false, context.signal);
  if (!/^y(es)?$/i.test(reply)) throw new CliError('Nothing was changed.', 'Answer y, or add --yes.');
}
