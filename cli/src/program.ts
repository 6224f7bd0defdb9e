import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { acceptAnyCase } from './choices.ts';
import { analytics } from './commands/analytics.ts';
import { captionCommands } from './commands/captions.ts';
import { channelCommands } from './commands/channel/channel.ts';
import { commentCommands } from './commands/comment/comment.ts';
import { contentChanges } from './commands/content/content-changes.ts';
import { contentForecast } from './commands/content/content-forecast.ts';
import { contentList } from './commands/content/content-list.ts';
import { contentShow } from './commands/content/content-show.ts';
import { contentTest } from './commands/content/content-test.ts';
import { contentTranscribe } from './commands/content/content-transcribe.ts';
import { contentUpdate } from './commands/content/content-update.ts';
import { contentUpmix } from './commands/content/content-upmix.ts';
import { contentUpscale } from './commands/content/content-upscale.ts';
import { doctor } from './commands/doctor.ts';
import { events } from './commands/events.ts';
import { exportCommand } from './commands/export.ts';
import { jobCommands } from './commands/job.ts';
import { liveCommands } from './commands/live.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { moderationCommands } from './commands/moderation/moderation.ts';
import { playlistCommands } from './commands/playlist/playlist.ts';
import { query } from './commands/query.ts';
import { search } from './commands/search.ts';
import { seriesCommands } from './commands/series/series.ts';
import { shareCommands } from './commands/share.ts';
import { signingKeyCommands } from './commands/signing-key.ts';
import { tokenCommands } from './commands/token.ts';
import { upload } from './commands/upload.ts';
import { webhookCommands } from './commands/webhook/webhook.ts';
import { whoami } from './commands/whoami.ts';
import { completionScript, SHELLS } from './completion.ts';
import { EXIT_MEANINGS } from './errors.ts';
import { examples } from './options.ts';
import { isJson } from './print-error.ts';
import { unknownCommand } from './unknown-command.ts';
import { VERSION } from './version.ts';

const completion = new Command('completion')
  .description('Print a script that completes commands and options in your shell')
  .addArgument(new Argument('<SHELL>', 'The shell').choices(SHELLS))
  .addHelpText('after', examples('source <(reelgraph completion bash)', 'reelgraph completion fish | source'))
  .action((shell) => void process.stdout.write(completionScript(shell, program)));

const help = new Command('help')
  .description('Show the list of commands, or the help of one')
  .argument('[COMMAND...]', 'Name of a command, one word or two')
  .addHelpText('after', examples('reelgraph help upload', 'reelgraph help content list'))
  .action((names) => commandNamed(names).outputHelp());

/** The whole command line. */
export const program: CommandUnknownOpts = new Command('reelgraph')
  .description('The command line of a Reelgraph video platform')
  .usage('COMMAND [options]')
  .version(VERSION, '--version', 'Show the version')
  .option('--json', 'Print one JSON document, or one line of JSON per event')
  .option('-q, --quiet', 'Print the result only: no progress, no notes')
  .option('--url <ADDRESS>', 'The platform, instead of REELGRAPH_URL and the one of `reelgraph login`')
  .helpOption('-h, --help', 'Show this help')
  .helpCommand(false)
  .configureHelp({ showGlobalOptions: true, visibleCommands: leafCommands, subcommandTerm: commandPath })
  .addHelpText('after', environmentAndExitCodes())
  // Errors are printed by the caller; this is the help of a group without a command.
  .configureOutput({ writeErr: (text) => void (isJson || process.stderr.write(text)), outputError: () => {} })
  .exitOverride();

addAll(program, [
  login,
  logout,
  whoami,
  upload,
  group('content', 'List, show, change, publish, delete, restore, enhance, forecast and test contents', [
    ...[contentList, contentShow, contentUpdate, ...contentChanges],
    ...[contentUpmix, contentUpscale, contentTranscribe, contentForecast, contentTest],
  ]),
  group('job', 'List, watch and cancel the processing of videos', jobCommands),
  group('live', 'List, show, create and delete live inputs, and end broadcasts', liveCommands),
  group('captions', 'List, add, delete and translate captions', captionCommands),
  group('playlist', 'List, show, create, change, order and delete playlists', playlistCommands),
  group('series', 'List, create, order and publish series, seasons and episodes', seriesCommands),
  group('channel', 'List, show, create, change and follow channels, and manage members', channelCommands),
  group('comment', 'List, write, change, pin and heart comments', commentCommands),
  group('moderation', 'Review comments and reports, block accounts and words', moderationCommands),
  group(
    'webhook',
    'List, create, change, test and replay webhooks, and forward events to this machine',
    webhookCommands,
  ),
  group('share', 'List, add and remove people and links that private contents are shared with', shareCommands),
  group('signing-key', 'List, create and delete keys for playback tokens', signingKeyCommands),
  group('token', 'List, create and revoke scoped tokens', tokenCommands),
  search,
  analytics,
  events,
  query,
  exportCommand,
  doctor,
  completion,
  help,
]);

function group(name: string, description: string, commands: readonly CommandUnknownOpts[]): CommandUnknownOpts {
  const parent = new Command(name).description(description).helpCommand(false);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

/** Adds commands with the program's behaviour and output. */
function addAll(parent: CommandUnknownOpts, commands: readonly CommandUnknownOpts[]): void {
  for (const command of commands) {
    command.copyInheritedSettings(parent);
    acceptAnyCase(command);
    if (command.parent === null) parent.addCommand(command);
    addAll(command, command.commands);
  }
}

/** Commands without groups. */
export function leafCommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leafCommands(child) : [child]));
}

/** `content list`: the groups and the name. */
export function commandPath(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}

/** Throws CliError when there is none. */
function commandNamed(names: readonly string[]): CommandUnknownOpts {
  return names.reduce((parent, name) => {
    const found = parent.commands.find((command) => command.name() === name);
    if (!found) throw unknownCommand(program, names);
    return found;
  }, program);
}

function environmentAndExitCodes(): string {
  return `
Environment:
  REELGRAPH_URL  Address of the platform
  REELGRAPH_KEY  API key, instead of the one of \`reelgraph login\`
  NO_COLOR       Set to anything to turn colors off

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}

Run \`reelgraph help COMMAND\` for the help of one command.`;
}
