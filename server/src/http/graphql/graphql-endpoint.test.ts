import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { ErrorCode } from '../../kernel/errors.ts';
import { BASE_URL, errorsOf, GOOD_KEY, SESSION_COOKIE, startTestServer, type TestServer } from '../testing.ts';

const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';
const KEY = { authorization: `Bearer ${GOOD_KEY}` };
const HELLO = { query: '{ hello }' };

let at: TestServer;
before(async () => {
  at = await startTestServer();
});
after(() => at.close());

describe('POST /graphql', () => {
  it('responds in the accepted media type, application/json by default', async () => {
    const cases: [accept: string, type: string][] = [
      ['*/*', JSON_TYPE],
      [JSON_TYPE, JSON_TYPE],
      [GRAPHQL_TYPE, GRAPHQL_TYPE],
      [`${GRAPHQL_TYPE}, ${JSON_TYPE};q=0.9`, GRAPHQL_TYPE],
    ];
    for (const [accept, type] of cases) {
      const response = await at.graphql(HELLO, { accept });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.deepEqual(await response.json(), { data: { hello: 'hello world' } });
    }
    assert.equal((await at.graphql(HELLO, { accept: 'text/plain' })).status, 406);
  });

  it('passes query, variables, operation name, document id and credential on', async () => {
    const body = {
      query: 'query A($n: String) { hello(name: $n) }',
      variables: { n: 'x' },
      operationName: 'A',
      documentId: null,
      extensions: {},
      unknown: 1,
    };
    assert.deepEqual(await (await at.graphql(body)).json(), { data: { hello: 'hello x' } });
    const { requestId, signal, credential, clientAddress, idempotencyKey, lastEventId, ...rest } =
      at.engine.seen.at(-1)!; // just executed
    assert.deepEqual([idempotencyKey, lastEventId], [undefined, undefined]);
    assert.deepEqual(rest, {
      query: body.query,
      documentId: undefined,
      variables: { n: 'x' },
      operationName: 'A',
      version: undefined,
      bytes: 139,
      queriesOnly: false,
    });
    assert.equal(clientAddress, '127.0.0.1');
    assert.equal(credential.kind, 'key');
    assert.equal(signal.aborted, false);
    assert.ok(requestId.length > 10);
    at.engine.next = { body: { data: {} }, failure: null };
    await at.graphql({ documentId: 'sha256:00' });
    assert.equal(at.engine.seen.at(-1)?.documentId, 'sha256:00');
  });

  it('maps each failure of the whole request to a status, in both media types', async () => {
    const cases: [failure: ErrorCode | null, inJson: number, inGraphql: number][] = [
      [null, 200, 200],
      ['GRAPHQL_VALIDATION_FAILED', 200, 400],
      ['INVALID_INPUT', 200, 400],
      ['UNAUTHENTICATED', 401, 401],
      ['UNAUTHORIZED', 403, 403],
      ['RATE_LIMIT_EXCEEDED', 429, 429],
      ['SERVICE_UNAVAILABLE', 503, 503],
      ['INTERNAL_SERVER_ERROR', 500, 500],
    ];
    for (const [failure, inJson, inGraphql] of cases) {
      for (const [accept, status] of [
        [JSON_TYPE, inJson],
        [GRAPHQL_TYPE, inGraphql],
      ] as const) {
        at.engine.next = { body: { errors: [] }, failure, ...(failure ? { retryAfterSeconds: 1.2 } : {}) };
        const response = await at.graphql(HELLO, { accept });
        assert.equal(response.status, status, `${failure} ${accept}`);
        assert.equal(response.headers.get('retry-after'), status === 200 ? null : '2');
        assert.equal(response.headers.has('www-authenticate'), status === 401);
      }
    }
  });

  it('renders errors before execution as GraphQL errors with extensions', async () => {
    const cases: [
      name: string,
      body: string,
      headers: Record<string, string>,
      status: number,
      code: ErrorCode,
      field?: string,
    ][] = [
      ['no JSON', '{"query":', {}, 400, 'INVALID_INPUT'],
      ['no UTF-8', '', { 'content-type': 'application/json; charset=utf-16' }, 415, 'INVALID_INPUT'],
      ['an empty body', '', {}, 400, 'FIELD_REQUIRED'],
      ['a form', 'query=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'INVALID_INPUT'],
      ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, 'INVALID_INPUT'],
      ['an empty batch', '[]', {}, 400, 'INVALID_INPUT'],
      ['a string', '"{hello}"', {}, 400, 'INVALID_INPUT'],
      ['no document', '{"qeury":"{hello}"}', {}, 400, 'FIELD_REQUIRED', 'query'],
      ['a document that is a number', '{"query":1}', {}, 400, 'INVALID_INPUT', 'query'],
      ['variables that are a list', '{"query":"{hello}","variables":[]}', {}, 400, 'INVALID_INPUT', 'variables'],
      ['variables that are a string', '{"query":"{hello}","variables":"{}"}', {}, 400, 'INVALID_INPUT', 'variables'],
      [
        'an operation name that is an object',
        '{"query":"{hello}","operationName":{}}',
        {},
        400,
        'INVALID_INPUT',
        'operationName',
      ],
      ['extensions that are a string', '{"query":"{hello}","extensions":"a"}', {}, 400, 'INVALID_INPUT', 'extensions'],
      ['a malformed key', '{"query":"{hello}"}', { authorization: 'Bearer x' }, 401, 'UNAUTHENTICATED'],
    ];
    for (const [name, body, headers, status, code, field] of cases) {
      const executed = at.engine.seen.length;
      const response = await at.graphql(body, headers);
      assert.equal(response.status, status, name);
      const rendered = await errorsOf(response);
      assert.equal('data' in rendered, false, name);
      const extensions = rendered.errors[0]?.extensions;
      assert.equal(extensions?.code, code, name);
      assert.equal(extensions?.field, field, name);
      assert.equal(extensions?.documentation, `${BASE_URL}/docs/errors/${code.toLowerCase()}`);
      assert.ok(extensions?.suggestedFix && extensions.errorType, name);
      assert.equal(at.engine.seen.length, executed, name);
    }
  });

  it('refuses invalid UTF-8', async () => {
    const response = await at.fetch('/graphql', {
      method: 'POST',
      headers: { ...KEY, 'content-type': JSON_TYPE },
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    assert.equal(response.status, 400);
    assert.match((await errorsOf(response)).errors[0]?.message ?? '', /UTF-8/);
  });

  it('accepts a body of 1 MiB and refuses a larger one, by declared length or by count', async () => {
    const exact = JSON.stringify({ query: '{ hello }', extensions: { pad: '' } });
    const padded = (bytes: number) => exact.replace('"pad":""', `"pad":"${'x'.repeat(bytes - exact.length)}"`);
    assert.equal((await at.graphql(padded(1024 * 1024))).status, 200);
    assert.equal((await at.graphql(padded(1024 * 1024 + 1))).status, 413);
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 20; part += 1) controller.enqueue(Buffer.alloc(100_000, 'x'));
        controller.close();
      },
    });
    const chunked = await at.fetch('/graphql', {
      method: 'POST',
      headers: { ...KEY, 'content-type': JSON_TYPE },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    assert.equal(chunked.status, 413);
    assert.equal((await errorsOf(chunked)).errors[0]?.extensions?.code, 'INVALID_INPUT');
  });

  it('refuses a key in the address even with a valid one in the header', async () => {
    for (const search of ['?key=abc', `?x=${GOOD_KEY}`, '?access_token=abc']) {
      const response = await at.fetch(`/graphql${search}`, {
        method: 'POST',
        headers: { ...KEY, 'content-type': JSON_TYPE },
        body: JSON.stringify(HELLO),
      });
      assert.equal(response.status, 401);
      assert.match((await errorsOf(response)).errors[0]?.message ?? '', /in the URL/);
    }
  });

  it('refuses a session from another site and accepts it from the web application', async () => {
    const send = (headers: Record<string, string>) =>
      at.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': JSON_TYPE, cookie: SESSION_COOKIE, ...headers },
        body: '{"query":"{ whoAmI }"}',
      });
    assert.equal((await send({ origin: 'http://evil.test' })).status, 403);
    assert.deepEqual(await (await send({ origin: BASE_URL })).json(), { data: { whoAmI: 'session' } });
  });

  it('lists the allowed methods', async () => {
    const options = await at.fetch('/graphql', { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS, POST']);
    assert.equal((await at.fetch('/graphql', { method: 'DELETE' })).status, 405);
  });

  it('masks an error of the engine and logs it with the request id', async () => {
    at.engine.next = async () => {
      throw new Error('secret detail');
    };
    const response = await at.graphql(HELLO);
    assert.equal(response.status, 500);
    const id = response.headers.get('x-request-id') ?? '';
    const text = await response.text();
    assert.ok(!text.includes('secret detail') && text.includes(id));
    const line = at.logged.find((entry) => entry.msg === 'request failed' && entry.requestId === id);
    assert.match(JSON.stringify(line), /secret detail/);
  });

  it('aborts the engine’s signal when the client disconnects', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const aborted = Promise.withResolvers<void>();
    at.engine.next = async ({ signal }) => {
      started.resolve(signal);
      signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
      return { body: { data: {} }, failure: null };
    };
    const request = httpRequest(`${at.address}/graphql`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': JSON_TYPE },
    });
    request.on('error', () => {});
    request.end(JSON.stringify(HELLO));
    await started.promise;
    request.destroy();
    await aborted.promise;
    assert.ok(at.logged.some((entry) => entry.status === 499));
  });
});

describe('GET /graphql', () => {
  const get = (parameters: Record<string, string>, headers: Record<string, string> = KEY) =>
    at.fetch(`/graphql?${new URLSearchParams(parameters)}`, { headers });

  it('executes queries with variables', async () => {
    const response = await get({
      query: 'query A($n: String) { hello(name: $n) }',
      variables: '{"n":"y"}',
      operationName: 'A',
    });
    assert.deepEqual(await response.json(), { data: { hello: 'hello y' } });
    assert.equal(at.engine.seen.at(-1)?.queriesOnly, true);
  });

  it('refuses mutations with 405 and Allow: POST', async () => {
    const response = await get({ query: 'mutation { wave }' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST');
  });

  it('refuses a missing document and variables that are not JSON', async () => {
    assert.equal((await get({})).status, 400);
    const response = await get({ query: '{ hello }', variables: '{n' });
    assert.equal(response.status, 400);
    assert.equal((await errorsOf(response)).errors[0]?.extensions?.field, 'variables');
  });

  it('redirects a browser without a session to the sign-in page and back', async () => {
    const response = await at.fetch('/graphql?query=%7Bme%7D', { headers: { accept: 'text/html,*/*;q=0.8' } });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/sign-in?next=%2Fgraphql%3Fquery%3D%257Bme%257D');
  });
});
