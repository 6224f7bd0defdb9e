import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { rowsOf } from './copy-in.ts';

/** The members of pg's connection that COPY uses. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
}

/** Bytes that are kept for a slow reader before the server is made to wait. */
const KEPT_BYTES = 1024 * 1024;

/**
 * COPY … TO STDOUT as pg's client runs queries (PostgreSQL manual, section 54.2.6): a stream of rows in the format of
 * the statement. The client is free again once it has ended or was destroyed.
 */
export class CopyOut extends Readable {
  /** Known once the stream has ended. */
  rows = 0;
  #connection: CopyConnection | null = null;

  constructor(client: pg.ClientBase, text: string) {
    super({ highWaterMark: KEPT_BYTES });
    const nothing = (): void => {};
    const copy = {
      callback: nothing,
      submit: (connection: CopyConnection) => {
        this.#connection = connection;
        connection.query(text);
      },
      handleCopyData: ({ chunk }: { chunk: Buffer }, connection: CopyConnection) => {
        // pg overwrites the bytes of a message after it was handled.
        if (!this.destroyed && !this.push(Buffer.from(chunk))) connection.stream.pause();
      },
      handleRowDescription: nothing,
      handleDataRow: nothing,
      handleCommandComplete: (message: { text: string }) => {
        this.rows = rowsOf(message);
      },
      handleReadyForQuery: () => this.push(null),
      handleError: (error: Error) => this.destroy(error),
    };
    // The published types cover only pg's own submittables.
    client.query(copy as unknown as pg.Submittable);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** The rows that are left are read and dropped, so that the connection can be used again. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection?.stream.resume();
    done(error);
  }
}
