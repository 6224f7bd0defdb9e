import { findCommand } from './arguments.ts';
import type { Command } from './command.ts';
import { analytics } from './commands/analytics.ts';
import { CAPTIONS } from './commands/captions.ts';
import { CONTENT_CHANGES } from './commands/content-changes.ts';
import { contentList } from './commands/content-list.ts';
import { contentShow } from './commands/content-show.ts';
import { doctor } from './commands/doctor.ts';
import { events } from './commands/events.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { PLAYLISTS } from './commands/playlist.ts';
import { query } from './commands/query.ts';
import { upload } from './commands/upload.ts';
import { whoami } from './commands/whoami.ts';
import { completionScript, SHELLS, type Shell } from './completion.ts';
import { commandHelp, overview } from './help.ts';

/** Prints help out of the table it stands in itself. */
const help: Command = {
  name: 'help',
  about: 'Show the list of commands, or what a command takes',
  operands: [{ name: 'COMMAND', about: 'Name of a command, of one word or two', isOptional: true, isRepeated: true }],
  options: [],
  examples: ['reelgraph help upload', 'reelgraph help content list'],
  async run({ values, out }) {
    out.write(values.operands.length === 0 ? overview(COMMANDS) : commandHelp(findCommand(COMMANDS, values.operands).command));
  },
};

const completion: Command = {
  name: 'completion',
  about: 'Print a script that completes commands and options in your shell',
  operands: [{ name: 'SHELL', about: 'The shell', choices: SHELLS }],
  options: [],
  examples: ['source <(reelgraph completion bash)', 'reelgraph completion fish | source'],
  async run({ values, out }) {
    out.write(completionScript(values.first as Shell, COMMANDS)); // the table allows no other
  },
};

/** The one table of commands: arguments, help and completion are made of it. */
export const COMMANDS: readonly Command[] = [
  login,
  logout,
  whoami,
  upload,
  contentList,
  contentShow,
  ...CONTENT_CHANGES,
  ...CAPTIONS,
  ...PLAYLISTS,
  analytics,
  events,
  query,
  doctor,
  completion,
  help,
];
