import { type ChildProcess, spawn } from 'node:child_process';

/** What publishes a clip in real time. */
export interface Sender {
  /** What it has said so far. */
  output(): string;
  /** Ends it. Where its protocol can say so, the broadcast ends, too. */
  stop(): Promise<void>;
  /** What it sent, in a file that `stop` completes; of those whose own sound is not exactly at its pictures. */
  readonly recording?: string;
  /** How late its own sound is, where that is known. */
  readonly soundLateMs?: number;
}

const STOP_TIMEOUT_MS = 10_000;

/** Starts a program that ends at an interrupt. */
export function startProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.once('error', ({ message }) => {
    said += message;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said += text.toString();
    });
  return { output: () => said, stop: () => endProcess(child, 'SIGINT'), kill: () => endProcess(child, 'SIGKILL') };
}

/** Asks a process to end; kills it where it does not. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
