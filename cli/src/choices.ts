import { type Argument, type CommandUnknownOpts, InvalidArgumentError, type Option } from '@commander-js/extra-typings';
import { either, nearest } from './suggest.ts';

/** Lets people write the choices of a command's options and arguments in any case, and suggests the nearest ones. */
export function acceptAnyCase(command: CommandUnknownOpts): void {
  for (const each of [...command.options, ...command.registeredArguments]) acceptChoices(each);
}

function acceptChoices(target: Option | Argument): void {
  const { argChoices: choices, parseArg: parse } = target;
  if (!choices || !parse) return;
  target.parseArg = <T>(value: string, previous: T): T => {
    const choice = choices.find((one) => fold(one) === fold(value));
    if (choice === undefined) throw new InvalidArgumentError(refusal(value, choices));
    return parse(choice, previous) as T; // what the declared parser returns
  };
}

function fold(value: string): string {
  return value.toUpperCase().replaceAll('-', '_');
}

/** The suggestion is on a line of its own and in brackets, as Commander writes its own. */
function refusal(value: string, choices: readonly string[]): string {
  const guesses = nearest(value, choices);
  const allowed = `Allowed choices are ${choices.join(', ')}.`;
  return guesses.length > 0 ? `${allowed}\n(Did you mean ${either(guesses)}?)` : allowed;
}
