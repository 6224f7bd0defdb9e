import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { ANONYMOUS_SCOPE } from '../../gql/index.ts';
import { newId } from '../../kernel/ids.ts';
import { type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { rollUpAll } from '../engagement/index.ts';
import { binomial, randomOf } from './ctr-model/simulated.fixture.ts';
import { greyImage, type ImageSite, openImageSite, PREDICT } from './predictions.fixture.ts';
import { measureImages, trainIfDue, trainVirality } from './train-virality.ts';

const DAY_MS = 86_400_000;

interface Improvement {
  readonly area: string;
  readonly priority: string;
  readonly suggestion: string;
  readonly clickThroughRatePoints: number | null;
}

describe('performance predictions', () => {
  const random = randomOf(9);
  const images = new Map<string, Buffer>();
  let site: ImageSite;
  let api: TestCatalog;
  let address = '';
  let ada: Person;
  before(async () => {
    images.set('/dark.png', await greyImage(30));
    images.set('/light.png', await greyImage(210));
    site = await openImageSite(images);
    ({ api, address } = site);
    ada = await api.person('ada');
  });
  after(() => site.close());

  const predict = async (input: Record<string, unknown>, who = ada) =>
    (await api.ok(who, PREDICT, { input })).predictVirality;

  /** A public content with a measured or pending card image, and these impressions and clicks. */
  async function shown(facts: {
    title?: string;
    category?: string;
    brightness?: number | null;
    impressions: number;
    clicks: number;
    ageDays?: number;
  }) {
    const { title = 'A video', category, brightness = null, impressions, clicks, ageDays = 1 } = facts;
    const did = await api.content(ada, { status: 'PUBLISHED', title });
    const [id, image] = [uuidOf(did), newId()];
    await api.rows(
      `insert into image_assets (id, channel_id, content_id, purpose, width, height, mime_type, size_bytes,
        object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, 'POSTER', 1280, 720, 'image/jpeg', 1, $4, $5, '#000000', '')`,
      [
        image,
        ada.channelId,
        id,
        `images/${image}/`,
        JSON.stringify([{ file: 'w1280.jpg', width: 1_280, height: 720, format: 'JPEG', sizeBytes: 1 }]),
      ],
    );
    if (brightness !== null)
      await api.rows('insert into image_features values ($1, now(), $2, $3, $4, $5)', [
        ...[image, brightness, 0.1 + 0.03 * random.normal(), 0.1 + 0.03 * random.normal(), -5 + random.normal()],
      ]);
    if (category !== undefined)
      await api.rows(
        'insert into content_categories (content_id, category_id, position) select $1, id, 0 from categories ' +
          'where slug = $2',
        [id, category],
      );
    const day = new Date(api.clock.now() - ageDays * DAY_MS).toISOString().slice(0, 10);
    await api.rows(
      'insert into content_daily (content_id, channel_id, day, impressions, clicks) values ($1, $2, $3, $4, $5)',
      [id, ada.channelId, day, impressions, clicks],
    );
    return { did, id, image };
  }
  const retrain = async () => {
    await trainVirality(api.platform);
    api.clock.advance(61_000); // API processes check for a new model once a minute
  };

  it('return the published range without data, and say so', async () => {
    const result = await predict({
      title: 'The best science of bubbles',
      description: 'Soap.',
      imageUrl: `${address}/light.png`,
    });
    assert.equal(result.viralityScore, 50);
    assert.equal(result.confidence, 0);
    assert.ok(
      result.clickThroughRateLow < 0.02 &&
        result.clickThroughRate > 0.06 &&
        result.clickThroughRate < 0.08 &&
        result.clickThroughRateHigh > 0.1,
      JSON.stringify(result),
    );
    assert.deepEqual([result.basis, result.bestCategory], [null, null]);
    assert.deepEqual(result.inferredCategory, { category: 'Science and technology', confidence: null });
    assert.match(result.recommendations.overallAssessment, /There is no data from this platform yet/);
    assert.deepEqual(result.recommendations.strengths, [
      'Cards show the whole title.',
      'The image is large enough for every screen.',
    ]);
    assert.deepEqual(result.recommendations.improvements, []);
    assert.match(result.recommendation, /^Publish it and check/);
    assert.ok(Number.isInteger(result.processingTimeMs) && result.processingTimeMs > 0);
  });

  it('name categories in the language of the reader, and take their names in it and in English', async () => {
    const german = { ...ada, language: 'de' as const };
    const title = 'The best science of bubbles';
    for (const category of ['Essen und Trinken', 'Food and drink', 'food-drink']) {
      const { inferredCategory } = await predict({ title, category }, german);
      assert.deepEqual(inferredCategory, { category: 'Wissenschaft und Technik', confidence: null });
    }
    const error = await api.refused(ada, PREDICT, { input: { title, category: 'Essen und Trinken' } });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.category']);
  });

  it('apply rule checks without unmeasured numbers', async () => {
    const small = await sharp({ create: { width: 320, height: 180, channels: 3, background: '#050505' } })
      .png()
      .toBuffer();
    images.set('/small.png', small);
    const { recommendations, recommendation } = await predict({
      title: 'x'.repeat(80),
      imageUrl: `${address}/small.png`,
    });
    const improvements: Improvement[] = recommendations.improvements;
    assert.deepEqual(
      improvements.map(({ area }) => area),
      ['TITLE', 'DESCRIPTION', 'PICTURE', 'PICTURE', 'PICTURE'],
    );
    assert.ok(improvements.every(({ clickThroughRatePoints }) => clickThroughRatePoints === null));
    assert.match(
      improvements.map(({ suggestion }) => suggestion).join(' '),
      /about 65 characters, and this one has 80.*320x180.*nearly black.*hardly any detail/,
    );
    assert.equal(recommendation, improvements[0]?.suggestion);
    const [first] = (await predict({ title: 'No picture', description: 'Words.' })).recommendations
      .improvements as Improvement[];
    assert.deepEqual([first?.area, first?.priority], ['PICTURE', 'HIGH']);
  });

  it('measure card images once, also unreadable ones', async () => {
    const [readable, broken] = [
      await shown({ impressions: 10, clicks: 1 }),
      await shown({ impressions: 10, clicks: 1 }),
    ];
    await api.platform.store.put(`images/${readable.image}/w1280.jpg`, await greyImage(128), {
      contentType: 'image/jpeg',
    });
    const { resizeImage } = api.domains.media;
    const away = { withLocalFile: () => Promise.reject(new Error('the store is away')) };
    assert.equal(await measureImages({ ...api.platform, resizeImage, store: away }), false);
    assert.deepEqual(await api.rows('select * from image_features'), []);
    assert.equal(await measureImages({ ...api.platform, resizeImage }), false);
    await measureImages({ ...api.platform, resizeImage });
    const kept = await api.rows<{ image_id: string; brightness: number | null }>(
      'select image_id, brightness from image_features',
    );
    const brightness = new Map(kept.map((row) => [row.image_id, row.brightness]));
    assert.equal(brightness.size, 2);
    assert.equal(brightness.get(broken.image), null);
    assert.ok(Math.abs((brightness.get(readable.image) ?? 0) - 128 / 255) < 0.01);
  });

  it('learn from reported impressions', async () => {
    const { did } = await shown({ brightness: 0.5, impressions: 0, clicks: 0 });
    const client = {
      address: '8.8.8.8',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      doNotTrack: false,
    };
    const event = {
      contentId: did,
      sessionId: randomUUID(),
      occurredAt: new Date(api.clock.now()).toISOString(),
      positionMs: 0,
    };
    const events = ['IMPRESSION', 'CLICK'].map((kind, seq) => ({ ...event, kind, seq }));
    await api.domains.engagement.services.tracker.track(
      events,
      { client, accountId: null, scope: ANONYMOUS_SCOPE, byKey: false },
      'events',
    );
    const behind = 'select exists (select 1 from watch_events e, watch_cursor c where e.xact > c.xact) as behind';
    do await rollUpAll(api.platform);
    while ((await api.row<{ behind: boolean }>(behind)).behind);
    await trainVirality(api.platform);
    const model = await api.row('select contents, impressions, clicks from virality_models');
    assert.deepEqual(model, { contents: 2, impressions: 11, clicks: 2 });
    await api.rows('delete from virality_models');
    await api.rows('delete from contents where id = $1', [uuidOf(did)]);
  });

  it('train when due, on one worker only', async () => {
    assert.deepEqual((await Promise.all([1, 2, 3].map(() => trainIfDue(api.platform)))).filter(Boolean), [true]);
    assert.equal(await trainIfDue(api.platform), false);
    api.clock.advance(2 * 3_600_000);
    assert.equal(await trainIfDue(api.platform), false);
    await shown({ brightness: 0.5, impressions: 2_000, clicks: 90, ageDays: 0 });
    assert.equal(await trainIfDue(api.platform), true);
    const [model, ...others] = await api.rows<{ contents: number; impressions: number }>(
      'select contents, impressions from virality_models',
    );
    assert.deepEqual([model, others], [{ contents: 2, impressions: 2_010 }, []]);
    api.clock.advance(DAY_MS);
    assert.equal(await trainIfDue(api.platform), true);
  });

  it('predict from clicks on this platform: the brighter image, the better category', async () => {
    for (let index = 0; index < 150; index += 1) {
      const brightness = 0.1 + 0.8 * random.uniform();
      const category = index % 2 ? 'music' : 'gaming';
      const ctr = 0.03 + 0.08 * brightness + (category === 'music' ? 0.03 : 0);
      const title =
        `${category === 'music' ? 'Song' : 'Level'} ` + `${'of the long night '.repeat(1 + 3 * random.uniform())}`;
      await shown({ title, category, brightness, impressions: 600, clicks: binomial(random, 600, ctr) });
    }
    await shown({ brightness: 0.5, impressions: 100_000, clicks: 100_000, ageDays: 500 }); // too long ago
    const hidden = await shown({ brightness: 0.5, impressions: 1_000, clicks: 1_000 });
    await api.rows(`update contents set visibility = 'UNLISTED' where id = $1`, [hidden.id]);
    await retrain();
    const input = { title: 'Song of the long evening', description: 'Played at home.' };
    const dark = await predict({ ...input, imageUrl: `${address}/dark.png` });
    const light = await predict({ ...input, imageUrl: `${address}/light.png` });
    assert.ok(
      light.clickThroughRate > dark.clickThroughRate + 0.02,
      `${light.clickThroughRate} > ${dark.clickThroughRate}`,
    );
    assert.ok(light.viralityScore > 50 && dark.viralityScore < light.viralityScore);
    assert.ok(light.confidence > 0.2 && light.confidence < 1, `confidence ${light.confidence}`);
    // True rates are about 12.5 % and 7.5 %.
    for (const [result, truth] of [
      [light, 0.03 + 0.03 + 0.08 * 0.8],
      [dark, 0.03 + 0.03 + 0.08 * 0.2],
    ] as const) {
      assert.ok(
        result.clickThroughRateLow < truth &&
          truth < result.clickThroughRateHigh &&
          Math.abs(result.clickThroughRate - truth) < 0.02,
        `${truth} ${JSON.stringify(result)}`,
      );
    }
    const brighter = (dark.recommendations.improvements as Improvement[]).find(
      ({ suggestion }) => suggestion === 'Use a brighter image.',
    );
    assert.ok(
      brighter && (brighter.clickThroughRatePoints ?? 0) > 1 && brighter.priority === 'HIGH',
      JSON.stringify(dark.recommendations),
    );
    assert.ok(
      light.recommendations.strengths.some((text: string) =>
        text.startsWith('The brightness of the image is associated with'),
      ),
    );
    assert.equal(light.bestCategory, 'Music');
    assert.equal(light.inferredCategory.category, 'Music');
    assert.ok(light.inferredCategory.confidence > 0.7);
    assert.deepEqual([light.basis.contents, light.basis.usesFeatures], [152, true]);
    assert.ok(light.basis.calibrationError < 0.02, `${light.basis.calibrationError}`);
    const [game, song] = [
      await predict({ ...input, category: 'gaming' }),
      await predict({ ...input, category: 'Music' }),
    ];
    assert.ok(game.clickThroughRate < song.clickThroughRate);
    assert.ok(song.confidence < light.confidence, JSON.stringify([song, light, dark]));
  });

  it('include the channel effect only for viewers of its analytics', async () => {
    const bob = await api.person('bob');
    const input = {
      title: 'Song of the long evening',
      description: 'Played at home.',
      imageUrl: `${address}/light.png`,
    };
    const [hers, his] = [await predict(input), await predict(input, bob)];
    assert.ok(hers.confidence > his.confidence + 0.1, `${hers.confidence} ${his.confidence}`);
    const error = await api.refused(bob, PREDICT, { input: { ...input, channel: ada.channel } });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'input.channel']);
    await api.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'VIEWER')`, [
      ada.channelId,
      bob.accountId,
    ]);
    assert.equal((await predict({ ...input, channel: ada.channel }, bob)).clickThroughRate, hers.clickThroughRate);
  });

  it('read images of the platform from storage, with the access of their address', async () => {
    const [image] = await api.rows<{ id: string; content_id: string }>(
      'select i.id, i.content_id from image_features f join image_assets i on i.id = f.image_id ' +
        'where f.brightness is not null order by f.measured_at limit 1',
    );
    assert.ok(image);
    const path = `images/${image.id}/w1280.jpg`;
    const result = await predict({ title: 'Ours', imageUrl: `http://reelgraph.test/media/${path}` });
    assert.ok(
      !(result.recommendations.improvements as Improvement[]).some(({ suggestion }) =>
        suggestion.startsWith('Add an image'),
      ),
    );
    await api.rows(`update contents set visibility = 'PRIVATE' where id = $1`, [image.content_id]);
    api.clock.advance(3_000);
    const error = await api.refused(ada, PREDICT, {
      input: { title: 'Ours', imageUrl: `http://reelgraph.test/media/${path}` },
    });
    assert.deepEqual([error.code, error.field], ['RESOURCE_NOT_FOUND', 'input.imageUrl']);
    const signed =
      api.domains.engine &&
      (await api.ok(
        ada,
        `{ content(id: "did:reelgraph:content/feature/${image.content_id}") { assets { images(first: 1) { edges ` +
          '{ node { url } } } } } }',
      ));
    const { url } = signed.content.assets.images.edges[0].node;
    assert.match(url, /\/media\/s\//);
    assert.ok((await predict({ title: 'Ours', imageUrl: url })).clickThroughRate > 0);
  });
});
