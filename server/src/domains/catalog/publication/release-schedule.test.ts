import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { releaseSchedule } from './release-schedule.ts';

const PUBLISH = 'mutation ($id: DID!, $date: DateTime) { publishContent(id: $id, releaseDate: $date) { status } }';
const EVERY_MS = 5;

describe('release schedule', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  /** A miniseries with an episode, both ready. */
  async function mini(): Promise<{ mini: string; episode: string }> {
    const parent = await api.content(anna, { kind: 'MINISERIES' });
    return { mini: parent, episode: await api.content(anna, { kind: 'EPISODE', parent, number: 1 }) };
  }
  const plan = (id: string, inMs: number) =>
    api.ok(anna, PUBLISH, { id, date: new Date(api.clock.now() + inMs).toISOString() });
  const statuses = async (...ids: string[]) =>
    (
      await api.rows<{ status: string }>('select status from contents where id = any($1) order by created_at', [
        ids.map(uuidOf),
      ])
    ).map(({ status }) => status);
  const seen = async (id: string): Promise<boolean> =>
    (await api.run(bert, 'query ($id: DID!) { content(id: $id) { id } }', { id })).errors.length === 0;
  /** Starts and stops the schedule: one pass. */
  async function look(): Promise<void> {
    const schedule = releaseSchedule(api.platform, EVERY_MS);
    schedule.start();
    await schedule.stop();
  }
  async function until(check: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + 5_000;
    while (!(await check())) {
      assert.ok(performance.now() < end, 'in five seconds');
      await wait(EVERY_MS);
    }
  }

  it('publishes an episode at its date, visible once its series is published too', async () => {
    const ids = await mini();
    await plan(ids.episode, 60_000);
    await plan(ids.mini, 120_000);
    await look();
    assert.deepEqual(await statuses(ids.mini, ids.episode), ['READY', 'READY']);
    api.clock.advance(60_000);
    await look();
    assert.deepEqual([await statuses(ids.mini, ids.episode), await seen(ids.episode)], [['READY', 'PUBLISHED'], false]);
    api.clock.advance(60_000);
    await look();
    assert.deepEqual(
      [await statuses(ids.mini, ids.episode), await seen(ids.mini), await seen(ids.episode)],
      [['PUBLISHED', 'PUBLISHED'], true, true],
    );
  });

  it('leaves a content whose date, as of an import, is older than itself', async () => {
    const { mini: imported, episode } = await mini();
    const date = (id: string, at: string) =>
      api.rows('update contents set release_at = $2 where id = $1', [uuidOf(id), at]);
    await date(imported, '2023-05-06T07:08:09Z');
    await date(episode, new Date(api.clock.now() + 1_000).toISOString());
    api.clock.advance(1_000);
    await look();
    assert.deepEqual(await statuses(imported, episode), ['READY', 'PUBLISHED']);
  });

  it('publishes a container and its children that are due at the same time, with one event each', async () => {
    const serie = await api.content(anna, { kind: 'SERIES' });
    const season = await api.content(anna, { kind: 'SEASON', parent: serie, number: 1 });
    const episode = await api.content(anna, { kind: 'EPISODE', parent: season, number: 1 });
    for (const id of [episode, serie, season]) await plan(id, 60_000);
    api.clock.advance(60_000);
    await Promise.all([look(), look(), look()]);
    assert.equal(await seen(episode), true);
    for (const id of [serie, season, episode]) {
      const events = await api.rows("select 1 from events where subject_id = $1 and type = 'content.published'", [
        uuidOf(id),
      ]);
      assert.equal(events.length, 1, id);
    }
    const { episodes } = await api
      .ok(bert, 'query ($id: DID!) { season(id: $id) { episodes { totalCount } } }', { id: season })
      .then((data) => data.season);
    assert.equal(episodes.totalCount, 1);
  });

  it('catches up after a restart on contents that were due while no worker ran', async () => {
    const [early, late] = [await mini(), await mini()];
    const first = releaseSchedule(api.platform, EVERY_MS);
    first.start();
    await plan(early.mini, 60_000);
    await plan(early.episode, 60_000);
    await plan(late.mini, 180_000);
    await first.stop();
    api.clock.advance(120_000);
    assert.equal(await seen(early.mini), false);
    const second = releaseSchedule(api.platform, EVERY_MS);
    second.start();
    await until(() => seen(early.episode));
    assert.deepEqual(await statuses(late.mini), ['READY']);
    api.clock.advance(60_000);
    await until(() => seen(late.mini));
    await second.stop();
  });

  it('publishes no trashed and no unscheduled contents', async () => {
    const [gone, withdrawn] = [await mini(), await mini()];
    for (const id of [gone.episode, withdrawn.mini]) await plan(id, 60_000);
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: gone.mini });
    await api.ok(anna, 'mutation ($id: DID!) { unpublishContent(id: $id) { id } }', { id: withdrawn.mini });
    api.clock.advance(60_000);
    await look();
    assert.deepEqual(await statuses(gone.episode, withdrawn.mini), ['READY', 'READY']);
  });
});
