import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { simulateVideos } from '../../../../../packages/forecast/src/simulated-views.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { findRises } from './find-rises.ts';
import { makeForecasts } from './make-forecasts.ts';
import { isBetter, trainForecastIfDue, trainForecastModel } from './train-forecast-model.ts';

const DAY_MS = 86_400_000;
const RUNNING = new AbortController().signal;
const FORECAST = `query ($id: DID!, $days: Int!, $afterDays: Int) { content(id: $id) {
  forecast(days: $days, afterDays: $afterDays) { status reason days completeDays madeAt madeAfterDays
    model { method version trainedAt videos coverage logError }
    points { day at views totalViews viewsForecast { p10 p50 p90 } totalViewsForecast { p10 p50 p90 } } } } }`;

describe('forecasts of contents', () => {
  let api: TestCatalog;
  let ada: Person;
  before(async () => {
    api = await openTestCatalog();
    // Tuesday at noon: contents of whole days ago have a first day of 36 hours.
    api.clock.advance(Date.UTC(2026, 9, 6, 12) - api.clock.now());
    ada = await api.person('ada');
  });
  after(() => api.close());

  const dayBefore = (days: number) => new Date(api.clock.now() - days * DAY_MS).toISOString();
  const forecastOf = async (id: string, days = 30, afterDays: number | null = null, who: Person | null = ada) =>
    (await api.ok(who, FORECAST, { id, days, afterDays })).content.forecast;
  const risesOf = (id: string) =>
    api.rows<{ payload: object }>(`select payload from events where type = 'content.rising' and subject_id = $1`, [
      uuidOf(id),
    ]);

  /** A public content that was published at this hour so many days ago, with these views per UTC day since. */
  async function published(days: number, views: readonly number[], hour = 9): Promise<string> {
    const did = await api.content(ada, { status: 'PUBLISHED' });
    const at = `${dayBefore(days).slice(0, 10)}T${String(hour).padStart(2, '0')}:00:00Z`;
    await api.rows('update contents set published_at = $2 where id = $1', [uuidOf(did), at]);
    await api.rows(
      `insert into content_daily (content_id, channel_id, day, views)
       select $1, $2, $3::date + (place - 1)::int, views from unnest($4::bigint[]) with ordinality as v (views, place)
       where views > 0`,
      [uuidOf(did), ada.channelId, at.slice(0, 10), views],
    );
    return did;
  }

  const work = async () => {
    while (await makeForecasts(api.platform));
    while (await findRises(api.platform));
  };

  it('need a complete day with views of a public content', async () => {
    const draft = await api.content(ada);
    const hidden = await api.content(ada, { status: 'PUBLISHED', visibility: 'UNLISTED' });
    const young = await published(0, [40]);
    const unseen = await published(4, []);
    await work();
    const expected = [
      [draft, 0, 'Only public contents have a forecast. Publish it.'],
      [hidden, 0, 'Only public contents have a forecast. Publish it.'],
      [young, 0, 'Its first day is not complete. Come back tomorrow.'],
      [unseen, 4, 'It had no views when a forecast could be made, or the next one is due within an hour.'],
    ] as const;
    for (const [id, completeDays, reason] of expected) {
      const { points, ...found } = await forecastOf(id);
      assert.deepEqual(found, {
        ...{ status: 'INSUFFICIENT_HISTORY', reason, days: 30, completeDays },
        ...{ madeAt: null, madeAfterDays: null, model: null },
      });
      assert.equal(points.length, id === draft ? 0 : 30);
    }
  });

  it('follow the prior with a wide range before there are outcomes, beside what came', async () => {
    const id = await published(3, [60, 25, 14, 7]);
    await work();
    const found = await forecastOf(id);
    assert.deepEqual(
      { ...found, madeAt: found.madeAt.slice(0, 19), points: null },
      {
        ...{
          status: 'READY',
          reason: null,
          days: 30,
          completeDays: 3,
          madeAt: '2026-10-06T12:00:00',
          madeAfterDays: 3,
        },
        model: { method: 'PRIOR', version: 0, trainedAt: null, videos: 0, coverage: null, logError: null },
        points: null,
      },
    );
    const [third, fourth, last] = [found.points[2], found.points[3], found.points.at(-1)];
    assert.deepEqual(third, {
      ...{ day: 3, at: '2026-10-05T00:00:00.000Z', views: 14, totalViews: 99 },
      ...{ viewsForecast: null, totalViewsForecast: null },
    });
    assert.deepEqual([fourth.views, fourth.totalViews], [null, null], 'today is not complete');
    assert.deepEqual([last.day, last.totalViewsForecast], [30, { p10: 124.9, p50: 280.8, p90: 1257.9 }]);
    assert.deepEqual((await forecastOf(id, 7)).points.length, 7);
  });

  it('end the first day at the midnight nearest to 24 hours after the publication', async () => {
    const [morning, evening] = [await published(2, [5, 6, 7], 11), await published(2, [5, 6, 7], 13)];
    const viewsOf = async (id: string) =>
      (await forecastOf(id, 7)).points.map((point: { views: unknown }) => point.views);
    assert.deepEqual(await viewsOf(morning), [5, 6, null, null, null, null, null]);
    assert.deepEqual(await viewsOf(evening), [11, null, null, null, null, null, null]);
  });

  it('stay as they were made, and are made again at later ages', async () => {
    const id = await published(2, [100, 50, 40, 1, 1, 1, 1]);
    await work();
    const first = await forecastOf(id);
    assert.equal(first.madeAfterDays, 1);
    await work();
    assert.deepEqual(await forecastOf(id), first, 'nothing is due');
    api.clock.advance(5 * DAY_MS);
    try {
      await work();
      const later = await forecastOf(id);
      assert.deepEqual([later.madeAfterDays, later.completeDays], [7, 7]);
      const again = await forecastOf(id, 30, 1);
      assert.deepEqual(again.points[29].totalViewsForecast, first.points[29].totalViewsForecast);
      assert.deepEqual([again.points[6].views, again.points[6].totalViews], [1, 194], 'what came is beside it');
      assert.equal((await forecastOf(id, 7)).madeAfterDays, 1, 'before the last of the days');
      const missing = await forecastOf(id, 30, 3);
      assert.deepEqual(
        [missing.status, missing.reason],
        ['INSUFFICIENT_HISTORY', 'No forecast for day 30 was made after 3 days. Omit afterDays.'],
      );
    } finally {
      api.clock.advance(-5 * DAY_MS);
    }
  });

  it('are for members of the channel, and for 7, 30 or 90 days', async () => {
    const id = await published(3, [60, 25, 14]);
    await work();
    const bob = await api.person('bob');
    assert.equal(await forecastOf(id, 30, null, bob), null);
    assert.equal((await forecastOf(id)).status, 'READY');
    const bad = await api.refused(ada, FORECAST, { id, days: 8 });
    assert.deepEqual(
      [bad.code, bad.field, bad.message, bad.suggestedFix],
      ['INVALID_INPUT', 'days', 'days is 8; there are forecasts for 7, 30, 90.', 'Send one of: 7, 30, 90.'],
    );
    assert.equal((await api.refused(ada, FORECAST, { id, days: 7, afterDays: 2 })).field, 'afterDays');
    const { roundTrips } = await api.counted(() => forecastOf(id));
    assert.equal(roundTrips, 1);
  });

  it('tell once that a content rises faster than forecast', async () => {
    const start = api.clock.now();
    const views = [100, 80, 60, 900, 1_500, 40, 800];
    const id = await published(3, views);
    const quiet = await published(3, [5, 4, 3, 19]);
    try {
      await work();
      assert.deepEqual(await risesOf(id), [], 'days before the forecast tell nothing');
      const seen = [];
      for (let day = 4; day <= 7; day += 1) {
        api.clock.advance(DAY_MS);
        await work();
        await findRises(api.platform);
        seen.push((await risesOf(id)).length);
      }
      // Day 4 begins a rise, day 5 continues it, day 6 ends it, day 7 begins another.
      assert.deepEqual(seen, [1, 1, 1, 2]);
      const [first] = await risesOf(id);
      const payload = first?.payload as Record<string, number>;
      assert.deepEqual([payload.day, payload.views], [4, 900]);
      assert.ok(payload.forecastP50! < payload.forecastP90! && payload.forecastP90! < 900);
      assert.deepEqual(await risesOf(quiet), [], 'fewer than 20 views are noise');
    } finally {
      api.clock.advance(start - api.clock.now());
    }
  });

  it('learn from the outcomes of this platform, and keep the better model', async () => {
    const simulated = simulateVideos({ seed: 11, videos: 90, days: 40 }).videos;
    for (const { daily } of simulated) await published(38, daily);
    assert.equal(await trainForecastIfDue(api.platform, RUNNING), true);
    assert.equal(await trainForecastIfDue(api.platform, RUNNING), false, 'once a day');
    const models = () => api.rows<{ version: number }>('select version from forecast_models');
    assert.deepEqual(await models(), [{ version: 1 }]);
    await trainForecastModel(api.platform, RUNNING);
    assert.deepEqual(await models(), [{ version: 1 }], 'the same model is not better');
    const id = await published(7, simulated[0]!.daily.slice(0, 7));
    await work();
    const { model, status } = await forecastOf(id);
    assert.deepEqual(
      [status, model.version, model.trainedAt.slice(0, 19), model.method === 'PRIOR'],
      ['READY', 1, '2026-10-06T12:00:00', false],
    );
    assert.ok(model.videos >= 50 && model.videos <= 90, 'without those that are held out');
    assert.ok(model.coverage > 0.6 && model.coverage < 0.95 && model.logError < 0.5, JSON.stringify(model));
    assert.equal((await forecastOf(id, 90)).model.method, 'PRIOR', 'no video is that old');

    await api.rows(
      `update forecast_models set parameters = (
         select jsonb_agg(s || '{"growth": {"kind": "SCALE", "offsets": [5, 6, 7]}}')
         from jsonb_array_elements(parameters) s)`,
    );
    await trainForecastModel(api.platform, RUNNING);
    assert.deepEqual(await models(), [{ version: 2 }], 'a worse one is replaced');
  });

  it('train again soon after a training that was stopped', async () => {
    api.clock.advance(2 * DAY_MS);
    await assert.rejects(trainForecastIfDue(api.platform, AbortSignal.abort()), { name: 'AbortError' });
    assert.equal(await trainForecastIfDue(api.platform, RUNNING), false);
    api.clock.advance(3_600_001);
    assert.equal(await trainForecastIfDue(api.platform, RUNNING), true);
  });
});

describe('a challenger', () => {
  const step = { age: 7, horizon: 30, growth: { kind: 'SCALE', offsets: [0, 0.5, 1] }, days: [] } as const;
  const parameters = [{ ...step, videos: 60, coverage: 0.8, logError: 0.2 }];
  for (const [name, loss, championLoss, expected] of [
    ['replaces nothing', 0.2, null, true],
    ['is better', 0.19, 0.2, true],
    ['is as good', 0.2, 0.2, false],
    ['is worse', 0.21, 0.2, false],
  ] as const) {
    it(`${expected ? 'is used' : 'is not used'} if it ${name}`, () =>
      assert.equal(isBetter({ parameters, loss, championLoss }), expected));
  }
  it('is not used if it learned nothing', () =>
    assert.equal(isBetter({ parameters: [], loss: null, championLoss: null }), false));
});
