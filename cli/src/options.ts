import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

export const channelOption = new Option(
  '-c, --channel <CHANNEL>',
  'Handle or identifier of a channel (default: your own)',
);

export const limitOption = new Option('-n, --limit <NUMBER>', 'Maximum number of results')
  .default(20)
  .argParser((value) => wholeNumber(value, 1, 100_000));

export const visibilityOption = new Option('--visibility <VISIBILITY>', 'Who can find it').choices([
  'PUBLIC',
  'UNLISTED',
  'PRIVATE',
] as const);

/** A parser of whole numbers, for options and arguments. */
export function wholeNumberBetween(least: number, most: number): (value: string) => number {
  return (value) => wholeNumber(value, least, most);
}

/** A whole number. Throws InvalidArgumentError for anything else. */
function wholeNumber(value: string, least: number, most: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
}

/** A point in time, in the platform's format. Throws InvalidArgumentError for anything else. */
export function instant(value: string): string {
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Expected a date and time such as 2030-01-31T18:00:00Z.');
  return new Date(ms).toISOString();
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** The examples at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return ['\nExamples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** The name of an account or channel, without the @ that people write before it. */
export function nameOf(text: string): string {
  return text.replace(/^@/, '');
}
