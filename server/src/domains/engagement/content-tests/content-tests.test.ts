import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { until } from '../../../testing/until.ts';
import { uuidOf } from '../../catalog/testing.ts';
import { rebuildRollUps } from '../roll-up/roll-up-events.ts';
import { browser, openTestedContents, type TestedContents, type TestViewer } from './content-tests.fixture.ts';
import { evaluateTests } from './evaluate-tests.ts';

const DAY_MS = 86_400_000;

describe('a running test', () => {
  let tests: TestedContents;
  before(async () => {
    tests = await openTestedContents();
    await tests.catalog.platform.events.start();
  });
  after(async () => {
    await tests.catalog.platform.events.stop();
    await tests.catalog.close();
  });

  const evaluate = () => evaluateTests(tests.catalog.platform);
  const eventsOf = (video: string) =>
    tests.catalog.rows<{ payload: object }>(
      `select payload from events where type = 'content.test_finished' and subject_id = $1 order by id`,
      [uuidOf(video)],
    );
  /** Counts of each variant, as the API returns them. */
  const counts = async (video: string) => {
    await tests.rollUp();
    const { variants } = await tests.test(video);
    return variants.edges.map(({ node }: { node: Record<string, number> }) => [
      node.impressions,
      node.clicks,
      node.viewersClicked,
    ]);
  };
  /** Browsers by the variant that they get. */
  const viewersOf = async (video: string, wanted: number): Promise<Record<string, TestViewer[]>> => {
    const { variants } = await tests.test(video);
    const found: Record<string, TestViewer[]> = { A: [], B: [] };
    for (let index = 0; Object.values(found).some((viewers) => viewers.length < wanted); index += 1) {
      const { variant } = await tests.card(video, browser(index));
      const edge = variants.edges.find(({ node }: { node: { id: string } }) => node.id === variant);
      found[edge.node.label]?.push(browser(index));
    }
    return found;
  };
  /** Lets so many viewers have clicked each variant. */
  const clicked = (video: string, viewers: readonly number[]) =>
    tests.catalog.rows(
      `update content_test_variants v set viewers = ($2::bigint[])[v.position + 1] from content_tests t
       where t.id = v.test_id and t.content_id = $1`,
      [uuidOf(video), viewers],
    );

  it('counts impressions, clicks and viewers of the variant that was shown', async () => {
    const video = await tests.video();
    await tests.start(video, [{ title: 'B' }]);
    const { A = [], B = [] } = await viewersOf(video, 3);
    for (const viewer of A.slice(0, 3)) await tests.show(video, viewer, { follow: false });
    for (const viewer of B.slice(0, 3)) await tests.show(video, viewer, { follow: true });
    // One of them comes back twice, and clicks once more.
    await tests.show(video, B[0] ?? {}, { follow: true });
    await tests.show(video, B[0] ?? {}, { follow: false });
    assert.deepEqual(await counts(video), [
      [3, 0, 0],
      [5, 4, 3],
    ]);
    const { variants } = await tests.test(video);
    assert.deepEqual(
      variants.edges.map(({ node }: { node: { clickThroughRate: number } }) => node.clickThroughRate),
      [0, 0.8],
    );
    for (const limit of [1, 5_000]) {
      await rebuildRollUps(tests.catalog.platform, limit);
      assert.deepEqual(await counts(video), [
        [3, 0, 0],
        [5, 4, 3],
      ]);
    }
  });

  it('counts nothing for a variant that the viewer does not get, and the impression all the same', async () => {
    const [video, other] = [await tests.video(), await tests.video()];
    await tests.start(video, [{ title: 'B' }]);
    await tests.start(other, [{ title: 'B' }]);
    const { A = [], B = [] } = await viewersOf(video, 1);
    const variantOf = async (content: string, viewer: TestViewer = {}) => (await tests.card(content, viewer)).variant;
    const sent = [
      [B[0], await variantOf(video, A[0])],
      [A[0], await variantOf(other, A[0])],
      [A[0], null],
    ] as const;
    for (const [viewer, variant] of sent) {
      const visit = randomUUID();
      const { results } = await tests.track(
        [
          tests.event(video, visit, 0, { kind: 'IMPRESSION', variant }),
          tests.event(video, visit, 1, { kind: 'CLICK', variant }),
        ],
        viewer,
      );
      assert.deepEqual([results[0]?.error, results[1]?.error], [null, null]);
    }
    assert.deepEqual(await counts(video), [
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const sums = await tests.catalog.row(
      'select sum(impressions)::integer as impressions, sum(clicks)::integer as clicks from content_daily ' +
        'where content_id = $1',
      [uuidOf(video)],
    );
    assert.deepEqual({ ...sums }, { impressions: 3, clicks: 3 });
  });

  it('refuses what is no variant', async () => {
    const video = await tests.video();
    for (const variant of ['B', video, 7]) {
      const { results } = await tests.track([tests.event(video, randomUUID(), 0, { kind: 'IMPRESSION', variant })]);
      assert.deepEqual([results[0]?.error?.code, results[0]?.error?.field], ['INVALID_INPUT', 'events[0].variant']);
    }
  });

  it('counts a click whose impression arrives later, once for the viewer', async () => {
    const video = await tests.video();
    await tests.start(video, [{ title: 'B' }]);
    const { B = [] } = await viewersOf(video, 1);
    const viewer = B[0] ?? {};
    const { variant } = await tests.card(video, viewer);
    for (const visit of [randomUUID(), randomUUID()]) {
      await tests.track([tests.event(video, visit, 1, { kind: 'CLICK' })], viewer);
      assert.deepEqual((await counts(video))[0], [0, 0, 0]);
      await tests.track([tests.event(video, visit, 0, { kind: 'IMPRESSION', variant })], viewer);
    }
    assert.deepEqual(await counts(video), [
      [0, 0, 0],
      [2, 2, 1],
    ]);
  });

  it('keeps its numbers when it has ended, and forgets its viewers', async () => {
    const video = await tests.video();
    await tests.start(video, [{ title: 'B' }]);
    const { B = [] } = await viewersOf(video, 2);
    const { variant } = await tests.card(video, B[1] ?? {});
    await tests.show(video, B[0] ?? {}, { follow: true });
    assert.deepEqual((await counts(video))[1], [1, 1, 1]);
    const rows = () =>
      tests.catalog.row<{ kept: number }>(
        `select count(*)::integer as kept from content_test_viewers v join content_tests t on t.id = v.test_id
         where t.content_id = $1`,
        [uuidOf(video)],
      );
    assert.equal((await rows()).kept, 1);
    await tests.catalog.ok(tests.owner, 'mutation ($id: DID!) { stopContentTest(id: $id) { test { id } } }', {
      id: video,
    });
    assert.equal((await rows()).kept, 0);
    assert.equal((await tests.card(video, B[1] ?? {})).variant, null);
    const visit = randomUUID();
    await tests.track([tests.event(video, visit, 0, { kind: 'IMPRESSION', variant })], B[1]);
    assert.deepEqual((await counts(video))[1], [1, 1, 1]);
    await rebuildRollUps(tests.catalog.platform);
    assert.deepEqual((await counts(video))[1], [1, 1, 1]);
  });

  it('is won after minDays at the earliest, and the content gets the winner if that was requested', async () => {
    const video = await tests.video();
    await tests.image(video, 'POSTER');
    const other = await tests.image(video);
    await tests.start(video, [{ title: 'Winner', imageId: other }, { title: 'Third' }], {
      ...{ applyWinner: true, minDays: 2 },
    });
    await clicked(video, [100, 159, 100]);
    tests.catalog.clock.advance(2 * DAY_MS - 1_000);
    await evaluate();
    assert.equal((await tests.test(video)).state, 'RUNNING');
    tests.catalog.clock.advance(1_000);
    await evaluate();
    const won = await tests.test(video);
    assert.deepEqual(
      [won.state, won.endReason, won.winner, won.applied],
      [...['WON', 'WINNER_FOUND'], ...[{ label: 'B' }, { label: 'B' }]],
    );
    assert.equal(won.explanation, 'B is clicked 59 % more often than the original (359 viewers clicked).');
    const { title, image, variant } = await tests.card(video, browser(1));
    assert.deepEqual([title, image?.id, variant], ['Winner', other, null]);
    const [event, ...more] = await eventsOf(video);
    assert.deepEqual(more, []);
    assert.deepEqual(event?.payload, {
      ...{ testId: uuidOf(won.id), state: 'WON', reason: 'WINNER_FOUND' },
      ...{ winnerId: uuidOf(won.variants.edges[1].node.id), applied: true },
    });
  });

  it('leaves the content as it is where the winner is not to be applied, or is the original', async () => {
    for (const [applyWinner, viewers, label] of [
      [false, [100, 151], 'B'],
      [true, [151, 100], 'A'],
    ] as const) {
      const video = await tests.video();
      await tests.start(video, [{ title: 'B' }], { applyWinner });
      await clicked(video, viewers);
      tests.catalog.clock.advance(DAY_MS);
      await evaluate();
      const { state, winner, applied } = await tests.test(video);
      assert.deepEqual([state, winner, applied], ['WON', { label }, null]);
      assert.equal((await tests.card(video, browser(1))).title, 'A video');
    }
  });

  it('ends without a winner after maxDays', async () => {
    const video = await tests.video();
    await tests.start(video, [{ title: 'B' }], { maxDays: 7 });
    await clicked(video, [100, 150]);
    tests.catalog.clock.advance(7 * DAY_MS - 1_000);
    await evaluate();
    assert.equal((await tests.test(video)).state, 'RUNNING');
    tests.catalog.clock.advance(1_000);
    await evaluate();
    const { state, endReason, winner, explanation } = await tests.test(video);
    assert.deepEqual([state, endReason, winner], ['NO_DIFFERENCE', 'TIME_OVER', null]);
    assert.equal(explanation, 'In 7 days no variant was clicked measurably more often (250 viewers clicked).');
    assert.equal((await eventsOf(video)).length, 1);
  });

  it('is stopped when its title or images change, or it is no longer public', THOROUGH, async () => {
    const changes = [
      ['mutation ($id: DID!) { updateContent(id: $id, input: { title: "New" }) { id } }', 'CONTENT_CHANGED'],
      ['mutation ($id: DID!) { unpublishContent(id: $id) { id } }', 'NOT_PUBLIC'],
      ['mutation ($id: DID!) { updateContent(id: $id, input: { visibility: UNLISTED }) { id } }', 'NOT_PUBLIC'],
      ['mutation ($id: DID!) { deleteContent(id: $id) { id } }', 'NOT_PUBLIC'],
    ] as const;
    for (const [mutation, reason] of changes) {
      const video = await tests.video();
      await tests.start(video, [{ title: 'B' }]);
      await tests.catalog.ok(
        tests.owner,
        'mutation ($id: DID!) { updateContent(id: $id, input: { summary: "" }) { id } }',
        {
          id: video,
        },
      );
      await tests.catalog.ok(tests.owner, mutation, { id: video });
      await until(async () => (await eventsOf(video)).length > 0, 'the test ends');
      const ended = await tests.catalog.row(
        'select state, end_reason as reason, (select has_running_test from contents where id = $1) as runs ' +
          'from content_tests where content_id = $1',
        [uuidOf(video)],
      );
      assert.deepEqual({ ...ended }, { state: 'STOPPED', reason, runs: false });
    }
  });

  it('is stopped when its image is replaced, and one that it shows is deleted', async () => {
    const video = await tests.video();
    await tests.image(video, 'POSTER');
    const banner = await tests.image(video, 'BANNER');
    await tests.start(video, [{ imageId: banner }]);
    await evaluate();
    assert.equal((await tests.test(video)).state, 'RUNNING');
    await tests.catalog.rows('delete from image_assets where id = $1', [uuidOf(banner)]);
    await evaluate();
    const { state, endReason } = await tests.test(video);
    assert.deepEqual([state, endReason], ['STOPPED', 'CONTENT_CHANGED']);
    tests.catalog.clock.advance(1_000);
    await tests.start(video, [{ title: 'B' }]);
    await tests.image(video, 'THUMBNAIL');
    await evaluate();
    assert.equal((await tests.test(video)).endReason, 'CONTENT_CHANGED');
  });

  it('is deleted with its content', async () => {
    const video = await tests.video();
    await tests.start(video, [{ title: 'B' }]);
    await tests.catalog.rows('delete from contents where id = $1', [uuidOf(video)]);
    const left = await tests.catalog.rows('select 1 from content_tests where content_id = $1', [uuidOf(video)]);
    assert.deepEqual(left, []);
    await evaluate();
  });
});
