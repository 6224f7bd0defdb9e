import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestEngagement } from '../testing.ts';
import { openVisitedChannel, readAnalytics, setTimeZone } from './visited-channel.fixture.ts';

const DAYS = { from: '2026-10-05', to: '2026-10-11' };
const PERIOD = 'range: CUSTOM, from: "2026-10-05", to: "2026-10-11"';
const INSTANTS = 'range: CUSTOM, from: "2026-10-05T00:00:00Z", to: "2026-10-12T00:00:00Z"';

describe('flat analytics', () => {
  let fixture: TestEngagement;
  let clips: string[];
  before(async () => {
    ({ fixture, clips } = await openVisitedChannel());
    await setTimeZone(fixture, 'UTC');
  });
  after(() => fixture.catalog.close());

  const analytics = (selection: string, variables?: Record<string, unknown>) =>
    readAnalytics(fixture, selection, variables);

  it('take days, the last one included, as the instants at which they begin and end', async () => {
    const overview = '{ from to range { start end days } previousRange { start end days } views { value } }';
    const days = (await analytics(`overview(${PERIOD}) ${overview}`)).overview;
    assert.deepEqual(days, (await analytics(`overview(${INSTANTS}) ${overview}`)).overview);
    assert.deepEqual(
      [days.range, days.previousRange],
      [
        { start: DAYS.from, end: DAYS.to, days: 7 },
        { start: '2026-09-28', end: '2026-10-04', days: 7 },
      ],
    );
    assert.ok(days.views.value > 0);
    const query = `query ($id: DID!) { channel(id: $id) { analytics { overview(range: CUSTOM, from: "2026-10-06",
      to: "2026-10-05") { views { value } } } } }`;
    const { code, field } = await fixture.catalog.refused(fixture.owner, query, { id: fixture.owner.channel });
    assert.deepEqual([code, field], ['INVALID_INPUT', 'to']);
  });

  it('take days without a range', async () => {
    const fields = (args: string) => `overview(${args}) { from to views { value } }
      audience(${args}) { totalUniqueViewers { value } } subscribers(${args}) { range { start end } }
      timeseries(metric: VIEWS, ${args}) { points { date value } } videos(${args}) { items { contentLrn views } }
      video(contentLrn: $contentLrn, ${args}) { range { start end } views { value } }`;
    const of = (args: string) => analytics(fields(args), { contentLrn: clips[0] });
    const days = await of(`from: "${DAYS.from}", to: "${DAYS.to}"`);
    assert.deepEqual(days, await of(PERIOD));
    assert.deepEqual(days.video.range, { start: DAYS.from, end: DAYS.to });
    assert.deepEqual(days, await of(`range: null, from: "${DAYS.from}", to: "${DAYS.to}"`));
  });

  it('list contents by pages, with the numbers of the connection', async () => {
    const numbers = 'views watchMinutes uniqueViewers';
    const { contents } = await analytics(`contents(first: 10, ${PERIOD}) { edges { node { id ${numbers} } } }`);
    const expected = contents.edges.map(({ node }: { node: { id: string } }) => node);
    const page = (after: string) =>
      `videos(first: 3, after: ${after}, ${PERIOD}) { nextCursor ` +
      `items { contentLrn ${numbers} topDevice topCountry } }`;
    const first = (await analytics(page('null'))).videos;
    const second = (await analytics(page(`"${first.nextCursor}"`))).videos;
    assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [3, 1, null]);
    const listed = [...first.items, ...second.items];
    assert.deepEqual(
      listed.map(({ contentLrn, topDevice: _, topCountry: __, ...rest }) => ({ id: contentLrn, ...rest })),
      expected,
    );
    for (const { views, topDevice } of listed) assert.equal(topDevice === null, views === 0);
    for (const [args, field] of [
      ['first: 101', 'first'],
      ['first: 0', 'first'],
      ['after: "x"', 'after'],
    ]) {
      const query = `query ($id: DID!) { channel(id: $id) { analytics { videos(${args}) { nextCursor } } } }`;
      const error = await fixture.catalog.refused(fixture.owner, query, { id: fixture.owner.channel });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', field]);
    }
  });

  it('sort contents by their likes and dates', async () => {
    const liked = clips[2] ?? assert.fail('the fixture has four contents');
    await fixture.catalog.ok(fixture.owner, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id: liked });
    const [first, ...others] = (await analytics('videos(sort: LIKES) { items { contentLrn likes } }')).videos.items;
    assert.deepEqual(first, { contentLrn: liked, likes: 1 });
    assert.ok(others.every(({ likes }: { likes: number }) => likes === 0));
  });

  it('tell of one content what the analytics of the content tell', async () => {
    const contentLrn = clips[1];
    const kpis = 'views { value } watchMinutes { value } uniqueViewers { value }';
    const { video, content } = await analytics(
      `video(contentLrn: $contentLrn, ${PERIOD}) { contentLrn durationSeconds ${kpis} dailyViews { date value }
         byDevice { deviceCategory views } }
       content(id: $contentLrn) { overview(${PERIOD}) { ${kpis} }
         timeseries(metric: VIEWS, ${PERIOD}) { points { date value } }
         audience(${PERIOD}) { devices { key views } } }`,
      { contentLrn },
    );
    assert.deepEqual([video.contentLrn, video.durationSeconds], [contentLrn, 600]);
    const { views, watchMinutes, uniqueViewers } = video;
    assert.deepEqual({ views, watchMinutes, uniqueViewers }, content.overview);
    assert.deepEqual(video.dailyViews, content.timeseries.points);
    assert.deepEqual(
      video.dailyViews.map(({ date }: { date: string }) => date),
      ['05', '06', '07', '08', '09', '10', '11'].map((day) => `2026-10-${day}`),
    );
    assert.deepEqual(
      video.byDevice.map(({ deviceCategory: key, views: count }: { deviceCategory: string; views: number }) => ({
        key,
        views: count,
      })),
      content.audience.devices,
    );
    const missing = 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e';
    const nothing = await analytics('video(contentLrn: $contentLrn) { title views { value } }', {
      contentLrn: missing,
    });
    assert.equal(nothing.video, null);
  });

  it('list comments by pages, newest first, and followers by when they followed', async () => {
    const { catalog, owner } = fixture;
    const write = 'mutation ($id: DID!, $body: String!) { createComment(contentId: $id, body: $body) { id } }';
    for (const body of ['one', 'two', 'three']) {
      catalog.clock.advance(60_000);
      await catalog.ok(owner, write, { id: clips[0], body });
    }
    const page = (after: string) =>
      `comments(first: 2, after: ${after}) { nextCursor ` +
      'items { body isReply author { username } contentLrn deepLink } }';
    const first = (await analytics(page('null'))).comments;
    const second = (await analytics(page(`"${first.nextCursor}"`))).comments;
    const bodies = ({ items }: { items: { body: string }[] }) => items.map(({ body }) => body);
    assert.deepEqual([bodies(first), bodies(second)[0]], [['three', 'two'], 'one']);
    const all = (await analytics('comments(first: 100) { nextCursor items { body } }')).comments;
    assert.deepEqual([bodies(all).slice(0, 3), all.nextCursor], [['three', 'two', 'one'], null]);
    const [{ author, contentLrn, isReply, deepLink }] = first.items;
    assert.deepEqual([author, contentLrn, isReply], [{ username: owner.username }, clips[0], false]);
    assert.match(deepLink, /^http:\/\/reelgraph\.test\/w\/[\w-]{11}$/);

    const fan = await catalog.person('a-new-fan');
    await catalog.ok(fan, 'mutation ($id: DID!) { followChannel(channel: $id) { ok } }', { id: owner.channel });
    const { byRecency, byCountry } = (
      await analytics('subscribers { byRecency { today } byCountry { country subscribers } }')
    ).subscribers;
    assert.equal(byRecency.today, 1);
    assert.equal(byCountry.length, 1);
    assert.equal(byCountry[0].country, null);
  });
});
