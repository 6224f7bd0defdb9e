import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { until } from '../../../testing/until.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { makeVideoFile } from '../contents/videos.fixture.ts';
import { type Person, uuidOf } from '../testing.ts';
import { ReplacementFixture } from './replacement.fixture.ts';

const REPLACE =
  'mutation ($id: DID!, $size: BigInt!) { replaceContentVideo(id: $id, input: { filename: "b.mp4", size: $size }) ' +
  '{ upload { endpoint } } }';
const TRIM = `mutation ($id: DID!, $startMs: Int!, $endMs: Int!) {
  trimContentVideo(id: $id, input: { keep: [{ startMs: $startMs, endMs: $endMs }] }) { job { id } } }`;
const REVERT = 'mutation ($id: DID!) { revertContentVideo(id: $id) { job { id } } }';
const CANCEL = 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }';
const SET =
  'mutation ($id: DID!, $input: SetContentThumbnailInput!) { setContentThumbnail(id: $id, input: $input) ' +
  '{ content { id } } }';
const PICTURES = `query ($id: DID!) { content(id: $id) {
  assets { images { edges { node { id purpose dominantColor } } } }
  outputAssets { images { videoThumbnails { urlFormat vtt } } } } }`;
const RED = /^#[c-f].0.0./;
const BLUE = /^#0.0.[c-f]./;

interface Image {
  readonly id: string;
  readonly purpose: string;
  readonly dominantColor: string;
}

describe('pictures of a content whose video is replaced or trimmed', { timeout: 240_000 }, () => {
  let fixture: ReplacementFixture;
  let anna: Person;
  let red: Buffer<ArrayBuffer>;
  let blue: Buffer<ArrayBuffer>;
  /** Two seconds of red, followed by four of blue. */
  let both: Buffer<ArrayBuffer>;
  before(async () => {
    fixture = await ReplacementFixture.open();
    anna = await fixture.api.person('anna');
    red = await file('color=c=red:s=160x90:r=25:d=2');
    blue = await file('color=c=blue:s=160x90:r=25:d=2');
    both = await file('color=c=red:s=160x90:r=25:d=2[r];color=c=blue:s=160x90:r=25:d=4[b];[r][b]concat=n=2');
  });
  after(() => fixture.close());

  async function file(picture: string): Promise<Buffer<ArrayBuffer>> {
    const args = ['-f', 'lavfi', '-i', picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    return Buffer.from(await makeVideoFile(fixture.runner, fixture.api, 'a.mp4', args));
  }
  async function imagesOf(id: string): Promise<Image[]> {
    const { content } = await fixture.api.ok(anna, PICTURES, { id });
    return content.assets.images.edges.map(({ node }: { node: Image }) => node);
  }
  async function posterOf(id: string): Promise<Image> {
    const posters = (await imagesOf(id)).filter(({ purpose }) => purpose === 'POSTER');
    assert.equal(posters.length, 1, 'a content has one poster');
    return posters[0] ?? assert.fail();
  }
  /** Ids of the images of the contents that have files. */
  async function stored(): Promise<string[]> {
    const { platform, clock } = fixture.api;
    // Deletions are due at the time of the database.
    clock.advance(Math.max(0, Date.now() - clock.now()));
    while (await sweepObjects({ platform, receiving: platform.receiving }));
    const ids = new Set<string>();
    for await (const { key } of platform.store.list('images/')) ids.add(key.split('/')[1] ?? '');
    return [...ids].sort();
  }
  async function rowsOf(id: string): Promise<string[]> {
    const rows = await fixture.api.rows<{ id: string }>('select id from image_assets where content_id = $1', [
      uuidOf(id),
    ]);
    return rows.map((row) => row.id).sort();
  }
  async function replace(id: string, bytes: Buffer<ArrayBuffer>): Promise<string> {
    const { replaceContentVideo } = await fixture.api.ok(anna, REPLACE, { id, size: bytes.length });
    assert.equal(await fixture.put(replaceContentVideo.upload.endpoint, bytes), 200);
    return (await fixture.ended(anna, id)).status;
  }
  /** An image of the content that was uploaded; returns its DID. */
  async function uploaded(id: string): Promise<string> {
    const image = newId();
    await fixture.api.rows(
      `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
        object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, 'OTHER', 'Mine', 1, 1, 'image/jpeg', 1, $4, '[]', '#00ff00', '000000')`,
      [image, anna.channelId, uuidOf(id), `images/${image}/`],
    );
    return `did:reelgraph:asset/image/${image}`;
  }
  async function removed(ids: readonly string[]): Promise<void> {
    assert.deepEqual(
      (await stored()).filter((id) => ids.includes(id)),
      [],
    );
  }

  it('is another frame, and the frames in the seek bar are those of the new video', async () => {
    const id = await fixture.published(anna, red);
    const old = await posterOf(id);
    assert.match(old.dominantColor, RED);
    assert.equal(await replace(id, blue), 'COMPLETE');
    const poster = await posterOf(id);
    assert.match(poster.dominantColor, BLUE);
    assert.deepEqual(await rowsOf(id), [uuidOf(poster.id)], 'nothing else is left');
    await removed([uuidOf(old.id)]);
    assert.ok((await stored()).includes(uuidOf(poster.id)));
    const { video } = await fixture.playback(anna, id);
    const { videoThumbnails } = (await fixture.api.ok(anna, PICTURES, { id })).content.outputAssets.images;
    for (const address of [videoThumbnails.urlFormat, videoThumbnails.vtt])
      assert.ok(address.includes(`/${uuidOf(id)}/${video}/`), address);
  });

  it('is a frame of what a trim kept, and one of the original after a revert', async () => {
    const id = await fixture.published(anna, both);
    const first = await posterOf(id);
    await fixture.api.ok(anna, TRIM, { id, startMs: 0, endMs: 1900 });
    assert.equal((await fixture.ended(anna, id)).status, 'COMPLETE');
    const start = await posterOf(id);
    assert.match(start.dominantColor, RED);
    await fixture.api.ok(anna, REVERT, { id });
    assert.equal((await fixture.ended(anna, id)).status, 'COMPLETE');
    const again = await posterOf(id);
    assert.equal(again.dominantColor, first.dominantColor, 'as of the upload');
    await fixture.api.ok(anna, TRIM, { id, startMs: 2100, endMs: 6000 });
    assert.equal((await fixture.ended(anna, id)).status, 'COMPLETE');
    const end = await posterOf(id);
    assert.match(end.dominantColor, BLUE);
    assert.deepEqual(await rowsOf(id), [uuidOf(end.id)]);
    await removed([first, start, again].map((each) => uuidOf(each.id)));
  });

  it('is as it was where the replacement or the trim fails or is cancelled', async () => {
    const id = await fixture.published(anna, red);
    const [images, files] = [await imagesOf(id), await stored()];
    assert.equal(await replace(id, Buffer.from('this is no video at all, but it has some bytes')), 'ERROR');
    const { trimContentVideo } = await fixture.api.ok(anna, TRIM, { id, startMs: 0, endMs: 1500 });
    await fixture.api.ok(anna, CANCEL, { id: trimContentVideo.job.id });
    assert.deepEqual([await imagesOf(id), await stored()], [images, files]);
  });

  it('stays where it was chosen, though its frame is gone', async () => {
    const id = await fixture.published(anna, both);
    const found = await posterOf(id);
    await fixture.api.ok(anna, SET, { id, input: { timeMs: 500 } });
    await until(async () => (await posterOf(id)).id !== found.id, 'no frame was taken');
    const chosen = await posterOf(id);
    assert.match(chosen.dominantColor, RED);
    await fixture.api.ok(anna, TRIM, { id, startMs: 3000, endMs: 6000 });
    assert.equal((await fixture.ended(anna, id)).status, 'COMPLETE');
    assert.deepEqual(await imagesOf(id), [chosen]);
    assert.ok((await stored()).includes(uuidOf(chosen.id)));
  });

  it('stays where somebody chose the frame that the server took', async () => {
    const id = await fixture.published(anna, red);
    const found = await posterOf(id);
    await fixture.api.ok(anna, SET, { id, input: { imageId: found.id } });
    assert.equal(await replace(id, blue), 'COMPLETE');
    assert.deepEqual(await imagesOf(id), [found]);
  });

  it('stays where it was uploaded; the frame in whose place it is goes', async () => {
    const id = await fixture.published(anna, red);
    const found = await posterOf(id);
    const own = await uploaded(id);
    await fixture.api.ok(anna, SET, { id, input: { imageId: own } });
    const purposes = async () => new Map((await imagesOf(id)).map((each) => [each.id, each.purpose]));
    assert.deepEqual(
      await purposes(),
      new Map([
        [own, 'POSTER'],
        [found.id, 'OTHER'],
      ]),
    );
    assert.equal(await replace(id, blue), 'COMPLETE');
    assert.deepEqual(await purposes(), new Map([[own, 'POSTER']]));
    await removed([uuidOf(found.id)]);
  });
});
