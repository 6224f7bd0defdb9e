import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BASE_URL, startTestServer, TestEngine, type TestServer } from '../testing.ts';
import { type PageHead, type PageHeadSource, PageHeads, withHead } from './meta-tags.ts';

const PAGE =
  '<!doctype html><head><meta name="description" content="The ' +
  'site." /><title>Reelgraph</title></head><div id="app"></div>';
const HEAD: PageHead = {
  title: 'Hills',
  description: 'A walk.',
  path: '/watch/1',
  type: 'video.other',
  image: { url: 'http://media.test/media/poster.jpg', width: 1280, height: 720, alt: 'A hill' },
  author: null,
  player: null,
  listed: true,
  structuredData: null,
};
const SOURCE: PageHeadSource = {
  prefix: '/watch/',
  documentId: 'idOfWatch',
  variables: (rest) => (/^\d+$/.test(rest) ? { id: rest } : null),
  read: (data) => (data as { head: PageHead | null }).head, // as the tests answer
};
const VISIT = { requestId: 'r', clientAddress: '192.0.2.1' };
const result = (head: PageHead | null) => ({ body: { data: { head } }, failure: null });
const BROWSER = { accept: 'text/html' };

describe('meta tags of a page', () => {
  it('contain data for readers without scripts', () => {
    const page = withHead(PAGE, HEAD, BASE_URL);
    for (const element of [
      '<title data-page>Hills · Reelgraph</title>',
      `<link rel="canonical" href="${BASE_URL}/watch/1" data-page>`,
      '<meta name="description" content="A walk." data-page>',
      '<meta property="og:site_name" content="Reelgraph" data-page>',
      '<meta property="og:type" content="video.other" data-page>',
      `<meta property="og:url" content="${BASE_URL}/watch/1" data-page>`,
      '<meta property="og:title" content="Hills" data-page>',
      '<meta property="og:description" content="A walk." data-page>',
      '<meta property="og:image" content="http://media.test/media/poster.jpg" data-page>',
      '<meta property="og:image:width" content="1280" data-page>',
      '<meta property="og:image:alt" content="A hill" data-page>',
      '<meta name="twitter:card" content="summary_large_image" data-page>',
    ])
      assert.ok(page.includes(element), `${element} in ${page}`);
    assert.equal(page.match(/<title/g)?.length, 1);
    assert.equal(page.match(/name="description"/g)?.length, 1);
    assert.ok(!page.includes('noindex'));
  });

  it('are followed by the poster, and by a page for browsers without scripts', () => {
    const poster = [320, 640].map((width) => ({ url: `http://media.test/media/w${width}.webp`, width }));
    const stream = 'http://media.test/media/1/master.m3u8';
    const firstView = { poster, width: 1920, height: 1080, stream, file: 'http://media.test/media/1/video.mp4?a&b' };
    const page = withHead(PAGE, { ...HEAD, title: 'A & <b>', description: '"><script>', firstView }, BASE_URL);
    const [, view = ''] = /<\/head>([\s\S]*)<div id="app"><\/div>/.exec(page) ?? [];
    for (const part of [
      '<div class="first-view" id="first-view"><img src="http://media.test/media/w640.webp"',
      'srcset="http://media.test/media/w320.webp 320w, http://media.test/media/w640.webp 640w"',
      '<video controls preload="none" poster="http://media.test/media/w640.webp" width="1920" height="1080"><source ' +
        'src="http://media.test/media/1/master.m3u8" type="application/vnd.apple.mpegurl"><source ' +
        'src="http://media.test/media/1/video.mp4?a&amp;b" type="video/mp4"></video>',
      '<h1 dir="auto">A &amp; &lt;b&gt;</h1>',
      '<p dir="auto">&quot;&gt;&lt;script&gt;</p>',
      '<li><a href="/" dir="auto">Reelgraph</a></li>',
    ])
      assert.ok(view.includes(part), `${part} in ${view}`);
    assert.ok(!withHead(PAGE, HEAD, BASE_URL).includes('first-view'));
    assert.ok(!withHead(PAGE, { ...HEAD, firstView: { ...firstView, poster: [] } }, BASE_URL).includes('<img'));
    const secret = withHead(PAGE, { ...HEAD, firstView: { ...firstView, file: null } }, BASE_URL);
    assert.equal(secret.match(/<source/g)?.length, 1);
  });

  it('are followed by links for browsers without scripts, instead of a text that the page needs them', () => {
    const page = PAGE.replace('<div', '<noscript><p>This page needs JavaScript.</p></noscript><div');
    const items = [{ path: '/w/aaaaaaaaaa1?a=1&b=2', title: '</noscript><script>' }];
    const links = { heading: 'Latest videos', items };
    const shown = withHead(page, { ...HEAD, title: null, path: '/', links }, BASE_URL, { site: 'Harbour' });
    assert.ok(shown.includes('<title data-page>Harbour</title>'), shown);
    assert.ok(!shown.includes('needs JavaScript') && !shown.includes('<script'), shown);
    for (const part of [
      '<div class="first-view" id="first-view"><noscript>',
      '<h1 dir="auto">Harbour</h1>',
      '<h2>Latest videos</h2>',
      '<li><a href="/w/aaaaaaaaaa1?a=1&amp;b=2" dir="auto">&lt;/noscript&gt;&lt;script&gt;</a></li>',
    ])
      assert.ok(shown.includes(part), `${part} in ${shown}`);
    assert.ok(withHead(page, HEAD, BASE_URL).includes('needs JavaScript'));
  });

  it('are followed by nothing but the video in the embed page', () => {
    const page = PAGE.replace('"app"', '"player"');
    const firstView = { poster: [], width: 16, height: 9, stream: '/media/1/master.m3u8', file: null };
    const [, view = ''] =
      /<\/head>([\s\S]*)<div id="player">/.exec(withHead(page, { ...HEAD, firstView }, BASE_URL)) ?? [];
    assert.equal(
      view.trim(),
      '<div class="first-view" id="first-view"><noscript><video controls preload="none" width="16" height="9">' +
        '<source src="/media/1/master.m3u8" type="application/vnd.apple.mpegurl"></video></noscript></div>',
    );
  });

  it('contain the embed player, for cards over HTTPS only', () => {
    const head = { ...HEAD, player: { path: '/embed/1', width: 1280, height: 720 } };
    const page = withHead(PAGE, head, 'https://video.test');
    for (const element of [
      '<meta property="og:video:url" content="https://video.test/embed/1" data-page>',
      '<meta property="og:video:type" content="text/html" data-page>',
      '<meta property="og:video:height" content="720" data-page>',
      '<meta name="twitter:card" content="player" data-page>',
      '<meta name="twitter:player" content="https://video.test/embed/1" data-page>',
    ])
      assert.ok(page.includes(element), `${element} in ${page}`);
    const plain = withHead(PAGE, head, 'http://video.test');
    assert.ok(
      plain.includes('content="http://video.test/embed/1"') && plain.includes('content="summary_large_image"'),
      plain,
    );
  });

  it('escape all texts', () => {
    for (const hostile of [
      '</title><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "'><svg/onload=1>",
      '$& $1 $` <!--',
      '&lt;b&gt;',
    ]) {
      const head = {
        ...HEAD,
        title: hostile,
        description: hostile,
        image: HEAD.image && { ...HEAD.image, alt: hostile, url: `/a?${hostile}` },
      };
      const page = withHead(PAGE, head, BASE_URL);
      assert.equal(page.match(/<(script|img|svg|!--)/g), null, page);
      assert.equal(page.match(/<\/title>/g)?.length, 1, page);
      const given = withHead(PAGE, HEAD, BASE_URL);
      assert.equal(page.match(/</g)?.length, given.match(/</g)?.length, page);
      assert.equal(page.match(/"/g)?.length, given.match(/"/g)?.length, page);
      assert.ok(page.endsWith('</head><div id="app"></div>'));
    }
  });

  it('contain JSON-LD that cannot end its element', () => {
    const data = {
      '@type': 'VideoObject',
      name: '</script><script>alert(1)</script><!--',
      description: '$& "quoted" & plain',
    };
    const page = withHead(PAGE, { ...HEAD, structuredData: JSON.stringify(data) }, BASE_URL);
    const [, text = ''] = /<script type="application\/ld\+json" data-page>([^<]*)<\/script>/.exec(page) ?? [];
    assert.deepEqual(JSON.parse(text), data);
    assert.equal(page.match(/<\/?script/g)?.length, 2);
    assert.ok(page.endsWith('</head><div id="app"></div>'));
  });

  it('truncate long descriptions at words, use absolute image addresses and exclude unlisted pages from search', () => {
    const page = withHead(
      PAGE,
      {
        ...HEAD,
        description: `${'word '.repeat(100)}end`,
        image: { url: '/media/p.jpg', width: 1, height: 1, alt: '' },
        listed: false,
      },
      BASE_URL,
    );
    const [, description = ''] = /name="description" content="([^"]*)"/.exec(page) ?? [];
    assert.ok(description.length <= 200 && description.endsWith('word…'), description);
    assert.ok(page.includes(`property="og:image" content="${BASE_URL}/media/p.jpg"`));
    assert.ok(page.includes('<meta name="robots" content="noindex" data-page>'));
    assert.ok(withHead(PAGE, { ...HEAD, image: null }, BASE_URL).includes('name="twitter:card" content="summary"'));
  });
});

describe('looking up meta tags', () => {
  it('queries the engine once for concurrent visitors, anonymously, and again after a few seconds', async () => {
    const engine = new TestEngine();
    let now = 1_000;
    const heads = new PageHeads([SOURCE], engine, () => now);
    engine.next = result(HEAD);
    const found = await Promise.all(Array.from({ length: 20 }, () => heads.find('/watch/7', VISIT)));
    assert.deepEqual(found, Array(20).fill(HEAD));
    assert.equal(engine.seen.length, 1);
    const [asked] = engine.seen;
    assert.deepEqual(
      [asked?.credential, asked?.documentId, asked?.variables, asked?.clientAddress],
      [{ kind: 'anonymous' }, 'idOfWatch', { id: '7' }, '192.0.2.1'],
    );
    now += 5_001;
    engine.next = result(null);
    assert.equal(await heads.find('/watch/7', VISIT), 'missing');
    assert.equal(engine.seen.length, 2);
  });

  it('asks a second time for what the first result leads to, and does without that when it fails', async () => {
    const engine = new TestEngine();
    const more = { documentId: 'idOfVideos', variables: () => ({ channel: '9' }) };
    const read: PageHeadSource['read'] = (_, found) => ({ ...HEAD, description: JSON.stringify(found) });
    const heads = new PageHeads([{ ...SOURCE, more, read }], engine);
    const descriptionOf = async (path: string): Promise<unknown> => {
      const found = await heads.find(path, VISIT);
      return typeof found === 'object' && found.description;
    };
    engine.next = async () => {
      engine.next = { body: { data: { videos: 2 } }, failure: null };
      return result(HEAD);
    };
    assert.equal(await descriptionOf('/watch/1'), '{"videos":2}');
    assert.deepEqual(
      engine.seen.map(({ documentId, variables }) => [documentId, variables]),
      [
        ['idOfWatch', { id: '1' }],
        ['idOfVideos', { channel: '9' }],
      ],
    );
    engine.next = result(HEAD);
    assert.equal(await descriptionOf('/watch/2'), 'null');
  });

  it('asks for a page with a path of its own', async () => {
    const engine = new TestEngine();
    const home = { ...SOURCE, prefix: '/', isOnlyPage: true, variables: () => ({}) };
    const heads = new PageHeads([home], engine);
    engine.next = result(HEAD);
    assert.deepEqual([await heads.find('/', VISIT), await heads.find('/studio', VISIT)], [HEAD, 'unknown']);
  });

  it('detects invalid paths without a query, and ignores other pages', async () => {
    const engine = new TestEngine();
    const heads = new PageHeads([SOURCE], engine);
    assert.deepEqual(
      await Promise.all(
        ['/watch/x', '/watch/%ff', '/watch/', '/watch', '/', '/studio'].map((path) => heads.find(path, VISIT)),
      ),
      ['missing', 'missing', 'unknown', 'unknown', 'unknown', 'unknown'],
    );
    assert.equal(engine.seen.length, 0);
  });

  it('does not treat an error as a missing page, and does not cache it', async () => {
    const engine = new TestEngine();
    const heads = new PageHeads([SOURCE], engine);
    const error = (code: string) => ({
      body: { data: null, errors: [{ message: '', extensions: { code } }] },
      failure: null,
    });
    engine.next = { body: {}, failure: 'RATE_LIMIT_EXCEEDED' };
    assert.equal(await heads.find('/watch/1', VISIT), 'unknown');
    engine.next = error('SERVICE_UNAVAILABLE');
    assert.equal(await heads.find('/watch/1', VISIT), 'unknown');
    engine.next = () => Promise.reject(new Error('broken'));
    assert.equal(await heads.find('/watch/1', VISIT), 'unknown');
    engine.next = error('RESOURCE_NOT_FOUND');
    assert.equal(await heads.find('/watch/1', VISIT), 'missing');
  });

  it('does not wait for an unresponsive database', async () => {
    const engine = new TestEngine();
    engine.next = () => new Promise(() => {});
    const started = performance.now();
    assert.equal(await new PageHeads([SOURCE], engine).find('/watch/1', VISIT), 'unknown');
    assert.ok(performance.now() - started < 5_000);
  });
});

describe('pages with meta tags', () => {
  let folder: string;
  let at: TestServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-heads-'));
    await mkdir(join(folder, 'dist'));
    await writeFile(join(folder, 'dist', 'index.html'), PAGE);
    at = await startTestServer({ webRoot: join(folder, 'dist'), pageHeads: [SOURCE] });
  });
  after(async () => {
    await at.close();
    await rm(folder, { recursive: true });
  });

  it('are the app with meta tags and policy, with an ETag of their content', async () => {
    at.engine.next = result(HEAD);
    const response = await at.fetch('/watch/1', { headers: BROWSER });
    assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-cache']);
    assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self';/);
    const text = await response.text();
    assert.ok(text.includes('og:title" content="Hills"') && text.includes('<div id="app">'));
    const again = { ...BROWSER, 'if-none-match': response.headers.get('etag') ?? '' };
    assert.equal((await at.fetch('/watch/1', { headers: again })).status, 304);
    at.engine.next = result({ ...HEAD, title: 'Other' });
    assert.equal((await at.fetch('/watch/2', { headers: again })).status, 200);
    const head = await at.fetch('/watch/1', { headers: BROWSER, method: 'HEAD' });
    assert.deepEqual([head.status, Number(head.headers.get('content-length'))], [200, Buffer.byteLength(text)]);
  });

  it('are the app with a title and status 404 for missing pages, and 200 if unknown', async () => {
    at.engine.next = result(null);
    const missing = PAGE.replace(/<title.*<\/title>/, '<title data-page>Not found · Reelgraph</title>');
    for (const path of ['/watch/3', '/watch/nonsense']) {
      const response = await at.fetch(path, { headers: BROWSER });
      assert.deepEqual([response.status, await response.text()], [404, missing], path);
    }
    at.engine.next = { body: {}, failure: 'SERVICE_UNAVAILABLE' };
    assert.equal((await at.fetch('/watch/4', { headers: BROWSER })).status, 200);
  });
});
