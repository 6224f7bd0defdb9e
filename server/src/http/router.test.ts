import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Route } from '../platform/routing.ts';
import { createRouter } from './router.ts';

const route = (method: Route['method'], path: string): Route => ({ method, path, handle: () => {} });

const find = createRouter([
  route('GET', '/'),
  route('GET', '/healthz'),
  route('POST', '/uploads'),
  route('HEAD', '/uploads/:id'),
  route('PATCH', '/uploads/:id'),
  route('GET', '/media/*'),
  route('GET', '/media/images/:id/:file'),
  route('GET', '/docs/errors/:code'),
  route('GET', '/docs/errors/index'),
  route('*', '/api/auth/*'),
  route('DELETE', '/things/:id'),
  route('PUT', '/things/fixed'),
  route('GET', '/@:handle'),
  route('GET', '/@:handle/about'),
]);

describe('router', () => {
  const cases: [method: string, path: string, pattern: string, params: Record<string, string>][] = [
    ['GET', '/', '/', {}],
    ['GET', '/healthz', '/healthz', {}],
    ['GET', '/healthz/', '/healthz', {}],
    ['HEAD', '/healthz', '/healthz', {}],
    ['PATCH', '/uploads/a%20b', '/uploads/:id', { id: 'a b' }],
    ['HEAD', '/uploads/x', '/uploads/:id', { id: 'x' }],
    ['GET', '/media/a/b.m4s', '/media/*', { '*': 'a/b.m4s' }],
    ['GET', '/media/images/1/2', '/media/images/:id/:file', { id: '1', file: '2' }],
    ['GET', '/media/images/1', '/media/*', { '*': 'images/1' }],
    ['GET', '/docs/errors/index', '/docs/errors/index', {}],
    ['GET', '/docs/errors/x', '/docs/errors/:code', { code: 'x' }],
    ['POST', '/api/auth/sign-in/email', '/api/auth/*', { '*': 'sign-in/email' }],
    ['DELETE', '/things/fixed', '/things/:id', { id: 'fixed' }],
    ['GET', '/@anna', '/@:handle', { handle: 'anna' }],
    ['GET', '/%40anna/about', '/@:handle/about', { handle: 'anna' }],
  ];
  for (const [method, path, pattern, params] of cases) {
    it(`routes ${method} ${path} to ${pattern}`, () => {
      const match = find(method, path);
      assert.equal(match.kind, 'found');
      if (match.kind !== 'found') return;
      assert.equal(match.route.path, pattern);
      assert.deepEqual({ ...match.params }, params);
    });
  }

  it('lists the allowed methods of an existing path', () => {
    assert.deepEqual(find('DELETE', '/uploads/x'), { kind: 'method-not-allowed', allow: ['HEAD', 'OPTIONS', 'PATCH'] });
    assert.deepEqual(find('POST', '/healthz'), { kind: 'method-not-allowed', allow: ['GET', 'HEAD', 'OPTIONS'] });
    assert.deepEqual(find('GET', '/things/fixed'), { kind: 'method-not-allowed', allow: ['DELETE', 'OPTIONS', 'PUT'] });
  });

  it('returns null for unknown paths', () => {
    for (const path of ['/nope', '/@', '/uploads/x/y', '/docs/errors', '/docs//x', '/uploads//'])
      assert.equal(find('GET', path).kind, 'none', path);
  });

  it('refuses paths that decode to separators, parent segments, NUL or invalid UTF-8', () => {
    for (const path of [
      '/media/%2e%2e/x',
      '/media/../x',
      '/media/a%2fb',
      '/media/a%5cb',
      '/media/a%00',
      '/media/%ff',
      '/media/%',
    ]) {
      assert.equal(find('GET', path).kind, 'malformed', path);
    }
  });

  it('refuses to start with two routes for one pattern, or a wildcard in the middle', () => {
    assert.throws(() => createRouter([route('GET', '/a/:x'), route('GET', '/a/:y')]), /Two routes claim GET \/a\/:y/);
    assert.throws(() => createRouter([route('GET', '/a/*/b')]), /at the end only/);
    assert.throws(() => createRouter([route('GET', 'a')]), /start with a slash/);
  });
});
