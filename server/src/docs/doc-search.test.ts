import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE_URL, startTestServer, type TestServer } from '../http/testing.ts';
import { platformSchema } from '../schema.ts';
import { docsRoutes } from './routes.ts';

interface Results {
  readonly query: string;
  readonly results: readonly { path: string; page: string; heading: string | null; excerpt: string }[];
}

describe('the search in the documentation', () => {
  let at: TestServer;
  before(async () => {
    at = await startTestServer({
      routes: docsRoutes({ schema: platformSchema(), baseUrl: BASE_URL, version: '1.2.3' }),
    });
  });
  after(() => at.close());

  const visit = (query: string) =>
    at.fetch(`/docs/search?q=${encodeURIComponent(query)}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  async function find(query: string): Promise<Results> {
    const response = await at.fetch(`/docs/search?q=${encodeURIComponent(query)}`, {
      headers: { accept: 'application/json' },
    });
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    return (await response.json()) as Results;
  }

  const cases: [query: string, first: string][] = [
    ['publishVideo', '/docs/api/mutations/publishVideo'],
    ['rate limit exceeded', '/docs/errors/rate_limit_exceeded'],
    ['ratelimit headers', '/docs/limits#ratelimit-headers'],
    ['verify webhook respond', '/docs/guides/webhooks#2-verify-respond-then-work'],
    ['private videos on your site', '/docs/guides/playback-tokens'],
    ['trnscode failed', '/docs/errors/transcode_failed'],
  ];
  for (const [query, first] of cases)
    it(`finds ${first} with "${query}"`, async () => {
      const { results } = await find(query);
      assert.equal(results[0]?.path, first, JSON.stringify(results.slice(0, 5), null, 1));
    });

  it('shows at most 20 parts of pages, with words around what was searched', async () => {
    const { results } = await find('channel');
    assert.equal(results.length, 20);
    const [found] = (await find('tus-resumable')).results;
    assert.match(found?.excerpt ?? '', /Tus-Resumable/);
    for (const { path, excerpt } of results) {
      assert.ok(excerpt.length < 180, excerpt);
      const [page, id] = path.split('#');
      const text = await (await at.fetch(page ?? '')).text();
      assert.ok(id === undefined || text.includes(`id="${id}"`), path);
    }
  });

  it('finds nothing without a word, or for unknown words, and escapes them', async () => {
    assert.deepEqual(await find('  '), { query: '', results: [] });
    assert.deepEqual((await find('channel qwrtzpsdfg')).results, []);
    assert.equal((await find('x'.repeat(1_000))).query.length, 100);
    const response = await visit('<qwrtzpsdfg>"x"');
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.match(text, /No page has all of these words/);
    assert.ok(
      text.includes('value="&lt;qwrtzpsdfg&gt;&quot;x&quot;"') && !text.includes('<qwrtz'),
      text.slice(0, 2_000),
    );
  });

  it('is a page with links to results, and a field on every page', async () => {
    const text = await (await visit('webhook')).text();
    assert.match(text, /<ol class="found"><li><a href="\/docs\/[^"]+">[^<]+<\/a><p>/);
    for (const path of ['/docs', '/docs/limits', '/docs/errors'])
      assert.match(
        await (await at.fetch(path)).text(),
        /<form role="search" action="\/docs\/search"><input type="search"/,
      );
  });
});
