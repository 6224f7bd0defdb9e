import { parseArgs } from 'node:util';
import { COMMON_OPTIONS, type Command, type Option } from './command.ts';
import { CliError } from './failures.ts';

/** Options and operands of a command line, looked up by the names of the table. */
export class Values {
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #declared: ReadonlySet<string>;
  readonly operands: readonly string[];

  constructor(command: Command, options: Readonly<Record<string, unknown>>, operands: readonly string[]) {
    this.#options = options;
    this.#declared = new Set([...command.options, ...COMMON_OPTIONS].map(({ name }) => name));
    this.operands = operands;
  }

  /** The first operand, which the table says must be there. */
  get first(): string {
    return this.operands[0] ?? '';
  }

  flag(name: string): boolean {
    return this.#value(name) === true;
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** All values of an option that may be repeated. */
  texts(name: string): readonly string[] {
    const value = this.#value(name);
    return Array.isArray(value) ? value : [];
  }

  /** One of the values the table allows, which were looked at when the line was read. */
  choice<T extends string>(name: string): T | undefined {
    return this.text(name) as T | undefined;
  }

  /** A whole number. Throws CliError for anything else. */
  number(name: string, least: number, most: number): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new CliError(`--${name} is not ${value}.`, `Give a whole number from ${least} to ${most}.`);
  }

  /** A point in time, as the platform takes it. Throws CliError for what is none. */
  time(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const ms = Date.parse(value);
    if (Number.isNaN(ms)) throw new CliError(`--${name} is not ${value}.`, 'Give a date and time such as 2030-01-31T18:00:00Z.');
    return new Date(ms).toISOString();
  }

  #value(name: string): unknown {
    if (!this.#declared.has(name)) throw new Error(`The table has no option --${name} for this command.`);
    return this.#options[name];
  }
}

/**
 * Finds the command that the line names, behind options that all commands have; `rest` is the line without the name. Throws CliError with
 * the nearest names when there is none.
 */
export function findCommand(commands: readonly Command[], line: readonly string[]): { command: Command; rest: readonly string[] } {
  const start = lengthOfCommonOptions(line);
  const [first = '', second = ''] = line.slice(start);
  const found = (command: Command, words: number) => ({ command, rest: line.toSpliced(start, words) });
  const pair = commands.find(({ name }) => name === `${first} ${second}`);
  if (pair) return found(pair, 2);
  const single = commands.find(({ name }) => name === first);
  if (single) return found(single, 1);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (group.length > 0) throw new CliError(`\`${first}\` needs to know what to do.`, `One of: ${group.join(', ')}.`);
  throw new CliError(first ? `There is no command \`${first}\`.` : 'There is no command on the line.', 'Run `reelgraph help` for a list.');
}

/** How many words at the beginning of the line are options that all commands have, with their values. */
function lengthOfCommonOptions(line: readonly string[]): number {
  let length = 0;
  for (let word = line[0]; word?.startsWith('-'); word = line[length]) {
    const option = COMMON_OPTIONS.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
    length += option?.value === undefined ? 1 : 2;
  }
  return length;
}

/** Reads what follows a command's name. Throws CliError for what the table does not allow. */
export function readArguments(command: Command, line: readonly string[]): Values {
  const options = [...command.options, ...COMMON_OPTIONS];
  const { values, positionals } = parsed(command, options, line);
  if (values.help !== true) {
    checkOperands(command, positionals);
    checkChoices(command, options, values);
  }
  return new Values(command, values, positionals);
}

function parsed(command: Command, options: readonly Option[], line: readonly string[]) {
  const config = Object.fromEntries(options.map((option) => [option.name, parserOption(option)]));
  try {
    return parseArgs({ args: [...line], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(firstSentence(error.message), seeHelp(command));
    throw error;
  }
}

function parserOption({ short, value, repeated = false }: Option) {
  const type: 'string' | 'boolean' = value === undefined ? 'boolean' : 'string';
  return { type, multiple: repeated, ...(short === undefined ? {} : { short }) };
}

function checkOperands(command: Command, given: readonly string[]): void {
  const missing = command.operands.find(({ isOptional }, index) => !isOptional && given.length <= index);
  if (missing) throw new CliError(`${missing.name} is missing: ${lower(missing.about)}.`, seeHelp(command));
  const takesAll = command.operands.at(-1)?.isRepeated === true;
  if (!takesAll && given.length > command.operands.length)
    throw new CliError(`There is nothing to do with \`${given[command.operands.length]}\`.`, seeHelp(command));
  for (const [index, { name, choices }] of command.operands.entries()) {
    const value = given[index];
    if (choices && value !== undefined && !choices.includes(value))
      throw new CliError(`${name} is not ${value}.`, `One of: ${choices.join(', ')}. ${seeHelp(command)}`);
  }
}

function checkChoices(command: Command, options: readonly Option[], values: Readonly<Record<string, unknown>>): void {
  for (const { name, choices } of options) {
    for (const value of [values[name] ?? []].flat()) {
      if (choices && !choices.includes(String(value)))
        throw new CliError(`--${name} is not ${value}.`, `One of: ${choices.join(', ')}. ${seeHelp(command)}`);
    }
  }
}

function seeHelp({ name }: Command): string {
  return `See \`reelgraph help ${name}\`.`;
}

function firstSentence(text: string): string {
  return `${text.split(/\.\s/)[0]}`.replace(/\.?$/, '.');
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
