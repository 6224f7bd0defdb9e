import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../domains/catalog/testing.ts';
import { createHttpServer, type HttpServer } from '../../http/server.ts';
import { feedRoutes } from './feed.routes.ts';
import { feedDocument } from './feed-document.ts';

describe('feeds', () => {
  let api: TestCatalog;
  let anna: Person;
  let server: HttpServer;
  let address: string;
  let nowMs = 0;
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
    const { accounts, engine, trustedDocuments } = api.domains;
    const { DID_NAMESPACE: namespace, BASE_URL: baseUrl } = api.platform.config;
    const routes = feedRoutes({ engine, documents: trustedDocuments, namespace, baseUrl, now: () => nowMs });
    server = createHttpServer({ platform: api.platform, version: '1.2.3', routes, engine, credentials: accounts });
    address = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  });
  after(async () => {
    await server.close({ graceMs: 0 });
    await api.close();
  });

  const read = async (path: string): Promise<{ status: number; type: string | null; text: string }> => {
    nowMs += 60_000;
    const response = await fetch(address + path);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const titles = (text: string): string[] =>
    [...text.matchAll(/<item><title>([^<]*)<\/title>/g)].map(([, title = '']) => title);

  it('of a channel have its public videos, newest first', async () => {
    await api.content(anna, { status: 'PUBLISHED', title: 'First & <oldest>' });
    await api.content(anna, { status: 'PUBLISHED', title: 'Second' });
    await api.content(anna, { title: 'A draft' });
    await api.content(anna, { status: 'PUBLISHED', title: 'Private', visibility: 'PRIVATE' });
    await api.content(anna, { status: 'PUBLISHED', title: 'Unlisted', visibility: 'UNLISTED' });
    const { status, type, text } = await read('/feeds/channel/anna/videos.xml');
    assert.deepEqual([status, type], [200, 'application/rss+xml; charset=utf-8']);
    assert.deepEqual(titles(text), ['Second', 'First &amp; &lt;oldest&gt;']);
    assert.match(text, /<channel>\n<title>anna<\/title><link>[^<]*\/@anna<\/link>/);
    assert.match(
      text,
      /<atom:link rel="self" type="application\/rss\+xml" href="[^"]*\/feeds\/channel\/anna\/videos.xml"/,
    );
    assert.deepEqual(titles((await read('/feeds/channel/anna/podcast.xml')).text), []);
  });

  it('of a playlist have its items in their order, unless the playlist is private', async () => {
    const [one, two] = [
      await api.content(anna, { status: 'PUBLISHED', title: 'One' }),
      await api.content(anna, { status: 'PUBLISHED', title: 'Two' }),
    ];
    const create =
      'mutation ($input: CreatePlaylistWithItemsInput!) { createPlaylistWithItems(input: $input) { playlist { id } } }';
    const input = { title: 'Both', contentIds: [two, one] };
    const { playlist } = (await api.ok(anna, create, { input })).createPlaylistWithItems;
    const path = `/feeds/playlist/${uuidOf(playlist.id)}/videos.xml`;
    assert.deepEqual(titles((await read(path)).text), ['Two', 'One']);
    const hide = 'mutation ($id: DID!) { updatePlaylist(id: $id, input: { visibility: PRIVATE }) { id } }';
    await api.ok(anna, hide, { id: playlist.id });
    assert.equal((await read(path)).status, 404);
  });

  it('exist for what exists only', async () => {
    for (const path of [
      '/feeds/channel/nobody/videos.xml',
      '/feeds/channel/anna/other.xml',
      '/feeds/playlist/x/videos.xml',
      '/feeds/channel/a%20b/videos.xml',
    ])
      assert.equal((await read(path)).status, 404, path);
  });

  it('are escaped, without characters that XML does not have', () => {
    const item = {
      id: 'did:x',
      title: 'Bell\u0007 & ]]> <b>',
      description: '',
      author: 'Anna "A"',
      link: 'https://video.example.com/watch/1?a&b',
      publishedAt: '2026-11-26T10:00:00.000Z',
      durationSeconds: 61.4,
      image: null,
      file: { url: 'https://video.example.com/media/1.m4a?x=1&y=2', type: 'audio/mp4' },
    };
    const feed = { title: 'T', description: '', author: 'A', link: 'l', self: 's', image: null, items: [item] };
    const text = feedDocument(feed);
    assert.match(text, /<title>Bell &amp; \]\]&gt; &lt;b&gt;<\/title>/);
    assert.match(text, /<pubDate>Thu, 26 Nov 2026 10:00:00 GMT<\/pubDate>/);
    assert.match(text, /<itunes:duration>61<\/itunes:duration>/);
    assert.match(text, /<enclosure url="[^"]*x=1&amp;y=2" length="0" type="audio\/mp4"\/>/);
    assert.match(text, /<description>T<\/description>/);
  });
});
