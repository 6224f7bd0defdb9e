import { unreachable } from '../request/endpoint.ts';
import { NetworkError } from '../request/errors.ts';
import { LinkedSignal } from '../retry/timing.ts';
import { EventParser, type StreamEvent } from './event-parser.ts';

/** The platform says something at least every 15 s; after this long the connection is dead. */
export const SILENCE_MS = 45_000;

/**
 * The messages of one connection, until it ends. Throws NetworkError when it breaks or falls silent, and what `open` throws. The
 * connection is closed when the reader leaves.
 */
export async function* readStream(
  url: string,
  outer: AbortSignal | undefined,
  silenceMs: number,
  open: (signal: AbortSignal) => Promise<Response>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const linked = new LinkedSignal(outer);
  const silent = new NetworkError('timeout', `${url} said nothing for ${silenceMs / 1_000} s.`);
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
      const piece = await reader?.read().catch((error: unknown) => {
        throw failure(error);
      });
      if (!piece || piece.done) return;
      for (const message of parser.push(piece.value)) {
        linked.abortAfter(2 ** 31 - 1, silent); // whoever reads may take their time
        yield message;
      }
      alive();
    }
  } finally {
    linked.release();
    linked.abort();
  }
}
