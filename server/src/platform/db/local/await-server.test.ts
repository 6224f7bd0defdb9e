import assert from 'node:assert/strict';
import { connect, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { until } from '../../../testing/until.ts';
import { freePort } from '../../config/free-port.ts';
import { createLogger } from '../../log.ts';
import { createTestDatabase, type TestDatabase } from '../testing.ts';
import { awaitServer } from './await-server.ts';

const log = createLogger({ level: 'silent' });

describe('the PostgreSQL of an operator', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  const at = (change: Partial<Pick<URL, 'port' | 'pathname'>>): string => Object.assign(new URL(test.url), change).href;

  it('is ready immediately', async () => {
    await awaitServer(test.url, { log });
  });

  it('is awaited while it starts', async () => {
    const port = await freePort();
    const real = new URL(test.url);
    const proxy = relay(Number(real.port), real.hostname);
    const lines: string[] = [];
    const noisy = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const greeted = awaitServer(at({ port: String(port) }), { log: noisy });
    await until(() => lines.some((line) => line.includes('is not ready yet')));
    proxy.listen(port, '127.0.0.1');
    await greeted;
    proxy.close();
  });

  it('that is unavailable gives an error with a suggested fix and without the password', async () => {
    const port = await freePort();
    const url = `postgres://someone:geheim@127.0.0.1:${port}/films`;
    await assert.rejects(awaitServer(url, { log, patienceMs: 600 }), (error: Error) => {
      assert.equal(error.name, 'ConfigError');
      assert.match(
        error.message,
        new RegExp(
          `DATABASE_URL: PostgreSQL at 127\\.0\\.0\\.1:${port}/films does not accept the connection: .*ECONNREFUSED`,
        ),
      );
      assert.ok(!error.message.includes('geheim'));
      return true;
    });
  });

  it('without the database fails immediately', async () => {
    const begunMs = performance.now();
    await assert.rejects(awaitServer(at({ pathname: '/nothing' }), { log }), /database "nothing" does not exist/);
    assert.ok(performance.now() - begunMs < 10_000);
  });

  it('with an invalid address gives an error with the format, and without the password', async () => {
    await assert.rejects(awaitServer('postgres://someone:ge/he#im@[db/films', { log }), (error: Error) => {
      assert.match(error.message, /DATABASE_URL: not of the form postgres:/);
      assert.ok(!error.message.includes('he#im'));
      return true;
    });
  });

  it('that is too old gives an error with the required version', async (context) => {
    context.mock.method(pg.Client.prototype, 'query', async () => ({ rows: [{ version: '17.6 (Debian 17.6-1)' }] }));
    await assert.rejects(awaitServer(test.url, { log }), /is 17\.6 \(Debian 17\.6-1\); version 18 or newer is needed/);
  });
});

/** Forwards connections to the real PostgreSQL. */
function relay(port: number, host: string): Server {
  return createServer((socket) => {
    const there = connect(port, host);
    socket.pipe(there).pipe(socket);
    for (const end of [socket, there]) end.on('error', () => {});
  });
}
