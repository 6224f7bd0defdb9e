import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ERROR_CATALOGUE } from '../../kernel/errors.ts';
import { BASE_URL, startTestServer, type TestServer } from '../testing.ts';
import { html } from './html.ts';

const BROWSER = { accept: 'text/html,*/*;q=0.8' };

let at: TestServer;
before(async () => {
  at = await startTestServer();
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
        assert.ok(page.includes(`<h2>${heading}</h2>`), heading);
      for (const related of entry.related)
        assert.ok(page.includes(`href="/docs/errors/${related.toLowerCase()}"`), related);
      assert.ok(page.includes(`${BASE_URL}/docs/errors/${code.toLowerCase()}`));
    });
  }

  it('return JSON to programs', async () => {
    const response = await at.fetch('/docs/errors/invalid_input', { headers: { accept: 'application/json' } });
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(body.code, 'INVALID_INPUT');
    assert.equal(body.httpStatus, 400);
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

describe('html', () => {
  it('escapes values and keeps HTML', () => {
    assert.equal(
      html`<p title="${'"\'<&>'}">${[html`<b>${1}</b>`, html`${'<'}`]}</p>`.text,
      '<p title="&quot;&#39;&lt;&amp;&gt;"><b>1</b>&lt;</p>',
    );
  });
});
