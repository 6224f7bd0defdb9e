import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { newId } from '../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { rollUpAll } from '../engagement/index.ts';
import { binomial, randomOf } from './ctr-model/simulated.fixture.ts';
import { measureImages, trainIfDue, trainVirality } from './train-virality.ts';

const PREDICT = `mutation ($input: PredictViralityInput!) { predictVirality(input: $input) {
  viralityScore predictedCtr predictedCtrLow predictedCtrHigh confidence recommendation processingTimeMs bestCategory
  inferredCategory { category confidence } basis { contents impressions clicks trainedAt calibrationError usesFeatures }
  recommendations { overallAssessment strengths improvements { area priority suggestion estimatedImpact } } } }`;
const DAY_MS = 86_400_000;

interface Improvement {
  readonly area: string;
  readonly priority: string;
  readonly suggestion: string;
  readonly estimatedImpact: number | null;
}

describe('performance predictions', { timeout: 60_000 }, () => {
  let api: TestCatalog;
  let ada: Person;
  const random = randomOf(9);
  const images = new Map<string, Buffer>();
  /** Serves the image of each path. */
  const site = createServer((request, response) => {
    const found = images.get(request.url ?? '');
    response.writeHead(found ? 200 : 404).end(found ?? 'nothing here');
  });
  let address = '';
  before(async () => {
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const { port } = site.address() as AddressInfo; // a TCP server has one
    address = `http://127.0.0.1:${port}`;
    api = await openTestCatalog({ env: { FETCH_ALLOW: `127.0.0.1:${port}` } });
    ada = await api.person('ada');
    for (const [path, grey] of [
      ['/dark.png', 30],
      ['/light.png', 210],
    ] as const)
      images.set(path, await image(grey));
    images.set(
      '/svg.png',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
    );
    images.set('/broken.png', (await image(90)).subarray(0, 900));
    images.set('/heavy.png', Buffer.alloc(25 * 1024 * 1024 + 1));
  });
  after(async () => {
    await api.close();
    site.close();
  });

  /** A grey image with noise. */
  function image(grey: number): Promise<Buffer> {
    const grain = randomOf(grey);
    const bytes = Buffer.from(Array.from({ length: 1_280 * 720 }, () => grey + 90 * (grain.uniform() - 0.5)));
    return sharp(bytes, { raw: { width: 1_280, height: 720, channels: 1 } })
      .jpeg()
      .toBuffer();
  }
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
    const { title = 'A film', category, brightness = null, impressions, clicks, ageDays = 1 } = facts;
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
      result.predictedCtrLow < 0.02 &&
        result.predictedCtr > 0.06 &&
        result.predictedCtr < 0.08 &&
        result.predictedCtrHigh > 0.1,
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
    assert.ok(improvements.every(({ estimatedImpact }) => estimatedImpact === null));
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
    await api.platform.store.put(`images/${readable.image}/w1280.jpg`, await image(128), {
      contentType: 'image/jpeg',
    });
    const { resizeImage } = api.domains.assets;
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
    await api.domains.engagement.services.tracker.track(events, { client, accountId: null, byKey: false }, 'events');
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
    assert.ok(light.predictedCtr > dark.predictedCtr + 0.02, `${light.predictedCtr} > ${dark.predictedCtr}`);
    assert.ok(light.viralityScore > 50 && dark.viralityScore < light.viralityScore);
    assert.ok(light.confidence > 0.2 && light.confidence < 1, `confidence ${light.confidence}`);
    // True rates are about 12.5 % and 7.5 %.
    for (const [result, truth] of [
      [light, 0.03 + 0.03 + 0.08 * 0.8],
      [dark, 0.03 + 0.03 + 0.08 * 0.2],
    ] as const) {
      assert.ok(
        result.predictedCtrLow < truth &&
          truth < result.predictedCtrHigh &&
          Math.abs(result.predictedCtr - truth) < 0.02,
        `${truth} ${JSON.stringify(result)}`,
      );
    }
    const brighter = (dark.recommendations.improvements as Improvement[]).find(
      ({ suggestion }) => suggestion === 'Use a brighter image.',
    );
    assert.ok(
      brighter && (brighter.estimatedImpact ?? 0) > 1 && brighter.priority === 'HIGH',
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
    assert.ok(game.predictedCtr < song.predictedCtr);
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
    assert.equal((await predict({ ...input, channel: ada.channel }, bob)).predictedCtr, hers.predictedCtr);
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
    assert.ok((await predict({ title: 'Ours', imageUrl: url })).predictedCtr > 0);
  });

  const refusals: [string, () => Record<string, unknown>, string, string, RegExp][] = [
    ['a blank title', () => ({ title: ' ' }), 'FIELD_REQUIRED', 'input.title', /200/],
    ['a title too long', () => ({ title: 'x'.repeat(201) }), 'INVALID_INPUT', 'input.title', /200/],
    [
      'a description too long',
      () => ({ title: 'x', description: 'x'.repeat(5_001) }),
      'INVALID_INPUT',
      'input.description',
      /5000/,
    ],
    [
      'an unknown category',
      () => ({ title: 'x', category: 'Knitting' }),
      'INVALID_INPUT',
      'input.category',
      /Music, Nature/,
    ],
    ['no address', () => ({ title: 'x', imageUrl: 'a.png' }), 'INVALID_INPUT', 'input.imageUrl', /http or https/],
    [
      'a file address',
      () => ({ title: 'x', imageUrl: 'file:///etc/passwd' }),
      'INVALID_INPUT',
      'input.imageUrl',
      /http or https/,
    ],
    [
      'an address of the machine',
      () => ({ title: 'x', imageUrl: 'http://127.0.0.1:1/a.png' }),
      'INVALID_INPUT',
      'input.imageUrl',
      /anyone can download/,
    ],
    [
      'an address that leads nowhere',
      () => ({ title: 'x', imageUrl: `${address}/nowhere` }),
      'INVALID_INPUT',
      'input.imageUrl',
      /anyone can download/,
    ],
    [
      'a drawing in disguise',
      () => ({ title: 'x', imageUrl: `${address}/svg.png` }),
      'INVALID_INPUT',
      'input.imageUrl',
      /SVG/,
    ],
    [
      'half a picture',
      () => ({ title: 'x', imageUrl: `${address}/broken.png` }),
      'INVALID_INPUT',
      'input.imageUrl',
      /export it again/,
    ],
    [
      'a file too large',
      () => ({ title: 'x', imageUrl: `${address}/heavy.png` }),
      'INVALID_INPUT',
      'input.imageUrl',
      /anyone can download/,
    ],
    [
      'a video of the platform',
      () => ({ title: 'x', imageUrl: `http://reelgraph.test/media/images/${newId()}/w1280.jpg` }),
      'RESOURCE_NOT_FOUND',
      'input.imageUrl',
      /ImageAsset/,
    ],
  ];
  for (const [what, input, code, field, fix] of refusals) {
    it(`refuses ${what}`, async () => {
      const error = await api.refused(ada, PREDICT, { input: input() });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.match(error.suggestedFix, fix);
    });
  }

  it('limit the analyzed images of an account', async () => {
    const eve = await api.person('eve');
    const input = { title: 'x', imageUrl: `${address}/svg.png` };
    for (let index = 0; index < 30; index += 1)
      assert.equal((await api.refused(eve, PREDICT, { input })).code, 'INVALID_INPUT');
    const error = await api.refused(eve, PREDICT, { input });
    assert.deepEqual([error.code, error.field], ['RATE_LIMIT_EXCEEDED', 'input.imageUrl']);
    assert.ok((await predict({ title: 'x' }, eve)).predictedCtr > 0);
    api.clock.advance(2_000);
    assert.equal((await api.refused(eve, PREDICT, { input })).code, 'INVALID_INPUT');
  });

  it('require Creator+ or a trial', async () => {
    const signedIn = await api.signedIn(ada);
    const setPlan = (plan: string, state: string, until: string | null) =>
      api.rows(
        `update subscriptions set plan = $2, state = $3, trial_ends_at = $4::timestamptz where account_id = $1`,
        [ada.accountId, plan, state, until],
      );
    for (const plan of ['FREE', 'PREMIUM', 'PREMIUM_PLUS']) {
      await setPlan(plan, 'ACTIVE', null);
      const error = await api.refused(signedIn, PREDICT, { input: { title: 'x' } });
      assert.deepEqual([error.code, /trial.*Creator\+/.test(error.suggestedFix)], ['UNAUTHORIZED', true]);
    }
    await setPlan('CREATOR_PLUS', 'TRIALING', new Date(api.clock.now() + DAY_MS).toISOString());
    assert.ok((await predict({ title: 'x' }, signedIn)).predictedCtr > 0);
  });
});
