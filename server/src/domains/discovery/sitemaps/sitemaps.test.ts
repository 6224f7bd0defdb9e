import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRouter } from '../../../http/router.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { sitemapRoutes } from './sitemaps.routes.ts';

const BASE = 'http://reelgraph.test';

describe('sitemaps', () => {
  let api: TestCatalog;
  let anna: Person;
  let server: { address: string; close(): Promise<void> };
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
    await api.rows(`update channels set created_at = '2026-01-31T23:59:59Z', updated_at = '2026-02-03T00:00:00Z'`);
  });
  after(async () => {
    await server?.close();
    await api.close();
  });

  const add = async (at: string, options: Parameters<TestCatalog['content']>[1]) => {
    const did = await api.content(anna, { status: 'PUBLISHED', ...options });
    await api.rows('update contents set published_at = $2, updated_at = $2 where id = $1', [uuidOf(did), at]);
    return uuidOf(did);
  };
  const read = async (path: string) => {
    const response = await fetch(`${server.address}${path}`);
    const text = await response.text();
    const found = Array.from(text.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?/g));
    return { status: response.status, text, entries: found.map(([, address, changed]) => [address, changed]) };
  };

  it('list what everybody may find, by month, in files of a limited size', async () => {
    await add('2026-01-31T23:00:00Z', { title: 'First', shortCode: 'first000001' });
    await add('2026-02-01T00:00:00Z', { kind: 'SHORT', shortCode: 'second00001' });
    const third = await add('2026-02-02T00:00:00Z', { kind: 'SERIES' });
    await add('2026-02-28T23:59:59Z', { shortCode: 'fourth00001' });
    await add('2026-02-02T00:00:00Z', { visibility: 'UNLISTED' });
    await add('2026-02-02T00:00:00Z', { visibility: 'PRIVATE' });
    await api.content(anna, { status: 'READY' });
    const match = createRouter(sitemapRoutes(api.platform, 2));
    server = await serveAssetRoutes([
      {
        method: 'GET',
        path: '/*',
        handle: (request, response, context) => {
          const found = match('GET', context.url.pathname);
          assert.equal(found.kind, 'found');
          if (found.kind === 'found')
            return found.route.handle(request, response, { ...context, params: found.params });
        },
      },
    ]);
    const index = await read('/sitemap.xml');
    assert.match(index.text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<sitemapindex xmlns="http:\/\/www\.sitemaps/);
    assert.deepEqual(
      index.entries.map(([address]) => address),
      [
        `${BASE}/sitemaps/channels-2026-01-1.xml`,
        `${BASE}/sitemaps/contents-2026-01-1.xml`,
        `${BASE}/sitemaps/contents-2026-02-1.xml`,
        `${BASE}/sitemaps/contents-2026-02-2.xml`,
      ],
    );
    assert.deepEqual((await read('/sitemaps/channels-2026-01-1.xml')).entries, [
      [`${BASE}/@anna`, '2026-02-03T00:00:00.000Z'],
    ]);
    assert.deepEqual((await read('/sitemaps/contents-2026-01-1.xml')).entries, [
      [`${BASE}/w/first000001`, '2026-01-31T23:00:00.000Z'],
    ]);
    assert.deepEqual((await read('/sitemaps/contents-2026-02-1.xml')).entries, [
      [`${BASE}/w/second00001`, '2026-02-01T00:00:00.000Z'],
      [`${BASE}/series/${third}`, '2026-02-02T00:00:00.000Z'],
    ]);
    assert.deepEqual((await read('/sitemaps/contents-2026-02-2.xml')).entries, [
      [`${BASE}/w/fourth00001`, '2026-02-28T23:59:59.000Z'],
    ]);
  });

  for (const file of [
    'contents-2026-02-3.xml',
    'contents-2026-13-1.xml',
    'accounts-2026-01-1.xml',
    'x',
    'contents-2026-02-0.xml',
  ])
    it(`do not have ${file}`, async () => {
      assert.equal((await read(`/sitemaps/${file}`)).status, 404);
    });
});
