import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { openPlaybackFixture, type PlaybackFixture } from '../playback/playback.fixture.ts';

const HOUR_MS = 3_600_000;
const ADDRESSES = `query ($id: DID!) { content(id: $id) {
  assets { videos { edges { node { playlistUrl } } } images { edges { node { url } } } }
} }`;

describe('caches in front of the server', () => {
  let fixture: PlaybackFixture;
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    fixture = await openPlaybackFixture({ SHARED_CACHE: 'on' });
    api = fixture.api;
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    await api.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'VIEWER')`, [
      anna.channelId,
      bert.accountId,
    ]);
    // To five minutes after an hour: the rest of it is the same hour.
    const sinceHour = api.clock.now() % HOUR_MS;
    api.clock.advance(HOUR_MS - sinceHour + 5 * 60_000);
  });
  after(() => fixture.close());

  async function addresses(who: Person, id: string): Promise<{ hls: string; poster: string }> {
    const { assets } = (await api.ok(who, ADDRESSES, { id })).content;
    return { hls: assets.videos.edges[0].node.playlistUrl, poster: assets.images.edges[0].node.url };
  }
  const cacheControl = async (address: string | URL) => {
    const response = await fetch(address);
    await response.arrayBuffer();
    return `${response.status} ${response.headers.get('cache-control')}`;
  };

  it('see the same addresses of a private video for two viewers within an hour', async () => {
    const video = await fixture.video(anna);
    const first = await addresses(anna, video);
    api.clock.advance(54 * 60_000);
    assert.deepEqual(await addresses(bert, video), first);
    api.clock.advance(2 * 60_000);
    assert.notEqual((await addresses(bert, video)).hls, first.hls);
    assert.equal(await cacheControl(first.hls), '200 private, no-store');
  });

  it('may keep segments and images of private videos for a minute, and never beyond the address', async () => {
    const { hls, poster } = await addresses(anna, await fixture.video(anna));
    const segment = new URL('v720/seg-00001.m4s', hls);
    assert.equal(await cacheControl(segment), '200 public, max-age=60, s-maxage=60');
    assert.equal(await cacheControl(poster), '200 public, max-age=60, s-maxage=60');
    assert.equal(await cacheControl(hls), '200 private, no-store');
    const expires = Number(/\/s\/(\d+)\./.exec(hls)?.[1]) * 1_000;
    api.clock.advance(expires - api.clock.now() - 20_000);
    assert.equal(await cacheControl(segment), '200 public, max-age=20, s-maxage=20');
    api.clock.advance(20_000);
    assert.equal(await cacheControl(segment), '401 no-store');
  });

  it('may keep encrypted segments, but not their keys', async () => {
    const video = await fixture.video(anna);
    await api.rows('update channels set encrypt_private_videos = true where id = $1', [anna.channelId]);
    const { url } = await fetch((await addresses(anna, video)).hls);
    assert.equal(await cacheControl(new URL('v720/seg-00001.m4s', url)), '200 public, max-age=60, s-maxage=60');
    assert.equal(await cacheControl(new URL('v720/segments.key', url)), '200 private, no-store');
    await api.rows('update channels set encrypt_private_videos = false where id = $1', [anna.channelId]);
  });

  it('keep unlisted and public files as before', async () => {
    const unlisted = await addresses(anna, await fixture.video(anna, { visibility: 'UNLISTED', status: 'PUBLISHED' }));
    const open = await addresses(anna, await fixture.video(anna, { visibility: 'PUBLIC', status: 'PUBLISHED' }));
    const segment = (hls: string) => cacheControl(new URL('v720/seg-00001.m4s', hls));
    assert.equal(await segment(unlisted.hls), '200 private, max-age=31536000, immutable');
    assert.equal(await segment(open.hls), '200 public, max-age=31536000, s-maxage=60, immutable');
  });

  it('see no file of a deleted video after a minute', async () => {
    const video = await fixture.video(anna);
    const { hls } = await addresses(anna, video);
    const segment = new URL('v720/seg-00001.m4s', hls);
    assert.equal(await cacheControl(segment), '200 public, max-age=60, s-maxage=60');
    await api.rows('update contents set deleted_at = now() where id = $1', [uuidOf(video)]);
    api.clock.advance(60_001);
    assert.equal(await cacheControl(segment), '404 no-store');
  });
});
