import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../kernel/errors.ts';
import type { Route } from '../platform/routing.ts';
import { BASE_URL, errorsOf, GOOD_KEY, SESSION_COOKIE, sendRaw, startTestServer, type TestServer } from './testing.ts';

let released = Promise.withResolvers<void>();
const routes: Route[] = [
  {
    method: 'GET',
    path: '/things/:id',
    handle: (_request, response, { params, url, requestId, clientAddress }) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: params.id, search: url.search, requestId, clientAddress }));
    },
  },
  { method: 'POST', path: '/things', handle: (_request, response) => void response.writeHead(201).end() },
  {
    method: 'GET',
    path: '/fails/:how',
    handle: (_request, response, { params }) => {
      if (params.how === 'known') throw new AppError('RESOURCE_ALREADY_EXISTS', 'There is one.', { field: 'name' });
      if (params.how === 'limited') throw new AppError('RATE_LIMIT_EXCEEDED', undefined, { retryAfterSeconds: 0.4 });
      if (params.how === 'signed-out') throw new AppError('UNAUTHENTICATED');
      if (params.how === 'half') response.write('half');
      throw new Error('secret detail');
    },
  },
  {
    method: 'GET',
    path: '/slow',
    handle: async (_request, response) => {
      await released.promise;
      response.end('done');
    },
  },
];

let at: TestServer;
before(async () => {
  at = await startTestServer({ routes });
});
after(() => at.close());

describe('routes', () => {
  it('get their parameters, the client’s address and the request id', async () => {
    const response = await at.fetch('/things/a%20b?x=1', { headers: { 'x-request-id': 'mine-1' } });
    assert.equal(response.headers.get('x-request-id'), 'mine-1');
    assert.deepEqual(await response.json(), {
      id: 'a b',
      search: '?x=1',
      requestId: 'mine-1',
      clientAddress: '127.0.0.1',
    });
  });

  it('get a new request id when the client’s is unsafe to log', async () => {
    for (const id of ['a b', 'x'.repeat(129), '']) {
      const response = await at.fetch('/things/a', { headers: { 'x-request-id': id } });
      assert.match(response.headers.get('x-request-id') ?? '', /^[\w-]{12}\.[0-9a-z]+$/);
    }
  });

  it('use X-Forwarded-For only with a trusted proxy, and then its last entry', async () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
    const untrusted = (await (await at.fetch('/things/a', { headers })).json()) as { clientAddress: string };
    assert.equal(untrusted.clientAddress, '127.0.0.1');
    const trusting = await startTestServer({ routes, env: { TRUST_PROXY: 'on' } });
    const trusted = (await (await trusting.fetch('/things/a', { headers })).json()) as { clientAddress: string };
    await trusting.close();
    assert.equal(trusted.clientAddress, '203.0.113.9');
  });

  it('warn once of an untrusted proxy on this machine', async () => {
    const warnings = async (env: Record<string, string>, headers: Record<string, string>) => {
      const server = await startTestServer({ routes, env });
      for (let count = 0; count < 2; count += 1) await server.fetch('/things/a', { headers });
      await server.close();
      return server.logged.filter(({ msg }) => /all its clients count as one address/.test(String(msg))).length;
    };
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    assert.equal(await warnings({}, forwarded), 1);
    assert.equal(await warnings({}, {}), 0);
    assert.equal(await warnings({ TRUST_PROXY: 'on' }, forwarded), 0);
  });

  it('are protected from cross-site requests with a session', async () => {
    const post = (headers: Record<string, string>) => at.fetch('/things', { method: 'POST', headers });
    assert.equal((await post({ cookie: SESSION_COOKIE, origin: 'http://evil.test' })).status, 403);
    assert.equal((await post({ cookie: SESSION_COOKIE, origin: BASE_URL })).status, 201);
    assert.equal((await post({ origin: 'http://evil.test' })).status, 201);
  });
});

describe('failures', () => {
  it('are rendered from the catalogue', async () => {
    const response = await at.fetch('/fails/known');
    assert.equal(response.status, 409);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await response.json(), {
      errors: [
        {
          message: 'There is one.',
          code: 'RESOURCE_ALREADY_EXISTS',
          errorType: 'ConflictError',
          field: 'name',
          suggestedFix: 'Use the existing object, or choose another value for the argument named in "field".',
          documentation: `${BASE_URL}/docs/errors/resource_already_exists`,
          retryable: false,
        },
      ],
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('have Retry-After and WWW-Authenticate', async () => {
    assert.equal((await at.fetch('/fails/limited')).headers.get('retry-after'), '1');
    assert.equal((await at.fetch('/fails/signed-out')).headers.get('www-authenticate'), 'Bearer realm="reelgraph"');
    const refused = await at.fetch('/fails/signed-out', { headers: { authorization: 'Bearer x' } });
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="reelgraph", error="invalid_token"');
  });

  it('that are unknown are masked and logged with the request id, and do not stop the server', async () => {
    const response = await at.fetch('/fails/unknown');
    assert.equal(response.status, 500);
    const text = await response.text();
    const id = response.headers.get('x-request-id') ?? '';
    assert.ok(!text.includes('secret detail') && text.includes(id));
    assert.ok(at.logged.some((line) => line.requestId === id && line.msg === 'request failed'));
    assert.equal((await at.fetch('/things/a')).status, 200);
  });

  it('after the first byte close the connection', async () => {
    const response = await at.fetch('/fails/half');
    await assert.rejects(response.text());
  });

  it('list the allowed methods for a wrong method, and for OPTIONS', async () => {
    const response = await at.fetch('/things/a', { method: 'DELETE' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
    const options = await at.fetch('/things/a', { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
  });

  it('for addresses are 404 and 400', async () => {
    const missing = await at.fetch('/things/a/b', { headers: { accept: 'application/json' } });
    assert.equal(missing.status, 404);
    assert.equal((await errorsOf(missing)).errors[0]?.code, 'RESOURCE_NOT_FOUND');
    assert.equal((await at.fetch('/things/%ff')).status, 400);
    assert.equal((await at.fetch('/things/a?api_key=1')).status, 401);
  });
});

describe('connections', () => {
  it('get a response to invalid HTTP', async () => {
    assert.match(
      await sendRaw(at.port, 'NONSENSE\r\n\r\n'),
      /^HTTP\/1\.1 400 Bad Request[\s\S]*"code":"INVALID_INPUT"/,
    );
    assert.match(
      await sendRaw(at.port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 /,
    );
  });

  it('are kept alive', async () => {
    const text = await sendRaw(
      at.port,
      'GET /things/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /things/2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  });

  it('accept an absolute request target', async () => {
    assert.match(
      await sendRaw(at.port, 'GET http://other.test/things/7?y=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
      /"id":"7","search":"\?y=1"/,
    );
  });

  it('respond to HEAD without a body', async () => {
    const text = await sendRaw(at.port, 'HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.match(text, /^HTTP\/1\.1 200 OK/);
    assert.ok(text.endsWith('\r\n\r\n'));
  });

  it('receive the error while they are still sending the body', async () => {
    const response = await at.fetch('/fails/known', { method: 'PUT', body: Buffer.alloc(3_000_000) });
    assert.equal(response.status, 405);
  });
});

/** A request that stops within its body. */
const STALLED =
  `POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ` +
  `${GOOD_KEY}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;

describe('slow clients', () => {
  let hasty: TestServer;
  before(async () => {
    hasty = await startTestServer({ routes, timeouts: { headersMs: 60, idleMs: 300 } });
  });
  after(() => hasty.close());

  it('that never finish their headers are disconnected with 408', async () => {
    const started = Date.now();
    const text = await sendRaw(hasty.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.ok(Date.now() - started < 20_000);
  });

  it('that stop within a body are disconnected', async () => {
    assert.equal(await sendRaw(hasty.port, STALLED), '');
  });

  it('that wait for a slow response are not disconnected', async () => {
    released = Promise.withResolvers();
    const waiting = hasty.fetch('/slow');
    // A connection that is idle from then on is disconnected meanwhile.
    await sendRaw(hasty.port, STALLED);
    released.resolve();
    assert.equal(await (await waiting).text(), 'done');
  });
});

describe('closing', () => {
  it('finishes running requests, refuses new connections, and ends', async () => {
    const closing = await startTestServer({ routes });
    released = Promise.withResolvers();
    const startedAt = Date.now();
    const idle = connect(closing.port, '127.0.0.1');
    const idleClosed = new Promise<void>((resolve) => idle.on('close', () => resolve()));
    const slow = closing.fetch('/slow');
    await untilLogged(() => closing.fetch('/healthz').then((response) => response.ok));
    const closed = closing.server.close({ graceMs: 5_000 });
    await assert.rejects(closing.fetch('/healthz'));
    released.resolve();
    const response = await slow;
    assert.equal(await response.text(), 'done');
    assert.equal(response.headers.get('connection'), 'close');
    await closed;
    await idleClosed;
    assert.ok(Date.now() - startedAt < 5_000);
    await closing.close();
  });

  it('tells streams that wait, so that they do not delay it', async () => {
    const waits: Route = {
      method: 'GET',
      path: '/waits',
      handle: (_request, response, { closing: stopping }) => {
        response.writeHead(200).write('begun\n');
        stopping.addEventListener('abort', () => response.end('over'));
      },
    };
    const closing = await startTestServer({ routes: [waits] });
    const startedAt = Date.now();
    const stream = await closing.fetch('/waits');
    await closing.server.close({ graceMs: 5_000 });
    assert.equal(await stream.text(), 'begun\nover');
    assert.ok(Date.now() - startedAt < 5_000);
    await closing.close();
  });

  it('closes requests after the grace period', async () => {
    const closing = await startTestServer({ routes });
    released = Promise.withResolvers();
    const slow = assert.rejects(closing.fetch('/slow'));
    await untilLogged(() => closing.fetch('/healthz').then((response) => response.ok));
    await closing.server.close({ graceMs: 30 });
    await slow;
    released.resolve();
    await closing.close();
  });
});

describe('the log', () => {
  it('has one line per request, with its route and without secrets', async () => {
    const uuid = '0198c0de-7a11-7000-8000-000000000000';
    await at.fetch(`/things/${uuid}-Q2hlY2sgdGhpcyBvdXQ?x=hidden-value`, {
      headers: { authorization: `Bearer ${GOOD_KEY}`, cookie: SESSION_COOKIE, 'x-request-id': 'logged-1' },
    });
    await at.fetch(`/things/1786000000.c2lnbmF0dXJlc2lnbmF0dXJl`, { headers: { 'x-request-id': 'logged-2' } });
    await at.fetch(`/things/${GOOD_KEY}`, { headers: { 'x-request-id': 'logged-3' } });
    await untilLogged(() => at.logged.some((line) => line.requestId === 'logged-3'));
    const [first, second, third] = ['logged-1', 'logged-2', 'logged-3'].map((id) =>
      at.logged.find((line) => line.requestId === id),
    );
    assert.equal(first?.route, '/things/:id');
    assert.equal(first?.path, `/things/${uuid}-…`);
    assert.equal(first?.status, 200);
    assert.equal(typeof first?.ms, 'number');
    assert.equal(second?.path, '/things/…');
    assert.equal(third?.path, '/things/…');
    const whole = JSON.stringify(at.logged);
    for (const secret of ['hidden-value', GOOD_KEY, SESSION_COOKIE]) assert.ok(!whole.includes(secret), secret);
  });
});

async function untilLogged(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 2_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The log line did not come.');
    await new Promise((done) => setTimeout(done, 5));
  }
}
