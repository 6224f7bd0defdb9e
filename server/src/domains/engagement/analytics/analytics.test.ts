import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '../../catalog/testing.ts';
import type { TestEngagement } from '../testing.ts';
import {
  countCards,
  countViews,
  type RawEvent,
  type View,
  watchedSeconds,
  watchMs,
} from './reference-implementation.testing.ts';
import { openVisitedChannel, readAnalytics, START, setTimeZone } from './visited-channel.fixture.ts';

const DAY_MS = 86_400_000;
/** Berlin ends daylight saving time in October; Kathmandu is at UTC+5:45. */
const ZONES = ['Europe/Berlin', 'Asia/Kathmandu', 'America/New_York', 'UTC'];

let fixture: TestEngagement;
let clips: string[];
let events: (RawEvent & { atMs: number })[];
let plays: View[];
let views: View[];
let impressions: View[];
let clicks: View[];

before(async () => {
  ({ fixture, clips } = await openVisitedChannel());
  const { catalog } = fixture;
  const raw = await catalog.rows<RawEvent>('select * from watch_events order by xact, occurred_at, session_id, seq');
  events = raw.map((event) => ({ ...event, atMs: Date.parse(event.occurred_at) }));
  ({ plays, views } = countViews(raw));
  ({ impressions, clicks } = countCards(raw));
  assert.ok(
    clicks.length > 15 && impressions.length > 2 * clicks.length,
    `${impressions.length} impressions, ${clicks.length} clicks`,
  );
  assert.ok(views.length > 60 && plays.length > views.length, `${plays.length} plays, ${views.length} views`);
});
after(() => fixture.catalog.close());

const within =
  (from: number, to: number) =>
  ({ atMs }: { atMs: number }) =>
    atMs >= from && atMs < to;
const viewers = (of: readonly View[]) => new Set(of.map(({ viewer }) => viewer)).size;
const iso = (ms: number) => new Date(ms).toISOString();
const analytics = (selection: string, variables?: Record<string, unknown>) =>
  readAnalytics(fixture, selection, variables);
const inZone = (zone: string) => setTimeZone(fixture, zone);

describe('analytics match the raw events', () => {
  for (const zone of ZONES) {
    for (const days of [7, 28, 30, 90]) {
      it(`in the overview of the last ${days} days in ${zone}`, async () => {
        const period = (await inZone(zone)).lastDays(days, fixture.catalog.clock.now());
        const kpi = '{ value deltaVsPrevious deltaPct coverage { share } }';
        const { overview } = await analytics(
          `overview(range: LAST_${days}D) { from to previousFrom previousTo views ${kpi} watchMinutes ${kpi} ` +
            `uniqueViewers ${kpi} newChannelSubscribers ${kpi} impressions ${kpi} ` +
            `clicks ${kpi} clickThroughRate ${kpi} }`,
        );
        assert.deepEqual(
          [overview.from, overview.to, overview.previousFrom, overview.previousTo],
          [period.from, period.to, period.previousFrom, period.previousTo].map(iso),
        );
        const now = [period.from, period.to] as const;
        const before = [period.previousFrom, period.previousTo] as const;
        const begun = START - 3 * DAY_MS;
        const check = (kpis: Record<string, number | null>, value: number, previous: number) => {
          const comparable = begun < period.previousTo;
          const delta = comparable ? value - previous : null;
          const deltaPct = delta === null || previous === 0 ? null : (delta / previous) * 100;
          const coverage = Math.min(
            1,
            Math.max(0, (period.to - Math.max(period.from, begun)) / (period.to - period.from)),
          );
          assert.deepEqual({ ...kpis }, { value, deltaVsPrevious: delta, deltaPct, coverage: { share: coverage } });
        };
        for (const [kpis, of] of [
          [overview.impressions, impressions],
          [overview.clicks, clicks],
        ] as const) {
          check(kpis, of.filter(within(...now)).length, of.filter(within(...before)).length);
        }
        const rate = clicks.filter(within(...now)).length / impressions.filter(within(...now)).length;
        assert.deepEqual([overview.clickThroughRate.value, overview.clickThroughRate.deltaVsPrevious], [rate, null]);
        check(overview.views, views.filter(within(...now)).length, views.filter(within(...before)).length);
        check(overview.uniqueViewers, viewers(views.filter(within(...now))), viewers(views.filter(within(...before))));
        check(
          overview.watchMinutes,
          watchMs(events.filter(within(...now))) / 60_000,
          watchMs(events.filter(within(...before))) / 60_000,
        );
      });
    }
    for (const granularity of ['DAY', 'WEEK', 'MONTH'] as const) {
      it(`in time series by ${granularity} in ${zone}`, async () => {
        const days = await inZone(zone);
        const period = days.lastDays(90, fixture.catalog.clock.now());
        const changes = await fixture.catalog.rows<{ delta: number; created_at: string }>(
          'select delta, created_at from follow_changes',
        );
        const follows = changes.map(({ delta, created_at }) => ({ delta, atMs: Date.parse(created_at) }));
        const reference: Record<string, (from: number, to: number) => number> = {
          VIEWS: (from, to) => views.filter(within(from, to)).length,
          WATCH_MINUTES: (from, to) => watchMs(events.filter(within(from, to))) / 60_000,
          UNIQUE_VIEWERS: (from, to) => viewers(views.filter(within(from, to))),
          IMPRESSIONS: (from, to) => impressions.filter(within(from, to)).length,
          CLICKS: (from, to) => clicks.filter(within(from, to)).length,
          CHANNEL_SUBSCRIBERS: (_, to) => follows.reduce((sum, { delta, atMs }) => sum + (atMs < to ? delta : 0), 0),
          NEW_CHANNEL_SUBSCRIBERS: (from, to) =>
            follows.filter(within(from, to)).filter(({ delta }) => delta === 1).length,
        };
        for (const [metric, value] of Object.entries(reference)) {
          const { timeseries } = await analytics(
            `timeseries(metric: ${metric}, granularity: ${granularity}, ` +
              'range: LAST_90D) { metric granularity points { at value } }',
          );
          const points = days
            .buckets(period.from, period.to, granularity)
            .map(({ at, until }) => ({ at: iso(at), value: value(at, until) }));
          assert.deepEqual(timeseries, { metric, granularity, points });
        }
      });
    }
    it(`in contents sorted by each metric in ${zone}`, async () => {
      await inZone(zone);
      const now = fixture.catalog.clock.now();
      const quarter = (ms: number) => Math.floor(ms / 900_000) * 900_000;
      // A month, three hours over midnight, one hour, and the days around the end of daylight saving time.
      const periods = [
        [now - 30 * DAY_MS, now],
        [now - 10_800_000, now],
        [Date.UTC(2026, 9, 20, 10), Date.UTC(2026, 9, 20, 11)],
        [Date.UTC(2026, 9, 24, 22, 15), Date.UTC(2026, 9, 27, 3, 45)],
      ].map(([from = 0, to = 0]) => [quarter(from), quarter(to) + (to % 900_000 ? 900_000 : 0)] as const);
      for (const [from, to] of periods) {
        const reference = clips.map((videoId) => {
          const of = <T extends { content_id: string; atMs: number }>(list: readonly T[]) =>
            list.filter((item) => item.content_id === uuidOf(videoId)).filter(within(from, to));
          const watched = {
            views: of(views).length,
            watchMinutes: watchMs(of(events)) / 60_000,
            uniqueViewers: viewers(of(views)),
          };
          const [shown, followed] = [of(impressions).length, of(clicks).length];
          return {
            id: videoId,
            ...watched,
            impressions: shown,
            clicks: followed,
            clickThroughRate: shown === 0 ? null : followed / shown,
          };
        });
        for (const [sort, by] of [
          ['VIEWS', 'views'],
          ['WATCH_MINUTES', 'watchMinutes'],
          ['UNIQUE_VIEWERS', 'uniqueViewers'],
          ['IMPRESSIONS', 'impressions'],
          ['CLICKS', 'clicks'],
        ] as const) {
          const list =
            `videos: contents(first: 10, sort: ${sort}, range: CUSTOM, from: $from, to: $to) { ` +
            'totalCount edges { node { ' +
            'content { id } views watchMinutes uniqueViewers impressions clicks clickThroughRate } } }';
          const { videos } = await analytics(list, { from: iso(from), to: iso(to) });
          const found = videos.edges.map(
            ({ node: { content, ...numbers } }: { node: { content: { id: string } } }) => ({
              id: content.id,
              ...numbers,
            }),
          );
          const expected = [...reference].sort((a, b) => b[by] - a[by] || (uuidOf(a.id) < uuidOf(b.id) ? 1 : -1));
          assert.deepEqual([videos.totalCount, found], [clips.length, expected]);
        }
      }
    });
  }

  it('in the audience by country, device, system and browser', async () => {
    const period = (await inZone('UTC')).lastDays(90, fixture.catalog.clock.now());
    const part = '{ key views share watchMinutes uniqueViewers }';
    const { audience } = await analytics(
      `audience(range: LAST_90D) { countries ${part} devices ${part} operatingSystems ${part} browsers ${part} }`,
    );
    const [all, watched] = [
      views.filter(within(period.from, period.to)),
      events.filter(within(period.from, period.to)),
    ];
    for (const [field, column] of [
      ['countries', 'country'],
      ['devices', 'device'],
      ['operatingSystems', 'os'],
      ['browsers', 'browser'],
    ] as const) {
      const named = [...new Set(watched.map((event) => event[column]))].map((key) => {
        const of = all.filter((view) => view[column] === key);
        const minutes = watchMs(watched.filter((event) => event[column] === key)) / 60_000;
        return {
          key,
          views: of.length,
          share: of.length / all.length,
          watchMinutes: minutes,
          uniqueViewers: viewers(of),
        };
      });
      // Viewers who only saw a card do not count.
      const reference = named.filter(({ views: seen, watchMinutes }) => seen + watchMinutes > 0);
      const sorted = reference.sort(
        (a, b) => b.views - a.views || b.watchMinutes - a.watchMinutes || (a.key < b.key ? -1 : 1),
      );
      assert.ok(sorted.length >= 2);
      assert.deepEqual(audience[field], sorted);
    }
  });

  it('in the detail of a content: quality, retention per second, and its totals', async () => {
    const period = (await inZone('Asia/Kathmandu')).lastDays(28, fixture.catalog.clock.now());
    for (const videoId of clips) {
      const selection = `video: content(id: $contentLrn) {
        content { id } overview(range: LAST_28D) { views { value } watchMinutes { value } uniqueViewers { value }
          impressions { value } clicks { value } clickThroughRate { value } }
        timeseries(metric: VIEWS, granularity: MONTH, range: LAST_28D) { points { value } }
        quality(range: LAST_28D) { plays starts startupMs rebuffers rebufferRatio errors completionRate }
        retention { plays secondsPerPoint points { second watching share } } }`;
      const { video } = await analytics(selection, { contentLrn: videoId });
      const all = events.filter((event) => event.content_id === uuidOf(videoId));
      const of = all.filter(within(period.from, period.to));
      const count = (kind: string) => of.filter((event) => event.kind === kind).length;
      const sum = (kind: string) =>
        of.filter((event) => event.kind === kind).reduce((total, event) => total + (event.value_ms ?? 0), 0);
      const started = of.filter((event) => event.kind === 'START' && event.value_ms !== null).length;
      const played = (list: readonly View[]) => list.filter((view) => view.content_id === uuidOf(videoId));
      assert.deepEqual(video.quality, {
        plays: played(plays).filter(within(period.from, period.to)).length,
        starts: count('START'),
        startupMs: started === 0 ? null : sum('START') / started,
        rebuffers: count('REBUFFER'),
        rebufferRatio: sum('REBUFFER') + watchMs(of) === 0 ? null : sum('REBUFFER') / (sum('REBUFFER') + watchMs(of)),
        errors: count('ERROR'),
        completionRate: count('START') === 0 ? null : count('COMPLETE') / count('START'),
      });
      const own = played(views).filter(within(period.from, period.to));
      const shown = played(impressions).filter(within(period.from, period.to)).length;
      const followed = played(clicks).filter(within(period.from, period.to)).length;
      assert.deepEqual(video.overview, {
        views: { value: own.length },
        watchMinutes: { value: watchMs(of) / 60_000 },
        uniqueViewers: { value: viewers(own) },
        impressions: { value: shown },
        clicks: { value: followed },
        clickThroughRate: { value: followed / shown },
      });
      assert.equal(
        video.timeseries.points.reduce((total: number, { value }: { value: number }) => total + value, 0),
        own.length,
      );
      const seconds = watchedSeconds(all);
      assert.equal(video.retention.secondsPerPoint, 1);
      assert.deepEqual(
        video.retention.points.map(({ watching }: { watching: number }) => watching),
        seconds,
      );
      const plain = played(plays).length;
      assert.deepEqual(
        video.retention.points[0]?.share ?? null,
        seconds.length === 0 || plain === 0 ? null : (seconds[0] ?? 0) / plain,
      );
    }
  });

  it('in the list of contents: the share that watched a second, of each', async () => {
    await fixture.catalog.rows('update contents set duration_ms = 6000 where id = any($1::uuid[])', [
      clips.map(uuidOf),
    ]);
    for (const second of [0, 3, 5, 6]) {
      const { contents } = await analytics(
        `contents(first: 100) { edges { node { content { id } retention(second: ${second}) } } }`,
      );
      for (const videoId of clips) {
        const seconds = watchedSeconds(events.filter((event) => event.content_id === uuidOf(videoId)));
        const plain = plays.filter((play) => play.content_id === uuidOf(videoId)).length;
        const { node } = contents.edges.find(
          (edge: { node: { content: { id: string } } }) => edge.node.content.id === videoId,
        );
        assert.equal(node.retention, second === 6 || plain === 0 ? null : (seconds[second] ?? 0) / plain);
      }
    }
  });

  it('in followers gained and lost, and in comments', async () => {
    const days = await inZone('America/New_York');
    const period = days.lastDays(30, fixture.catalog.clock.now());
    const timed = async <Row extends object>(text: string) =>
      (await fixture.catalog.rows<Row & { created_at: string }>(text)).map((row) => ({
        ...row,
        atMs: Date.parse(row.created_at),
      }));
    const changes = await timed<{ delta: number }>('select delta, created_at from follow_changes');
    const comments = await timed('select created_at from comments');
    const response = await analytics(
      'subscribers(range: LAST_30D) { gained lost net days { at gained ' +
        'lost net } } comments: commentCounts(range: LAST_30D) { total days { at count } }',
    );
    const buckets = days.buckets(period.from, period.to, 'DAY');
    const net = (from: number, to: number) => {
      const of = changes.filter(within(from, to));
      const gained = of.filter(({ delta }) => delta === 1).length;
      return { gained, lost: of.length - gained, net: gained - (of.length - gained) };
    };
    assert.deepEqual(response.subscribers, {
      ...net(period.from, period.to),
      days: buckets.map(({ at, until }) => ({ at: iso(at), ...net(at, until) })),
    });
    assert.ok(response.comments.total > 0);
    assert.deepEqual(response.comments, {
      total: comments.filter(within(period.from, period.to)).length,
      days: buckets.map(({ at, until }) => ({ at: iso(at), count: comments.filter(within(at, until)).length })),
    });
  });

  it('compare this month and this year with the same days of the previous one', async () => {
    await inZone('UTC');
    const { mtd, ytd } = await analytics(
      'mtd: overview(range: MTD) { from previousFrom views { value } } ' +
        'ytd: overview(range: YTD) { from previousFrom views { value } }',
    );
    const now = new Date(fixture.catalog.clock.now());
    const month = (back: number) => iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    assert.deepEqual([mtd.from, mtd.previousFrom], [month(0), month(1)]);
    assert.deepEqual([ytd.from, ytd.previousFrom], ['2026-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z']);
    assert.equal(ytd.views.value, views.length);
  });
});
