import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiVersions } from '../../kernel/api-versions.ts';
import { BASE_URL, errorsOf, GOOD_KEY, SESSION_COOKIE, startTestServer, type TestServer } from '../testing.ts';

const VERSIONS = new ApiVersions([
  { name: '2026-10', publishedOn: '2026-10-05', retiredOn: '2028-02-01' },
  { name: '2027-01', publishedOn: '2027-01-12', retiredOn: null },
  { name: '2027-04', publishedOn: '2027-04-02', retiredOn: null },
  { name: '2027-07', publishedOn: null, retiredOn: null },
]);
const KEY = { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' };
const BODY = JSON.stringify({ query: '{ hello }' });
const SUPPORTED = 'Use 2027-04, 2027-01 or preview, or leave the version out to get 2027-04.';

let at: TestServer;
before(async () => {
  at = await startTestServer({ versions: VERSIONS });
});
after(() => at.close());

const post = (path: string, headers: Record<string, string> = {}) =>
  at.fetch(path, { method: 'POST', headers: { ...KEY, ...headers }, body: BODY });
const lifecycleOf = ({ headers }: Response) =>
  ['reelgraph-version', 'deprecation', 'sunset', 'link'].map((name) => headers.get(name));

describe('the version of a request', () => {
  for (const [path, header, version, passedOn] of [
    ['/graphql', undefined, '2027-04', undefined],
    ['/graphql', '2027-04', '2027-04', undefined],
    ['/graphql', '2027-01', '2027-01', '2027-01'],
    ['/graphql', 'preview', 'preview', 'preview'],
    ['/graphql/2027-04', undefined, '2027-04', undefined],
    ['/graphql/2027-01', undefined, '2027-01', '2027-01'],
    ['/graphql/2027-01', '2027-01', '2027-01', '2027-01'],
    ['/graphql/preview', undefined, 'preview', 'preview'],
  ] as const) {
    it(`is ${version} for ${path} and the header ${header ?? 'left out'}`, async () => {
      const response = await post(path, header === undefined ? {} : { 'reelgraph-version': header });
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), { data: { hello: 'hello world' } });
      assert.equal(response.headers.get('reelgraph-version'), version);
      assert.equal(at.engine.seen.at(-1)?.version, passedOn);
    });
  }

  for (const [path, header, status, code, message, fix] of [
    ['/graphql', '2027-07', 400, 'INVALID_INPUT', 'There is no version 2027-07 of the API.', SUPPORTED],
    ['/graphql', '2027-1', 400, 'INVALID_INPUT', '"2027-1" is not a version of the API.', SUPPORTED],
    ['/graphql', '', 400, 'INVALID_INPUT', '"" is not a version of the API.', SUPPORTED],
    [
      '/graphql',
      '2027-01, 2027-04',
      400,
      'INVALID_INPUT',
      '"2027-01, 2027-04" is not a version of the API.',
      SUPPORTED,
    ],
    ['/graphql', 'x'.repeat(99), 400, 'INVALID_INPUT', `"${'x'.repeat(40)}…" is not a version of the API.`, SUPPORTED],
    ['/graphql', '2026-10', 410, 'RESOURCE_NOT_FOUND', 'The version 2026-10 was retired on 2028-02-01.', SUPPORTED],
    [
      '/graphql/2026-10',
      undefined,
      410,
      'RESOURCE_NOT_FOUND',
      'The version 2026-10 was retired on 2028-02-01.',
      SUPPORTED,
    ],
    ['/graphql/2030-01', undefined, 404, 'RESOURCE_NOT_FOUND', 'There is no version 2030-01 of the API.', SUPPORTED],
    ['/graphql/latest', undefined, 404, 'RESOURCE_NOT_FOUND', '"latest" is not a version of the API.', SUPPORTED],
    ['/graphql/%32027-01', undefined, 404, 'RESOURCE_NOT_FOUND', '"%32027-01" is not a version of the API.', SUPPORTED],
    [
      '/graphql/2027-01',
      '2027-04',
      400,
      'INVALID_INPUT',
      'The address names the version 2027-01, and the header 2027-04.',
      'Send one of them, or the same version in both.',
    ],
  ] as const) {
    it(`is refused for ${path} and the header ${header?.slice(0, 20) ?? 'left out'}: ${status}`, async () => {
      const executed = at.engine.seen.length;
      const response = await post(path, header === undefined ? {} : { 'reelgraph-version': header });
      assert.equal(response.status, status);
      const [error] = (await errorsOf(response)).errors;
      assert.deepEqual(
        [error?.message, error?.extensions],
        [
          message,
          {
            code,
            errorType: status === 400 ? 'ValidationError' : 'NotFoundError',
            field: 'Reelgraph-Version',
            retryable: false,
            suggestedFix: fix,
            documentation: `${BASE_URL}/docs/errors/${code.toLowerCase()}`,
          },
        ],
      );
      assert.equal(response.headers.get('reelgraph-version'), null);
      assert.equal(at.engine.seen.length, executed);
    });
  }

  it('is that of GET and of streams, too', async () => {
    const search = `?query=${encodeURIComponent('{ hello }')}`;
    for (const accept of ['application/json', 'text/event-stream']) {
      const response = await at.fetch(`/graphql/2027-01${search}`, { headers: { ...KEY, accept } });
      assert.deepEqual([response.status, response.headers.get('reelgraph-version')], [200, '2027-01'], accept);
      assert.equal(at.engine.seen.at(-1)?.version, '2027-01');
      await response.text();
    }
  });

  it('is told with errors of the request, once it is known', async () => {
    const unknown = await at.fetch('/graphql/2027-01', {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer no' },
    });
    assert.deepEqual([unknown.status, unknown.headers.get('reelgraph-version')], [401, '2027-01']);
    const put = await at.fetch('/graphql/2027-01', { method: 'PUT', headers: KEY });
    assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, OPTIONS, POST']);
  });

  it('is no part of other addresses', async () => {
    for (const path of ['/graphql/', '/graphql/2027-01/other', '/graphqlx', '/graphql2027-01'])
      assert.equal((await post(path)).status, 404, path);
  });

  it('opens the explorer for browsers, of a version that exists', async () => {
    const visit = (path: string, headers: Record<string, string> = {}) =>
      at.fetch(path, { headers: { accept: 'text/html', ...headers } });
    const away = await visit('/graphql/2027-01');
    assert.deepEqual([away.status, away.headers.get('location')], [303, '/sign-in?next=%2Fgraphql%2F2027-01']);
    assert.equal((await visit('/graphql/2030-01', { cookie: SESSION_COOKIE })).status, 404);
  });

  it('may be asked and read by pages of other sites', async () => {
    const preflight = await at.fetch('/graphql/2027-01', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://pages.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,reelgraph-version',
      },
    });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Reelgraph-Version/);
    const exposed = (await post('/graphql/2027-01')).headers.get('access-control-expose-headers') ?? '';
    for (const name of ['Reelgraph-Version', 'Deprecation', 'Sunset', 'Link']) assert.ok(exposed.includes(name), name);
  });
});

describe('the end of a version, and of what an operation uses', () => {
  it('is announced in the headers Deprecation, Sunset and Link', async () => {
    assert.deepEqual(lifecycleOf(await post('/graphql')), ['2027-04', null, null, null]);
    assert.deepEqual(lifecycleOf(await post('/graphql/2027-01')), [
      '2027-01',
      '@1806624000',
      'Sun, 02 Apr 2028 00:00:00 GMT',
      `<${BASE_URL}/docs/versions>; rel="deprecation"; type="text/html"`,
    ]);
  });

  it('names the earliest days of several', async () => {
    const notice = (since: string | null, removal: string | null) => ({
      element: 'Query.a',
      use: 'Use b.',
      since,
      removal,
    });
    at.engine.next = {
      body: { data: {} },
      failure: null,
      deprecations: [notice('2027-01-01', '2029-01-01'), notice('2026-07-01', '2028-07-01')],
    };
    assert.deepEqual(lifecycleOf(await post('/graphql')), [
      '2027-04',
      '@1782864000',
      'Sat, 01 Jul 2028 00:00:00 GMT',
      `<${BASE_URL}/docs/deprecations>; rel="deprecation"; type="text/html"`,
    ]);
    at.engine.next = { body: { data: {} }, failure: null, deprecations: [notice(null, null)] };
    assert.deepEqual(lifecycleOf(await post('/graphql')), ['2027-04', null, null, null]);
    at.engine.next = { body: { data: {} }, failure: null, deprecations: [notice('2027-01-01', '2029-01-01')] };
    assert.deepEqual(lifecycleOf(await post('/graphql/2027-01')).slice(1), [
      '@1798761600',
      'Sun, 02 Apr 2028 00:00:00 GMT',
      `<${BASE_URL}/docs/deprecations>; rel="deprecation"; type="text/html", ` +
        `<${BASE_URL}/docs/versions>; rel="deprecation"; type="text/html"`,
    ]);
  });
});
