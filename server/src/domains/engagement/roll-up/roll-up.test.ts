import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { whileLocked } from '../../../platform/db/testing.ts';
import { uuidOf } from '../../catalog/testing.ts';
import type { WatchRow } from '../ingest/watch-row.ts';
import { GERMAN, IPHONE, openTestEngagement, type TestEngagement } from '../testing.ts';
import { rollUp } from './roll-up.ts';
import { rebuildRollUps, rollUpAll, rollUpNext } from './roll-up-events.ts';
import { keepUp } from './roll-up-schedule.ts';

let fixture: TestEngagement;
before(async () => {
  fixture = await openTestEngagement();
});
after(() => fixture.catalog.close());

const viewsOf = async (video: string) =>
  (await fixture.catalog.ok(fixture.owner, 'query ($id: DID!) { content(id: $id) { viewCount } }', { id: video }))
    .content.viewCount;

describe('views', () => {
  it('count once per viewer within half an hour', async () => {
    const video = await fixture.video();
    await fixture.visit(video, 10);
    await fixture.visit(video, 10);
    await fixture.visit(video, 10, { address: GERMAN });
    await fixture.visit(video, 10, { userAgent: IPHONE });
    await fixture.rollUp();
    assert.equal(await viewsOf(video), 3);
    fixture.catalog.clock.advance(31 * 60_000);
    await fixture.visit(video, 10);
    await fixture.rollUp();
    assert.equal(await viewsOf(video), 4);
  });

  it('require three seconds, or a tenth of a shorter content', async () => {
    const [long, short] = [await fixture.video(600_000), await fixture.video(10_000)];
    await fixture.visit(long, 2);
    await fixture.visit(short, 1);
    await fixture.rollUp();
    assert.deepEqual([await viewsOf(long), await viewsOf(short)], [0, 1]);
  });

  it('require a START event and watch time', async () => {
    const video = await fixture.video();
    await fixture.track([fixture.event(video, randomUUID(), 0, { kind: 'START' })]);
    await fixture.track([fixture.event(video, randomUUID(), 0)]);
    await fixture.rollUp();
    assert.equal(await viewsOf(video), 0);
  });

  it('of one account count as one viewer on all devices', async () => {
    const video = await fixture.video();
    const account = await fixture.catalog.person('traveller');
    await fixture.visit(video, 10, { account });
    await fixture.visit(video, 10, { account, address: GERMAN, userAgent: IPHONE });
    await fixture.rollUp();
    assert.equal(await viewsOf(video), 1);
  });
});

describe('resume positions', () => {
  const read = async (video: string, account: typeof fixture.owner) =>
    (
      await fixture.catalog.ok(
        account,
        'query ($id: DID!) { feature(id: $id) { watchPosition { positionMs watchedMs completed } } }',
        {
          id: video,
        },
      )
    ).feature.watchPosition;

  it('follow the account and are visible to it only', async () => {
    const video = await fixture.video(100_000);
    const [account, other] = [await fixture.catalog.person('resumer'), await fixture.catalog.person('other')];
    await fixture.visit(video, 40, { account });
    await fixture.rollUp();
    assert.deepEqual(await read(video, account), { positionMs: 40_000, watchedMs: 40_000, completed: false });
    assert.equal(await read(video, other), null);
    fixture.catalog.clock.advance(60_000);
    await fixture.visit(video, 96, { account });
    await fixture.rollUp();
    assert.deepEqual(await read(video, account), { positionMs: 96_000, watchedMs: 136_000, completed: true });
  });

  it('ignore late events', async () => {
    const video = await fixture.video(100_000);
    const account = await fixture.catalog.person('latecomer');
    const session = randomUUID();
    const at = (offsetMs: number) => new Date(fixture.catalog.clock.now() + offsetMs).toISOString();
    await fixture.track([fixture.event(video, session, 2, { positionMs: 50_000, occurredAt: at(0) })], { account });
    await fixture.rollUp();
    await fixture.track([fixture.event(video, session, 1, { positionMs: 20_000, occurredAt: at(-5_000) })], {
      account,
    });
    await fixture.rollUp();
    assert.deepEqual(await read(video, account), { positionMs: 50_000, watchedMs: 10_000, completed: false });
  });
});

describe('the roll-up', () => {
  const sums = async () => {
    const tables = ['watch_sessions', 'content_views', 'watch_15min', 'channel_15min', 'content_daily'];
    const found: Record<string, unknown[]> = {};
    for (const table of tables) found[table] = await fixture.catalog.rows(`select * from ${table} t order by t::text`);
    found.retention = await fixture.catalog.rows('select * from content_retention where change <> 0 order by 1, 2');
    found.views = await fixture.catalog.rows(
      `select key, sum(value)::bigint from counters where scope = 'content:views' group by 1 order by 1`,
    );
    return found;
  };

  it('gives the same sums when rebuilt from the raw events, and keeps positions', async () => {
    await fixture.rollUp();
    const before = await sums();
    assert.ok((before.content_views?.length ?? 0) > 5);
    const positions = await fixture.catalog.rows('select * from watch_positions order by 1, 2');
    for (const limit of [1, 5_000]) {
      const { events } = await rebuildRollUps(fixture.catalog.platform, limit);
      assert.ok(events > 10);
      assert.deepEqual(await sums(), before);
    }
    assert.deepEqual(await fixture.catalog.rows('select * from watch_positions order by 1, 2'), positions);
  });

  it('can be rebuilt beyond the statement timeout', async () => {
    const before = await sums();
    const held = 'select 1 from watch_cursor for update';
    const { events } = await whileLocked(fixture.catalog.platform.test.url, held, (db) => rebuildRollUps({ db }));
    assert.ok(events > 10);
    assert.deepEqual(await sums(), before);
  });

  it('processes a batch atomically, on one worker', async () => {
    const video = await fixture.video();
    await fixture.visit(video, 10);
    const failing = { ...fixture.catalog.platform, clock: { now: () => Number.NaN } };
    const untilItFails = async () => {
      while ((await rollUpNext(failing)) === 0);
    };
    await assert.rejects(untilItFails(), RangeError);
    assert.equal(await viewsOf(video), 0);
    await Promise.all([1, 2, 3].map(() => fixture.rollUp()));
    assert.equal(await viewsOf(video), 1);
  });

  it('waits for older transactions', async () => {
    const video = await fixture.video();
    const { db } = fixture.catalog.platform;
    const [began, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = db.transaction(async (tx) => {
      await tx.executeSql('select pg_current_xact_id()');
      began.resolve();
      await finish.promise;
    });
    await began.promise;
    await fixture.visit(video, 10);
    await rollUpAll(fixture.catalog.platform);
    assert.equal(await viewsOf(video), 0);
    finish.resolve();
    await slow;
    await fixture.rollUp();
    assert.equal(await viewsOf(video), 1);
  });

  it('skips events of deleted contents, and subtracts their views from the counter', async () => {
    const video = await fixture.video();
    await fixture.visit(video, 10);
    await fixture.rollUp();
    await fixture.visit(video, 10, { address: GERMAN });
    await fixture.catalog.rows('delete from contents where id = $1', [uuidOf(video)]);
    await fixture.rollUp();
    const { n } = await fixture.catalog.row<{ n: number }>(`select counter_value('content:views', $1) as n`, [
      uuidOf(video),
    ]);
    assert.equal(n, 0);
  });

  it('merges adjoining ranges in the retention curve', () => {
    const event: Omit<WatchRow, 'seq' | 'occurredAtMs' | 'ranges'> = {
      ...{ kind: 'HEARTBEAT' as const, contentId: 'c', sessionId: 's', channelId: 'n', viewer: 'v', accountId: null },
      ...{
        country: 'US',
        device: 'TV',
        os: 'x',
        browser: 'x',
        durationMs: null,
        valueMs: null,
        detail: null,
        positionMs: 0,
      },
    };
    const { retention } = rollUp(
      [
        { ...event, seq: 0, occurredAtMs: 0, ranges: [0, 10_400] },
        { ...event, seq: 1, occurredAtMs: 1, ranges: [10_400, 20_000, 30_000, 30_300] },
      ],
      { sessions: [], views: [] },
    );
    assert.deepEqual(retention, [
      { content_id: 'c', second: 0, change: 1 },
      { content_id: 'c', second: 20, change: -1 },
    ]);
  });

  it('drops expired raw events and salts, and keeps the sums', async () => {
    const video = await fixture.video();
    await fixture.visit(video, 10);
    await fixture.rollUp();
    const before = await sums();
    fixture.catalog.clock.advance(91 * 86_400_000);
    await keepUp(fixture.catalog.platform);
    assert.deepEqual(await fixture.catalog.rows('select * from watch_events'), []);
    assert.deepEqual(await fixture.catalog.rows('select * from viewer_salts'), []);
    assert.deepEqual({ ...(await sums()), watch_sessions: [] }, { ...before, watch_sessions: [] });
    await fixture.visit(await fixture.video(), 10);
    await fixture.rollUp();
    assert.equal((await rebuildRollUps(fixture.catalog.platform)).events, 2);
    assert.deepEqual(await viewsOf(video), 1);
  });
});
