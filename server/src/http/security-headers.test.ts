import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../kernel/errors.ts';
import { SESSION_COOKIE, startTestServer, type TestServer } from './testing.ts';

const BROWSER = { accept: 'text/html,*/*;q=0.8' };
const HTTPS = 'https://video.example.com';
/** Directives of every page. */
const POLICY = ["default-src 'self'", "object-src 'none'", "base-uri 'self'", "form-action 'self'"];

interface Answer {
  readonly path: string;
  readonly init?: RequestInit;
  readonly status: number;
}

/**
 * One of each kind: page, player, file, response and error of the API, error page, redirect, unknown address,
 * preflight.
 */
const ANSWERS: readonly Answer[] = [
  { path: '/', init: { headers: BROWSER }, status: 200 },
  { path: '/embed/0198c0de', init: { headers: BROWSER }, status: 200 },
  { path: '/assets/app.js', status: 200 },
  { path: '/healthz', status: 200 },
  {
    path: '/graphql',
    init: { method: 'POST', body: '{"query":"{ hello }"}', headers: { 'content-type': 'application/json' } },
    status: 401,
  },
  { path: '/graphql', init: { headers: BROWSER }, status: 303 },
  { path: '/api/none', status: 404 },
  { path: '/nowhere', init: { headers: BROWSER }, status: 404 },
  { path: '/fails', init: { headers: BROWSER }, status: 503 },
  { path: '/fails', status: 503 },
  { path: '/fails?key=rg_0123456789abcdefghijklmnop', status: 401 },
  {
    path: '/graphql',
    init: { method: 'OPTIONS', headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' } },
    status: 204,
  },
];

describe('headers of every response', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-headers-'));
  const servers: Record<'http' | 'https', TestServer | null> = { http: null, https: null };
  before(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><script>start()</script>');
    writeFileSync(join(folder, 'embed.html'), '<!doctype html><title>Player</title>');
    writeFileSync(join(folder, 'assets/app.js'), 'start()');
    const fails = () => {
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    const routes = [{ method: 'GET', path: '/fails', handle: fails }] as const;
    servers.http = await startTestServer({ routes, webRoot: folder });
    servers.https = await startTestServer({ routes, webRoot: folder, env: { BASE_URL: HTTPS } });
  });
  after(async () => {
    await servers.http?.close();
    await servers.https?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const scheme of ['http', 'https'] as const) {
    for (const { path, init, status } of ANSWERS) {
      it(`${scheme}: ${init?.method ?? 'GET'} ${path} with status ${status}`, async () => {
        const { headers, ...response } = await ask(scheme, path, init);
        assert.equal(response.status, status);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin');
        // RFC 6797 section 7.2: never over http.
        assert.equal(headers.get('strict-transport-security'), scheme === 'https' ? 'max-age=31536000' : null);
        assert.equal(headers.get('access-control-allow-credentials'), null);
        assert.ok([null, '*'].includes(headers.get('access-control-allow-origin')));
        assert.match(headers.get('x-request-id') ?? '', /^[\w.-]{8,}$/);
        if (headers.get('content-type')?.startsWith('text/html')) assertPagePolicy(headers);
      });
    }
  }

  it('forbid caching when they depend on the session', async () => {
    const { headers, status } = await ask('http', '/graphql', { headers: { ...BROWSER, cookie: SESSION_COOKIE } });
    assert.ok(status === 200 || status === 503);
    assert.match(headers.get('cache-control') ?? '', /no-cache|no-store/);
  });

  async function ask(
    scheme: 'http' | 'https',
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; headers: Headers }> {
    const server = servers[scheme] ?? assert.fail('it runs');
    const response = await server.fetch(path, init);
    await response.arrayBuffer();
    return { status: response.status, headers: response.headers };
  }

  function assertPagePolicy(headers: Headers): void {
    const directives = (headers.get('content-security-policy') ?? '').split('; ');
    for (const directive of POLICY) assert.ok(directives.includes(directive), `${directive} in ${directives}`);
    const scripts = directives.find((directive) => directive.startsWith('script-src ')) ?? '';
    assert.match(scripts, /^script-src 'self'(?: 'sha256-[\w+/=]+')*$/, 'no unsafe-inline, no other origin');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    const framable = directives.includes('frame-ancestors *');
    assert.equal(headers.get('x-frame-options'), framable ? null : 'DENY');
    assert.ok(framable || directives.includes("frame-ancestors 'none'"));
  }
});
