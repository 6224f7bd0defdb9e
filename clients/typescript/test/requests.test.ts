import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { until } from '../../../server/src/testing/until.ts';
import { readErrors } from '../src/errors.ts';
import { type Client, type ClientOptions, createClient, NetworkError, ReelgraphError } from '../src/index.ts';
import { sharedTestPlatform } from './platform.fixture.ts';

const platform = sharedTestPlatform();
afterEach(() => platform.proxy.reset());

const QUICK = { baseDelayMs: 20, maxDelayMs: 50 };
const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ url: platform.url, key: platform.key, retry: QUICK, ...options });
const titles = async () =>
  (await connect().channelContents({ id: platform.channelId }))?.edges.map(({ node }) => node.metadata.title);

describe('a call', () => {
  it('returns the value of its root field, or of the innermost field of deeper operations', async () => {
    const client = connect();
    const { user, authenticated } = await client.verifyConnection();
    assert.deepEqual([user.username, authenticated], [platform.username, true]);
    const created = await client.createContent({ input: { title: 'First' } });
    assert.equal(created.metadata.title, 'First');
    const contents = await client.channelContents({ id: platform.channelId, first: 1 });
    assert.deepEqual([contents?.totalCount, contents?.edges[0]?.node.id], [1, created.id]);
  });

  it('accepts documents of the caller, as text or as typed documents', async () => {
    const client = connect();
    const text = 'query ($handle: String) { channel(handle: $handle) { id } }';
    const { channel } = await client.request<{ channel: { id: string } }>(text, { handle: platform.username });
    assert.equal(channel.id, platform.channelId);
    const typed = { toString: () => text } as {
      toString(): string;
      __apiType?: (variables: { handle: string }) => typeof answered;
    };
    const answered = { channel };
    assert.deepEqual(await client.request(typed, { handle: platform.username }), answered);
  });

  it('runs the named operation', async () => {
    const text = 'query A { rateLimit { limit } } query B { me { username } }';
    assert.deepEqual(await connect().request(text, {}, { operationName: 'B' }), {
      me: { username: platform.username },
    });
  });

  it('calls a function for the key, each time', async () => {
    const keys = ['rg_wrong', platform.key];
    const client = connect({ key: async () => keys.shift() ?? '' });
    await assert.rejects(client.me(), { code: 'UNAUTHENTICATED', status: 401 });
    assert.equal((await client.me()).username, platform.username);
  });

  it('returns the cost and the request id, and sends the name of the program', async () => {
    const answer = await connect({ userAgent: 'my-program/1.0' }).answer('{ me { username } }');
    assert.deepEqual(
      [answer.data, answer.errors, answer.status, answer.replayed],
      [{ me: { username: platform.username } }, [], 200, false],
    );
    assert.ok(answer.cost && answer.cost.available > 0 && answer.cost.restoreRate > 0);
    assert.match(answer.requestId ?? '', /\w/);
    assert.equal(platform.proxy.take()[0]?.headers['user-agent'], 'my-program/1.0');
  });

  it('names a version of the API, and the current one without', async () => {
    await connect({ version: 'preview' }).me();
    assert.equal(platform.proxy.take()[0]?.path, '/graphql/preview');
    await connect().me();
    assert.equal(platform.proxy.take()[0]?.path, '/graphql');
    await assert.rejects(connect({ version: '2020-01' }).me(), {
      code: 'RESOURCE_NOT_FOUND',
      status: 404,
      field: 'Reelgraph-Version',
    });
    platform.proxy.take();
  });
});

describe('an error', () => {
  it('is thrown with all its details', async () => {
    const error = await connect()
      .createContent({ input: { title: '' } })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ReelgraphError);
    assert.deepEqual(
      [error.code, error.errorType, error.field, error.retryable],
      ['FIELD_REQUIRED', 'ValidationError', 'input.title', false],
    );
    assert.ok(error.suggestedFix.length > 10 && error.requestId);
    assert.equal(error.documentation, `${platform.url}/docs/errors/field_required`);
    assert.equal(platform.proxy.take().length, 1, 'what cannot pass is not tried again');
  });

  it('of a field leaves the other fields in `data`', async () => {
    const missing = 'did:reelgraph:content/feature/0190a0c4-0000-7000-8000-000000000000';
    const text = 'query ($id: DID!) { me { username } feature(id: $id) { id } }';
    const error = await connect()
      .request(text, { id: missing })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ReelgraphError);
    assert.deepEqual([error.code, error.field, error.path], ['RESOURCE_NOT_FOUND', 'id', ['feature']]);
    assert.deepEqual(error.data, { me: { username: platform.username }, feature: null });
    assert.deepEqual((await connect().answer(text, { id: missing })).data, error.data);
  });

  it('of the whole document is thrown, too', async () => {
    await assert.rejects(connect().request('{ nothing }'), {
      name: 'ReelgraphError',
      code: 'GRAPHQL_VALIDATION_FAILED',
      data: null,
    });
  });

  it('is thrown without a request for the wrong method: a called subscription, a followed query', async () => {
    await assert.rejects(connect().request('subscription { eventsAfter { id } }'), TypeError);
    await assert.rejects(connect().subscribe('{ me { username } }').next(), TypeError);
    assert.equal(platform.proxy.take().length, 0);
  });
});

describe('whether an error is retried', () => {
  const failed = (code: string, more: object = {}) => ({
    kind: 'response' as const,
    status: 503,
    headers: { 'retry-after': '0' },
    body: JSON.stringify({ errors: [{ message: 'Not now.', extensions: { code, ...more } }] }),
  });

  for (const [what, code, more, requests] of [
    ['a permanent one of a code that usually passes', 'SERVICE_UNAVAILABLE', { retryable: false }, 1],
    ['one that may pass, of a code that this client does not know', 'QUEUE_FULL', { retryable: true }, 2],
    ['one of an older platform, whose code usually passes', 'SERVICE_UNAVAILABLE', {}, 2],
    ['one of an older platform, whose code is permanent', 'UNAUTHORIZED', {}, 1],
    ['one of an older platform, whose code this client does not know', 'QUEUE_FULL', {}, 1],
    ['one with something else than a decision', 'SERVICE_UNAVAILABLE', { retryable: 'maybe' }, 2],
  ] as const)
    it(`is decided by the platform: ${what}`, async () => {
      platform.proxy.next(failed(code, more));
      platform.proxy.take();
      const { errors } = await connect().answer('{ me { username } }');
      assert.deepEqual(
        [errors.map((error) => [error.code, error.retryable]), platform.proxy.take().length],
        [requests === 2 ? [] : [[code, false]], requests],
      );
    });

  it('is no where another mutation of the request was executed', async () => {
    const error = { message: 'Not now.', path: ['b'], extensions: { code: 'SERVICE_UNAVAILABLE', retryable: true } };
    const body = JSON.stringify({ data: { a: { id: 'did:a' }, b: null }, errors: [error] });
    platform.proxy.next({ ...failed('SERVICE_UNAVAILABLE'), status: 200, body });
    platform.proxy.take();
    const text =
      'mutation { a: createContent(input: { title: "x" }) { id } b: createContent(input: { title: "y" }) { id } }';
    await assert.rejects(connect().request(text), { retryable: false, data: { a: { id: 'did:a' }, b: null } });
    assert.equal(platform.proxy.take().length, 1);
  });

  it('receives the error of a feature that is not set up', async () => {
    platform.proxy.take();
    await assert.rejects(connect().youtubeVideos(), { code: 'SERVICE_UNAVAILABLE', retryable: false });
    assert.equal(platform.proxy.take().length, 1);
  });

  it('of several is no as soon as one is permanent', () => {
    const [passing, permanent] = readErrors([{ code: 'SERVICE_UNAVAILABLE' }, { code: 'QUEUE_FULL' }]);
    assert.ok(passing && permanent);
    const refusal = { status: 200, requestId: null, data: null, retryAfterMs: null };
    assert.deepEqual(
      [[passing], [passing, permanent], []].map((errors) => new ReelgraphError({ ...refusal, errors }).retryable),
      [true, false, false],
    );
  });
});

describe('a redirect', () => {
  it('is an error and not followed, because the key would be sent there', async () => {
    platform.proxy.take();
    platform.proxy.next({ kind: 'response', status: 301, headers: { location: 'https://elsewhere.example/graphql' } });
    await assert.rejects(connect().me(), {
      reason: 'no-answer',
      status: 301,
      message: /leads to https:\/\/elsewhere\.example\/graphql/,
    });
    assert.equal(platform.proxy.take().length, 1);
  });
});

describe('a transient error', () => {
  for (const fault of [
    { kind: 'lost request' },
    { kind: 'lost response' },
    { kind: 'broken response', afterBytes: 10 },
    { kind: 'response', status: 502, body: '<html>Bad gateway</html>' },
    { kind: 'response', status: 503, headers: { 'retry-after': '0' } },
  ] as const) {
    it(`is retried: ${JSON.stringify(fault)}`, async () => {
      platform.proxy.next(fault);
      assert.equal((await connect().me()).username, platform.username);
      assert.equal(platform.proxy.take().length, 2);
    });
  }

  it('does not run a mutation twice: its attempts have one idempotency key', async () => {
    const before = (await titles())?.length ?? 0;
    platform.proxy.take();
    platform.proxy.next({ kind: 'lost response' });
    const created = await connect().createContent({ input: { title: 'Only once' } });
    const keys = platform.proxy.take().map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 2);
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
    assert.equal(keys[0], keys[1]);
    assert.equal(created.metadata.title, 'Only once');
    assert.equal((await titles())?.length, before + 1);
  });

  it('runs one mutation for several calls with the same key', async () => {
    const client = connect();
    const again = () =>
      client.answer('mutation { createContent(input: { title: "Keyed" }) { id } }', {}, { idempotencyKey: 'my-key' });
    const [first, second] = [await again(), await again()];
    assert.deepEqual([first.replayed, second.replayed], [false, true]);
    assert.deepEqual(first.data, second.data);
  });

  it('is thrown after the allowed attempts', async () => {
    for (let n = 0; n < 3; n += 1) platform.proxy.next({ kind: 'lost request' });
    const error = await connect({ retry: { ...QUICK, maxAttempts: 3 } })
      .me()
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof NetworkError);
    assert.deepEqual([error.reason, error.status, error.retryable], ['unreachable', null, true]);
    assert.equal(platform.proxy.take().length, 3);
  });

  it('is not retried after the deadline', async () => {
    platform.proxy.next({ kind: 'response', status: 503, headers: { 'retry-after': '60' } });
    const started = Date.now();
    await assert.rejects(connect({ deadlineMs: 5_000 }).me(), {
      name: 'NetworkError',
      reason: 'no-answer',
      status: 503,
    });
    assert.ok(Date.now() - started < 5_000);
  });

  it('is not awaited after the deadline', async () => {
    platform.proxy.next({ kind: 'silence' });
    await assert.rejects(connect({ deadlineMs: 300 }).me({}, { signal: AbortSignal.timeout(10_000) }), {
      name: 'NetworkError',
      reason: 'timeout',
      message: /did not answer within 0\.\d+ s/,
    });
    assert.equal(platform.proxy.take().length, 1);
  });

  it('has the time to wait in the thrown error', async () => {
    const body = '{"errors":[{"message":"Too much.","extensions":{"code":"RATE_LIMIT_EXCEEDED"}}]}';
    platform.proxy.next({ kind: 'response', status: 429, headers: { 'retry-after': '7' }, body });
    await assert.rejects(connect({ retry: { maxAttempts: 1 } }).me(), {
      code: 'RATE_LIMIT_EXCEEDED',
      retryable: true,
      retryAfterMs: 7_000,
    });
  });

  it('is not retried if retries are off, nor for anonymous mutations', async () => {
    platform.proxy.next({ kind: 'lost request' });
    await assert.rejects(connect({ retry: { maxAttempts: 1 } }).me(), NetworkError);
    platform.proxy.next({ kind: 'lost request' });
    await assert.rejects(
      createClient({ url: platform.url, retry: QUICK }).updateSettings({ input: { keepHistory: true } }),
      NetworkError,
    );
    assert.equal(platform.proxy.take().length, 2);
  });
});

describe('the time limit', () => {
  it('ends an attempt without a response', async () => {
    platform.proxy.next({ kind: 'silence' });
    const started = Date.now();
    assert.equal((await connect({ timeoutMs: 300 }).me()).username, platform.username);
    assert.ok(Date.now() - started >= 300);
    platform.proxy.next({ kind: 'silence' });
    await assert.rejects(connect({ timeoutMs: 100, retry: { maxAttempts: 1 } }).me(), {
      name: 'NetworkError',
      reason: 'timeout',
    });
  });

  it('is the caller’s signal, too: its reason is thrown, also between attempts', async () => {
    const reason = new Error('enough');
    await assert.rejects(connect().me({}, { signal: AbortSignal.abort(reason) }), reason);
    platform.proxy.next({ kind: 'silence' });
    const during = new AbortController();
    platform.proxy.take();
    const unanswered = assert.rejects(connect().me({}, { signal: during.signal }), reason);
    await platform.proxy.came('POST', 1);
    during.abort(reason);
    await unanswered;
    platform.proxy.next({ kind: 'response', status: 503, headers: { 'retry-after': '30' } });
    const between = new AbortController();
    const { answered } = platform.proxy;
    const refused = assert.rejects(connect().me({}, { signal: between.signal }), reason);
    await until(() => platform.proxy.answered > answered, 'the response never ends');
    between.abort(reason);
    await refused;
  });
});
