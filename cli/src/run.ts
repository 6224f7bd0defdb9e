import { CommanderError } from '@commander-js/extra-typings';
import { AlreadyReported, CliError, describeError, EXIT, type ExitCode } from './errors.ts';
import { isJson, printError } from './print-error.ts';
import { program } from './program.ts';
import { Terminal } from './terminal.ts';
import { unknownCommand } from './unknown-command.ts';

/** Prints the error, unless already printed; returns its exit code. */
function report(error: unknown): ExitCode {
  if (error instanceof AlreadyReported) return error.exitCode;
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok; // help or the version was requested
  // The help is printed.
  if (error instanceof CommanderError && error.code === 'commander.help' && !isJson) return EXIT.usage;
  const details = describeError(error instanceof CommanderError ? usageError(error) : error);
  const err = new Terminal(process.stderr, process.env);
  if (isJson) err.line(JSON.stringify({ error: details }));
  else printError(err, details);
  return details.exitCode;
}

function usageError({ code, message }: CommanderError): CliError {
  if (code === 'commander.unknownCommand') return unknownCommand(program, program.args);
  if (code === 'commander.help')
    return new CliError('A command is missing.', 'Run `reelgraph help` for the list of commands.');
  const [problem = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const fix = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'Add --help to see what the command takes.';
  return new CliError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}`.replace(/\.?$/, '.'), fix);
}

// A closed pipe, such as of head, is not an error; work continues without a reader of the progress.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.stderr.on('error', () => {});

try {
  const line = process.argv.slice(2);
  await program.parseAsync(line.length === 0 ? ['--help'] : line, { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}
// Connections kept alive for later requests do not keep the process.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
process.exit();
