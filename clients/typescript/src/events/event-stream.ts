import { NetworkError } from '../errors.ts';
import { unreachable } from '../request/endpoint.ts';
import { LinkedSignal } from '../retry/timing.ts';
import { EventParser, type StreamEvent } from './event-parser.ts';

/** The platform sends a heartbeat every 15 s; after this silence the connection is dead. */
export const SILENCE_MS = 45_000;

/**
 * The messages of one connection, until it ends. Throws NetworkError when it breaks or goes silent, and what `open`
 * throws. Ending the iteration closes the connection.
 */
export async function* readStream(
  url: string,
  outer: AbortSignal | undefined,
  silenceMs: number,
  open: (signal: AbortSignal) => Promise<Response>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const linked = new LinkedSignal(outer);
  const silent = new NetworkError('timeout', `${url} sent nothing for ${silenceMs / 1_000} s.`);
  const alive = () => linked.abortAfter(silenceMs, silent);
  const failure = (error: unknown) =>
    linked.signal.aborted ? linked.signal.reason : error instanceof TypeError ? unreachable(url, error) : error;
  try {
    alive();
    const response = await open(linked.signal).catch((error: unknown) => {
      throw failure(error);
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    for (;;) {
      const chunk = await reader?.read().catch((error: unknown) => {
        throw failure(error);
      });
      if (!chunk || chunk.done) return;
      for (const message of parser.push(chunk.value)) {
        linked.abortAfter(2 ** 31 - 1, silent); // the reader may be slow
        yield message;
      }
      alive();
    }
  } finally {
    linked.release();
    linked.abort();
  }
}
