import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { forecastDays, growthUntil, PRIOR_POWERS, realGrowth } from './forecast-model.ts';
import { type ViewHistory, viewsUntil } from './history-features.ts';
import { simulateVideos } from './simulated-views.fixture.ts';
import { heldOutLoss, type KnownVideo, trainStep } from './train-forecast.ts';

function known(seed: number, videos: number, days = 30): KnownVideo[] {
  return simulateVideos({ seed, videos, days }).videos.map(({ daily, weekday }) => ({
    ...{ daily, weekday, channelViews: null, heldOut: false },
  }));
}

const WEEK_TO_MONTH = { age: 7, horizon: 30 };

describe('learning from the first days', () => {
  const videos = known(3, 700);
  const step = trainStep(videos, 7, 30);
  const fresh = known(4, 600).filter(({ daily }) => viewsUntil(daily, 7) > 0);

  it('forecasts videos it has not seen: 80 of 100 outcomes are in the range, half above the middle', () => {
    assert.ok(step);
    assert.equal(step.growth.kind, 'TREES', 'they are better than one scale for all');
    const bands = fresh.map((video) => growthUntil([step], video, WEEK_TO_MONTH));
    const real = fresh.map(({ daily }) => realGrowth(daily, 7, 30));
    const share = (is: (index: number) => boolean) => bands.filter((_, index) => is(index)).length / fresh.length;
    const within = share((index) => bands[index]![0] <= real[index]! && real[index]! <= bands[index]![2]);
    const above = share((index) => real[index]! > bands[index]![1]);
    assert.ok(within > 0.75 && within < 0.85, `in the range: ${within}`);
    assert.ok(above > 0.44 && above < 0.56, `above the middle: ${above}`);
    // The same for the shares that it reports of itself.
    assert.ok(step.coverage > 0.75 && step.coverage < 0.85, `${step.coverage}`);
  });

  it('forecasts the views of single days: 80 of 100 are in the range', THOROUGH, () => {
    const few = videos.slice(0, 400);
    const steps = [8, 14, 30].map((horizon) => trainStep(few, 7, horizon) ?? assert.fail('there are enough'));
    const forecasts = fresh.map((video) => forecastDays(steps, video, 7));
    for (const day of [8, 11, 14, 20, 30]) {
      const within = fresh.filter(({ daily }, index) => {
        const [low, , high] = forecasts[index]!.find((each) => each.day === day)!.views;
        return low <= daily[day - 1]! && daily[day - 1]! <= high;
      });
      const share = within.length / fresh.length;
      assert.ok(share > 0.72 && share < 0.88, `day ${day}: ${share}`);
    }
  });

  it('is closer than one scale for all videos', () => {
    assert.ok(step);
    const growth = videos.map(({ daily }) => realGrowth(daily, 7, 30)).sort((a, b) => a - b);
    const middle = growth[350]!;
    const error = (of: (video: ViewHistory) => number) =>
      fresh.reduce((sum, video) => sum + Math.abs(of(video) - realGrowth(video.daily, 7, 30)), 0) / fresh.length;
    const [ours, scale] = [error((video) => growthUntil([step], video, WEEK_TO_MONTH)[1]), error(() => middle)];
    assert.ok(ours < 0.9 * scale, `${ours} and ${scale}`);
  });

  it('gives the same model for the same videos', THOROUGH, () => {
    const few = videos.slice(0, 150);
    assert.deepEqual(trainStep(few, 7, 30), trainStep(few, 7, 30));
  });

  it('learns nothing from fewer than 50 videos, nor from videos that are too young or without views', () => {
    assert.equal(trainStep(videos.slice(0, 49), 7, 30), null);
    assert.equal(trainStep(known(3, 200, 29), 7, 30), null);
    const unseen = videos.slice(0, 200).map((video) => ({ ...video, daily: new Float64Array(30) }));
    assert.equal(trainStep(unseen, 7, 30), null);
    assert.ok(trainStep(videos.slice(0, 60), 7, 30));
  });

  it('does not learn from videos that are held out, and compares models by them', THOROUGH, () => {
    const few = videos.slice(0, 120);
    const strange = few.slice(0, 40).map((video) => ({
      ...video,
      daily: Array.from(video.daily, (views, day) => (day < 7 ? views : 1_000 * views)),
      heldOut: true,
    }));
    const learned = trainStep(few, 7, 30);
    assert.ok(learned);
    assert.deepEqual(trainStep([...few, ...strange], 7, 30), learned);
    assert.equal(heldOutLoss([learned], few, [WEEK_TO_MONTH]), null, 'none is held out');
    const good = heldOutLoss(
      [learned],
      few.map((video) => ({ ...video, heldOut: true })),
      [WEEK_TO_MONTH],
    );
    const bad = heldOutLoss([learned], strange, [WEEK_TO_MONTH]);
    assert.ok(good !== null && bad !== null && good < 0.5 && bad > 1, `${good} and ${bad}`);
  });

  it('is not led astray by a weekday or a channel that no video had', THOROUGH, () => {
    const mondays = videos.slice(0, 300).map((video) => ({ ...video, weekday: 3 }));
    const found = trainStep(mondays, 7, 30);
    assert.ok(found);
    for (const video of mondays.slice(0, 20)) {
      const [, expected] = growthUntil([found], video, WEEK_TO_MONTH);
      const [, other] = growthUntil([found], { ...video, weekday: 0, channelViews: 5_000 }, WEEK_TO_MONTH);
      assert.ok(Math.abs(other - expected) < 1e-9, `${other} and ${expected}`);
    }
  });

  it('bears bursts, days without views and enormous numbers', THOROUGH, () => {
    const wild = simulateVideos({ seed: 5, videos: 300, days: 30, bursts: 0.08, typicalViews: 3 }).videos;
    const some = wild.map(({ daily }, index): KnownVideo => {
      const views = daily.map((each, day) => (index % 50 === 0 && day === 12 ? 1e9 : each));
      return { daily: views, weekday: null, channelViews: index % 3 === 0 ? 40 : null, heldOut: false };
    });
    const found = trainStep(some, 7, 30);
    assert.ok(found && found.coverage > 0.72 && found.coverage < 0.88, `${found?.coverage}`);
    const days = forecastDays([found], some[0]!, 7);
    assert.ok(days.every(({ total }) => total.every(Number.isFinite)));
  });
});

describe('a forecast of each day', () => {
  const history: ViewHistory = { daily: [60, 25, 14], weekday: null, channelViews: null };

  it('follows the prior before there is a model', () => {
    assert.deepEqual(PRIOR_POWERS, [0.1, 0.45, 1.1]);
    const days = forecastDays([], history, 3);
    assert.deepEqual([days.length, days[0]?.day, days.at(-1)?.day], [87, 4, 90]);
    // 99 + 100 · ((30 / 3) ^ power - 1)
    const month = days.find(({ day }) => day === 30)!;
    assert.deepEqual(month.total.map(Math.round), [125, 281, 1_258]);
  });

  it('looks at the days until its age only', () => {
    const later = { ...history, daily: [60, 25, 14, 9_000, 9_000] };
    assert.deepEqual(forecastDays([], later, 3), forecastDays([], history, 3));
  });

  it('never falls, and keeps the order of its range', () => {
    const step = trainStep(known(6, 200), 7, 30);
    assert.ok(step);
    const days = forecastDays([step], known(7, 1)[0]!, 7);
    for (const [index, { total, views }] of days.entries()) {
      for (const [low, middle, high] of [total, views]) assert.ok(low <= middle && middle <= high);
      if (index > 0) assert.ok(total.every((value, place) => value >= days[index - 1]!.total[place]!));
    }
  });
});
