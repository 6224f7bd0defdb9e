import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { newId } from '../../../kernel/ids.ts';
import { openTestRunner } from '../../../media/testing.ts';
import { addBroadcast, addSegments } from '../../../testing/seed-live.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture } from '../live.fixture.ts';
import { claimThumbnail } from './thumbnails.store.ts';

const IMAGES = `query ($id: DID!) { content(id: $id) { assets { images { edges { node {
  id purpose url width dominantColor variants { url format width } } } } } } }`;
/** A grey that becomes brighter. */
const BRIGHTER = ['-vf', "scale=32:18,geq=lum='20+4*mod(floor(T),55)':cb=128:cr=128,scale=640:360"];

describe('the picture of a stream in lists', { timeout: 120_000 }, () => {
  let live: LiveFixture;
  let anna: Person;
  let carl: Person;
  before(async () => {
    live = await openLiveFixture();
    [anna, carl] = [await live.api.person('anna'), await live.api.person('carl')];
  });
  after(() => live.close());

  const nowIso = () => new Date(live.api.clock.now()).toISOString();
  const claim = async () => (await claimThumbnail(live.api.platform.db, nowIso()))?.contentId ?? null;

  it('is taken every ten seconds, seldom while sizes are left out, and never in place of one that was chosen', async () => {
    const content = uuidOf(await addSegments(live.api, await addBroadcast(live.api, anna)));
    const set = (columns: string) => live.api.rows(`update broadcasts set ${columns} where content_id = $1`, [content]);
    assert.equal(await claim(), null, 'it waits for its encoder');
    await set(`state = 'LIVE', reconnect_until = null, connection_id = gen_random_uuid(), heartbeat_at = now()`);
    assert.equal(await claim(), content);
    live.api.clock.advance(9_999);
    assert.equal(await claim(), null);
    live.api.clock.advance(1);
    assert.equal(await claim(), content);
    await set(`health = '{"leftOutSizes":["720p"]}'`);
    live.api.clock.advance(59_999);
    assert.equal(await claim(), null);
    live.api.clock.advance(1);
    assert.equal(await claim(), content);
    await set(`health = '{"leftOutSizes":[]}'`);
    live.api.clock.advance(10_000);
    await live.api.rows(
      `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
         object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, 'POSTER', 'Mine', 1, 1, 'image/jpeg', 1, $4, '[]', '#00ff00', '000000')`,
      [newId(), anna.channelId, content, 'images/mine/'],
    );
    assert.equal(await claim(), null);
    await live.api.rows('delete from contents where id = $1', [content]);
  });

  describe('that a worker takes', () => {
    before(async () => {
      const { domains, platform } = live.api;
      const tools = { runner: await openTestRunner(), toneMapping: true };
      domains.live.startWork();
      await domains.live.startMediaWork(tools);
      await platform.events.start();
    });
    after(async () => {
      await live.api.domains.live.stopMediaWork();
      await live.api.platform.events.stop();
      await live.api.platform.jobs.stop({ graceMs: 10_000 });
    });

    interface Image {
      readonly id: string;
      readonly purpose: string;
      readonly url: string;
      readonly width: number;
      readonly dominantColor: string;
      readonly variants: readonly { readonly url: string; readonly format: string; readonly width: number }[];
    }
    const imagesOf = async (id: string): Promise<Image[]> =>
      (await live.api.ok(anna, IMAGES, { id })).content.assets.images.edges.map(({ node }: { node: Image }) => node);
    async function firstOf(id: string): Promise<Image> {
      await until(async () => (await imagesOf(id)).length > 0, 'there is no picture');
      return (await imagesOf(id))[0] ?? assert.fail();
    }
    const storage = () =>
      live.api.row<{ counted: number; stored: number }>(
        `select (select sum(value) from counters where scope = 'channel:storage' and key = $1)::float8 as counted,
          (select coalesce(sum(image_bytes(variants)), 0) from image_assets where channel_id = $1)::float8 as stored`,
        [anna.channelId],
      );
    const problems = async () => (await verifyMedia(live.api.platform, { repair: false, graceMs: 0 })).problems;

    it('shows what is happening now, at one address, and then the recording', async () => {
      const input = await live.input(anna, { visibility: 'PUBLIC' });
      const encoder = live.publish(input, { seconds: 600, args: BRIGHTER });
      const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
      const first = await firstOf(id);
      assert.deepEqual([first.purpose, first.width], ['POSTER', 640]);
      assert.deepEqual(
        first.variants.map(({ format, width }) => [format, width]),
        [
          ['JPEG', 640],
          ['WEBP', 640],
          ['JPEG', 320],
          ['WEBP', 320],
        ],
      );
      const before = await fetch(first.url);
      assert.deepEqual([before.status, before.headers.get('cache-control')], [200, 'no-cache']);
      const etag = before.headers.get('etag') ?? assert.fail('it has an ETag');
      assert.equal((await fetch(first.url, { headers: { 'if-none-match': etag } })).status, 304);

      const isNewer = async () => {
        // Due at once, also where a busy machine leaves sizes out or has no new keyframe yet.
        await live.api.rows('update broadcasts set pictured_at = null where content_id = $1', [uuidOf(id)]);
        return (await imagesOf(id))[0]?.dominantColor !== first.dominantColor;
      };
      await until(isNewer, 'it stays the same');
      const images = await imagesOf(id);
      assert.deepEqual([images.length, images[0]?.id, images[0]?.url], [1, first.id, first.url]);
      const again = await fetch(first.url, { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 200);
      assert.notDeepEqual(await again.arrayBuffer(), await before.arrayBuffer());
      const { counted, stored } = await storage();
      assert.equal(counted, stored);

      await live.api.ok(anna, END_BROADCAST, { id });
      await encoder.ended;
      await until(async () => (await imagesOf(id))[0]?.id !== first.id, 'it has no picture of its own');
      const recorded = await imagesOf(id);
      assert.deepEqual(
        recorded.map(({ purpose, width, variants }) => [purpose, width, variants.length]),
        [['POSTER', 640, 6]],
      );
      const { headers } = await fetch(recorded[0]?.url ?? '');
      assert.match(headers.get('cache-control') ?? '', /immutable/);
      assert.equal(await claim(), null);
      live.api.clock.advance(2_000);
      assert.equal((await fetch(first.url)).status, 404);
      await until(async () => (await problems()).length === 0, 'objects and rows differ');
    });

    it('of a private stream is for its members', async () => {
      const input = await live.input(anna);
      const encoder = live.publish(input, { seconds: 600, args: BRIGHTER });
      const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
      const { url, variants } = await firstOf(id);
      assert.equal((await live.api.run(carl, IMAGES, { id })).data.content, null);
      for (const address of [url, ...variants.map((variant) => variant.url)]) {
        const { status, headers } = await fetch(address);
        assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-store'], address);
        assert.equal((await fetch(address.replace(/\/media\/s\/[^/]+\//, '/media/'))).status, 404, address);
        const forged = address.replace(/(?<=\/media\/s\/\d+\.)./, (char: string) => (char === 'x' ? 'y' : 'x'));
        assert.equal((await fetch(forged)).status, 403, address);
      }
      await live.api.ok(anna, END_BROADCAST, { id });
      await encoder.ended;
    });

    it('that its owner has chosen stays', THOROUGH, async () => {
      const input = await live.input(anna);
      const encoder = live.publish(input, { seconds: 600, args: BRIGHTER });
      const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
      const { id: image } = await firstOf(id);
      await live.api.ok(
        anna,
        `mutation ($id: DID!, $image: DID!) {
          setContentThumbnail(id: $id, input: { imageId: $image }) { content { id } } }`,
        { id, image },
      );
      live.api.clock.advance(60_000);
      assert.equal(await claim(), null);
      await live.api.ok(anna, END_BROADCAST, { id });
      await encoder.ended;
      const isStored = () =>
        live.api.rows('select 1 from video_assets where content_id = $1 and size_bytes > 0', [uuidOf(id)]);
      await until(async () => (await isStored()).length > 0, 'the recording has no file');
      assert.deepEqual(
        (await imagesOf(id)).map((each) => each.id),
        [image],
      );
    });
  });
});
