import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { defaultInstance } from '../../platform/instance/instance-settings.ts';
import { errorsOf, SESSION_COOKIE, startTestServer, type TestServer } from '../testing.ts';

const INLINE = 'document.documentElement.dataset.theme = "dark";';
const INDEX =
  '<!doctype html><meta name="did-namespace" content="reelgraph" /><meta name="other" content="kept" ' +
  `/><title>App</title><script>${INLINE}</script><script type="module" src="/assets/app-4f2a.js"></script>`;
const SCRIPT = `export const text = '${'moving pictures '.repeat(200)}';`;
const NAMED = '<title data-page>Reelgraph</title>';
const JSON_TYPE = 'application/json; charset=utf-8';
const BROWSER = { accept: 'text/html,*/*;q=0.8' };

let folder: string;
let at: TestServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgraph-web-'));
  const root = join(folder, 'dist');
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(root, 'index.html'), INDEX);
  await writeFile(join(root, 'index.de.html'), INDEX.replace('App', 'Anwendung'));
  await writeFile(join(root, 'embed.de.html'), '<!doctype html><title>Wiedergabe</title>');
  await writeFile(join(root, 'graphiql.html'), '<!doctype html><title>Explorer</title>');
  await writeFile(join(root, 'embed.html'), '<!doctype html><title>Player</title>');
  await writeFile(join(root, 'assets', 'app-4f2a.js'), SCRIPT);
  await writeFile(join(root, 'assets', 'style-1.css'), 'a{}'.repeat(600));
  await writeFile(join(root, 'assets', 'style-1.css.br'), 'precompressed');
  await writeFile(join(root, 'favicon.svg'), '<svg/>');
  await writeFile(join(root, '.hidden'), 'hidden');
  await writeFile(join(folder, 'outside.txt'), 'outside');
  at = await startTestServer({
    webRoot: root,
    routes: [{ method: 'POST', path: '/uploads', handle: (_request, response) => void response.end() }],
  });
});
after(async () => {
  await at.close();
  await rm(folder, { recursive: true });
});

/** A GET with a raw path and Accept-Encoding; fetch would normalize both. */
function rawGet(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: at.port, path, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject).end();
  });
}

describe('web application', () => {
  it('is served at its own addresses, with a policy that allows exactly its inline script', async () => {
    for (const path of ['/', '/watch/0198c0de', '/settings/developer', '/channel/x?tab=1']) {
      const response = await at.fetch(path, { headers: BROWSER });
      assert.equal(response.status, 200, path);
      assert.equal(await response.text(), INDEX);
      assert.equal(response.headers.get('cache-control'), 'no-cache');
      const policy = response.headers.get('content-security-policy') ?? '';
      const hash = createHash('sha256').update(INLINE).digest('base64');
      assert.match(policy, /default-src 'self'/);
      assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy);
      assert.match(policy, /media-src 'self' blob: data:; .*worker-src 'self' blob:; .*frame-ancestors 'none'/);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('is in the language of the browser, as far as it was built', async () => {
    const titles = [
      ['/', 'de-CH, en;q=0.5', '<title>Anwendung</title>'],
      ['/embed/0198c0de', 'de', '<title>Wiedergabe</title>'],
      ['/', 'ja', '<title>App</title>'],
    ] as const;
    for (const [path, language, title] of titles) {
      const response = await at.fetch(path, { headers: { ...BROWSER, 'accept-language': language } });
      assert.ok((await response.text()).includes(title), language);
      assert.equal(response.headers.get('vary'), 'accept, accept-encoding, accept-language, cookie');
    }
    const german = await at.fetch('/embed/0198c0de', { headers: { ...BROWSER, 'accept-language': 'de' } });
    assert.doesNotMatch(german.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  });

  it('lets other sites frame only the player', async () => {
    for (const path of ['/embed/0198c0de', '/embed/short/0198c0de', '/embed.html']) {
      const response = await at.fetch(path, { headers: BROWSER });
      assert.equal(await response.text(), '<!doctype html><title>Player</title>');
      assert.match(response.headers.get('content-security-policy') ?? '', /; frame-ancestors \*$/);
      assert.equal(response.headers.get('x-frame-options'), null, path);
    }
    for (const path of ['/', '/watch/0198c0de', '/embedded/0198c0de', '/index.html', '/watch/embed']) {
      const response = await at.fetch(path, { headers: BROWSER });
      assert.match(response.headers.get('content-security-policy') ?? '', /; frame-ancestors 'none'$/, path);
      assert.equal(response.headers.get('x-frame-options'), 'DENY', path);
    }
  });

  it('has the status 404, and a title that says so, for missing pages', async () => {
    const missing = INDEX.replace('<title>App', '<title data-page>Not found · Reelgraph');
    for (const path of [
      '/nowhere',
      '/watch',
      '/studio/nowhere',
      '/channel/a/b',
      '/settings/nowhere',
      '/embedded/0198c0de',
    ]) {
      const response = await at.fetch(path, { headers: BROWSER });
      assert.deepEqual([response.status, await response.text()], [404, missing], path);
      assert.equal(response.headers.get('etag'), null, path);
    }
    const german = await at.fetch('/nowhere', { headers: { ...BROWSER, 'accept-language': 'de' } });
    assert.match(await german.text(), /<title data-page>Nicht gefunden · Reelgraph<\/title>/);
    for (const path of [
      ...['/settings', '/following', '/series'],
      '/studio',
      '/studio/',
      '/studio/playlists/0198c0de',
      '/studio/content/episode/0198c0de',
      '/search?q=a',
    ])
      assert.equal((await at.fetch(path, { headers: BROWSER })).status, 200, path);
  });

  it('is not served for unknown assets, files and API addresses: programs get JSON, browsers an error page', async () => {
    const paths = ['/assets/app-old.js', '/assets/app-old', '/humans.txt', '/uploads/x', '/mcp/x'];
    for (const path of [...paths, '/nowhere']) {
      const response = await at.fetch(path, { headers: { accept: 'application/json' } });
      assert.equal(response.status, 404, path);
      assert.equal((await errorsOf(response)).errors[0]?.code, 'RESOURCE_NOT_FOUND', path);
    }
    for (const path of paths) {
      const response = await at.fetch(path, { headers: BROWSER });
      assert.equal(response.status, 404, path);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self';.*frame-ancestors 'none'/);
      const text = await response.text();
      assert.match(
        text,
        /<h1>There is nothing at this address\.<\/h1>[\s\S]*href="\/docs\/errors\/resource_not_found"/,
      );
      assert.ok(text.includes(response.headers.get('x-request-id') ?? 'no id'), path);
    }
    const head = await at.fetch('/uploads/x', { method: 'HEAD', headers: BROWSER });
    assert.deepEqual([head.status, await head.text()], [404, '']);
    assert.equal(
      (await at.fetch('/nowhere', { method: 'POST', headers: BROWSER })).headers.get('content-type'),
      JSON_TYPE,
    );
  });

  it('marks hashed assets as immutable and revalidates the rest', async () => {
    const asset = await at.fetch('/assets/app-4f2a.js');
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(asset.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(await asset.text(), SCRIPT);
    const icon = await at.fetch('/favicon.svg');
    assert.equal(icon.headers.get('content-type'), 'image/svg+xml');
    const etag = icon.headers.get('etag') ?? '';
    const again = await at.fetch('/favicon.svg', { headers: { 'if-none-match': `"other", W/${etag}` } });
    assert.equal(again.status, 304);
    assert.equal((await at.fetch('/favicon.svg', { headers: { 'if-none-match': '"other"' } })).status, 200);
  });

  it('compresses text, with an ETag per coding', async () => {
    const plain = await rawGet('/assets/app-4f2a.js');
    const brotli = await rawGet('/assets/app-4f2a.js', { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await rawGet('/assets/app-4f2a.js', { 'accept-encoding': 'gzip, br;q=0' });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.equal(brotliDecompressSync(brotli.body).toString(), SCRIPT);
    assert.equal(gunzipSync(gzip.body).toString(), SCRIPT);
    assert.equal(new Set([plain, brotli, gzip].map((result) => result.headers.etag)).size, 3);
    for (const result of [plain, brotli, gzip]) assert.equal(result.headers.vary, 'accept-encoding');
    const created = await rawGet('/assets/style-1.css', { 'accept-encoding': 'br' });
    assert.equal(created.body.toString(), 'precompressed');
    const head = await rawGet('/assets/app-4f2a.js', { 'accept-encoding': 'br' }, 'HEAD');
    assert.equal(head.headers['content-length'], String(brotli.body.length));
    assert.equal(head.body.length, 0);
  });

  it('never leaves its folder and serves no hidden file', async () => {
    for (const path of [
      '/../outside.txt',
      '/%2e%2e/outside.txt',
      '/assets/..%2f..%2f..%2foutside.txt',
      '/..%5coutside.txt',
      '/.hidden',
      '/%00',
      '//etc/passwd',
      '/%',
    ]) {
      const { status, body } = await rawGet(path, { accept: 'text/plain' });
      assert.ok(status === 404 || status === 400, `${path}: ${status}`);
      assert.ok(!/outside|hidden|root:/.test(body.toString()), path);
    }
  });

  it('serves the explorer to signed-in browsers', async () => {
    const response = await at.fetch('/graphql', { headers: { ...BROWSER, cookie: SESSION_COOKIE } });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Explorer/);
    assert.match(response.headers.get('vary') ?? '', /cookie/);
    assert.equal(response.headers.get('cache-control'), 'private, no-cache');
    assert.match(response.headers.get('content-security-policy') ?? '', /style-src 'self' 'unsafe-inline'/);
  });

  it('contains the namespace of this installation', async () => {
    const own = await startTestServer({ webRoot: join(folder, 'dist'), env: { DID_NAMESPACE: 'cinema' } });
    const text = await (await own.fetch('/', { headers: BROWSER })).text();
    await own.close();
    assert.equal(text, INDEX.replace('content="reelgraph"', 'content="cinema"'));
  });

  it('explains what to do when it was not built', async () => {
    const bare = await startTestServer();
    for (const [path, headers] of [
      ['/', BROWSER],
      ['/graphql', { ...BROWSER, cookie: SESSION_COOKIE }],
    ] as const) {
      const response = await bare.fetch(path, { headers });
      assert.equal(response.status, 503);
      assert.match(await response.text(), /npm run build/);
    }
    await bare.close();
  });

  it('are sent with the settings as they are now, compressed or not', async () => {
    const root = join(folder, 'named');
    await mkdir(root, { recursive: true });
    const filler = `<!-- ${'x'.repeat(2_000)} -->`;
    await writeFile(join(root, 'index.html'), `<meta name="site-name" content="x" />${NAMED}${filler}`);
    let name = 'Harbour';
    const settings = defaultInstance({ SIGN_UP: 'open' });
    const named = await startTestServer({ webRoot: root, instance: () => ({ ...settings, name }) });
    try {
      for (name of ['Harbour', 'A & <b>']) {
        for (const encoding of ['identity', 'gzip']) {
          const response = await named.fetch('/', { headers: { ...BROWSER, 'accept-encoding': encoding } });
          const shown = name.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
          const text = await response.text();
          assert.ok(
            text.startsWith(`<meta name="site-name" content="${shown}" /><title data-page>${shown}</title>`),
            text,
          );
        }
      }
    } finally {
      await named.close();
    }
  });
});
