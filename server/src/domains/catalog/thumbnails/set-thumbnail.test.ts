import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Runner } from '../../../media/index.ts';
import { openTestRunner } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import { makeVideoFile, processUploadedVideo, uploadVideo } from '../contents/videos.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const SET =
  'mutation ($id: DID!, $input: SetContentThumbnailInput!) { setContentThumbnail(id: $id, input: $input) ' +
  '{ content { id } } }';
const IMAGES =
  'query ($id: DID!) { feature(id: $id) { assets { images { edges { node { id purpose alt width dominantColor } } ' +
  '} } } }';
/** Two seconds of red, followed by two of blue. */
const TWO_COLOURS = 'color=c=red:s=160x90:r=25:d=2[r];color=c=blue:s=160x90:r=25:d=2[b];[r][b]concat=n=2';
const RED = /^#[c-f].0.0./;
const BLUE = /^#0.0.[c-f]./;

interface Image {
  readonly id: string;
  readonly purpose: string;
  readonly alt: string;
  readonly width: number;
  readonly dominantColor: string;
}

describe('the poster of a content', () => {
  let api: TestCatalog;
  let runner: Runner;
  let anna: Person;
  let bert: Person;
  let video: string;

  before(async () => {
    api = await openTestCatalog({ jobs: true });
    runner = await openTestRunner();
    await api.domains.media.startWork();
    await api.domains.media.startMediaWork({ runner, toneMapping: true });
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    const args = ['-f', 'lavfi', '-i', TWO_COLOURS, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    video = await uploadVideo(api, anna, await makeVideoFile(runner, api, 'a.mp4', args));
    await processUploadedVideo(api, anna, video);
  });
  after(() => api.close());

  const set = (id: string, input: object) => api.ok(anna, SET, { id, input });
  const imagesOf = async (id: string): Promise<Image[]> =>
    (await api.ok(anna, IMAGES, { id })).feature.assets.images.edges.map(({ node }: { node: Image }) => node);
  const posterOf = async (id: string) => {
    const posters = (await imagesOf(id)).filter(({ purpose }) => purpose === 'POSTER');
    assert.ok(posters.length <= 1, 'a content has one poster');
    return posters[0];
  };
  const frames = async () =>
    (
      await api.row<{ n: number }>(
        `select count(*)::int as n from pgboss.job where name = 'poster-frame' and state < 'completed'`,
      )
    ).n;
  async function settled(): Promise<void> {
    await until(async () => (await frames()) === 0, 'no frame was taken', 30_000);
  }
  async function image(content: string, purpose = 'OTHER'): Promise<string> {
    const id = newId();
    await api.rows(
      `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
        object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, $4, 'Mine', 1, 1, 'image/jpeg', 1, $5, '[]', '#00ff00', '000000')`,
      [id, anna.channelId, uuidOf(content), purpose, `images/${id}/`],
    );
    return `did:reelgraph:asset/image/${id}`;
  }
  async function imageKeys(): Promise<string[]> {
    const prefixes = new Set<string>();
    for await (const { key } of api.platform.store.list('images/')) prefixes.add(key.split('/')[1] ?? '');
    return [...prefixes];
  }

  const TIMES = [
    [4_000, BLUE],
    [0, RED],
    [2_500, BLUE],
    [1_500, RED],
  ] as const;
  for (const [timeMs, colour] of casesOf(TIMES, 1)) {
    it(`is the frame at ${timeMs} ms, replacing the previous one`, async () => {
      const before = await posterOf(video);
      const { duration } = (
        await api.ok(anna, 'query ($id: DID!) { feature(id: $id) { metadata { duration } } }', { id: video })
      ).feature.metadata;
      await set(video, { timeMs: Math.min(timeMs, Math.round(1_000 * duration)) });
      await settled();
      const poster = await posterOf(video);
      assert.match(poster?.dominantColor ?? '', colour);
      assert.deepEqual([poster?.alt, poster?.width], ['A video', 160]);
      assert.notEqual(poster?.id, before?.id);
      // The previous one's files are deleted afterwards.
      await until(async () => (await imageKeys()).length === 1);
      assert.deepEqual(await imageKeys(), [uuidOf(poster?.id ?? '')]);
      const events = await api.rows(`select 1 from events where type = 'image.ready' and subject_id = $1`, [
        uuidOf(poster?.id ?? ''),
      ]);
      assert.equal(events.length, 1);
    });
  }

  it('is the frame that was requested last', THOROUGH, async () => {
    for (const timeMs of [3_000, 500, 3_500, 1_000]) await set(video, { timeMs });
    await settled();
    assert.match((await posterOf(video))?.dominantColor ?? '', RED);
  });

  it('is replaced by an image of the content immediately; the previous one is kept, and a pending frame is discarded', async () => {
    const former = await posterOf(video);
    const mine = await image(video);
    await set(video, { timeMs: 3_000 });
    await set(video, { imageId: mine });
    assert.equal((await posterOf(video))?.id, mine);
    await settled(); // the awaited frame is dropped
    assert.equal((await posterOf(video))?.id, mine);
    const others = (await imagesOf(video)).filter(({ purpose }) => purpose === 'OTHER');
    assert.deepEqual(
      others.map(({ id }) => id),
      [former?.id],
    );
    await set(video, { imageId: mine });
    assert.equal((await posterOf(video))?.id, mine, 'again changes nothing');
  });

  it('replaces the image for lists until another one is chosen', async () => {
    const listed = async () => {
      const images = await imagesOf(video);
      return (
        images.find(({ purpose }) => purpose === 'THUMBNAIL') ?? images.find(({ purpose }) => purpose === 'POSTER')
      )?.id;
    };
    const [forLists, mine] = [await image(video, 'THUMBNAIL'), await image(video)];
    assert.equal(await listed(), forLists);
    await set(video, { imageId: mine });
    assert.equal(await listed(), mine);
    const again = await image(video, 'THUMBNAIL');
    assert.equal(await listed(), again);
    await set(video, { timeMs: 3_000 });
    assert.equal(await listed(), again, 'until the frame is there');
    await settled();
    assert.equal(await listed(), (await posterOf(video))?.id);
    const others = (await imagesOf(video)).filter(({ purpose }) => purpose === 'OTHER').map(({ id }) => id);
    assert.ok(others.includes(forLists) && others.includes(again), 'they stay');
    await set(video, { imageId: again });
    assert.deepEqual([await listed(), (await posterOf(video))?.id], [again, again]);
  });

  it('is taken once, however often it is requested', async () => {
    const written = () =>
      api.row<{ updated_at: string; images: string; events: number; jobs: number }>(
        `select c.updated_at, (select string_agg(i.id || i.purpose, ' ' order by i.id) from image_assets i
           where i.content_id = c.id) as images,
           (select count(*)::int from events e where e.channel_id = c.channel_id) as events,
           (select count(*)::int from pgboss.job j where j.name = 'poster-frame') as jobs
         from contents c where c.id = $1`,
        [uuidOf(video)],
      );
    const isTaken = async (timeMs: number) => {
      const before = await written();
      for (let times = 0; times < 2; times += 1) await set(video, { timeMs });
      await settled();
      const after = await written();
      assert.equal(after.jobs - before.jobs, after.images === before.images ? 0 : 1);
      if (after.images === before.images) assert.deepEqual(after, before);
      return after.images !== before.images;
    };
    assert.equal(await isTaken(2_500), true);
    const poster = await posterOf(video);
    assert.match(poster?.dominantColor ?? '', BLUE);
    assert.equal(await isTaken(2_500), false);
    const before = await written();
    await set(video, { imageId: poster?.id });
    assert.deepEqual(await written(), before, 'it is the poster already');
    assert.equal(await isTaken(2_500), false);

    await image(video, 'THUMBNAIL');
    assert.equal(await isTaken(2_500), true, 'lists showed another image');
    await set(video, { imageId: await image(video) });
    assert.equal(await isTaken(2_500), true, 'another image was chosen since');
    assert.equal(await isTaken(2_400), true, 'another time');
  });

  it('is unchanged when no frame can be extracted', async () => {
    const broken = await uploadVideo(api, anna, Buffer.from('not a video'));
    await api.rows(
      `update video_assets set ready_at = now(), width = 10, duration_ms = 5000, package_prefix = 'media/x/' ` +
        'where content_id = $1',
      [uuidOf(broken)],
    );
    const mine = await image(broken, 'POSTER');
    await set(broken, { timeMs: 1_000 });
    await settled();
    assert.equal((await posterOf(broken))?.id, mine);
  });

  it('must be one image of the same content, or a time within its video', async () => {
    const draft = await api.content(anna, { status: 'DRAFT' });
    const sound = await uploadVideo(api, anna, Buffer.from('sound'));
    await api.rows('update video_assets set ready_at = now(), duration_ms = 5000 where content_id = $1', [
      uuidOf(sound),
    ]);
    const serie = await api.content(anna, { kind: 'SERIES' });
    const own = await image(video);
    const cases: [string, object, string, string][] = [
      [video, {}, 'FIELD_REQUIRED', 'input.imageId'],
      [video, { imageId: own, timeMs: 1_000 }, 'INVALID_INPUT', 'input.timeMs'],
      [video, { timeMs: -1 }, 'INVALID_INPUT', 'input.timeMs'],
      [video, { timeMs: 99_000 }, 'INVALID_INPUT', 'input.timeMs'],
      [video, { imageId: video }, 'INVALID_INPUT', 'input.imageId'],
      [video, { imageId: await image(draft) }, 'RESOURCE_NOT_FOUND', 'input.imageId'],
      [video, { imageId: `did:reelgraph:asset/image/${newId()}` }, 'RESOURCE_NOT_FOUND', 'input.imageId'],
      [draft, { timeMs: 1_000 }, 'INVALID_INPUT', 'id'],
      [sound, { timeMs: 1_000 }, 'INVALID_INPUT', 'id'],
      [serie, { timeMs: 1_000 }, 'INVALID_INPUT', 'id'],
    ];
    const before = await imagesOf(video);
    for (const [id, input, code, field] of cases) {
      const error = await api.refused(anna, SET, { id, input });
      assert.deepEqual([error.code, error.field], [code, field], JSON.stringify(input));
    }
    assert.deepEqual([await imagesOf(video), await frames()], [before, 0]);
    await set(serie, { imageId: await image(serie) });
  });

  it('requires permission to upload to the channel', async () => {
    const open = await api.content(anna, { status: 'PUBLISHED' });
    const input = { imageId: await image(open) };
    assert.equal((await api.refused(bert, SET, { id: open, input })).code, 'UNAUTHORIZED');
    const missing = await api.refused(bert, SET, { id: `did:reelgraph:content/feature/${newId()}`, input });
    assert.deepEqual(
      [missing.code, await api.refused(bert, SET, { id: video, input })],
      ['RESOURCE_NOT_FOUND', missing],
    );
    assert.equal((await api.refused(null, SET, { id: open, input })).code, 'UNAUTHENTICATED');
    assert.equal(await posterOf(open), undefined);
  });
});
