import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './testing.ts';

/**
 * The private members of `pg` that statement-query.ts, pipelined-connection.ts, copy-in.ts and copy-out.ts use. A new
 * version of pg fails the first test: read its changes against the other tests, then write the version here.
 */
const VERSION = '8.23.1';

/** Callbacks of a query and messages it wrote to the connection, in order. */
type Log = string[];

interface Connection {
  readonly stream: { write(bytes: Buffer): boolean; readonly writableCorked: number };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: object): void;
}
interface RawClient {
  readonly pipeline: boolean;
  readonly connection: Connection;
  query(query: object): unknown;
}
type Described = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };
interface RawQuery {
  readonly name: string;
  readonly text: string;
  hasBeenParsed(connection: Connection): boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: Described): void;
  handleDataRow(message: { readonly fields: unknown[] }): void;
  handleCommandComplete(message: object, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}
const RawQuery = pg.Query as unknown as new (
  config: object,
  values: unknown[],
  callback: (error: unknown) => void,
) => RawQuery;

/** pg's own query, recording its calls. */
class LoggedQuery extends RawQuery {
  readonly log: Log;
  readonly done: Promise<void>;

  constructor(name: string, text: string, values: unknown[], log: Log) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    super({ name, text }, values, (error) => (error ? reject(error) : resolve()));
    this.log = log;
    this.done = promise;
  }
  override prepare(connection: Connection): void {
    this.log.push(
      `prepare ${this.text}, corked ${connection.stream.writableCorked > 0}, parsed ` +
        `${Boolean(this.hasBeenParsed(connection))}`,
    );
    super.prepare(connection);
  }
  override handleRowDescription(message: Described): void {
    this.log.push(
      `row description ${message.fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join(', ')}`,
    );
    super.handleRowDescription(message);
  }
  override handleDataRow(message: { readonly fields: unknown[] }): void {
    this.log.push(`data row ${JSON.stringify(message.fields)}`);
    super.handleDataRow(message);
  }
  override handleCommandComplete(message: object, connection: Connection): void {
    this.log.push('command complete');
    super.handleCommandComplete(message, connection);
  }
  override handleReadyForQuery(connection: Connection): void {
    this.log.push('ready for query');
    super.handleReadyForQuery(connection);
  }
  override handleError(error: Error, connection: Connection): void {
    this.log.push(`error ${error.message}`);
    super.handleError(error, connection);
  }
}

it(`is pg ${VERSION}, which the tests below were written against`, () => {
  const path = createRequire(import.meta.url).resolve('pg/package.json');
  assert.equal(JSON.parse(readFileSync(path, 'utf8')).version, VERSION);
});

describe('private behaviour of pg', () => {
  let test: TestDatabase;
  let client: pg.Client;
  let raw: RawClient;
  before(async () => {
    test = await createTestDatabase();
    client = new pg.Client({ connectionString: test.url, pipeline: true } as pg.ClientConfig);
    raw = client as unknown as RawClient;
    await client.connect();
  });
  after(async () => {
    await client.end();
    await test.close();
  });

  it('with the option `pipeline`, sends a query before the previous ones complete, and returns results in order', async () => {
    assert.equal(raw.pipeline, true);
    const log: Log = [];
    const queries = [
      new LoggedQuery('slow', 'select pg_sleep(0.05), 1 as n', [], log),
      new LoggedQuery('fast', 'select 2 as n', [], log),
    ];
    for (const query of queries) raw.query(query);
    assert.deepEqual(log, [
      'prepare select pg_sleep(0.05), 1 as n, corked true, parsed false',
      'prepare select 2 as n, corked true, parsed false',
    ]);
    await Promise.all(queries.map(({ done }) => done));
    assert.deepEqual(
      log.filter((entry) => entry.startsWith('data row')),
      ['data row ["","1"]', 'data row ["2"]'],
    );
  });

  it('calls a query that extends its own in this order, with fields as text or null', async () => {
    const log: Log = [];
    const query = new LoggedQuery('order', 'select $1::int as n, null::text as nothing', [7], log);
    raw.query(query);
    await query.done;
    assert.deepEqual(log, [
      'prepare select $1::int as n, null::text as nothing, corked true, parsed false',
      'row description n 23, nothing 25',
      'data row ["7",null]',
      'command complete',
      'ready for query',
    ]);
  });

  it('reports an error to its query, and continues with the next ones', async () => {
    const log: Log = [];
    const [bad, good] = [
      new LoggedQuery('bad', 'select 1 / $1::int', [0], log),
      new LoggedQuery('good', 'select 1 as n', [], []),
    ];
    raw.query(bad);
    raw.query(good);
    await assert.rejects(bad.done, { code: '22012' });
    await good.done;
    assert.equal(log.at(-1), 'error division by zero');
  });

  it('keeps prepared statements in `parsedStatements` and `submittedNamedStatements`, and prepares a deleted one again', async () => {
    const { connection } = raw;
    const log: Log = [];
    const run = async (): Promise<void> => {
      const query = new LoggedQuery('remembered', 'select 3 as n', [], log);
      raw.query(query);
      await query.done;
    };
    const parsed: string[] = [];
    const parse = connection.parse;
    connection.parse = (statement) => {
      parsed.push((statement as { name: string }).name);
      parse.call(connection, statement);
    };
    await run();
    await run();
    assert.equal(connection.parsedStatements.remembered, 'select 3 as n');
    delete connection.parsedStatements.remembered;
    delete connection.submittedNamedStatements.remembered;
    await client.query('deallocate remembered');
    await run();
    connection.parse = parse;
    assert.deepEqual(parsed, ['remembered', 'remembered']);
    assert.deepEqual(
      log.filter((entry) => entry.startsWith('prepare')),
      [false, true, false].map((isParsed) => `prepare select 3 as n, corked true, parsed ${isParsed}`),
    );
  });

  it('has the members of the connection that write one message each', () => {
    const connection = raw.connection as unknown as Record<string, unknown>;
    const stream = connection.stream as Record<string, unknown>;
    for (const name of ['parse', 'bind', 'describe', 'close', 'sync', 'query', 'sendCopyFromChunk', 'endCopyFrom'])
      assert.equal(typeof connection[name], 'function', `connection.${name}`);
    for (const name of ['write', 'cork', 'uncork'])
      assert.equal(typeof stream[name], 'function', `connection.stream.${name}`);
  });

  it('writes dates, arrays and objects by `utils.prepareValue`', () => {
    const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;
    assert.equal(prepareValue(['a', null, 'b"c']), '{"a",NULL,"b\\"c"}');
    assert.equal(prepareValue({ a: 1 }), '{"a":1}');
    assert.equal(prepareValue(undefined), null);
    assert.equal(prepareValue(7), '7');
    assert.match(String(prepareValue(new Date(0))), /^1970-01-01T|^1969-12-31T/);
  });

  it('reports a lost connection with a message that translate() recognises', async () => {
    const lost = new pg.Client({ connectionString: test.url, pipeline: true } as pg.ClientConfig);
    await lost.connect();
    const gone = new Promise((resolve) => lost.once('end', resolve));
    lost.on('error', () => {});
    const running = lost.query('select pg_terminate_backend(pg_backend_pid())');
    await assert.rejects(running, { code: '57P01' });
    await gone;
    await assert.rejects(lost.query('select 1'), /connection (terminated|error|closed)|is not queryable/i);
  });
});
