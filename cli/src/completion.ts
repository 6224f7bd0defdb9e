import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { EVENT_TYPES } from './event-types.gen.ts';

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that completes commands, options, their values and files. */
export function completionScript(shell: Shell, program: CommandUnknownOpts): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](entriesOf(program));
}

/** A command, for completion. */
interface Entry {
  /** `content list`. */
  readonly name: string;
  readonly description: string;
  /** Values of its arguments. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly options: readonly OptionEntry[];
}

interface OptionEntry {
  /** Without the dashes. */
  readonly name: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly takesFile: boolean;
  readonly choices: readonly string[];
}

/** Commands with the options of the program. A value called FILE is a file, one called EVENT is a type of events. */
function entriesOf(program: CommandUnknownOpts): Entry[] {
  const path = (command: CommandUnknownOpts): string =>
    command.parent && command.parent !== program ? `${path(command.parent)} ${command.name()}` : command.name();
  const leaves = (command: CommandUnknownOpts): CommandUnknownOpts[] =>
    command.commands.length > 0 ? command.commands.flatMap(leaves) : [command];
  const shared = program.options.filter(({ long }) => long !== '--version').map(optionEntry);
  return leaves(program).map((command) => ({
    name: path(command),
    description: command.summary() || command.description(),
    words: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    takesFiles: command.registeredArguments.some((argument) => argument.name() === 'FILE'),
    options: [...command.options.map(optionEntry), ...shared, HELP],
  }));
}

function optionEntry({ long, short, description, flags, required, argChoices = [] }: Option): OptionEntry {
  return {
    name: `${long}`.replace(/^--/, ''),
    short: short?.replace(/^-/, ''),
    description,
    takesValue: required,
    takesFile: flags.endsWith('<FILE>'),
    choices: flags.endsWith('<EVENT>') ? EVENT_TYPES : argChoices,
  };
}

const HELP: OptionEntry = {
  name: 'help',
  short: 'h',
  description: 'Show this help',
  takesValue: false,
  takesFile: false,
  choices: [],
};

/** First words, each once. */
function firstWords(entries: readonly Entry[]): string[] {
  return [...new Set(entries.map(({ name }) => `${name.split(' ')[0]}`))];
}

/** Groups with the second words of their commands. */
function groups(entries: readonly Entry[]): [first: string, seconds: string[]][] {
  return firstWords(entries)
    .map((first): [string, string[]] => [first, entries.flatMap(({ name }) => secondOf(name, first))])
    .filter(([, seconds]) => seconds.length > 0);
}

function secondOf(name: string, first: string): string[] {
  const [head, second] = name.split(' ');
  return head === first && second !== undefined ? [second] : [];
}

function dashed(options: readonly OptionEntry[]): string {
  return options.flatMap(({ name, short }) => (short ? [`--${name}`, `-${short}`] : [`--${name}`])).join(' ');
}

/** Words by command, and values by command and option, as cases of bash and zsh alike. */
function cases(entries: readonly Entry[]): { words: string; values: string } {
  const words = entries.map(({ name, words: values, takesFiles, options }) => {
    const files = takesFiles ? ' files=1' : '';
    return `    '${name}') words='${[...values, dashed(options)].join(' ')}'${files} ;;`;
  });
  const seconds = groups(entries).map(([first, list]) => `    '${first}') words='${list.join(' ')}' ;;`);
  const values = entries.flatMap(({ name: command, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ name, choices, takesFile }) =>
          `    '${command} --${name}') words='${choices.join(' ')}' value=1${takesFile ? ' files=1' : ''} ;;`,
      ),
  );
  return { words: [...seconds, ...words].join('\n'), values: values.join('\n') };
}

/**
 * The part that bash and zsh share: sets `words`, `files` and `value` for the command line up to the word that is
 * completed.
 */
function lookup(entries: readonly Entry[]): string {
  const { words, values } = cases(entries);
  const pairs = groups(entries)
    .map(([first]) => `'${first}'`)
    .join('|');
  return `  local command="$first" words='' files='' value=''
  case "$first" in
    ${pairs}) [ -n "$second" ] && command="$first $second" ;;
  esac
  case "$command $previous" in
${values}
  esac
  if [ -z "$value" ]; then case "$command" in
    '') words='${firstWords(entries).join(' ')} --help --version' ;;
${words}
  esac; fi`;
}

function bashScript(entries: readonly Entry[]): string {
  return `# Completion of reelgraph for bash: source <(reelgraph completion bash)
_reelgraph() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous='' first='' second=''
  [ "$COMP_CWORD" -gt 0 ] && previous="\${COMP_WORDS[COMP_CWORD-1]}"
  [ "$COMP_CWORD" -gt 1 ] && first="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && second="\${COMP_WORDS[2]}"
${lookup(entries)}
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    local name
    while IFS= read -r name; do COMPREPLY+=( "$name" ); done < <(compgen -f -- "$current")
  fi
  return 0
}
complete -o default -F _reelgraph reelgraph
`;
}

function zshScript(entries: readonly Entry[]): string {
  return `#compdef reelgraph
# Completion of reelgraph for zsh: source <(reelgraph completion zsh)
_reelgraph() {
  local -a line; line=("\${words[@]}")
  local previous="\${line[CURRENT-1]}" first='' second=''
  (( CURRENT > 2 )) && first="\${line[2]}"
  (( CURRENT > 3 )) && second="\${line[3]}"
${lookup(entries)}
  compadd -- \${=words}
  [ -n "$files" ] && _files
  return 0
}
compdef _reelgraph reelgraph
`;
}

function fishScript(entries: readonly Entry[]): string {
  const lines = ['# Completion of reelgraph for fish: reelgraph completion fish | source', 'complete -c reelgraph -f'];
  const grouped = new Map(groups(entries));
  for (const first of firstWords(entries)) {
    const description = grouped.get(first)?.join(', ') ?? `${entries.find(({ name }) => name === first)?.description}`;
    lines.push(`complete -c reelgraph -n __fish_use_subcommand -a ${first} -d ${quoted(description)}`);
  }
  for (const entry of entries) {
    const [first = '', second] = entry.name.split(' ');
    if (second !== undefined) {
      const condition = quoted(`__fish_seen_subcommand_from ${first}; and test (count (commandline -opc)) -eq 2`);
      lines.push(`complete -c reelgraph -n ${condition} -a ${second} -d ${quoted(entry.description)}`);
    }
    const when = second === undefined ? first : `${first}; and __fish_seen_subcommand_from ${second}`;
    lines.push(...fishCommand(entry, quoted(`__fish_seen_subcommand_from ${when}`)));
  }
  return `${lines.join('\n')}\n`;
}

function fishCommand({ options, words, takesFiles }: Entry, condition: string): string[] {
  const lines = options.map(({ name, short, takesValue, choices, description }) => {
    const value = takesValue ? (choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -r') : '';
    return (
      `complete -c reelgraph -n ${condition} -l ` +
      `${name}${short ? ` -s ${short}` : ''}${value} -d ${quoted(description)}`
    );
  });
  const values = words.length > 0 ? [`complete -c reelgraph -n ${condition} -a ${quoted(words.join(' '))}`] : [];
  const files = takesFiles ? [`complete -c reelgraph -n ${condition} -F`] : [];
  return [...lines, ...values, ...files];
}

/** In single quotes, as fish reads them. */
function quoted(text: string): string {
  return `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
}
