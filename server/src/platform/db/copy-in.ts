import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** The members of pg's connection that COPY uses. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(message: string): void;
  endCopyFrom(): void;
}

/**
 * COPY … FROM STDIN as pg's client runs queries (PostgreSQL manual, section 54.2.6): rows in text format, sent as fast
 * as the server takes them. Resolves with the number of rows when the statement is complete; where `rows` throws, the
 * statement fails and the promise rejects with that error.
 */
export function copyIn(client: pg.ClientBase, text: string, rows: Iterable<Buffer> | AsyncIterable<Buffer>) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const over = new AbortController();
  const nothing = (): void => {};
  let count = 0;
  let problem: Error | null = null;
  const copy = {
    callback: nothing,
    submit: (connection: CopyConnection) => connection.query(text),
    handleCopyInResponse(connection: CopyConnection) {
      send(connection, rows, over.signal).then(
        () => over.signal.aborted || connection.endCopyFrom(),
        (error: Error) => {
          if (over.signal.aborted) return;
          problem = error;
          connection.sendCopyFail(error.message);
        },
      );
    },
    handleRowDescription: nothing,
    handleDataRow: nothing,
    handleCommandComplete: (message: { text: string }) => {
      count = rowsOf(message);
    },
    handleReadyForQuery: () => resolve(count),
    handleError(error: Error) {
      over.abort();
      reject(problem ?? error);
    },
  };
  // The published types cover only pg's own submittables.
  client.query(copy as unknown as pg.Submittable);
  return promise;
}

async function send(
  connection: CopyConnection,
  rows: Iterable<Buffer> | AsyncIterable<Buffer>,
  over: AbortSignal,
): Promise<void> {
  for await (const chunk of rows) {
    if (over.aborted) return;
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal: over });
  }
}

/** The number of rows in the tag of a completed COPY. */
export function rowsOf({ text }: { readonly text: string }): number {
  return Number(text.replace('COPY ', ''));
}
