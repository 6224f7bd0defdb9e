import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BASE_URL, startTestServer, type TestServer } from '../http/testing.ts';
import { defaultInstance } from '../platform/instance/instance-settings.ts';
import { legalRoutes } from './legal-pages.ts';

const SPITEFUL = `# Terms of Harbour TV

Be kind. Write to <law@example.com>, or see [the law](https://example.com/law).

<script>alert(1)</script> <img src=x onerror=alert(1)>

[a](javascript:alert(1)) ![b](https://example.com/b.png) [c](data:text/html,x) [d](mailto:a@example.com?cc=b)
`;

describe('terms of service and privacy policy', () => {
  const settings = { ...defaultInstance({ SIGN_UP: 'open' }), name: 'Harbour "TV"' };
  let texts: Record<'terms' | 'privacy', { markdown: string; changedAt: string } | null>;
  let privacyUrl: string | null = null;
  let at: TestServer;
  before(async () => {
    texts = { terms: { markdown: SPITEFUL, changedAt: '2026-11-26T23:30:00.000Z' }, privacy: null };
    const instance = () => ({ ...settings, privacyUrl });
    at = await startTestServer({
      routes: legalRoutes({ instance, read: async (kind) => texts[kind], baseUrl: BASE_URL }),
    });
  });
  after(() => at.close());

  const get = (path: string) => at.fetch(path, { headers: { accept: 'text/html' }, redirect: 'manual' });

  it('are shown where they are long, and nothing but marks', async () => {
    const markdown = `# Terms\n\n${'> '.repeat(20_000)}\n\n**end**`;
    texts.privacy = { markdown, changedAt: '2026-11-26T23:30:00.000Z' };
    const page = await (await get('/privacy')).text();
    assert.match(page, /<strong>end<\/strong>/);
    assert.equal(page.match(/<blockquote>/g)?.length, 10);
    texts.privacy = null;
  });

  it('are shown with the day of their last change, and no HTML or address in them becomes a script', async () => {
    const response = await get('/terms');
    const page = await response.text();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self';/);
    assert.match(page, /<title>Terms of service · Harbour &quot;TV&quot;<\/title>/);
    assert.match(page, /Last changed on <time datetime="2026-11-26T23:30:00.000Z">26 November 2026<\/time>/);
    assert.equal(page.match(/<h1>/g)?.length, 1);
    assert.match(page, /<a href="mailto:law@example.com">/);
    assert.match(page, /<a href="https:\/\/example.com\/law">/);
    assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    const body = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    assert.doesNotMatch(body, /<script|<img|javascript:|data:|cc=b/);
  });

  it('have our heading without one of their own, and are read again when they change', async () => {
    texts = { ...texts, terms: { markdown: 'Be kinder.', changedAt: '2026-11-27T00:00:00.000Z' } };
    const page = await (await get('/terms')).text();
    assert.match(page, /<h1>Terms of service<\/h1><p>Be kinder.<\/p>/);
    assert.match(page, /27 November 2026/);
  });

  it('lead to their address, or are not found', async () => {
    assert.equal((await get('/privacy')).status, 404);
    privacyUrl = 'https://example.com/privacy';
    const response = await get('/privacy');
    assert.deepEqual([response.status, response.headers.get('location')], [302, 'https://example.com/privacy']);
  });
});
