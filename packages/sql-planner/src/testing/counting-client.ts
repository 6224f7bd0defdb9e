import pg from 'pg';
import type { Call, Row, SqlReader } from '../statements/sql.ts';

/** Instants as ISO 8601 text, large integers as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.TIMESTAMPTZ) return (text: string) => new Date(text).toISOString();
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** A connection that counts its round trips and statements. */
export class CountingClient implements SqlReader {
  readonly sent: Call[] = [];
  roundTrips = 0;
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async connect(url: string): Promise<CountingClient> {
    const client = new pg.Client({ connectionString: url, types, options: '-c timezone=UTC -c datestyle=ISO' });
    await client.connect();
    return new CountingClient(client);
  }

  /** Runs the statements in order; later ones run also after an error. */
  async together(calls: readonly Call[]): Promise<Row[][]> {
    const results = await this.settled(calls);
    return results.map((result) => {
      if (result instanceof Error) throw result;
      return result;
    });
  }

  async settled(calls: readonly Call[]): Promise<(Row[] | Error)[]> {
    this.roundTrips += 1;
    this.sent.push(...calls);
    const results: (Row[] | Error)[] = [];
    for (const { statement, values } of calls) {
      try {
        const { rows } = await this.#client.query({ ...statement, values: [...values], rowMode: 'array' });
        results.push(rows as Row[]); // rowMode is array
      } catch (error) {
        results.push(error as Error); // of pg
      }
    }
    return results;
  }

  /** For the setup and assertions of tests; not counted. */
  async query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#client.query<R>(text, values)).rows;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
