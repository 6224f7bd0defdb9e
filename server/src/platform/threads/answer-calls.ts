import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from './in-thread.ts';

/** Answers the calls of `InThread` in the file that it starts. */
export function answerCalls<Input>(work: (input: Input) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error('This runs in a thread.');
  port.on('message', async (input: Input) => {
    try {
      port.postMessage({ value: await work(input) } satisfies ThreadAnswer);
    } catch (error) {
      port.postMessage({ error } satisfies ThreadAnswer);
    }
  });
  port.postMessage('ready');
}
