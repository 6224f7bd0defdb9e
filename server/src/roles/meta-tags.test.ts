import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  openTestCatalog,
  type Person,
  publishedEpisode,
  type TestCatalog,
  uuidOf,
} from '../domains/catalog/testing.ts';
import { createHttpServer, type HttpServer } from '../http/server.ts';
import { addScheduled } from '../testing/seed-live.ts';
import { pageHeadSources } from './meta-tags.ts';

const PAGE =
  '<!doctype html><head><title>Reelgraph</title></head><noscript>This page needs JavaScript.</noscript>' +
  '<div id="app"></div>';

describe('meta tags of videos and channels', () => {
  let api: TestCatalog;
  let owner: Person;
  let server: HttpServer;
  let folder: string;
  let address: string;
  before(async () => {
    api = await openTestCatalog();
    owner = await api.person('anna');
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-pages-'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'embed.html'), PAGE.replace('"app"', '"player"'));
    const { accounts, engine, trustedDocuments } = api.domains;
    server = createHttpServer({
      platform: api.platform,
      version: '1.2.3',
      routes: [],
      engine,
      credentials: accounts,
      webRoot: folder,
      pageHeads: pageHeadSources(trustedDocuments, {
        namespace: api.platform.config.DID_NAMESPACE,
        baseUrl: api.platform.config.BASE_URL,
      }),
    });
    address = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  });
  after(async () => {
    await server.close({ graceMs: 0 });
    await api.close();
    await rm(folder, { recursive: true });
  });

  const redirectOf = async (path: string): Promise<readonly [number, string | null]> => {
    const { status, headers } = await fetch(address + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    return [status, headers.get('location')];
  };
  const open = async (path: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(address + path, { headers: { accept: 'text/html' } });
    return { status: response.status, text: await response.text() };
  };

  const dataOf = (text: string): Record<string, unknown> =>
    JSON.parse(/<script type="application\/ld\+json" data-page>([^<]*)<\/script>/.exec(text)?.[1] ?? 'null');

  it('describe published contents, with the canonical address', async () => {
    await api.content(owner, {
      status: 'PUBLISHED',
      title: 'Tea & </title><script>alert(1)</script>',
      shortCode: 'tea-_000001',
    });
    const { status, text } = await open('/w/tea-_000001');
    assert.equal(status, 200);
    assert.ok(
      text.includes(
        '<title data-page>Tea &amp; &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; · Reelgraph</title>',
      ),
      text,
    );
    assert.ok(text.includes('<link rel="canonical" href="http://reelgraph.test/w/tea-_000001" data-page>'), text);
    assert.ok(text.includes('<meta property="og:url" content="http://reelgraph.test/w/tea-_000001" data-page>'), text);
    assert.ok(text.includes('content="A video of anna."'), text);
    assert.equal(text.match(/<script/g)?.length, 1, text);
    assert.deepEqual(dataOf(text).name, 'Tea & </title><script>alert(1)</script>');
  });

  it('are at one address, to which all others lead', async () => {
    const did = await api.content(owner, { status: 'PUBLISHED', shortCode: 'feature0001' });
    const short = await api.content(owner, { status: 'PUBLISHED', kind: 'SHORT', shortCode: 'short000001' });
    const serie = await api.content(owner, { status: 'PUBLISHED', kind: 'SERIES', shortCode: 'serie000001' });
    const hidden = await api.content(owner, { status: 'PUBLISHED', visibility: 'PRIVATE', shortCode: 'hidden00001' });
    const id = uuidOf(did);
    for (const path of [`/watch/${id}`, `/watch/feature/${id}`, `/watch/${did}`, `/watch/${id.toUpperCase()}/`])
      assert.deepEqual(await redirectOf(path), [301, '/w/feature0001'], path);
    assert.deepEqual(await redirectOf(`/watch/${id}?t=90&list=x`), [301, '/w/feature0001?t=90&list=x']);
    assert.deepEqual(await redirectOf('/w/feature0001/'), [301, '/w/feature0001']);
    assert.deepEqual(await redirectOf(`/watch/short/${uuidOf(short)}`), [301, '/w/short000001']);
    for (const path of ['/w/serie000001', `/watch/serie/${uuidOf(serie)}`])
      assert.deepEqual(await redirectOf(path), [301, `/series/${uuidOf(serie)}`], path);
    for (const path of ['/w/feature0001', '/w/short000001', `/embed/${id}`, '/embed/feature0001'])
      assert.equal((await redirectOf(path))[1], null, path);
    // Whoever may not see a video does not learn its address.
    for (const path of [`/watch/${uuidOf(hidden)}`, '/w/hidden00001', '/w/unknown0001', '/w/FEATURE0001'])
      assert.deepEqual(await redirectOf(path), [404, null], path);
  });

  it('describe an episode and its series to search engines', async () => {
    const serie = await api.content(owner, { status: 'PUBLISHED', kind: 'SERIES', title: 'Hills' });
    const season = await api.content(owner, {
      status: 'PUBLISHED',
      kind: 'SEASON',
      title: 'One',
      parent: serie,
      number: 1,
    });
    await api.content(owner, {
      status: 'PUBLISHED',
      kind: 'EPISODE',
      title: 'Pilot',
      parent: season,
      number: 1,
      shortCode: 'pilot000001',
    });
    const { text } = await open('/w/pilot000001');
    const data = dataOf(text);
    assert.deepEqual(
      [data['@context'], data['@type'], data.name, data.episodeNumber],
      ['https://schema.org', 'TVEpisode', 'Pilot', 1],
    );
    assert.equal(data.url, 'http://reelgraph.test/w/pilot000001');
    assert.equal((data.partOfSeries as { name: string }).name, 'Hills');
    assert.ok(!(await open(`/channel/${owner.channelId}`)).text.includes('<script'));
  });

  it('have the canonical address of a series', async () => {
    const serie = await api.content(owner, { status: 'PUBLISHED', kind: 'SERIES', title: 'Dunes' });
    const mini = await api.content(owner, { status: 'PUBLISHED', kind: 'MINISERIES', title: 'Shore' });
    for (const path of [
      `/series/${uuidOf(serie)}`,
      `/series/serie/${uuidOf(serie)}`,
      `/watch/serie/${uuidOf(serie)}`,
    ]) {
      const { status, text } = await open(path);
      assert.equal(status, 200, path);
      assert.ok(
        text.includes(
          `<link rel="canonical" href="${api.platform.config.BASE_URL}/series/${uuidOf(serie)}" data-page>`,
        ),
        text,
      );
      assert.ok(text.includes('content="video.tv_show"') && text.includes('content="A series of anna."'), text);
      assert.deepEqual(
        [dataOf(text)['@type'], dataOf(text).url],
        ['TVSeries', `${api.platform.config.BASE_URL}/series/${uuidOf(serie)}`],
      );
    }
    assert.ok(
      (await open(`/series/miniserie/${uuidOf(mini)}`)).text.includes(`/series/miniserie/${uuidOf(mini)}" data-page>`),
    );
  });

  it('have the player of a broadcast that is announced, and of none that was canceled', async () => {
    const stream = await addScheduled(api, owner);
    const { status, text } = await open(`/embed/${uuidOf(stream)}`);
    assert.equal(status, 200);
    assert.match(text, /og:video:height" content="720"/);
    const canceled = await addScheduled(api, owner);
    await api.rows(`update broadcasts set state = 'CANCELED' where content_id = $1`, [uuidOf(canceled)]);
    assert.equal((await open(`/embed/${uuidOf(canceled)}`)).status, 404);
  });

  it('describe the public items of a playlist', async () => {
    const contentIds = [
      await api.content(owner, { status: 'PUBLISHED', title: 'One' }),
      await api.content(owner, { status: 'PUBLISHED', title: 'Two', visibility: 'PRIVATE' }),
    ];
    const create =
      'mutation ($input: CreatePlaylistWithItemsInput!) { createPlaylistWithItems(input: $input) { playlist { id } } }';
    const created = async (visibility: string): Promise<string> => {
      const input = { title: 'Evenings', visibility, contentIds };
      return uuidOf((await api.ok(owner, create, { input })).createPlaylistWithItems.playlist.id);
    };
    const id = await created('PUBLIC');
    const { status, text } = await open(`/playlist/${id}`);
    assert.equal(status, 200);
    assert.ok(text.includes(`/playlist/${id}" data-page>`) && !text.includes('noindex'), text);
    const { itemListElement, ...list } = dataOf(text);
    assert.deepEqual([list['@type'], list.name], ['ItemList', 'Evenings']);
    assert.deepEqual(
      (itemListElement as { name: string }[]).map(({ name }) => name),
      ['One'],
    );
    assert.ok((await open(`/playlist/${await created('UNLISTED')}`)).text.includes('noindex'));
    assert.equal((await open(`/playlist/${await created('PRIVATE')}`)).status, 404);
  });

  it('lead to public videos without scripts, from home, channel, series and playlist', async () => {
    const creator = await api.person('berta');
    const title = 'Links & <b>';
    const video = await api.content(creator, { status: 'PUBLISHED', title, shortCode: 'linked00001' });
    await api.content(creator, { status: 'PUBLISHED', title: 'Hidden one', visibility: 'PRIVATE' });
    const serie = await api.content(creator, { status: 'PUBLISHED', kind: 'SERIES', title: 'Linked series' });
    const parent = await api.content(creator, { status: 'PUBLISHED', kind: 'SEASON', parent: serie, number: 1 });
    await api.content(creator, {
      ...{ status: 'PUBLISHED', kind: 'EPISODE', title: 'First episode' },
      ...{ parent, number: 1, shortCode: 'linked00002' },
    });
    const create =
      'mutation ($input: CreatePlaylistWithItemsInput!) { createPlaylistWithItems(input: $input) { playlist { id } } }';
    const input = { title: 'Linked playlist', visibility: 'PUBLIC', contentIds: [video] };
    const playlist = uuidOf((await api.ok(creator, create, { input })).createPlaylistWithItems.playlist.id);
    const link = '<li><a href="/w/linked00001" dir="auto">Links &amp; &lt;b&gt;</a></li>';
    for (const [path, heading, list, expected] of [
      ['/', 'Reelgraph', 'Latest videos', link],
      ['/@berta', 'berta', 'Latest videos', link],
      [`/channel/${creator.channelId}`, 'berta', 'Latest videos', link],
      [`/playlist/${playlist}`, 'Linked playlist', 'Videos', link],
      [
        `/series/${uuidOf(serie)}`,
        ...(['Linked series', 'Episodes', '<li><a href="/w/linked00002" dir="auto">First episode</a></li>'] as const),
      ],
    ] as const) {
      const { status, text } = await open(path);
      assert.equal(status, 200, path);
      const view = /<noscript>([\s\S]*)<\/noscript>/.exec(text)?.[1] ?? '';
      for (const part of [`<h1 dir="auto">${heading}</h1>`, `<h2>${list}</h2>`, expected])
        assert.ok(view.includes(part), `${part} in ${path}: ${text}`);
      assert.ok(!text.includes('Hidden one') && !text.includes('needs JavaScript'), text);
    }
  });

  it('have a file for browsers that play no stream, where viewers may download it', async () => {
    const [open_, closed] = [
      await api.content(owner, { status: 'PUBLISHED', shortCode: 'file0000001' }),
      await api.content(owner, { status: 'PUBLISHED', shortCode: 'file0000002' }),
    ];
    await api.rows('update contents set allow_download = (id = $1) where id in ($1, $2)', [
      uuidOf(open_),
      uuidOf(closed),
    ]);
    for (const did of [open_, closed])
      await api.rows(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
           height, duration_ms, package_prefix, extras, ready_at)
         values (uuidv7(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/x', 6, 'video/mp4', 640, 480, 60000, 'media/x/',
           '{"videoDownload": "downloads/video.mp4"}', now())`,
        [owner.channelId, uuidOf(did)],
      );
    const STREAM = /<source src="[^"]+\/master\.m3u8[^"]*" type="application\/vnd\.apple\.mpegurl">/;
    const FILE = /<source src="[^"]+\/media\/downloads\/[0-9a-f-]+\/video\.mp4" type="video\/mp4">/;
    for (const path of ['/w/file0000001', '/embed/file0000001']) {
      const { text } = await open(path);
      assert.match(text, STREAM);
      assert.match(text, FILE);
      assert.ok(!text.includes('needs JavaScript'), text);
    }
    for (const path of ['/w/file0000002', '/embed/file0000002']) {
      const { text } = await open(path);
      assert.match(text, STREAM);
      assert.doesNotMatch(text, FILE);
    }
  });

  it('are absent for private contents', async () => {
    const hidden = [
      await api.content(owner, { status: 'PUBLISHED', visibility: 'PRIVATE', title: 'Secret' }),
      await api.content(owner, { status: 'READY', title: 'Secret' }),
    ];
    const paths = hidden.map((did) => `/watch/${uuidOf(did)}`);
    const unknown = '0198c0de-7a11-7000-8000-000000000000';
    const missing = PAGE.replace(/<title.*<\/title>/, '<title data-page>Not found · Reelgraph</title>');
    for (const path of [
      ...paths,
      `/watch/${unknown}`,
      `/channel/${unknown}`,
      '/watch/nonsense',
      '/channel/nonsense',
      '/watch/series/x/y',
    ])
      assert.deepEqual(await open(path), { status: 404, text: missing }, path);
  });

  it('keep unlisted videos out of search', async () => {
    const { status, text } = await open(
      `/watch/${uuidOf(await api.content(owner, { status: 'PUBLISHED', visibility: 'UNLISTED' }))}`,
    );
    assert.equal(status, 200);
    assert.ok(text.includes('<meta name="robots" content="noindex" data-page>'));
  });

  it('keep the episodes of an unlisted series out of search', async () => {
    const [listed, unlisted] = [await publishedEpisode(api, owner), await publishedEpisode(api, owner)];
    await api.rows(`update contents set visibility = 'UNLISTED' where id = $1`, [uuidOf(unlisted.serie)]);
    const head = async ({ episode }: { episode: string }) => (await open(`/watch/episode/${uuidOf(episode)}`)).text;
    assert.ok(!(await head(listed)).includes('noindex'));
    assert.ok((await head(unlisted)).includes('<meta name="robots" content="noindex" data-page>'));
  });

  it('describe channels, with the address by handle', async () => {
    for (const path of ['/@anna', '/@ANNA', `/channel/${owner.channelId}`]) {
      const { status, text } = await open(path);
      assert.equal(status, 200);
      assert.ok(text.includes('<meta property="og:type" content="profile" data-page>'), text);
      assert.ok(text.includes('content="Videos of anna (@anna)."'), text);
      assert.ok(text.includes('<link rel="canonical" href="http://reelgraph.test/@anna" data-page>'), text);
    }
    assert.deepEqual(await redirectOf('/@ANNA?tab=about'), [301, '/@anna?tab=about']);
    for (const path of ['/@nobody', '/@a%20b', '/@']) assert.equal((await open(path)).status, 404, path);
  });

  it('lead to how other sites embed a playable video, and to nothing of others', async () => {
    const [shown, hidden, unplayable] = [
      await api.content(owner, { status: 'PUBLISHED', title: 'Tea & "<b>"', shortCode: 'shown000001' }),
      await api.content(owner, { status: 'PUBLISHED', visibility: 'PRIVATE' }),
      await api.content(owner, { status: 'PUBLISHED' }),
    ];
    for (const did of [shown, hidden])
      await api.rows(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
           height, duration_ms, package_prefix, ready_at)
         values (uuidv7(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/x', 6, 'video/mp4', 640, 480, 60000, 'media/x/',
           now())`,
        [owner.channelId, uuidOf(did)],
      );
    const page = 'http://reelgraph.test/w/shown000001';
    const link = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(
      (await open(`/watch/${uuidOf(shown)}`)).text,
    )?.[1];
    assert.equal(link, `http://reelgraph.test/oembed?url=${encodeURIComponent(page)}&amp;format=json`);
    const embedded = await open(`/oembed?url=${encodeURIComponent(page)}&maxwidth=400`);
    const former = encodeURIComponent(`http://reelgraph.test/watch/${uuidOf(shown)}`);
    assert.equal((await open(`/oembed?url=${former}&maxwidth=400`)).text, embedded.text);
    assert.deepEqual(JSON.parse(embedded.text), {
      version: '1.0',
      type: 'video',
      provider_name: 'Reelgraph',
      provider_url: 'http://reelgraph.test',
      title: 'Tea & "<b>"',
      author_name: 'anna',
      author_url: 'http://reelgraph.test/@anna',
      html:
        `<iframe src="http://reelgraph.test/embed/${uuidOf(shown)}" width="400" height="300" ` +
        'title="Tea &amp; &quot;&lt;b&gt;&quot;" style="border:0" ' +
        'allow="autoplay; fullscreen; picture-in-picture"></iframe>',
      width: 400,
      height: 300,
      cache_age: 300,
    });
    const others = [hidden, unplayable].map((did) => `http://reelgraph.test/watch/${uuidOf(did)}`);
    for (const [query, status] of [
      ...[...others, 'http://reelgraph.test/@anna', 'http://elsewhere.test/watch/1', 'nonsense'].map(
        (url) => [`url=${encodeURIComponent(url)}`, 404] as const,
      ),
      ['', 400],
      [`url=${encodeURIComponent(page)}&maxwidth=-1`, 400],
      [`url=${encodeURIComponent(page)}&format=xml`, 501],
    ] as const)
      assert.equal((await open(`/oembed?${query}`)).status, status, query);
  });

  it('are not for what robots cannot use', async () => {
    const { status, text } = await open('/robots.txt');
    assert.equal(status, 200);
    assert.match(text, /^User-agent: \*\nDisallow: \/api\/\n/);
    assert.ok(text.includes('Disallow: /studio\n'));
    assert.ok(text.endsWith('\nSitemap: http://reelgraph.test/sitemap.xml\n'));
  });

  it('require the operations of the web application', () => {
    assert.throws(
      () => pageHeadSources(new Map(), { namespace: 'reelgraph', baseUrl: 'http://reelgraph.test' }),
      /no query ContentMetaTags/,
    );
  });
});
