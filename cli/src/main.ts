#!/usr/bin/env node
import { findCommand, readArguments } from './arguments.ts';
import { Call } from './call.ts';
import { COMMANDS } from './commands.ts';
import { failureOf, Interrupted, Told } from './failures.ts';
import { commandHelp, overview } from './help.ts';
import { tellFailure } from './print-error.ts';
import { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

/** How long a command may take to end in order after Ctrl-C. */
const PATIENCE_MS = 3_000;

/** `reelgraph`: finds the command, runs it, tells what went wrong, and ends with the exit code that says so. */
async function main(line: readonly string[]): Promise<void> {
  const [first] = line;
  if (first === undefined || first === '--help' || first === '-h') return void process.stdout.write(overview(COMMANDS));
  if (first === '--version') return void process.stdout.write(`${VERSION}\n`);
  const { command, rest } = findCommand(COMMANDS, line);
  const values = readArguments(command, rest);
  if (values.flag('help')) return void process.stdout.write(commandHelp(command));
  await command.run(new Call(values, process.env, interruption()));
}

/** Aborted by the first Ctrl-C; the second one does not wait for anything. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Interrupted());
    setTimeout(() => process.exit(130), PATIENCE_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  return controller.signal;
}

/** Tells what went wrong, unless that was done; answers the exit code that says so. */
function toldExitCode(error: unknown): number {
  if (error instanceof Told) return error.exitCode;
  const failure = failureOf(error);
  const err = new Terminal(process.stderr, process.env);
  if (process.argv.includes('--json')) err.line(JSON.stringify({ error: failure }));
  else tellFailure(err, failure);
  return failure.exitCode;
}

// A reader that has seen enough, such as head, is no failure; what is done goes on when nobody reads how far it is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.stderr.on('error', () => {});

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = toldExitCode(error);
}
// Connections that are kept for later requests do not keep the process.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
process.exit();
