import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE_URL, startTestServer, type TestServer } from '../http/testing.ts';
import { ERROR_CATALOGUE } from '../kernel/errors.ts';
import { html } from '../kernel/html.ts';
import { platformSchema } from '../schema.ts';
import { docsRoutes } from './routes.ts';

const BROWSER = { accept: 'text/html,*/*;q=0.8' };

let at: TestServer;
before(async () => {
  const routes = docsRoutes({ schema: platformSchema(), baseUrl: BASE_URL, version: '1.2.3' });
  at = await startTestServer({ routes });
});
after(() => at.close());

describe('error pages', () => {
  for (const [code, entry] of Object.entries(ERROR_CATALOGUE)) {
    it(`explain ${code}`, async () => {
      const response = await at.fetch(`/docs/errors/${code.toLowerCase()}`, { headers: BROWSER });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      const page = await response.text();
      for (const part of [entry.message, entry.explanation, entry.suggestedFix])
        assert.ok(page.includes(html`${part}`.text), part);
      for (const heading of ['Example response', 'What happened', 'How to fix it', 'Related'])
        assert.ok(page.includes(`>${heading}</a></h2>`), heading);
      for (const related of entry.related)
        assert.ok(page.includes(`href="/docs/errors/${related.toLowerCase()}"`), related);
      assert.ok(page.includes(`${BASE_URL}/docs/errors/${code.toLowerCase()}`));
    });
  }

  it('are available as Markdown', async () => {
    const response = await at.fetch('/docs/errors/RATE_LIMIT_EXCEEDED.md');
    assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
    const text = await response.text();
    assert.match(text, /^# `RATE_LIMIT_EXCEEDED`\n/);
    assert.match(text, /\n\| RateLimitError \| 429 \| yes, after a delay \|\n/);
  });

  it('return JSON to programs', async () => {
    const response = await at.fetch('/docs/errors/invalid_input', { headers: { accept: 'application/json' } });
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(body.code, 'INVALID_INPUT');
    assert.equal(body.httpStatus, 400);
    assert.deepEqual(
      ['content-type', 'vary'].map((name) => response.headers.get(name)),
      ['application/json; charset=utf-8', 'accept, accept-encoding'],
    );
    const index = (await (await at.fetch('/docs/errors', { headers: { accept: 'application/json' } })).json()) as {
      codes: unknown[];
    };
    assert.equal(index.codes.length, Object.keys(ERROR_CATALOGUE).length);
  });

  it('are listed, styled from this origin, without inline styles and scripts', async () => {
    const page = await (await at.fetch('/docs/errors', { headers: BROWSER })).text();
    for (const code of Object.keys(ERROR_CATALOGUE))
      assert.ok(page.includes(`href="/docs/errors/${code.toLowerCase()}"`));
    const sheet = /<link rel="stylesheet" href="([^"]+)">/.exec(page)?.[1] ?? '';
    const styles = await at.fetch(sheet);
    assert.equal(styles.status, 200);
    assert.match(styles.headers.get('content-type') ?? '', /^text\/css/);
    assert.doesNotMatch(
      page,
      /<script(?! src="\/docs\/page\.js" defer><\/script>)|<style|\sstyle=|https?:\/\/(?!reelgraph\.test)/,
    );
  });

  it('do not exist for unknown codes', async () => {
    for (const headers of [BROWSER, { accept: 'application/json' }]) {
      const response = await at.fetch('/docs/errors/%3Cscript%3E', { headers });
      assert.equal(response.status, 404);
      assert.ok(!(await response.text()).includes('<script>'));
    }
  });
});
