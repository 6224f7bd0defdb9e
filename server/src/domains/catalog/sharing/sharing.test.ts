import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { addToken } from '../../../testing/seed-accounts.ts';
import { openPlaybackFixture, type PlaybackFixture } from '../../delivery/playback/playback.fixture.ts';
import { type Person, type TestCatalog, uuidOf } from '../testing.ts';

const SHARE = `mutation ($id: DID!, $input: ShareContentInput!) {
  shareContent(id: $id, input: $input) { share { id email account { username } sharedBy { username } } content { id } }
}`;
const UNSHARE = 'mutation ($id: DID!) { unshareContent(id: $id) { id content { id } } }';
const CREATE = `mutation ($input: CreateShareLinkInput!) {
  createShareLink(input: $input) { url shareLink { name hasPassword expiresAt maxUses usesCount isUsable } }
}`;
const DELETE = 'mutation ($id: DID!) { deleteShareLink(id: $id) { id content { id } } }';
const SHARES = `query ($id: DID!) {
  content(id: $id) {
    shares { totalCount edges { node { id email account { username } } } }
    shareLinks { totalCount edges { node { id name } } }
  }
}`;
const WATCH = `query ($id: DID!) {
  content(id: $id) {
    id
    assets { videos { edges { node { playlistUrl } } } images { edges { node { url } } } }
    captions { edges { node { vtt } } }
    outputAssets { video { download } images { videoThumbnails { vtt } } }
  }
}`;
const SHARED = '{ me { sharedContents { totalCount edges { node { id } } } } }';
const LISTS = `query ($channel: DID!, $playlist: DID!) {
  search(query: "Regatta") { totalCount }
  features { edges { node { id } } }
  trending { edges { node { id } } }
  channel(id: $channel) { contents { edges { node { id } } } }
  playlist(id: $playlist) { items { totalCount } }
}`;
const FEED = '{ feed { edges { node { id } } } }';

/** What a caller gets of a shared content: files are named with the status of their addresses. */
type Seen = Record<'playlist' | 'segment' | 'poster' | 'captions' | 'storyboard' | 'download', number | null> | null;

describe('private sharing with people', () => {
  let fixture: PlaybackFixture;
  let api: TestCatalog;
  let [owner, editor, viewer, named, addressed, unconfirmed, stranger]: Person[] = [];
  let video: string;
  let playlist: string;

  before(async () => {
    fixture = await openPlaybackFixture();
    api = fixture.api;
    [owner, editor, viewer, named, addressed, unconfirmed, stranger] = await Promise.all(
      ['owner', 'editor', 'viewer', 'named', 'addressed', 'unconfirmed', 'stranger'].map((name) => api.person(name)),
    );
    await api.join(a(owner).channel, a(editor), 'EDITOR');
    await api.join(a(owner).channel, a(viewer), 'VIEWER');
    await api.rows('update accounts set email_verified = id <> $1', [a(unconfirmed).accountId]);
    await api.ok(a(stranger), 'mutation ($id: DID!) { followChannel(channel: $id) { channel { id } } }', {
      id: a(owner).channel,
    });
  });
  beforeEach(async () => {
    api.clock.advance(120_000);
    await api.rows('delete from content_shares');
    await api.rows('delete from share_links');
    video = await fixture.video(a(owner), { visibility: 'PRIVATE', status: 'PUBLISHED', title: 'Regatta' });
    await api.rows(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
       values ($1, $2, $3, 'en', 'English', 'SUBTITLES', 'WEBVTT', now(), now())`,
      [newId(), a(owner).channelId, uuidOf(video)],
    );
    const made = await api.ok(
      a(owner),
      `mutation ($input: CreatePlaylistWithItemsInput!) {
        createPlaylistWithItems(input: $input) { playlist { id } }
      }`,
      { input: { title: 'Sailing', visibility: 'PUBLIC', contentIds: [video] } },
    );
    playlist = made.createPlaylistWithItems.playlist.id;
  });
  after(() => fixture.close());

  /** The accounts are there once `before` has run. */
  const a = (person: Person | undefined): Person => person ?? assert.fail();
  const emailOf = async ({ accountId }: Person) =>
    (await api.row<{ email: string }>('select email::text from accounts where id = $1', [accountId])).email;
  const share = async (input: object, who = a(owner), id = video) =>
    (await api.ok(who, SHARE, { id, input })).shareContent.share;
  const state = async () => [
    await api.rows('select * from content_shares order by id'),
    await api.rows('select * from share_links order by id'),
    await api.rows(`select count(*) from events where type like 'content.%share%' or type like 'content.link%'`),
  ];
  const statusOf = async (address: string | null | undefined) => {
    if (address == null) return null;
    const response = await fetch(address);
    await response.arrayBuffer();
    return response.status;
  };
  async function seen(who: Person): Promise<Seen> {
    const { data } = await api.run(who, WATCH, { id: video });
    if (data?.content == null) return null;
    const { assets, captions, outputAssets } = data.content;
    const playlistUrl = assets.videos.edges[0].node.playlistUrl;
    return {
      playlist: await statusOf(playlistUrl),
      segment: await statusOf(new URL('v720/seg-00001.m4s', playlistUrl).href),
      poster: await statusOf(assets.images.edges[0].node.url),
      captions: await statusOf(captions.edges[0].node.vtt),
      storyboard: await statusOf(outputAssets.images.videoThumbnails.vtt),
      download: await statusOf(outputAssets.video.download),
    };
  }
  /** In how many lists the content is. */
  async function listed(who: Person): Promise<number[]> {
    const found = await api.ok(who, LISTS, { channel: a(owner).channel, playlist });
    // Non-members get null for what is for members.
    const has = (list: { edges: { node: { id: string } }[] } | null) =>
      (list?.edges ?? []).filter(({ node }) => node.id === video);
    const { feed } = await api.ok(who, FEED);
    const { search, features, trending, channel } = found;
    const lists = [features, trending, channel.contents, feed].map((list) => has(list).length);
    return [search.totalCount, ...lists, found.playlist.items.totalCount];
  }
  const shownTo = async (who: Person) =>
    (await api.ok(who, SHARED)).me.sharedContents.edges.map(({ node }: { node: { id: string } }) => node.id);

  const ALL = { playlist: 200, segment: 200, poster: 200, captions: 200, storyboard: 200, download: null };

  it('shows a content to who is named, with all of its media, and to no others', async () => {
    await share({ username: a(named).username });
    await share({ email: await emailOf(a(addressed)) });
    await share({ email: await emailOf(a(unconfirmed)) });
    const limited = async (person: Person, channels: string[]) => {
      const permissions = ['content:read', 'account:read'];
      const { credential } = await addToken(api, person.accountId, permissions as ['content:read'], channels);
      return { ...person, credential };
    };
    const callers: [string, Person, Seen][] = [
      ['owner', a(owner), ALL],
      ['editor', a(editor), ALL],
      ['member', a(viewer), ALL],
      ['named', a(named), ALL],
      ['named, with a session', await api.signedIn(a(named)), ALL],
      ['by a confirmed address', a(addressed), ALL],
      ['by an address that is not confirmed', a(unconfirmed), null],
      ['named, with a token for another channel', await limited(a(named), [a(named).channelId]), null],
      ['stranger', a(stranger), null],
    ];
    for (const [name, who, expected] of callers) assert.deepEqual(await seen(who), expected, name);
    for (const who of [a(named), a(addressed)]) assert.deepEqual(await shownTo(who), [video]);
    for (const who of [a(unconfirmed), a(stranger)]) assert.deepEqual(await shownTo(who), []);
    const { assets } = (await api.ok(a(named), WATCH, { id: video })).content;
    const plain = assets.videos.edges[0].node.playlistUrl.replace(/\/s\/[^/]+/, '');
    assert.equal(await statusOf(plain), 404, 'nobody plays it without a signature');
    // Members see it in the channel and the playlist, as before.
    const asMember = [0, 0, 0, 1, 0, 1];
    for (const who of [a(owner), a(editor), a(viewer)]) assert.deepEqual(await listed(who), asMember);
    for (const who of [a(named), a(addressed), a(stranger)]) assert.deepEqual(await listed(who), [0, 0, 0, 0, 0, 0]);
  });

  it('shows what is not published, as creators keep it private', async () => {
    await share({ username: a(named).username });
    await api.rows(`update contents set status = 'READY', published_at = null where id = $1`, [uuidOf(video)]);
    assert.deepEqual(await seen(a(named)), ALL);
    assert.deepEqual(await shownTo(a(named)), [video]);
    assert.equal(await seen(a(stranger)), null);
  });

  it('gives access to an address once its account confirms it', async () => {
    await share({ email: (await emailOf(a(unconfirmed))).toUpperCase() });
    assert.equal(await seen(a(unconfirmed)), null);
    await api.rows('update accounts set email_verified = true where id = $1', [a(unconfirmed).accountId]);
    assert.deepEqual(await seen(a(unconfirmed)), ALL);
    await api.rows('update accounts set email_verified = false where id = $1', [a(unconfirmed).accountId]);
    assert.equal(await seen(a(unconfirmed)), null);
  });

  it('allows downloads where the content does', async () => {
    await share({ username: a(named).username });
    await api.rows(
      `update video_assets set extras = extras || '{"videoDownload": "master.m3u8"}' where content_id = $1`,
      [uuidOf(video)],
    );
    assert.equal((await seen(a(named)))?.download, null);
    await api.rows('update contents set allow_download = true where id = $1', [uuidOf(video)]);
    const { outputAssets } = (await api.ok(a(named), WATCH, { id: video })).content;
    assert.equal(await statusOf(outputAssets.video.download), 200);
    await api.rows('update contents set allow_download = false where id = $1', [uuidOf(video)]);
    assert.equal(await statusOf(outputAssets.video.download), 404);
  });

  it('ends at once, and addresses that were issued stop within a minute', async () => {
    const { id } = await share({ username: a(named).username });
    const { assets } = (await api.ok(a(named), WATCH, { id: video })).content;
    const hls: string = assets.videos.edges[0].node.playlistUrl;
    const addresses = [hls, new URL('v720/seg-00001.m4s', hls).href, assets.images.edges[0].node.url];
    const statuses = () => Promise.all(addresses.map(statusOf));
    assert.deepEqual(await statuses(), [200, 200, 200]);
    assert.deepEqual(await api.ok(a(owner), UNSHARE, { id }), { unshareContent: { id, content: { id: video } } });
    assert.equal(await seen(a(named)), null);
    assert.deepEqual(await shownTo(a(named)), []);
    api.clock.advance(60_000);
    assert.deepEqual(await statuses(), [404, 404, 404]);
    const events = await api.rows(
      `select type, payload from events where subject_id = $1 and type like 'content.%shared' order by id`,
      [uuidOf(video)],
    );
    assert.deepEqual(events, [
      { type: 'content.shared', payload: { contentShareId: uuidOf(id) } },
      { type: 'content.unshared', payload: { contentShareId: uuidOf(id) } },
    ]);
  });

  for (const [name, change] of [
    ['taken down', `update contents set taken_down_at = now(), takedown_reason = 'Other' where id = $1`],
    ['in the trash', 'update contents set deleted_at = now() where id = $1'],
    [
      'of a closed account',
      'update channels set is_hidden = true where id = (select channel_id from contents where id = $1)',
    ],
  ] as const) {
    it(`shows nothing of a content that is ${name}`, async () => {
      await share({ username: a(named).username });
      const { assets } = (await api.ok(a(named), WATCH, { id: video })).content;
      const hls: string = assets.videos.edges[0].node.playlistUrl;
      assert.equal(await statusOf(hls), 200);
      await api.rows(change, [uuidOf(video)]);
      assert.equal(await seen(a(named)), null);
      assert.deepEqual(await shownTo(a(named)), []);
      api.clock.advance(60_000);
      assert.equal(await statusOf(hls), 404);
      await api.rows('update channels set is_hidden = false');
    });
  }

  it('names a person once, and answers for an address in the same way with and without an account', async () => {
    const first = await share({ username: `@${a(named).username.toUpperCase()}` });
    assert.equal((await share({ username: a(named).username }, a(editor))).id, first.id);
    const known = await share({ email: await emailOf(a(addressed)) });
    const unknown = await share({ email: 'Nobody@Example.com' });
    const by = { sharedBy: { username: a(owner).username } };
    assert.deepEqual(first, { id: first.id, email: null, account: { username: a(named).username }, ...by });
    assert.deepEqual(known, { id: known.id, email: await emailOf(a(addressed)), account: null, ...by });
    assert.deepEqual(unknown, { id: unknown.id, email: 'nobody@example.com', account: null, ...by });
    const { shares } = (await api.ok(a(editor), SHARES, { id: video })).content;
    assert.deepEqual(
      [shares.totalCount, shares.edges.map(({ node }: { node: { id: string } }) => node.id).sort()],
      [3, [first.id, known.id, unknown.id].sort()],
    );
  });

  it('shows people and links to who may publish only', async () => {
    await share({ username: a(named).username });
    for (const who of [a(viewer), a(named)])
      assert.deepEqual((await api.ok(who, SHARES, { id: video })).content, { shares: null, shareLinks: null });
  });

  it('forgets an account that is deleted', async () => {
    const gone = await api.person('gone');
    await share({ username: gone.username });
    await api.rows('delete from accounts where id = $1', [gone.accountId]);
    assert.deepEqual(await api.rows('select 1 from content_shares'), []);
  });

  it('is refused to who may not publish and for what cannot be shared, and changes nothing', async () => {
    const { id } = await share({ username: a(named).username });
    const { url, shareLink } = (await api.ok(a(owner), CREATE, { input: { content: video } })).createShareLink;
    assert.match(url, new RegExp(`^${fixture.address}/share/[\\w-]{32}$`));
    assert.deepEqual(shareLink, {
      ...{ name: '', hasPassword: false, expiresAt: null, maxUses: null },
      ...{ usesCount: 0, isUsable: true },
    });
    const link = (await api.ok(a(owner), SHARES, { id: video })).content.shareLinks.edges[0].node.id;
    const series = await api.content(a(owner), { kind: 'SERIES', status: 'PUBLISHED' });
    const open = await api.content(a(owner), { status: 'PUBLISHED' });
    const before = await state();
    const person = { username: a(stranger).username };
    const make = (input: object) => ({ input: { content: video, ...input } });
    const past = new Date(api.clock.now() - 1).toISOString();
    const cases: [Person, string, Record<string, unknown>, string, string][] = [
      [a(viewer), SHARE, { id: video, input: person }, 'UNAUTHORIZED', 'id'],
      [a(stranger), SHARE, { id: video, input: person }, 'RESOURCE_NOT_FOUND', 'id'],
      [a(named), SHARE, { id: video, input: person }, 'RESOURCE_NOT_FOUND', 'id'],
      [a(stranger), SHARE, { id: open, input: person }, 'UNAUTHORIZED', 'id'],
      [a(owner), SHARE, { id: series, input: person }, 'INVALID_INPUT', 'id'],
      [a(owner), SHARE, { id: video, input: {} }, 'INVALID_INPUT', 'input.username'],
      [a(owner), SHARE, { id: video, input: { ...person, email: 'a@example.com' } }, 'INVALID_INPUT', 'input.email'],
      [a(owner), SHARE, { id: video, input: { email: 'no address' } }, 'INVALID_INPUT', 'input.email'],
      [a(owner), SHARE, { id: video, input: { username: 'nobody' } }, 'RESOURCE_NOT_FOUND', 'input.username'],
      [a(viewer), UNSHARE, { id }, 'UNAUTHORIZED', 'id'],
      [a(named), UNSHARE, { id }, 'RESOURCE_NOT_FOUND', 'id'],
      [a(viewer), CREATE, make({}), 'UNAUTHORIZED', 'input.content'],
      [a(named), CREATE, make({}), 'RESOURCE_NOT_FOUND', 'input.content'],
      [a(owner), CREATE, { input: { content: series } }, 'INVALID_INPUT', 'input.content'],
      [a(owner), CREATE, make({ password: '12345' }), 'INVALID_INPUT', 'input.password'],
      [a(owner), CREATE, make({ expiresAt: past }), 'INVALID_INPUT', 'input.expiresAt'],
      [a(owner), CREATE, make({ maxUses: 0 }), 'INVALID_INPUT', 'input.maxUses'],
      [a(owner), CREATE, make({ name: 'x'.repeat(101) }), 'INVALID_INPUT', 'input.name'],
      [a(viewer), DELETE, { id: link }, 'UNAUTHORIZED', 'id'],
      [a(stranger), DELETE, { id: link }, 'RESOURCE_NOT_FOUND', 'id'],
    ];
    for (const [who, document, variables, code, field] of cases) {
      const [refused] = (await api.run(who, document, variables)).errors;
      assert.deepEqual([refused?.code, refused?.field], [code, field], `${who.username} ${JSON.stringify(variables)}`);
    }
    assert.deepEqual(await state(), before);
  });

  it('is limited to 100 people and 50 links', async () => {
    await api.rows(
      `insert into content_shares (id, content_id, channel_id, email, created_at)
       select gen_random_uuid(), $1, $2, 'p' || n || '@example.com', now() from generate_series(1, 100) n`,
      [uuidOf(video), a(owner).channelId],
    );
    await api.rows(
      `insert into share_links (id, content_id, channel_id, token_hash, created_at)
       select gen_random_uuid(), $1, $2, sha256(n::text::bytea), now() from generate_series(1, 50) n`,
      [uuidOf(video), a(owner).channelId],
    );
    const before = await state();
    const people = await api.refused(a(owner), SHARE, { id: video, input: { username: a(named).username } });
    assert.deepEqual([people.code, people.field], ['INVALID_INPUT', 'id']);
    const links = await api.refused(a(owner), CREATE, { input: { content: video } });
    assert.deepEqual([links.code, links.field], ['INVALID_INPUT', 'input.content']);
    assert.deepEqual(await state(), before);
  });
});
