import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Interrupted } from './failures.ts';

/** Asks on the terminal; with `isSecret` what is typed is not shown. Throws Interrupted when Ctrl-C or Ctrl-D is pressed. */
export async function ask(question: string, isSecret: boolean, signal: AbortSignal): Promise<string> {
  // With a terminal's own echo off, readline echoes what is typed to its output: for a secret that is nowhere.
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isSecret ? nowhere : process.stderr, terminal: true });
  const stop = new AbortController();
  lines.on('SIGINT', () => stop.abort());
  try {
    if (isSecret) process.stderr.write(question);
    return (await lines.question(isSecret ? '' : question, { signal: AbortSignal.any([signal, stop.signal]) })).trim();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new Interrupted();
    throw error;
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/** Everything of the standard input. */
export function readInput(): Promise<string> {
  return text(process.stdin);
}
