import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE_URL, startTestServer, type TestServer } from '../http/testing.ts';
import { platformSchema } from '../schema.ts';
import { docsRoutes } from './routes.ts';

const SCRIPT = '<script src="/docs/try-it.js" defer></script>';

describe('the editor on the pages of operations', () => {
  let at: TestServer;
  before(async () => {
    at = await startTestServer({
      routes: docsRoutes({ schema: platformSchema(), baseUrl: BASE_URL, version: '1.2.3' }),
    });
  });
  after(() => at.close());

  const page = async (path: string) => (await at.fetch(path, { headers: { accept: 'text/html' } })).text();
  const editors = (text: string) =>
    Array.from(text.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>([^<]*)<\/textarea>/g), ([, name, value]) => [
      name,
      value?.replaceAll('&quot;', '"'),
    ]);

  it('has the example, hidden until the script shows it', async () => {
    const text = await page('/docs/api/queries/comments');
    assert.ok(text.includes(SCRIPT));
    assert.match(text, /<section class="try" data-kind="query" aria-labelledby="try-it" hidden>/);
    assert.ok(text.indexOf('id="example"') < text.indexOf('id="try-it"'));
    assert.ok(text.indexOf('id="try-it"') < text.indexOf('id="errors"'));
    const [[, document = ''] = [], [, variables = ''] = []] = editors(text);
    assert.match(document, /^query Comments\(\$contentId: DID!/);
    assert.deepEqual(JSON.parse(variables), {
      contentId: 'did:reelgraph:content/feature/0198c0de-7a11-7000-8000-000000000001',
      first: 2,
    });
    assert.match(text, /href="\/sign-in\?next=%2Fdocs%2Fapi%2Fqueries%2Fcomments"/);
    assert.ok(!text.includes('<dialog'));
  });

  it('asks before a mutation', async () => {
    const text = await page('/docs/api/mutations/deleteContent');
    assert.match(text, /It changes real data\./);
    assert.match(text, /<h3 id="try-confirm">Run deleteContent\?<\/h3>/);
  });

  it('is neither on other pages nor in Markdown', async () => {
    for (const path of [
      '/docs',
      '/docs/api',
      '/docs/http',
      '/docs/api/types/Content',
      '/docs/api/queries/comments.md',
    ]) {
      const text = await page(path);
      assert.ok(!text.includes('try-it'), path);
    }
  });

  it('is a script of this origin that nothing runs inline', async () => {
    const response = await at.fetch('/docs/try-it.js');
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.doesNotMatch(await response.text(), /innerHTML|insertAdjacentHTML|document\.write|eval\(/);
  });
});
