import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { until } from '../../../testing/until.ts';
import { BASE_URL, GOOD_KEY, SESSION_COOKIE, sendRaw, startTestServer, type TestServer } from '../../testing.ts';

const PROTOCOL = 'graphql-transport-ws';
const INIT = { type: 'connection_init', payload: { authorization: `Bearer ${GOOD_KEY}` } };

interface Opened {
  readonly socket: WebSocket;
  readonly received: Record<string, unknown>[];
  readonly closed: Promise<{ code: number; reason: string }>;
  send(message: unknown): void;
}

describe('WebSocket connections', () => {
  let at: TestServer;
  before(async () => {
    at = await startTestServer({ streams: { perAccount: 2, total: 10, heartbeatMs: 1_000, slowMs: 5_000 } });
  });
  after(() => at.close());
  const opened: Opened[] = [];
  /** Connections that the server knows to be closed. */
  const ended = () => at.logged.filter(({ status }) => status === 101).length;
  afterEach(async () => {
    for (const { socket } of opened) socket.close();
    await until(() => ended() === opened.length);
  });

  async function open(
    path = '/graphql',
    headers: Record<string, string> = {},
    protocols = [PROTOCOL],
  ): Promise<Opened> {
    const socket = new WebSocket(`${at.address.replace('http', 'ws')}${path}`, protocols, { headers });
    const received: Record<string, unknown>[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
    await once(socket, 'open');
    const connection = { socket, received, closed, send: (message: unknown) => socket.send(JSON.stringify(message)) };
    opened.push(connection);
    return connection;
  }

  async function connected(path?: string): Promise<Opened> {
    const connection = await open(path);
    connection.send(INIT);
    await acknowledged(connection);
    return connection;
  }

  const acknowledged = ({ received }: Opened) => until(() => received[0]?.['type'] === 'connection_ack');

  it('answer operations as over HTTP, refused ones with their errors', async () => {
    const { received, send } = await connected();
    send({ id: 'q', type: 'subscribe', payload: { query: '{ hello }' } });
    await until(() => received.length === 3);
    assert.deepEqual(received.slice(1), [
      { id: 'q', type: 'next', payload: { data: { hello: 'hello world' } } },
      { id: 'q', type: 'complete' },
    ]);
    send({ id: 'bad', type: 'subscribe', payload: { query: '{ nothing }' } });
    await until(() => received.length === 4);
    const { id, type, payload } = received[3] as { id: string; type: string; payload: { message: string }[] };
    assert.deepEqual(
      [id, type, payload[0]?.message],
      ['bad', 'error', 'Cannot query field "nothing" on type "Query".'],
    );
  });

  it('run mutations and know the size of the message, for its cost', async () => {
    const { received, send } = await connected();
    const message = { id: 'm', type: 'subscribe', payload: { query: 'mutation { wave }' } };
    send(message);
    await until(() => received.length === 3);
    assert.deepEqual(received[1]?.['payload'], { data: { wave: 'waved' } });
    assert.equal(at.engine.seen.at(-1)?.bytes, 69);
  });

  it('take the key in connection_init or in the header, and are closed without one or with a wrong one', async () => {
    const byHeader = await open('/graphql', { authorization: `Bearer ${GOOD_KEY}` });
    byHeader.send({ type: 'connection_init' });
    await acknowledged(byHeader);
    const none = await open();
    none.send({ type: 'connection_init' });
    assert.deepEqual(await none.closed, { code: 4403, reason: 'UNAUTHENTICATED: The connection has no API key.' });
    const wrong = await open();
    wrong.send({ ...INIT, payload: { authorization: 'Bearer rg_wrong' } });
    assert.deepEqual(await wrong.closed, { code: 4403, reason: 'UNAUTHENTICATED: A valid API key is required.' });
    const early = await open();
    early.send({ id: '1', type: 'subscribe', payload: { query: '{ hello }' } });
    assert.equal((await early.closed).code, 4401);
  });

  it('take a session from the pages of the platform only', async () => {
    const own = await open('/graphql', { cookie: SESSION_COOKIE, origin: BASE_URL });
    own.send({ type: 'connection_init' });
    await acknowledged(own);
    own.send({ id: '1', type: 'subscribe', payload: { query: '{ whoAmI }' } });
    await until(() => own.received.length > 1);
    assert.deepEqual(own.received[1]?.['payload'], { data: { whoAmI: 'session' } });
    for (const origin of [{ origin: 'https://elsewhere.example' }, {}]) {
      const other = await open('/graphql', { cookie: SESSION_COOKIE, ...origin });
      other.send({ type: 'connection_init' });
      const { code, reason } = await other.closed;
      assert.equal(code, 4403);
      assert.match(reason, /^UNAUTHORIZED: A signed-in session may be used from the pages of this platform only/);
    }
  });

  it('are limited for an account', async () => {
    const [first, second] = [await connected(), await connected()];
    const third = await open();
    third.send(INIT);
    assert.deepEqual(await third.closed, {
      code: 1013,
      reason: 'RATE_LIMIT_EXCEEDED: 2 streams are open for this account; the limit is 2.',
    });
    for (const { socket } of [first, second]) socket.close();
    await until(() => ended() === opened.length);
    await connected();
  });

  it('wait for at most a hundred operations, of which those that end free their places', async () => {
    const { received, send } = await connected();
    const { promise, resolve } = Promise.withResolvers<void>();
    const hello = at.engine.execute.bind(at.engine);
    at.engine.subscribe = async (request) => {
      if (request.query !== '{ hello }') await promise;
      return { kind: 'answer', result: await hello(request) };
    };
    const subscribe = (id: string, query: string) => send({ id, type: 'subscribe', payload: { query } });
    const ofType = (type: string) => received.filter((message) => message['type'] === type);
    for (let n = 0; n < 99; n += 1) subscribe(`waiting ${n}`, '{ whoAmI }');
    for (let n = 0; n < 10; n += 1) {
      subscribe(`hello ${n}`, '{ hello }');
      await until(() => ofType('complete').length === n + 1);
    }
    subscribe('waiting 99', '{ whoAmI }');
    subscribe('too many', '{ hello }');
    await until(() => ofType('error').length === 1);
    const [error] = ofType('error');
    assert.equal(error?.['id'], 'too many');
    resolve();
    await until(() => ofType('complete').length === 110);
    Reflect.deleteProperty(at.engine, 'subscribe');
  });

  const broken: readonly (readonly [what: string, message: string | Buffer, code: number])[] = [
    ['what is no JSON', 'nonsense', 4400],
    ['a message of another kind', '{"type":"start"}', 4400],
    ['a message that only servers send', '{"id":"1","type":"next","payload":{}}', 4400],
    ['JSON that is nested too deeply', '['.repeat(30), 4400],
    ['bytes that are no text', Buffer.from([1, 2, 3]), 4400],
    ['a message of more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), 1009],
  ];
  for (const [what, message, code] of broken)
    it(`are closed by ${what}`, async () => {
      const { socket, closed } = await connected();
      socket.send(message);
      assert.equal((await closed).code, code);
    });

  it('need the subprotocol, and a version that exists', async () => {
    const { closed } = await open('/graphql', {}, []);
    assert.equal((await closed).code, 4406);
    await connected('/graphql/preview');
    for (const [path, status] of [
      ['/graphql/2001-01', 404],
      ['/graphql?key=secret', 401],
      ['/docs', 404],
    ] as const) {
      const socket = new WebSocket(`${at.address.replace('http', 'ws')}${path}`, PROTOCOL);
      const [, response] = await once(socket, 'unexpected-response');
      assert.equal(response.statusCode, status, path);
      socket.on('error', () => {}).terminate();
    }
  });

  it('leave other upgrades to requests', async () => {
    const head = ['GET /graphql?query={hello} HTTP/1.1', 'Host: x', `Authorization: Bearer ${GOOD_KEY}`];
    const upgrade = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const received = await sendRaw(at.port, `${[...head, ...upgrade].join('\r\n')}\r\n\r\n`);
    assert.match(received, /^HTTP\/1\.1 200 OK.*"hello":"hello world"/s);
  });

  it('end when a client answers no ping', async () => {
    const before = ended();
    const { socket, closed } = await open();
    socket.pause();
    await until(() => ended() === before + 1);
    socket.resume();
    assert.equal((await closed).code, 1006);
  });

  it('are closed with 1001 when the server stops, and terminated after the grace period', async () => {
    const stopping = await startTestServer();
    const sockets = await Promise.all(
      [1, 2].map(async () => {
        const socket = new WebSocket(`${stopping.address.replace('http', 'ws')}/graphql`, PROTOCOL);
        await once(socket, 'open');
        return socket;
      }),
    );
    const [reading, paused] = sockets;
    paused?.pause();
    const over = stopping.server.close({ graceMs: 500 });
    const [code] = await once(reading ?? assert.fail(), 'close');
    assert.equal(code, 1001);
    await over;
    await stopping.close();
  });
});
