import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { CliError } from './errors.ts';
import { either, nearest } from './suggest.ts';

/** Most suggestions for one command. */
const MOST = 3;

/** Other words for groups. */
const GROUPS: Readonly<Record<string, string>> = {
  video: 'content',
  videos: 'content',
  vod: 'content',
  subtitle: 'captions',
  subtitles: 'captions',
  mod: 'moderation',
  hook: 'webhook',
  hooks: 'webhook',
  stats: 'analytics',
  graphql: 'query',
  api: 'query',
  log: 'events',
  logs: 'events',
  find: 'search',
};

/** The error for words that name no command, with those that may have been meant. */
export function unknownCommand(program: CommandUnknownOpts, words: readonly string[]): CliError {
  const [group, path] = knownPart(program, words);
  const word = words[path.length] ?? '';
  const rest = words.slice(path.length + 1);
  const message = `Unknown command '${[...path, word].join(' ')}'.`;
  const guesses = (group === program ? guessesAtTop(program, word, rest) : guessesIn(group, word))
    .map((guess) => `\`${[program.name(), ...path, ...guess].join(' ')}\``)
    .slice(0, MOST);
  if (guesses.length > 0) return new CliError(message, `Did you mean ${either(guesses)}?`);
  const help = [program.name(), ...path, '--help'].join(' ');
  return new CliError(
    message,
    `Run \`${path.length === 0 ? `${program.name()} help` : help}\` for the list of commands.`,
  );
}

/** The deepest group that the first words name. */
function knownPart(program: CommandUnknownOpts, words: readonly string[]): [CommandUnknownOpts, string[]] {
  let group = program;
  const path: string[] = [];
  for (const word of words) {
    const found = childOf(group, word);
    if (!found) break;
    group = found;
    path.push(word);
  }
  return [group, path];
}

function childOf(group: CommandUnknownOpts, name: string): CommandUnknownOpts | undefined {
  return group.commands.find((command) => command.name() === name);
}

function namesOf({ commands }: CommandUnknownOpts): string[] {
  return commands.map((command) => command.name());
}

function guessesIn(group: CommandUnknownOpts, word: string): string[][] {
  return nearest(word, namesOf(group)).map((name) => [name]);
}

/** A mistyped first word, the words of a group in the other order, or a command without its group. */
function guessesAtTop(program: CommandUnknownOpts, word: string, [second = '']: readonly string[]): string[][] {
  const known = GROUPS[word.toLowerCase()];
  const names = known === undefined ? nearest(word, namesOf(program)) : [known];
  const groups = names.map((name) => withSecond(program, name, second));
  const [group = ''] = nearest(second, namesOf(program));
  const reversed = childOf(program, group)?.commands.find((command) => command.name() === word);
  if (reversed) return [[group, word]];
  if (groups.length > 0) return groups;
  return program.commands.filter((command) => childOf(command, word)).map((command) => [command.name(), word]);
}

/** The name, and the second word if it names one of its commands, or nearly. */
function withSecond(program: CommandUnknownOpts, name: string, second: string): string[] {
  const group = childOf(program, name);
  if (!group || group.commands.length === 0) return [name];
  const [action] = nearest(second, namesOf(group));
  return action === undefined ? [name] : [name, action];
}
