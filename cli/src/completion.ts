import { COMMON_OPTIONS, type Command, type Option } from './command.ts';

/** Shells that a completion script can be made for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that completes commands, options, their values and files. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

/** First words, each once. */
function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => `${name.split(' ')[0]}`))];
}

/** What follows the first word of commands that have two. */
function groups(commands: readonly Command[]): [first: string, seconds: string[]][] {
  return firstWords(commands)
    .map((first): [string, string[]] => [first, commands.flatMap(({ name }) => secondOf(name, first))])
    .filter(([, seconds]) => seconds.length > 0);
}

function secondOf(name: string, first: string): string[] {
  const [head, second] = name.split(' ');
  return head === first && second !== undefined ? [second] : [];
}

function optionsOf({ options }: Command): readonly Option[] {
  return [...options, ...COMMON_OPTIONS];
}

function dashed(options: readonly Option[]): string {
  return options.flatMap(({ name, short }) => (short ? [`--${name}`, `-${short}`] : [`--${name}`])).join(' ');
}

function operandWords({ operands }: Command): string {
  return operands.flatMap(({ choices = [] }) => choices).join(' ');
}

/** Words by command, and values by command and option, as cases of bash and zsh alike. */
function cases(commands: readonly Command[]): { words: string; values: string } {
  const words = commands.map((command) => {
    const files = command.operands.some(({ isFile }) => isFile) ? ' files=1' : '';
    return `    '${command.name}') words='${[operandWords(command), dashed(optionsOf(command))].filter(Boolean).join(' ')}'${files} ;;`;
  });
  const seconds = groups(commands)
    .filter(([first]) => !commands.some(({ name }) => name === first))
    .map(([first, list]) => `    '${first}') words='${list.join(' ')}' ;;`);
  const values = commands.flatMap((command) =>
    optionsOf(command)
      .filter(({ value }) => value !== undefined)
      .map(
        ({ name, choices = [] }) =>
          `    '${command.name} --${name}') words='${choices.join(' ')}' value=1${name === 'variables' ? ' files=1' : ''} ;;`,
      ),
  );
  return { words: [...seconds, ...words].join('\n'), values: values.join('\n') };
}

/** The part that bash and zsh share: sets `words`, `files` and `value` for the command line up to the word that is completed. */
function lookup(commands: readonly Command[]): string {
  const { words, values } = cases(commands);
  const pairs = groups(commands)
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
    '') words='${firstWords(commands).join(' ')} --help --version' ;;
${words}
  esac; fi`;
}

function bashScript(commands: readonly Command[]): string {
  return `# Completion of reelgraph for bash: source <(reelgraph completion bash)
_reelgraph() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous='' first='' second=''
  [ "$COMP_CWORD" -gt 0 ] && previous="\${COMP_WORDS[COMP_CWORD-1]}"
  [ "$COMP_CWORD" -gt 1 ] && first="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && second="\${COMP_WORDS[2]}"
${lookup(commands)}
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

function zshScript(commands: readonly Command[]): string {
  return `#compdef reelgraph
# Completion of reelgraph for zsh: source <(reelgraph completion zsh)
_reelgraph() {
  local -a line; line=("\${words[@]}")
  local previous="\${line[CURRENT-1]}" first='' second=''
  (( CURRENT > 2 )) && first="\${line[2]}"
  (( CURRENT > 3 )) && second="\${line[3]}"
${lookup(commands)}
  compadd -- \${=words}
  [ -n "$files" ] && _files
  return 0
}
compdef _reelgraph reelgraph
`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = ['# Completion of reelgraph for fish: reelgraph completion fish | source', 'complete -c reelgraph -f'];
  const grouped = new Set(groups(commands).map(([first]) => first));
  for (const first of firstWords(commands)) {
    const about =
      commands.find(({ name }) => name === first)?.about ??
      `${groups(commands)
        .find(([name]) => name === first)?.[1]
        .join(', ')}`;
    lines.push(`complete -c reelgraph -n __fish_use_subcommand -a ${first} -d ${quoted(about)}`);
  }
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    if (second !== undefined) {
      const condition = quoted(`__fish_seen_subcommand_from ${first}; and test (count (commandline -opc)) -eq 2`);
      lines.push(`complete -c reelgraph -n ${condition} -a ${second} -d ${quoted(command.about)}`);
    }
    const when = second === undefined || !grouped.has(first) ? first : `${first}; and __fish_seen_subcommand_from ${second}`;
    lines.push(...fishCommand(command, quoted(`__fish_seen_subcommand_from ${when}`)));
  }
  return `${lines.join('\n')}\n`;
}

function fishCommand(command: Command, condition: string): string[] {
  const options = optionsOf(command).map(({ name, short, value, choices, about }) => {
    const takes = value === undefined ? '' : choices ? ` -x -a ${quoted(choices.join(' '))}` : ' -r';
    return `complete -c reelgraph -n ${condition} -l ${name}${short ? ` -s ${short}` : ''}${takes} -d ${quoted(about)}`;
  });
  const operands = operandWords(command) ? [`complete -c reelgraph -n ${condition} -a ${quoted(operandWords(command))}`] : [];
  const files = command.operands.some(({ isFile }) => isFile) ? [`complete -c reelgraph -n ${condition} -F`] : [];
  return [...options, ...operands, ...files];
}

/** In single quotes, as fish reads them. */
function quoted(text: string): string {
  return `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
}
