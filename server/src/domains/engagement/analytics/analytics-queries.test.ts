import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Person } from '../../catalog/testing.ts';
import type { TestEngagement } from '../testing.ts';
import { openVisitedChannel, readAnalytics, setTimeZone } from './visited-channel.fixture.ts';

let fixture: TestEngagement;
let clips: string[];
before(async () => {
  ({ fixture, clips } = await openVisitedChannel());
});
after(() => fixture.catalog.close());

const analytics = (selection: string, variables?: Record<string, unknown>) =>
  readAnalytics(fixture, selection, variables);

describe('analytics', () => {
  it('of an empty channel are zeros and nulls', async () => {
    const empty = await fixture.catalog.person('empty');
    const query = `query ($id: DID!) { channel(id: $id) { analytics {
      overview(range: LAST_7D) { views { value deltaVsPrevious deltaPct } impressions { value } clickThroughRate { value
        } }
      audience { countries { key } } subscribers { net } comments: commentCounts { total }
      timeseries(metric: WATCH_MINUTES, range: LAST_7D) { points { value } }
      videos: contents { totalCount edges { cursor } } } }
        }`;
    const { analytics: started } = (await fixture.catalog.ok(empty, query, { id: empty.channel })).channel;
    assert.deepEqual([started.overview.impressions.value, started.overview.clickThroughRate], [0, null]);
    assert.deepEqual(
      [
        started.overview.views.value,
        started.overview.views.deltaPct,
        started.audience.countries,
        started.subscribers.net,
        started.comments.total,
      ],
      [0, null, [], 0, 0],
    );
    assert.deepEqual(started.timeseries.points, Array(7).fill({ value: 0 }));
    assert.deepEqual(started.videos, { totalCount: 0, edges: [] });
  });

  it('require membership', async () => {
    const { catalog, owner } = fixture;
    const query = 'query ($id: DID!) { channel(id: $id) { analytics { overview { views { value } } } } }';
    const read = async (who: Person) =>
      (await catalog.ok(who, query, { id: owner.channel })).channel.analytics !== null;
    const [stranger, member] = [await catalog.person('stranger'), await catalog.person('member')];
    await catalog.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'VIEWER')`, [
      owner.channelId,
      member.accountId,
    ]);
    assert.deepEqual([await read(stranger), await read(member), await read(owner)], [false, true, true]);
    const lapsed = await catalog.person('lapsed-one');
    await catalog.rows(`update subscriptions set state = 'EXPIRED', access_until = '-infinity' where account_id = $1`, [
      lapsed.accountId,
    ]);
    assert.equal((await catalog.refused(lapsed, query, { id: owner.channel })).code, 'UNAUTHORIZED');
    assert.equal((await catalog.refused(null, query, { id: owner.channel })).code, 'UNAUTHENTICATED');
  });

  it('page through contents in both directions, and refuse cursors of another order', async () => {
    await setTimeZone(fixture, 'UTC');
    const page = (args: string) =>
      `videos: contents(${args}, range: LAST_90D) { pageInfo { hasNextPage hasPreviousPage ` +
      'startCursor endCursor } edges { node { content { id } } } }';
    const ids = ({ videos }: { videos: { edges: { node: { content: { id: string } } }[] } }) =>
      videos.edges.map(({ node }) => node.content.id);
    const all = ids(await analytics(page('first: 10')));
    const first = await analytics(page('first: 2'));
    const second = await analytics(page(`first: 2, after: "${first.videos.pageInfo.endCursor}"`));
    assert.deepEqual([...ids(first), ...ids(second)], all);
    assert.deepEqual(
      ids(await analytics(page(`last: 2, before: "${second.videos.pageInfo.startCursor}"`))),
      all.slice(0, 2),
    );
    const query =
      'query ($id: DID!) { channel(id: $id) { analytics ' +
      `{ ${page(`first: 2, sort: WATCH_MINUTES, after: "${first.videos.pageInfo.endCursor}"`)} } } }`;
    const { code, field } = await fixture.catalog.refused(fixture.owner, query, { id: fixture.owner.channel });
    assert.deepEqual([code, field], ['INVALID_INPUT', 'after']);
  });

  it('take one statement for any selection', async () => {
    const everything = `overview { views { value } } audience { countries { key } }
      timeseries(metric: VIEWS) { points { value } }
      subscribers { net } comments: commentCounts { total }
      videos: contents { totalCount edges { node { views content { id metadata { title } } } } }
      video: content(id: $contentLrn) { retention { plays } quality { plays } }`;
    await analytics(everything, { contentLrn: clips[0] });
    const { roundTrips, statements } = await fixture.catalog.counted(() =>
      analytics(everything, { contentLrn: clips[0] }),
    );
    assert.deepEqual({ roundTrips, statements }, { roundTrips: 1, statements: 1 });
  });

  const refusals: [string, string, string][] = [
    ['range: CUSTOM', 'FIELD_REQUIRED', 'from'],
    ['range: CUSTOM, from: "2026-10-01T00:00:00Z"', 'FIELD_REQUIRED', 'to'],
    ['range: CUSTOM, from: "2026-10-02T00:00:00Z", to: "2026-10-01T00:00:00Z"', 'INVALID_INPUT', 'to'],
    ['range: CUSTOM, from: "2020-10-02T00:00:00Z", to: "2026-10-01T00:00:00Z"', 'INVALID_INPUT', 'to'],
    ['range: LAST_7D, from: "2026-10-02T00:00:00Z"', 'INVALID_INPUT', 'from'],
    ['range: LAST_28D, from: "2026-10-01", to: "2026-10-02"', 'INVALID_INPUT', 'from'],
    ['from: "2026-10-02T00:00:00Z"', 'FIELD_REQUIRED', 'to'],
    ['to: "2026-10-02T00:00:00Z"', 'FIELD_REQUIRED', 'from'],
  ];
  for (const [args, code, field] of refusals) {
    it(`refuse ${args}`, async () => {
      const query = `query ($id: DID!) { channel(id: $id) { analytics { overview(${args}) { views { value } } } } }`;
      const error = await fixture.catalog.refused(fixture.owner, query, { id: fixture.owner.channel });
      assert.deepEqual([error.code, error.field], [code, field]);
    });
  }
});
