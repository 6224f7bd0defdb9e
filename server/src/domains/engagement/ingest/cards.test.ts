import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '../../catalog/testing.ts';
import { rebuildRollUps } from '../roll-up/roll-up-events.ts';
import { GERMAN, openTestEngagement, ROBOT, type Sent, type TestEngagement } from '../testing.ts';

const DAY_MS = 86_400_000;
let fixture: TestEngagement;
before(async () => {
  fixture = await openTestEngagement();
});
after(() => fixture.catalog.close());

const shown = (video: string, visit: string, seq: number, more: Sent = {}) =>
  fixture.event(video, visit, seq, { kind: 'IMPRESSION', ...more });
const followed = (video: string, visit: string, seq: number, more: Sent = {}) =>
  fixture.event(video, visit, seq, { kind: 'CLICK', ...more });

/** Impressions and clicks of a video in each of the three tables of sums. */
async function counted(video: string) {
  await fixture.rollUp();
  const sums = 'coalesce(sum(impressions), 0)::integer as impressions, coalesce(sum(clicks), 0)::integer as clicks';
  const of = (table: string) =>
    fixture.catalog.row<{ impressions: number; clicks: number }>(`select ${sums} from ${table} where content_id = $1`, [
      uuidOf(video),
    ]);
  const [quarters, days] = await Promise.all([of('watch_15min'), of('content_daily')]);
  assert.deepEqual(quarters, days);
  return days;
}

describe('cards', () => {
  it('count once per content and page visit, and a click only with its impression, in either order', async () => {
    const [seen, opened, unseen] = [await fixture.video(), await fixture.video(), await fixture.video()];
    const [visit, other] = [randomUUID(), randomUUID()];
    await fixture.track([
      shown(seen, visit, 0),
      shown(seen, visit, 1),
      followed(unseen, visit, 2),
      followed(opened, visit, 3),
    ]);
    await fixture.rollUp();
    await fixture.track([
      shown(opened, visit, 4),
      followed(opened, visit, 5),
      shown(seen, other, 0),
      shown(seen, other, 0),
    ]);
    assert.deepEqual(await counted(seen), { impressions: 2, clicks: 0 });
    assert.deepEqual(await counted(opened), { impressions: 1, clicks: 1 });
    assert.deepEqual(await counted(unseen), { impressions: 0, clicks: 0 });
  });

  it('add no view, playback or position, and do not store the account', async () => {
    const video = await fixture.video();
    const account = await fixture.catalog.person('looker');
    const visit = randomUUID();
    await fixture.track([shown(video, visit, 0), followed(video, visit, 1)], { account });
    assert.deepEqual(await counted(video), { impressions: 1, clicks: 1 });
    const numbers = await fixture.catalog.row(
      `select views, plays, watch_ms, starts, completes from content_daily where content_id = $1`,
      [uuidOf(video)],
    );
    assert.deepEqual({ ...numbers }, { views: 0, plays: 0, watch_ms: 0, starts: 0, completes: 0 });
    for (const table of ['content_views', 'watch_positions', 'content_retention']) {
      assert.deepEqual(await fixture.catalog.rows(`select 1 from ${table} where content_id = $1`, [uuidOf(video)]), []);
    }
    const raw = await fixture.catalog.rows('select account_id from watch_events where content_id = $1', [
      uuidOf(video),
    ]);
    assert.deepEqual(raw, [{ account_id: null }, { account_id: null }]);
  });

  it('do not change a playback on the same page', async () => {
    const video = await fixture.video();
    const id = randomUUID();
    await fixture.track([
      shown(video, id, 7),
      fixture.event(video, id, 0, { kind: 'START' }),
      fixture.event(video, id, 1),
      followed(video, id, 8),
    ]);
    assert.deepEqual(await counted(video), { impressions: 1, clicks: 1 });
    const { views } = await fixture.catalog.row<{ views: number }>(
      'select views from content_daily where content_id = $1',
      [uuidOf(video)],
    );
    assert.equal(views, 1);
  });

  it('do not count for members of the channel, robots, and viewers who opt out of tracking', async () => {
    const video = await fixture.video();
    const stranger = await fixture.catalog.person('passer-by');
    for (const who of [{ account: fixture.owner }, { userAgent: ROBOT }, { doNotTrack: true }, { account: stranger }]) {
      const visit = randomUUID();
      const { results } = await fixture.track([shown(video, visit, 0), followed(video, visit, 1)], who);
      assert.deepEqual(
        results.map(({ error }) => error),
        [null, null],
      );
    }
    assert.deepEqual(await counted(video), { impressions: 1, clicks: 1 });
  });

  it('count ten times per viewer and content, and then once per half hour', async () => {
    const [video, other] = [await fixture.video(), await fixture.video()];
    const look = (who = {}) => fixture.track([shown(video, randomUUID(), 0)], who);
    const leftOfDayMs = DAY_MS - (fixture.catalog.clock.now() % DAY_MS);
    if (leftOfDayMs < 7_200_000) fixture.catalog.clock.advance(leftOfDayMs); // tomorrow it is another viewer
    for (let visit = 0; visit < 12; visit += 1) await look();
    await look({ address: GERMAN });
    await fixture.track([shown(other, randomUUID(), 0)]);
    assert.deepEqual(await counted(video), { impressions: 11, clicks: 0 });
    assert.deepEqual(await counted(other), { impressions: 1, clicks: 0 });
    fixture.catalog.clock.advance(1_801_000);
    await look();
    await look();
    assert.deepEqual(await counted(video), { impressions: 12, clicks: 0 });
  });

  it('have no position and no ranges', async () => {
    const video = await fixture.video();
    const visit = randomUUID();
    const ranges = [{ startMs: 0, endMs: 1 }];
    const { results } = await fixture.track([
      shown(video, visit, 0, { positionMs: 1 }),
      followed(video, visit, 1, { ranges }),
    ]);
    assert.deepEqual(
      results.map(({ error }) => [error?.code, error?.field, error?.suggestedFix]),
      [
        ['INVALID_INPUT', 'events[0].positionMs', 'Send 0.'],
        ['INVALID_INPUT', 'events[1].ranges', 'Omit ranges.'],
      ],
    );
  });

  it('give the same sums after a rebuild', async () => {
    await fixture.rollUp();
    const sums = async () => [
      await fixture.catalog.rows('select * from channel_15min order by channel_id, at'),
      await fixture.catalog.rows('select * from content_daily order by content_id, day'),
    ];
    const visits = () => fixture.catalog.rows('select * from watch_sessions order by session_id, content_id');
    const before = [await sums(), await visits()];
    assert.ok((before[1]?.length ?? 0) > 10);
    for (const limit of [1, 5_000]) {
      await rebuildRollUps(fixture.catalog.platform, limit);
      assert.deepEqual([await sums(), await visits()], before);
    }
  });
});
