import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type Call, sql } from '../../../platform/db/statement.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { noteSomeFaded, refreshStats } from './refresh.store.ts';
import { refreshLists } from './refresh-lists.ts';

const MUSIC = '01900000-0000-7000-8000-ca7e00000002';
const DRAMA = '01900000-0000-7000-8000-6e1200000009';
const DAY_MS = 86_400_000;

/** The activity of a content on a day. */
interface Attention {
  readonly id: string;
  readonly day: number;
  readonly views: number;
  readonly watchMs: number;
  readonly likes: number;
}

describe('trends', () => {
  let api: TestCatalog;
  let people: Person[];
  let all: Attention[];
  before(async () => {
    api = await openTestCatalog();
    people = await Promise.all(Array.from({ length: 3 }, (_, index) => api.person(`fan${index}`)));
    // Every sixth is unlisted; those with an even number have a category and a genre.
    await videos('Film', 60);
    await api.rows(`update contents set visibility = 'UNLISTED' where right(title, 1) = '6'`);
    for (const [table, column, id] of [
      ['content_categories', 'category_id', MUSIC],
      ['content_genres', 'genre_id', DRAMA],
    ] as const) {
      const even = `select id, $1, 0 from contents where right(title, 1) in ('0', '2', '4', '8')`;
      await api.rows(`insert into ${table} (content_id, ${column}, position) ${even}`, [id]);
    }
    all = await happen();
  });
  after(() => api.close());

  const today = () => Math.floor(api.clock.now() / DAY_MS);
  const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

  async function videos(name: string, count: number): Promise<void> {
    await api.rows(
      `insert into contents (id, channel_id, kind, title, status, published_at, created_at, updated_at)
       select uuidv7(make_interval(secs => -n)), $1, 'FEATURE', $2 || ' ' || n, 'PUBLISHED', now(), now(), now()
         from generate_series(1, $3::int) n`,
      [people[0]?.channelId, name, count],
    );
  }

  /** Ten days with views, watch time and likes that derive from the video numbers; some days have none. */
  async function happen(): Promise<Attention[]> {
    const ids = (await api.rows<{ id: string }>('select id from contents order by id')).map(({ id }) => id);
    const days = Array.from({ length: 10 }, (_, ago) => today() - ago);
    const watched = ids.flatMap((id, n) =>
      days
        .filter((day) => (n + day) % 3 !== 0 && n % 11 !== 0)
        .map((day) => ({ id, day, views: (n * 31 + day * 17) % 23, watchMs: (n * 911_831 + day * 77_777) % 600_000 })),
    );
    // One like per account and content.
    const liked = ids.flatMap((id, n) =>
      people
        .filter((_, who) => (n + who) % 4 === 0)
        .map(({ accountId }, who) => ({ id, accountId, day: today() - ((n + 2 * who) % 9) })),
    );
    for (const { id, day, views, watchMs } of watched)
      await api.rows(
        'insert into content_daily (content_id, channel_id, day, views, watch_ms) select id, channel_id, $2, $3, ' +
          '$4 from contents where id = $1',
        [id, dateOf(day), views, watchMs],
      );
    for (const { id, day, accountId } of liked)
      await api.rows('insert into likes (content_id, account_id, created_at) values ($1, $2, $3)', [
        id,
        accountId,
        `${dateOf(day)}T23:59:59Z`,
      ]);
    return [
      ...watched.map((each) => ({ ...each, likes: 0 })),
      ...liked.map(({ id, day }) => ({ id, day, views: 0, watchMs: 0, likes: 1 })),
    ];
  }

  /**
   * Points as the schema describes them: five minutes of watch time count as a view, a like as three; halved after a
   * day.
   */
  function pointsOf(id: string): number {
    const recent = all.filter((each) => each.id === id && each.day > today() - 7);
    return recent.reduce(
      (sum, { day, views, watchMs, likes }) => sum + (views + 3 * likes + watchMs / 300_000) / 2 ** (today() - day),
      0,
    );
  }

  const readScores = () =>
    api.rows<{ id: string; trend: number }>('select content_id as id, trend from content_listings order by trend desc');

  async function isRight(): Promise<number> {
    await refreshLists(api.platform);
    const scores = await readScores();
    const counted = scores.map(({ id }) => pointsOf(id));
    assert.deepEqual(
      scores.map(({ trend }) => trend > 0),
      counted.map((points) => points > 0),
    );
    for (const [at, points] of counted.entries()) assert.ok(at === 0 || points <= (counted[at - 1] ?? 0) * (1 + 1e-8));
    const [assigned] = await api.rows<{ assignments: number; different: number }>(
      `select count(*)::int as assignments, count(*) filter (where (f.trend, f.views, f.likes) <> (l.trend, l.views,
        l.likes))::int as different
       from content_listing_terms f join content_listings l using (content_id)`,
    );
    assert.deepEqual(assigned, { assignments: 48, different: 0 });
    return scores.filter(({ trend }) => trend > 0).length;
  }

  it('are ordered by recent activity, also in assignments', async () => assert.ok((await isRight()) > 40));

  it('keep their order without new activity, until all of it is a week old', async () => {
    const trending: number[] = [];
    for (let days = 1; days <= 8; days += 1) {
      api.clock.advance(DAY_MS);
      trending.push(await isRight());
    }
    assert.ok((trending[4] ?? 0) > 20);
    assert.deepEqual(trending.slice(-2), [0, 0]);
    assert.deepEqual(await api.rows('select 1 as one from likes_daily where day < $1', [dateOf(today() - 7)]), []);
  });

  it('ignore views from before workers were down for weeks', async () => {
    const [video] = await readScores();
    const watched = { id: video?.id ?? '', day: today(), views: 5, watchMs: 0, likes: 0 };
    all.push(watched);
    const text =
      'insert into content_daily (content_id, channel_id, day, views) select id, channel_id, $2, $3 from contents ' +
      'where id = $1';
    await api.rows(text, [watched.id, dateOf(watched.day), watched.views]);
    assert.equal(await isRight(), 1);
    api.clock.advance(30 * DAY_MS);
    assert.equal(await isRight(), 0);
  });

  it('include watch time without a view, and removed likes', async () => {
    const [one, two] = await readScores();
    const at = dateOf(today());
    const day =
      'insert into content_daily (content_id, channel_id, day, views, watch_ms) select id, channel_id, $2, 1, 0 ' +
      'from contents where id = $1';
    for (const video of [one, two]) await api.rows(day, [video?.id, at]);
    // Not one of before, which may be too old to count.
    await api.rows('delete from likes where content_id = $1 and account_id = $2', [one?.id, people[2]?.accountId]);
    await api.rows('insert into likes (content_id, account_id, created_at) values ($1, $2, $3)', [
      ...[one?.id, people[2]?.accountId, `${at}T00:00:00Z`],
    ]);
    const first = async () => {
      await refreshLists(api.platform);
      return (await readScores())[0]?.id;
    };
    assert.equal(await first(), one?.id);
    await api.rows('update content_daily set watch_ms = 3600000 where content_id = $1 and day = $2', [two?.id, at]);
    assert.equal(await first(), two?.id);
    await api.rows('update content_daily set watch_ms = 3900000 where content_id = $1 and day = $2', [one?.id, at]);
    assert.equal(await first(), one?.id);
    await api.rows('delete from likes where content_id = $1 and account_id = $2', [one?.id, people[2]?.accountId]);
    await api.rows('update content_daily set watch_ms = 0 where content_id = $1', [one?.id]);
    assert.equal(await first(), two?.id);
    await api.rows('delete from content_daily where day = $1', [at]);
  });

  describe('of very many contents', THOROUGH, () => {
    before(async () => {
      await videos('Other', 3_000);
      const others = `contents cross join generate_series(0, 6) d where title like 'Other %'`;
      await api.rows(
        'insert into content_daily (content_id, channel_id, day, views) select id, channel_id, $1::date - d, 1 ' +
          `from ${others}`,
        [dateOf(today())],
      );
      await api.rows(`insert into likes_daily (day, content_id, likes) select $1::date - d, id, 1 from ${others}`, [
        dateOf(today()),
      ]);
      await refreshLists(api.platform);
      await api.rows('analyze');
    });

    /** The maximum number of rows that a statement of `work` reads from a table, by explaining each. */
    async function mostRead(work: (db: Database) => Promise<unknown>): Promise<Map<string, number>> {
      const most = new Map<string, number>();
      const explain = async ({ statement, values }: Call) => {
        const plan = await api.platform.db.run(
          sql('explained', `explain (analyze, format json) ${statement.text}`),
          values,
        );
        const scans = JSON.stringify(plan).matchAll(
          /"Relation Name":"(\w+)".*?"Actual Rows":([\d.]+),"Actual Loops":(\d+)/g,
        );
        for (const [, table = '', rows, loops] of scans)
          most.set(table, Math.max(most.get(table) ?? 0, Number(rows) * Number(loops)));
      };
      const sent: Call[] = [];
      await api.platform.db.transaction((tx) => {
        const watched: typeof tx = {
          ...tx,
          run: (statement, values) => {
            sent.push({ statement, values });
            return tx.run(statement, values);
          },
          first: (statement, values) => {
            sent.push({ statement, values });
            return tx.first(statement, values);
          },
        };
        return work({ ...api.platform.db, ...watched, transaction: (inner) => inner(watched) });
      });
      for (const call of sent) await explain(call);
      return most;
    }

    it('read only the days of changed contents', async () => {
      await api.rows(`insert into stats_dirty_queue (id) select id from contents where title like 'Other 12_'`);
      const most = await mostRead((db) => refreshStats(db, dateOf(today())));
      for (const [table, rows] of [
        ['content_daily', 70] as const,
        ['likes_daily', 70] as const,
        ['content_listings', 10] as const,
      ])
        assert.equal(most.get(table), rows, table);
    });

    it('decay in bounded batches, each continuing after the last', async () => {
      api.clock.advance(20 * DAY_MS);
      const most = await mostRead((db) => noteSomeFaded(db, dateOf(today())));
      for (const table of ['content_daily', 'likes_daily'])
        assert.ok((most.get(table) ?? 0) <= 501, `${table}: ${most.get(table)}`);
      await refreshLists(api.platform);
      assert.deepEqual(new Set((await readScores()).map(({ trend }) => trend)), new Set([0]));
      assert.deepEqual(await api.rows('select 1 as one from likes_daily'), []);
    });
  });
});
