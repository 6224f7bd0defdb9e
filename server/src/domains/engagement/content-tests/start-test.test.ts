import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatDid } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { openTestedContents, START, type TestedContents } from './content-tests.fixture.ts';

const STOP = 'mutation ($id: DID!) { stopContentTest(id: $id) { test { id state } } }';
const APPLY =
  'mutation ($id: DID!, $variant: DID!) { applyContentTestVariant(id: $id, input: { variant: $variant }) ' +
  '{ content { id } } }';

describe('a test of titles and images', () => {
  let tests: TestedContents;
  let stranger: Person;
  before(async () => {
    tests = await openTestedContents();
    stranger = await tests.catalog.person('stranger');
  });
  after(() => tests.catalog.close());

  const input = (variants: readonly object[], more: object = {}) => ({ variants, applyWinner: true, ...more });
  const someDid = (kind: Parameters<typeof formatDid>[1]) =>
    formatDid(tests.catalog.platform.config.DID_NAMESPACE, kind, newId());

  it('starts with the content as it is as variant A', async () => {
    const video = await tests.video();
    const poster = await tests.image(video, 'POSTER');
    const other = await tests.image(video);
    const { test: startContentTest } = (
      await tests.catalog.ok(tests.owner, START, {
        id: video,
        input: input([{ title: '  Another title ' }, { imageId: other }], { minDays: 2, maxDays: 9 }),
      })
    ).startContentTest;
    const test = await tests.test(video);
    assert.equal(test.id, startContentTest.id);
    const { variants, startedAt, ...rest } = test;
    assert.equal(startedAt, new Date(tests.catalog.clock.now()).toISOString());
    assert.deepEqual(rest, {
      ...{ id: startContentTest.id, state: 'RUNNING', endReason: null, applyWinner: true, minDays: 2, maxDays: 9 },
      ...{ endedAt: null, appliedAt: null, winner: null, applied: null },
      explanation: 'Running; no clicks yet.',
    });
    assert.equal(variants.totalCount, 3);
    assert.deepEqual(
      variants.edges.map(({ node: { id: _, ...node } }: { node: { id: string } }) => node),
      [
        { label: 'A', title: 'A video', image: { id: poster }, liftLow: null, chanceToBeBest: 0.333 },
        { label: 'B', title: 'Another title', image: { id: poster }, liftLow: -1, chanceToBeBest: 0.333 },
        { label: 'C', title: 'A video', image: { id: other }, liftLow: -1, chanceToBeBest: 0.333 },
      ].map((variant) => ({
        ...variant,
        ...{ impressions: 0, clicks: 0, clickThroughRate: null, viewersClicked: 0, lift: null, liftHigh: null },
        chanceToBeBest: 1 / 3,
      })),
    );
  });

  it('takes one day at least and 14 at most by default', async () => {
    const days = async (more: object) => {
      const video = await tests.video();
      await tests.start(video, [{ title: 'B' }], more);
      const { minDays, maxDays } = await tests.test(video);
      return [minDays, maxDays];
    };
    assert.deepEqual(await days({}), [1, 14]);
    assert.deepEqual(await days({ minDays: 20 }), [20, 20]);
    assert.deepEqual(await days({ maxDays: 1 }), [1, 1]);
    assert.deepEqual(await days({ minDays: 30, maxDays: 30 }), [30, 30]);
  });

  it('is refused for input that compares nothing, and changes nothing', async () => {
    const video = await tests.video();
    await tests.image(video, 'POSTER');
    const [poster, other] = [await tests.image(video, 'POSTER'), await tests.image(video)];
    const foreign = await tests.image(await tests.video());
    const before = await tests.stored(video);
    const cases: readonly (readonly [object, string, string])[] = [
      [input([]), 'INVALID_INPUT', 'input.variants'],
      [input([{ title: 'B' }, { title: 'C' }, { title: 'D' }]), 'INVALID_INPUT', 'input.variants'],
      [input([{}]), 'FIELD_REQUIRED', 'input.variants.0'],
      [input([{ title: 'B' }, { title: null, imageId: null }]), 'FIELD_REQUIRED', 'input.variants.1'],
      [input([{ title: ' ' }]), 'FIELD_REQUIRED', 'input.variants.0.title'],
      [input([{ title: 'B'.repeat(201) }]), 'INVALID_INPUT', 'input.variants.0.title'],
      [input([{ title: 'A video' }]), 'INVALID_INPUT', 'input.variants.0'],
      [input([{ imageId: poster }]), 'INVALID_INPUT', 'input.variants.0'],
      [input([{ title: 'B' }, { imageId: poster, title: 'A video' }]), 'INVALID_INPUT', 'input.variants.1'],
      [input([{ imageId: other }, { imageId: other }]), 'INVALID_INPUT', 'input.variants.1'],
      [input([{ title: 'B' }, { imageId: foreign }]), 'RESOURCE_NOT_FOUND', 'input.variants.1.imageId'],
      [input([{ imageId: someDid('imageAsset') }]), 'RESOURCE_NOT_FOUND', 'input.variants.0.imageId'],
      [input([{ imageId: someDid('videoAsset') }]), 'INVALID_INPUT', 'input.variants.0.imageId'],
      [input([{ title: 'B' }], { maxDays: 0 }), 'INVALID_INPUT', 'input.maxDays'],
      [input([{ title: 'B' }], { maxDays: 31 }), 'INVALID_INPUT', 'input.maxDays'],
      [input([{ title: 'B' }], { minDays: 0 }), 'INVALID_INPUT', 'input.minDays'],
      [input([{ title: 'B' }], { minDays: 8, maxDays: 7 }), 'INVALID_INPUT', 'input.minDays'],
      [input([{ title: 'B' }], { minDays: 31 }), 'INVALID_INPUT', 'input.maxDays'],
    ];
    for (const [wrong, code, field] of cases) {
      const refused = await tests.catalog.refused(tests.owner, START, { id: video, input: wrong });
      assert.deepEqual([refused.code, refused.field], [code, field], JSON.stringify(wrong));
    }
    assert.deepEqual(await tests.stored(video), before);
  });

  it('needs a published, public content of the account, without another running test', async () => {
    const draft = await tests.catalog.content(tests.owner);
    const unlisted = await tests.catalog.content(tests.owner, { status: 'PUBLISHED', visibility: 'UNLISTED' });
    const tested = await tests.video();
    await tests.start(tested, [{ title: 'B' }]);
    const cases: readonly (readonly [Person, string, string])[] = [
      [tests.owner, draft, 'INVALID_INPUT'],
      [tests.owner, unlisted, 'INVALID_INPUT'],
      [tests.owner, tested, 'RESOURCE_ALREADY_EXISTS'],
      [stranger, tested, 'UNAUTHORIZED'],
      [stranger, draft, 'RESOURCE_NOT_FOUND'],
      [tests.owner, someDid('feature'), 'RESOURCE_NOT_FOUND'],
    ];
    for (const [who, id, code] of cases) {
      const before = await tests.stored(id);
      const refused = await tests.catalog.refused(who, START, { id, input: input([{ title: 'C' }]) });
      assert.deepEqual([refused.code, refused.field], [code, 'id']);
      assert.deepEqual(await tests.stored(id), before);
    }
    assert.equal((await tests.test(tested)).state, 'RUNNING');
    assert.equal(await tests.test(tested, stranger), null);
  });

  it('can be stopped, and another one started', async () => {
    const video = await tests.video();
    await tests.start(video, [{ title: 'B' }]);
    const refused = await tests.catalog.refused(stranger, STOP, { id: video });
    assert.equal(refused.code, 'UNAUTHORIZED');
    const { test: stopContentTest } = (await tests.catalog.ok(tests.owner, STOP, { id: video })).stopContentTest;
    assert.equal(stopContentTest.state, 'STOPPED');
    const { state, endReason, explanation, endedAt } = await tests.test(video);
    assert.deepEqual([state, endReason], ['STOPPED', 'STOPPED_BY_MEMBER']);
    assert.equal(explanation, 'Stopped by a member of the channel (0 viewers clicked).');
    assert.equal(endedAt, new Date(tests.catalog.clock.now()).toISOString());
    const again = await tests.catalog.refused(tests.owner, STOP, { id: video });
    assert.deepEqual([again.code, again.field], ['RESOURCE_NOT_FOUND', 'id']);
    tests.catalog.clock.advance(1_000);
    await tests.start(video, [{ title: 'C' }]);
    const { content } = await tests.catalog.ok(
      tests.owner,
      'query ($id: DID!) { content(id: $id) { tests { totalCount edges { node { state } } } } }',
      { id: video },
    );
    assert.deepEqual(content.tests, {
      totalCount: 2,
      edges: [{ node: { state: 'RUNNING' } }, { node: { state: 'STOPPED' } }],
    });
  });

  it('is stopped by applying a variant, also one of an earlier test', async () => {
    const video = await tests.video();
    await tests.image(video, 'POSTER');
    const other = await tests.image(video);
    await tests.start(video, [{ title: 'Better', imageId: other }]);
    const [, second] = (await tests.test(video)).variants.edges;
    await tests.catalog.ok(tests.owner, APPLY, { id: video, variant: second.node.id });
    const ended = await tests.test(video);
    assert.deepEqual([ended.state, ended.applied, ended.winner], ['STOPPED', { label: 'B' }, null]);
    assert.equal(ended.appliedAt, new Date(tests.catalog.clock.now()).toISOString());
    const { content } = await tests.catalog.ok(
      tests.owner,
      'query ($id: DID!) { content(id: $id) { metadata { title } card { title image { id purpose } variant } } }',
      { id: video },
    );
    assert.deepEqual(content, {
      metadata: { title: 'Better' },
      card: { title: 'Better', image: { id: other, purpose: 'POSTER' }, variant: null },
    });
    tests.catalog.clock.advance(1_000);
    const [first] = ended.variants.edges;
    await tests.catalog.ok(tests.owner, APPLY, { id: video, variant: first.node.id });
    assert.deepEqual((await tests.test(video)).applied, { label: 'A' });
    const { title } = await tests.catalog.row<{ title: string }>('select title from contents where id = $1', [
      uuidOf(video),
    ]);
    assert.equal(title, 'A video');
  });

  it('refuses variants of other contents, and of images that are gone, and changes nothing', async () => {
    const [video, another] = [await tests.video(), await tests.video()];
    const banner = await tests.image(video, 'BANNER');
    await tests.start(video, [{ title: 'B', imageId: banner }]);
    await tests.start(another, [{ title: 'B' }]);
    const [, foreign] = (await tests.test(another)).variants.edges;
    const [, own] = (await tests.test(video)).variants.edges;
    await tests.catalog.ok(tests.owner, STOP, { id: video });
    await tests.catalog.rows('delete from image_assets where id = $1', [uuidOf(banner)]);
    const before = await tests.stored(video);
    for (const variant of [foreign.node.id, own.node.id, someDid('contentTestVariant')]) {
      const refused = await tests.catalog.refused(tests.owner, APPLY, { id: video, variant });
      assert.deepEqual([refused.code, refused.field], ['RESOURCE_NOT_FOUND', 'input.variant']);
    }
    const refused = await tests.catalog.refused(stranger, APPLY, { id: video, variant: own.node.id });
    assert.deepEqual([refused.code, refused.field], ['UNAUTHORIZED', 'id']);
    assert.deepEqual(await tests.stored(video), before);
  });
});
