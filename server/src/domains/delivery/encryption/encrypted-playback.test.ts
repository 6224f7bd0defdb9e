import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { openPlaybackFixture, type PlaybackFixture, signToken } from '../playback/playback.fixture.ts';

const ADDRESSES = `query ($id: DID!) { content(id: $id) {
  assets { videos { edges { node { playlistUrl } } } } outputAssets { video { dash } }
} }`;
const UPDATE = `mutation ($id: DID!, $on: Boolean!) {
  updateChannel(id: $id, input: { encryptPrivateVideos: $on }) { channel { encryptPrivateVideos } }
}`;

describe('videos of a channel that encrypts private ones', () => {
  let fixture: PlaybackFixture;
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    fixture = await openPlaybackFixture();
    api = fixture.api;
    anna = await api.person('anna');
    await encrypt(true);
  });
  after(() => fixture.close());

  async function encrypt(on: boolean): Promise<void> {
    const { channel } = (await api.ok(anna, UPDATE, { id: anna.channel, on })).updateChannel;
    assert.deepEqual(channel, { encryptPrivateVideos: on });
    // Decisions about signed addresses are remembered for a minute.
    api.clock.advance(60_001);
  }
  async function addresses(video: string): Promise<{ hls: string; dash: string | null }> {
    const { content } = await api.ok(anna, ADDRESSES, { id: video });
    return { hls: content.assets.videos.edges[0].node.playlistUrl, dash: content.outputAssets.video.dash };
  }
  const statusOf = async (address: string, init?: RequestInit) => {
    const response = await fetch(address, init);
    await response.arrayBuffer();
    return response.status;
  };

  it('are sent encrypted, and decrypted with the key that the playlist names', async () => {
    const { hls } = await addresses(await fixture.video(anna));
    const master = await fetch(hls);
    assert.match(master.url, /\/media\/e\//);
    const playlist = await fetch(new URL('v720/index.m3u8', master.url));
    assert.equal(
      await playlist.text(),
      '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-MAP:URI="init.mp4"\n' +
        '#EXT-X-KEY:METHOD=AES-128,URI="segments.key"\n#EXTINF:4,\nseg-00001.m4s\n#EXT-X-ENDLIST\n',
    );
    const key = Buffer.from(await (await fetch(new URL('segments.key', playlist.url))).arrayBuffer());
    const segment = await fetch(new URL('seg-00001.m4s', playlist.url));
    assert.equal(segment.headers.get('content-length'), '16');
    const sealed = Buffer.from(await segment.arrayBuffer());
    const vector = Buffer.from('00000000000000000000000000000001', 'hex');
    const decipher = createDecipheriv('aes-128-cbc', key, vector);
    assert.equal(Buffer.concat([decipher.update(sealed), decipher.final()]).toString(), 'a segment');
    assert.equal(await (await fetch(new URL('init.mp4', playlist.url))).text(), 'an initialization section');
    assert.equal(await (await fetch(new URL('thumbs/00001.jpg', master.url))).text(), 'a still');
  });

  it('have no I-frame playlists, whose ranges could not be decrypted', async () => {
    const { hls } = await addresses(await fixture.video(anna));
    const encrypted = (await fetch(hls)).url;
    assert.doesNotMatch(await (await fetch(encrypted)).text(), /I-FRAME/);
    assert.equal(await statusOf(new URL('v720/iframes.m3u8', encrypted).href), 404);
    await encrypt(false);
    assert.match(await (await fetch(hls)).text(), /v720\/iframes\.m3u8/);
    assert.equal(await statusOf(new URL('v720/iframes.m3u8', hls).href), 200);
    await encrypt(true);
  });

  it('answer conditions and HEAD without a body, and ignore ranges', async () => {
    const { hls } = await addresses(await fixture.video(anna));
    const address = new URL('v720/seg-00001.m4s', (await fetch(hls)).url);
    const head = await fetch(address, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '16']);
    const etag = head.headers.get('etag') ?? '';
    assert.match(etag, /-aes"$/);
    assert.equal(await statusOf(address.href, { headers: { 'if-none-match': etag } }), 304);
    assert.equal(await statusOf(address.href, { headers: { 'if-none-match': '"other"' } }), 200);
    const part = await fetch(address, { headers: { range: 'bytes=0-3' } });
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [200, 16]);
    assert.equal(await statusOf(new URL('seg-00009.m4s', address).href), 404);
  });

  it('are not sent in the clear, by DASH, or with a key at another kind of address', async () => {
    const video = await fixture.video(anna);
    const { hls, dash } = await addresses(video);
    const encrypted = (await fetch(hls)).url;
    for (const path of ['v720/seg-00001.m4s', 'v720/segments.key'])
      assert.equal(await statusOf(new URL(path, hls).href), 404, path);
    assert.equal(dash, null);
    assert.equal(await statusOf(new URL('manifest.mpd', hls).href), 404);
    assert.equal(await statusOf(new URL('manifest.mpd', encrypted).href), 404);
    const plain = encrypted.replace(/\/media\/e\/[^/]+\//, '/media/');
    assert.equal(await statusOf(new URL('v720/segments.key', plain).href), 404);
    assert.equal(await statusOf(encrypted.replace('/media/e/', '/media/s/')), 403);
    assert.equal(await statusOf(hls.replace('/media/s/', '/media/e/')), 403);
    api.clock.advance(7 * 3_600_000);
    assert.equal(await statusOf(new URL('v720/segments.key', encrypted).href), 401);
  });

  it('are sent encrypted for playback tokens too, until these expire', async () => {
    const video = await fixture.video(anna);
    const create = 'mutation { createSigningKey(input: {}) { signingKey { id } privateKey } }';
    const { signingKey, privateKey } = (await api.ok(anna, create)).createSigningKey;
    const exp = Math.floor(api.clock.now() / 1_000) + 600;
    const token = signToken(privateKey, { alg: 'EdDSA', kid: signingKey.id }, { sub: video, aud: 'playback', exp });
    const address = `${fixture.address}/playback/${uuidOf(video)}`;
    const described = (await (await fetch(`${address}?token=${token}`)).json()) as { dash: string | null };
    assert.equal(described.dash, null);
    const master = await fetch(`${address}/master.m3u8?token=${token}`);
    assert.match(master.url, /\/media\/e\//);
    const key = new URL('v720/segments.key', master.url).href;
    assert.equal(await statusOf(key), 200);
    await api.rows('delete from signing_keys');
    api.clock.advance(60_001);
    assert.equal(await statusOf(key), 404);
  });

  it('stay in the clear when they are public, and after the channel stops encrypting', async () => {
    const open = await fixture.video(anna, { visibility: 'PUBLIC', status: 'PUBLISHED' });
    const { hls } = await addresses(open);
    assert.equal(await (await fetch(new URL('v720/seg-00001.m4s', hls))).text(), 'a segment');
    const { hls: hidden } = await addresses(await fixture.video(anna));
    assert.equal(await statusOf(new URL('v720/seg-00001.m4s', hidden).href), 404);
    await encrypt(false);
    assert.equal(await (await fetch(new URL('v720/seg-00001.m4s', hidden))).text(), 'a segment');
    await encrypt(true);
  });
});
