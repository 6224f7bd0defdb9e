import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '../../catalog/testing.ts';
import { ROBOT } from '../testing.ts';
import { browser, openTestedContents, type TestedContents } from './content-tests.fixture.ts';

const VIEWERS = 240;

describe('cards of a content with a running test', () => {
  let tests: TestedContents;
  let video: string;
  let poster: string;
  let other: string;
  before(async () => {
    tests = await openTestedContents();
    video = await tests.video();
    poster = await tests.image(video, 'POSTER');
    other = await tests.image(video);
    await tests.start(video, [{ title: 'Second' }, { title: 'Third', imageId: other }]);
  });
  after(() => tests.catalog.close());

  it('show each viewer one variant, always the same, and each variant to the same share', async () => {
    const { variants } = await tests.test(video);
    const byId = new Map(
      variants.edges.map(({ node }: { node: { id: string; label: string } }) => [node.id, node.label]),
    );
    const shown: Record<string, number> = {};
    for (let index = 0; index < VIEWERS; index += 1) {
      const card = await tests.card(video, browser(index));
      const key = `${byId.get(card.variant ?? '')}: ${card.title}, ${card.image?.id === other ? 'other' : 'poster'}`;
      shown[key] = (shown[key] ?? 0) + 1;
      if (index % 20 > 0) continue;
      assert.deepEqual(await tests.card(video, browser(index)), card);
      assert.deepEqual(await tests.listed(video, browser(index)), card);
    }
    assert.deepEqual(Object.keys(shown).sort(), ['A: A video, poster', 'B: Second, poster', 'C: Third, other']);
    // 80 each; five standard deviations are 37.
    for (const count of Object.values(shown)) assert.ok(Math.abs(count - VIEWERS / 3) < 37, JSON.stringify(shown));
  });

  it('show an account the same variant on every device', async () => {
    const account = await tests.catalog.person('traveller');
    const first = await tests.card(video, { account, address: '203.0.113.1' });
    assert.ok(first.variant);
    assert.deepEqual(await tests.card(video, { account, address: '198.51.100.7', userAgent: 'Other/1' }), first);
  });

  it('show the content as it is to members, robots and viewers who opt out of tracking', async () => {
    const careful = await tests.catalog.person('careful');
    await tests.catalog.ok(
      careful,
      'mutation { updateSettings(input: { doNotTrack: true }) { settings { doNotTrack } } }',
    );
    const original = { title: 'A video', image: { id: poster }, variant: null };
    for (let index = 0; index < 12; index += 1) {
      const { address = '' } = browser(index);
      for (const viewer of [
        { account: tests.owner, address },
        { account: careful, address },
        { address, userAgent: ROBOT },
        { address, doNotTrack: true },
        { address: '' },
      ]) {
        assert.deepEqual(await tests.card(video, viewer), original);
      }
    }
  });

  it('are the same in the public type of each kind', async () => {
    const account = await tests.catalog.person('reader');
    const query = 'query ($id: DID!) { feature(id: $id) { card { title image { id } variant } metadata { title } } }';
    const { feature } = await tests.catalog.ok(account, query, { id: video });
    assert.deepEqual(feature.card, await tests.card(video, { account }));
    assert.equal(feature.metadata.title, 'A video');
  });

  it('show the THUMBNAIL, or else the POSTER, without a test', async () => {
    const plain = await tests.video();
    assert.deepEqual(await tests.card(plain, browser(1)), { title: 'A video', image: null, variant: null });
    await tests.image(plain, 'BANNER');
    const image = await tests.image(plain, 'THUMBNAIL');
    await tests.image(plain, 'POSTER');
    assert.deepEqual(await tests.card(plain, browser(1)), { title: 'A video', image: { id: image }, variant: null });
  });

  it('assign viewers by a hash of the test and the viewer', async () => {
    const test = '01a1fbd9-f9ef-7000-a2d5-0118192635b4';
    const position = async (viewer: string | null, count: number) => {
      const { place } = await tests.catalog.row<{ place: number | null }>(
        'select content_test_position($1, $2, $3) as place',
        [test, viewer, count],
      );
      return place;
    };
    // Computed by Python: the first four bytes of SHA-256 over both UUIDs.
    assert.equal(await position('11111111-1111-4111-8111-111111111111', 2), 1);
    assert.equal(await position('22222222-2222-4222-8222-222222222222', 3), 0);
    assert.equal(await position('33333333-3333-4333-8333-333333333333', 3), 1);
    assert.equal(await position(null, 2), null);
  });

  it('take no further statements, and look for no test without one', async () => {
    const account = await tests.catalog.person('counter');
    const query = 'query ($id: DID!) { content(id: $id) { card { title variant } } }';
    const plain = await tests.video();
    for (const id of [plain, video]) {
      const { statements } = await tests.catalog.counted(() => tests.catalog.ok(account, query, { id }));
      assert.equal(statements, 1);
    }
    const flags = await tests.catalog.rows<{ id: string }>('select id from contents where has_running_test');
    assert.deepEqual(flags, [{ id: uuidOf(video) }]);
  });
});
