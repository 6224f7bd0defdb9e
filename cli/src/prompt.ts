import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Interrupted } from './errors.ts';

/** Asks on the terminal; with `isSecret` the input is not echoed. Throws Interrupted on Ctrl-C and Ctrl-D. */
export async function prompt(question: string, isSecret: boolean, signal: AbortSignal): Promise<string> {
  // The terminal's own echo is off, so readline echoes input to its output: for a secret that output discards
  // everything.
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? discarded : process.stderr,
    terminal: true,
  });
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

/** The whole standard input. */
export function readStdin(): Promise<string> {
  return text(process.stdin);
}
