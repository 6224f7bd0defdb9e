import { COMMON_OPTIONS, type Command, type Operand, type Option } from './command.ts';
import { EXIT_MEANINGS } from './failures.ts';

/** List of commands. */
export function overview(commands: readonly Command[]): string {
  return [
    'reelgraph: the command line of a Reelgraph video platform',
    '',
    'USAGE',
    '  reelgraph COMMAND [OPTIONS]',
    '',
    'COMMANDS',
    ...columns(commands.map(({ name, about }) => [name, about])),
    '',
    'OPTIONS OF EVERY COMMAND',
    ...columns(COMMON_OPTIONS.map((option) => [optionSyntax(option), option.about])),
    '',
    'ENVIRONMENT',
    ...columns([
      ['REELGRAPH_URL', 'Address of the platform'],
      ['REELGRAPH_KEY', 'API key, instead of the one of `reelgraph login`'],
      ['NO_COLOR', 'Set to anything: no colours'],
    ]),
    '',
    'EXIT CODES',
    ...columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning])),
    '',
    'Run `reelgraph help COMMAND` for what a command takes.',
    '',
  ].join('\n');
}

/** Everything about one command. */
export function commandHelp(command: Command): string {
  const operands = command.operands.map(({ name, about, choices }) => [name, withChoices(about, choices)] as const);
  return [
    ...section('NAME', [`  reelgraph ${command.name} - ${command.about}`]),
    ...section('USAGE', [`  ${usage(command)}`]),
    ...section('DESCRIPTION', command.details ? wrapped(command.details) : []),
    ...section('OPERANDS', columns(operands)),
    ...section('OPTIONS', optionLines(command.options)),
    ...section('OPTIONS OF EVERY COMMAND', optionLines(COMMON_OPTIONS)),
    ...section(
      'EXAMPLES',
      command.examples.map((example) => `  ${example}`),
    ),
  ].join('\n');
}

/** `reelgraph upload FILE... [OPTIONS]`. */
export function usage({ name, operands, options }: Command): string {
  return ['reelgraph', name, ...operands.map(operandSyntax), ...(options.length > 0 ? ['[OPTIONS]'] : [])].join(' ');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [title, ...lines, ''] : [];
}

function operandSyntax({ name, isOptional, isRepeated }: Operand): string {
  const several = isRepeated ? `${name}...` : name;
  return isOptional ? `[${several}]` : several;
}

function optionLines(options: readonly Option[]): string[] {
  return columns(options.map((option) => [optionSyntax(option), withChoices(option.about, option.choices, option.repeated)]));
}

function optionSyntax({ name, short, value }: Option): string {
  return `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
}

function withChoices(about: string, choices: readonly string[] | undefined, repeated = false): string {
  return `${about}${choices ? `: ${choices.join(', ')}` : ''}${repeated ? ' (may be repeated)' : ''}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}

const LINE = 100;

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= LINE) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
