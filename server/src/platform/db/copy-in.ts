import type pg from 'pg';

/** The members of pg's connection that COPY uses. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * COPY … FROM STDIN as pg's client runs queries (PostgreSQL manual, section 54.2.6): rows in text format, sent at once.
 * Resolves when they are committed.
 */
export function copyIn(client: pg.ClientBase, text: string, rows: Buffer): Promise<void> {
  return new Promise((done, failed) => {
    const nothing = (): void => {};
    const copy = {
      callback: nothing,
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(rows);
        connection.endCopyFrom();
      },
      handleRowDescription: nothing,
      handleDataRow: nothing,
      handleCommandComplete: nothing,
      handleReadyForQuery: () => done(),
      handleError: (error: Error) => failed(error),
    };
    // The published types cover only pg's own submittables.
    client.query(copy as unknown as pg.Submittable);
  });
}
