import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { BASE_URL, startTestServer, type TestServer } from '../http/testing.ts';
import { platformSchema } from '../schema.ts';
import { docsRoutes } from './routes.ts';

let at: TestServer;
let name = 'Reelgraph';
before(async () => {
  at = await startTestServer({
    routes: docsRoutes({ schema: platformSchema(), baseUrl: BASE_URL, version: '1.2.3', siteName: () => name }),
  });
});
after(() => at.close());

/** Pages of the web application or the API. */
const ELSEWHERE = new Set(['/', '/graphql', '/sign-in', '/logo/icon', '/logo/current']);

let crawled: Promise<Map<string, string>> | undefined;

/** Every page that is linked from /docs, with its HTML; fails on a broken link. They are fetched once. */
function allPages(): Promise<Map<string, string>> {
  crawled ??= crawl();
  return crawled;
}

async function crawl(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const linked = new Set(['/docs']); // grows while it is walked
  for (const path of linked) {
    if (ELSEWHERE.has(path.split('?')[0] ?? '')) continue;
    const response = await at.fetch(path, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 200, path);
    const text = await response.text();
    pages.set(path, text);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    for (const [, href = ''] of text.matchAll(/(?:href|src)="(\/[^"#]*)/g))
      linked.add(href.replaceAll('&amp;', '&').replace(BASE_URL, ''));
  }
  return pages;
}

describe('the documentation', () => {
  it('has no broken link, to a page or to a heading', async () => {
    const pages = await allPages();
    assert.ok(pages.size > 20, `${pages.size} pages`);
    for (const [path, text] of pages) {
      if (!text.startsWith('<!doctype html>')) continue;
      for (const [, target = '', id = ''] of text.matchAll(/href="(\/[^"#]*)?#([^"]+)"/g)) {
        const page = pages.get(target || path) ?? '';
        assert.ok(page.includes(`id="${id}"`), `${path} links to ${target}#${id}`);
      }
    }
  });

  it('mentions only existing test files', async () => {
    const text = await readFile(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
    const files = [...text.matchAll(/`((?:server|e2e|scripts|packages\/sql-planner)\/[\w./-]+\.ts)`/g)].map(
      ([, file = '']) => file,
    );
    assert.ok(files.length > 30, `${files.length} files`);
    assert.deepEqual(
      files.filter((file) => !existsSync(new URL(`../../../${file}`, import.meta.url))),
      [],
    );
  });

  it('has a title, a summary and a language on each page, and nothing inline', async () => {
    for (const [path, text] of await allPages()) {
      if (!text.startsWith('<!doctype html>')) continue;
      assert.equal(text.match(/<h1>/g)?.length, 1, path);
      assert.match(
        text,
        /<html lang="en">[\s\S]*<title>[^<]+ · Reelgraph<\/title>\s*<meta name="description" content="[^"]{10,}">/,
        path,
      );
      assert.doesNotMatch(
        text,
        /<script(?! src="\/docs\/(?:page|try-it)\.js" defer><\/script>)|<style|<[^<>]*\s(?:style|on\w+)=/,
        path,
      );
    }
  });

  it('has the name of the server as it is now', async () => {
    const titleOf = async (path: string) => {
      const text = await (await at.fetch(path, { headers: { accept: 'text/html' } })).text();
      return [/<title>[^<]*<\/title>/, /alt="">[^<]*<\/a>/].map((part) => part.exec(text)?.[0]);
    };
    for (const current of ['Bird & Film', 'Cinema', 'Reelgraph']) {
      name = current;
      const shown = current.replace('&', '&amp;');
      for (const [path, title] of [
        ['/docs/limits', 'Limits'],
        ['/docs/search?q=', 'Search'],
        ['/docs/nowhere', 'Page not found'],
      ] as const)
        assert.deepEqual(await titleOf(path), [`<title>${title} · ${shown}</title>`, `alt="">${shown}</a>`]);
    }
  });

  it('is cached for minutes, supports HEAD and conditions, and is compressed', async () => {
    const get = (headers: Record<string, string>, method = 'GET') => at.fetch('/docs/limits', { method, headers });
    const whole = await get({ 'accept-encoding': 'gzip, br' });
    assert.equal(whole.headers.get('cache-control'), 'public, max-age=300');
    assert.match(
      whole.headers.get('content-security-policy') ?? '',
      /default-src 'self'.*script-src 'self';.*object-src 'none'/,
    );
    const etag = whole.headers.get('etag') ?? '';
    assert.equal(whole.headers.get('content-encoding'), 'br');
    assert.equal((await get({ 'accept-encoding': 'br', 'if-none-match': etag })).status, 304);
    const plain = await get({ 'accept-encoding': 'identity' });
    assert.notEqual(plain.headers.get('etag'), etag);
    assert.equal(plain.headers.get('vary'), 'accept-encoding');
    const head = await get({ 'accept-encoding': 'identity' }, 'HEAD');
    assert.deepEqual(
      [head.status, head.headers.get('content-length'), await head.text()],
      [200, plain.headers.get('content-length'), ''],
    );
  });

  it('has the schema as text, cached like a page, and links to it', async () => {
    const response = await at.fetch('/schema.graphql', { headers: { 'accept-encoding': 'identity' } });
    assert.deepEqual(
      ['content-type', 'cache-control', 'vary'].map((name) => response.headers.get(name)),
      ['text/plain; charset=utf-8', 'public, max-age=300', 'accept-encoding'],
    );
    const committed = await readFile(new URL('../../../schema.graphql', import.meta.url), 'utf8');
    assert.equal(await response.text(), committed);
    const etag = response.headers.get('etag') ?? '';
    const again = { 'accept-encoding': 'identity', 'if-none-match': etag };
    const known = await at.fetch('/schema.graphql', { headers: again });
    assert.deepEqual([known.status, await known.text(), known.headers.get('etag')], [304, '', etag]);
    for (const path of ['/docs', '/docs/api', '/llms.txt'])
      assert.match(await (await at.fetch(path)).text(), /\/schema\.graphql/, path);
  });

  it('has the schema of each version, and says which', async () => {
    for (const [path, version] of [
      ['/schema.graphql', '2026-10'],
      ['/graphql/2026-10/schema.graphql', '2026-10'],
      ['/graphql/preview/schema.graphql', 'preview'],
    ] as const) {
      const response = await at.fetch(path);
      assert.deepEqual([response.status, response.headers.get('reelgraph-version')], [200, version]);
      assert.match(await response.text(), /^type Query \{$/m);
    }
    const unknown = await at.fetch('/graphql/2020-01/schema.graphql', { headers: { accept: 'application/json' } });
    const { errors } = (await unknown.json()) as { errors: { message: string; suggestedFix: string }[] };
    assert.equal(unknown.status, 404);
    assert.equal(errors[0]?.message, 'There is no version 2020-01 of the API.');
    assert.match(errors[0]?.suggestedFix ?? '', /^Use 2026-10 or preview/);
  });

  it('lists what is deprecated, with dates', async () => {
    const text = await (await at.fetch('/docs/deprecations.md')).text();
    assert.match(text, /\| `Mutation\.like` \| since 2026-10-01 \| not before 2028-10-01 \| Use likeContent\(id\), /);
    const changelog = await (await at.fetch('/docs/versions/changelog.md')).text();
    assert.match(changelog, /^# Changelog of the GraphQL schema\n[\s\S]*\n## 2026-10\n/);
  });

  it('is available as Markdown', async () => {
    const response = await at.fetch('/docs/guides/first-upload.md');
    assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
    const text = await response.text();
    assert.match(text, /^# Upload your first video\n/);
    assert.match(text, /\]\(\/docs\/limits\)/);
  });

  it('is generated again after a failure at the first visit', async () => {
    const schema = platformSchema();
    let isBroken = true;
    const breaking = new Proxy(schema, {
      get(target, name) {
        if (isBroken) throw new Error('not now');
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const other = await startTestServer({
      routes: docsRoutes({ schema: breaking, baseUrl: BASE_URL, version: '1.2.3' }),
    });
    const statuses = [(await other.fetch('/docs')).status];
    isBroken = false;
    statuses.push((await other.fetch('/docs')).status);
    await other.close();
    assert.deepEqual(statuses, [500, 200]);
  });

  it('returns 404 for other pages', async () => {
    for (const path of ['/docs/none', '/docs/guides/..%2f..%2fpackage.json', '/docs/none.md']) {
      const response = await at.fetch(path);
      assert.ok([400, 404].includes(response.status), path);
      assert.match(await response.text(), /"code":/);
    }
    assert.equal((await at.fetch('/docs/limits', { method: 'POST' })).status, 405);
  });

  it('suggests similar pages for a missing one', async () => {
    const visit = (path: string, method = 'GET') =>
      at.fetch(path, { method, headers: { accept: 'text/html,*/*;q=0.8' } });
    const cases: [path: string, first: string | null][] = [
      ['/docs/webhooks', '/docs/guides/webhooks'],
      ['/docs/webhook', '/docs/api/types/Webhook'],
      ['/docs/api/publish-video', '/docs/api/mutations/publishVideo'],
      ['/docs/guides/Limits.html', '/docs/limits'],
      ['/docs/guides/no', null],
      ['/docs/guides/%3Cscript%3E', null],
    ];
    for (const [path, first] of cases) {
      const response = await visit(path);
      const text = await response.text();
      assert.deepEqual(
        [response.status, response.headers.get('content-type')],
        [404, 'text/html; charset=utf-8'],
        path,
      );
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self';/);
      assert.match(text, /<h1>Page not found<\/h1>/);
      assert.equal(/<h2>Did you mean<\/h2>\s*<ul><li><a href="([^"]+)">/.exec(text)?.[1] ?? null, first, path);
      assert.match(text, /<nav class="side"[\s\S]*href="\/docs\/guides\/first-upload"/);
      for (const [, href = ''] of text.matchAll(/href="(\/docs[^"#]*)"/g))
        assert.equal((await visit(href, 'HEAD')).status, 200, href);
    }
    const head = await visit('/docs/none', 'HEAD');
    assert.deepEqual([head.status, await head.text()], [404, '']);
    assert.equal((await visit('/docs/errors/none')).status, 404);
  });
});

/** Of linked files, by the ending of their address; other addresses are pages. */
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  json: 'application/json',
  graphql: 'text/plain',
};

describe('llms.txt', () => {
  it('has a title, a summary and lists of links to Markdown', async () => {
    const text = await (await at.fetch('/llms.txt')).text();
    assert.match(text, /^# Reelgraph\n\n> .+\n\n/);
    const links = Array.from(text.matchAll(/^\* \[[^\]]+\]\(([^)]+)\): .+$/gm), ([, link = '']) => link);
    assert.ok(links.length > 10);
    for (const line of text.split('\n').filter((each) => each.startsWith('*')))
      assert.match(line, /^\* \[[^\]]+\]\([^)]+\): .+/);
    for (const link of links) {
      const response = await at.fetch(link.replace(BASE_URL, ''));
      const type = TYPES[/\.(\w+)$/.exec(link)?.[1] ?? ''] ?? 'text/html';
      assert.equal(`${response.status} ${response.headers.get('content-type')}`, `200 ${type}; charset=utf-8`, link);
      await response.arrayBuffer();
    }
  });

  it('has a long form with the full guides', async () => {
    const text = await (await at.fetch('/llms-full.txt')).text();
    assert.match(text, /## Upload your first video\n/);
    assert.match(text, /# Limits\n/);
    assert.equal(text.match(/^# /gm)?.length, 1 + (text.match(/^# (?:export|A comment)/gm)?.length ?? 0));
  });
});
