import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openRestFixture, type RestFixture } from '../docs/openapi/testing.ts';
import type { Route } from '../platform/routing.ts';
import { openingOf } from './cors.ts';
import { BASE_URL, errorsOf, GOOD_KEY, SESSION_COOKIE, startTestServer, type TestServer } from './testing.ts';

const ORIGIN = 'https://pages.example';
const TUS = { 'tus-resumable': '1.0.0' };
/** Fetch, "CORS-safelisted" methods, request headers and body types, which need no preflight. */
const SIMPLE_METHODS = new Set(['GET', 'HEAD', 'POST']);
const SIMPLE_HEADERS = new Set(['accept', 'accept-language', 'content-language']);
const SIMPLE_TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/;
const SIMPLE_ANSWER = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
];

interface PageRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * A cross-origin fetch without credentials, like in a browser: sends a preflight if needed, and returns what the page
 * may read.
 */
async function fromPage(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: PageRequest = {},
): Promise<Response> {
  const url = new URL(path, base);
  const unsafeHeaders = Object.keys(headers).filter((name) => !isSimple(name, headers[name] ?? ''));
  if (!SIMPLE_METHODS.has(method) || unsafeHeaders.length > 0) {
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': unsafeHeaders.sort().join(','),
      },
    });
    assert.ok(
      preflight.ok && preflight.headers.get('access-control-allow-origin') === '*',
      `${method} ${path}: the browser may not`,
    );
    const list = (name: string) => (preflight.headers.get(name) ?? '').toLowerCase().split(', ');
    assert.ok(
      SIMPLE_METHODS.has(method) || list('access-control-allow-methods').includes(method.toLowerCase()),
      `${method} ${path}`,
    );
    for (const name of unsafeHeaders)
      assert.ok(list('access-control-allow-headers').includes(name.toLowerCase()), `${method} ${path}: ${name}`);
  }
  const sent = { origin: ORIGIN, 'sec-fetch-site': 'cross-site', ...headers };
  const result = await fetch(url, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  assert.equal(
    result.headers.get('access-control-allow-origin'),
    '*',
    `${method} ${path}: the page may not read the answer`,
  );
  const exposed = (result.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
  const readable = [...result.headers].filter(([name]) => SIMPLE_ANSWER.includes(name) || exposed.includes(name));
  return new Response(result.body, { status: result.status, headers: readable });
}

function isSimple(name: string, value: string): boolean {
  return SIMPLE_HEADERS.has(name.toLowerCase()) || (name.toLowerCase() === 'content-type' && SIMPLE_TYPES.test(value));
}

describe('pages of other origins', () => {
  let fixture: RestFixture;
  before(async () => {
    fixture = await openRestFixture();
  });
  after(() => fixture?.close());
  const page = (path: string, request?: PageRequest) => fromPage(fixture.baseUrl, path, request);
  const withKey = () => ({ authorization: `Bearer ${fixture.key}` });
  const graphql = (query: string, headers: Record<string, string> = {}) =>
    page('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });

  it('may call only these routes', () => {
    const example = ({ path }: Route) => path.replace('/*', '/x').replaceAll(/:\w+/g, 'x');
    const open = new Set(fixture.routes.filter((route) => openingOf(example(route)) !== null).map(({ path }) => path));
    assert.deepEqual(
      [...open].sort(),
      [
        ...['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/api/auth'],
        ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'],
        ...['/api/auth/.well-known/oauth-authorization-server', '/api/auth/oauth2/register', '/api/auth/oauth2/revoke'],
        ...['/api/auth/oauth2/token', '/api/engagement', '/docs', '/docs.md', '/docs/*'],
        ...[
          '/docs/fonts/latin-extended.woff2',
          '/docs/fonts/latin.woff2',
          '/docs/page.css',
          '/docs/page.js',
          '/llms-full.txt',
          '/llms.txt',
          '/media/*',
          '/playback/:content',
          '/playback/:content/manifest.mpd',
          '/playback/:content/master.m3u8',
          '/graphql/:version/schema.graphql',
          '/schema.graphql',
          '/uploads',
          '/uploads/:address',
          '/uploads/:address/complete',
          '/uploads/:address/parts',
        ],
      ].sort(),
    );
    assert.ok(openingOf('/graphql'));
    for (const path of [
      '/',
      '/watch/x',
      '/mcp',
      '/graphqlx',
      '/mediax',
      '/api/auth/sign-in/email',
      '/api/auth/oauth2/tokens',
    ])
      assert.equal(openingOf(path), null, path);
  });

  it('call the API with a key, and read data, errors and request ids', async () => {
    const result = await graphql('{ me { username } }', {
      ...withKey(),
      accept: 'application/graphql-response+json',
      'idempotency-key': 'once',
      'user-agent': 'a page',
    });
    assert.deepEqual(((await result.json()) as { data: unknown }).data, { me: { username: 'olivia' } });
    assert.ok(result.headers.get('x-request-id'));
    const refused = await graphql('{ me { username } }', { authorization: 'Bearer nonsense' });
    assert.equal(refused.status, 401);
    assert.equal((await errorsOf(refused)).errors[0]?.extensions?.code, 'UNAUTHENTICATED');
    const byGet = await page(`/graphql?${new URLSearchParams({ query: '{ me { username } }' })}`, {
      headers: withKey(),
    });
    assert.equal(byGet.status, 200);
  });

  it('follow events', async () => {
    const headers = {
      ...withKey(),
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'last-event-id': '',
    };
    const body = JSON.stringify({ query: 'subscription { eventsAfter { type } }' });
    const result = await page('/graphql', { method: 'POST', headers, body });
    assert.match(result.headers.get('content-type') ?? '', /^text\/event-stream/);
    await result.body?.cancel();
  });

  it('open an upload, send chunks, read its offset and errors, and terminate it', async () => {
    const pairs = { contentId: await fixture.content(), filename: 'a.mp4', hint: 'LANDSCAPE_VIDEO' };
    const metadata = Object.entries(pairs).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
    const opened = await page('/uploads', {
      method: 'POST',
      headers: { ...TUS, ...withKey(), 'upload-length': '6', 'upload-metadata': metadata.join() },
    });
    assert.equal(opened.status, 201);
    const address = opened.headers.get('location') ?? '';
    const patch = (offset: number, body: string) =>
      page(address, {
        method: 'PATCH',
        headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        body,
      });
    const first = await patch(0, 'abc');
    assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '3']);
    assert.ok(first.headers.get('upload-expires'));
    const wrong = await patch(0, 'abc');
    assert.equal(wrong.status, 409);
    assert.equal((await errorsOf(wrong)).errors[0]?.code, 'UPLOAD_FAILED');
    const head = await page(address, { method: 'HEAD', headers: TUS });
    const values = ['upload-offset', 'upload-length', 'tus-resumable'].map((name) => head.headers.get(name));
    assert.deepEqual(values, ['3', '6', '1.0.0']);
    assert.equal((await page(address, { method: 'DELETE', headers: TUS })).status, 204);
    assert.equal((await page('/uploads', { method: 'OPTIONS' })).headers.get('tus-version'), '1.0.0');
  });

  it('send a file in parts at the same time', async () => {
    const open = (concat: string, more: Record<string, string> = {}) =>
      page('/uploads', { method: 'POST', headers: { ...TUS, ...withKey(), 'upload-concat': concat, ...more } });
    const part = (await open('partial', { 'upload-length': '3' })).headers.get('location') ?? '';
    const bytes = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    assert.equal((await page(part, { method: 'PATCH', headers: { ...TUS, ...bytes }, body: 'abc' })).status, 204);
    const opened = await open(`final;${part}`);
    assert.equal(opened.status, 201);
    const head = await page(opened.headers.get('location') ?? '', { method: 'HEAD', headers: TUS });
    const values = ['upload-offset', 'upload-length', 'upload-concat'].map((name) => head.headers.get(name));
    assert.deepEqual(values, ['3', '3', `final;${part}`]);
  });

  it('send a whole file to an upload address, without a key', async () => {
    const result = await page(await fixture.upload(5), {
      method: 'PUT',
      headers: { 'content-type': 'video/mp4' },
      body: 'abcde',
    });
    assert.equal(result.status, 200);
  });

  it('read media in ranges, and its errors', async () => {
    const part = await page(await fixture.playlist(), { headers: { range: 'bytes=0-3' } });
    assert.deepEqual(
      [part.status, await part.text(), part.headers.get('content-range')?.split('/')[0]],
      [206, '#EXT', 'bytes 0-3'],
    );
    const beyond = await page(await fixture.playlist(), { headers: { range: 'bytes=100-' } });
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */8']);
    const missing = await page('/media/none');
    assert.equal((await errorsOf(missing)).errors[0]?.code, 'RESOURCE_NOT_FOUND');
  });

  it('report playback events', async () => {
    const body = JSON.stringify({ events: [await fixture.event()] });
    assert.equal(
      (await page('/api/engagement', { method: 'POST', headers: { 'content-type': 'text/plain' }, body })).status,
      202,
    );
    const asJson = { method: 'POST', headers: { 'content-type': 'application/json', ...withKey() }, body };
    assert.equal((await page('/api/engagement', asJson)).status, 202);
  });

  it('find the authorization server, register, and exchange tokens', async () => {
    const server = await page('/.well-known/oauth-authorization-server', {
      headers: { 'mcp-protocol-version': '2025-11-25' },
    });
    const { registration_endpoint: register, token_endpoint: token } = (await server.json()) as Record<string, string>;
    assert.equal((await page('/.well-known/oauth-protected-resource/mcp')).status, 200);
    const registered = await page(register ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [`${ORIGIN}/callback`] }),
    });
    assert.equal(registered.status, 201);
    const refused = await page(token ?? '', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('a:b')}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&refresh_token=rgr_none',
    });
    assert.match(await refused.text(), /"error":/);
  });

  it('read the documentation', async () => {
    for (const path of [
      '/llms.txt',
      '/schema.graphql',
      '/docs/openapi.json',
      '/docs/limits.md',
      '/docs/errors/unauthorized',
      '/docs',
    ])
      assert.equal(
        (await page(path, { headers: { accept: 'application/json', 'if-none-match': '"x"' } })).status,
        200,
        path,
      );
  });

  it('may not sign in, use a session, or call /mcp', async () => {
    const closed: [path: string, request: PageRequest][] = [
      ['/api/auth/sign-in/email', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
      ['/api/auth/get-session', {}],
      ['/api/auth/oauth2/consent', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
      ['/mcp', { method: 'POST', headers: { 'content-type': 'application/json', ...withKey() }, body: '{}' }],
      ['/mcp', { headers: withKey() }],
      ['/metrics', {}],
      ['/healthz', {}],
      ['/', {}],
    ];
    for (const [path, request] of closed)
      await assert.rejects(page(path, request), /the browser may not|may not read/, path);
    const toMcp = await fixture.send('POST', { path: '/mcp', headers: { origin: ORIGIN, ...withKey() }, body: '{}' });
    assert.deepEqual([toMcp.status, toMcp.headers.get('access-control-allow-origin')], [403, null]);
  });
});

describe('cookies of other origins', () => {
  let at: TestServer;
  let ran = 0;
  before(async () => {
    const handle: Route['handle'] = (_request, response) => {
      ran += 1;
      response.end();
    };
    const routes: Route[] = [
      { method: 'POST', path: '/api/engagement', handle },
      { method: 'PATCH', path: '/uploads/:address', handle },
      { method: 'GET', path: '/media/*', handle },
    ];
    at = await startTestServer({ routes });
  });
  after(() => at.close());

  const CREDENTIALS = 'access-control-allow-credentials';
  const COOKIE = { cookie: SESSION_COOKIE, 'content-type': 'application/json' };

  it('are not requested: no response allows credentials', async () => {
    for (const path of ['/graphql', '/uploads/x', '/media/x', '/api/engagement', '/docs']) {
      const preflight = await at.fetch(path, {
        method: 'OPTIONS',
        headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
      });
      const result = await at.fetch(path, { headers: { origin: ORIGIN, cookie: SESSION_COOKIE } });
      for (const { headers } of [preflight, result]) {
        assert.equal(headers.get('access-control-allow-origin'), '*', path);
        assert.equal(headers.has(CREDENTIALS), false, path);
      }
    }
  });

  it('are refused without an effect', async () => {
    const before = [at.engine.seen.length, ran];
    for (const from of [
      { origin: ORIGIN },
      { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
      { origin: 'http://other.reelgraph.test', 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
      { origin: ORIGIN, referer: BASE_URL },
    ]) {
      const body = JSON.stringify({ query: 'mutation { wave }' });
      const mutation = await at.fetch('/graphql', { method: 'POST', headers: { ...COOKIE, ...from }, body });
      assert.equal(mutation.status, 403);
      assert.equal((await errorsOf(mutation)).errors[0]?.extensions?.code, 'UNAUTHORIZED');
      for (const [method, path] of [
        ['POST', '/api/engagement'],
        ['PATCH', '/uploads/x'],
      ] as const)
        assert.equal((await at.fetch(path, { method, headers: { ...COOKIE, ...from }, body: '{}' })).status, 403, path);
    }
    assert.deepEqual([at.engine.seen.length, ran], before);
  });

  it('do not affect a key', async () => {
    const headers = { origin: ORIGIN, 'sec-fetch-site': 'cross-site', cookie: SESSION_COOKIE };
    const result = await at.graphql({ query: '{ whoAmI }' }, headers);
    assert.deepEqual(await result.json(), { data: { whoAmI: 'key' } });
  });

  it('are not needed for a preflight, which reaches neither engine nor route', async () => {
    const before = [at.engine.seen.length, ran];
    const preflightHeaders = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    for (const [path, headers] of [
      ['/graphql', {}],
      ['/graphql', { authorization: 'Bearer nonsense', accept: 'text/html' }],
      [`/graphql?key=${GOOD_KEY}`, {}],
      ['/uploads/none', {}],
      ['/media/none', {}],
      ['/api/engagement', {}],
    ] as const) {
      const preflight = await at.fetch(path, { method: 'OPTIONS', headers: { ...preflightHeaders, ...headers } });
      assert.deepEqual(
        [preflight.status, await preflight.text(), preflight.headers.get('access-control-max-age')],
        [204, '', '86400'],
        path,
      );
    }
    assert.deepEqual([at.engine.seen.length, ran], before);
    const metrics = await (await at.fetch('/metrics')).text();
    assert.match(
      metrics,
      /http_request_duration_seconds_count\{method="OPTIONS",route="preflight",status="204"\} 1?\d/,
    );
  });
});
