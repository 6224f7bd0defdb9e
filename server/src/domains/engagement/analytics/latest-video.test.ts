import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '../../catalog/testing.ts';
import { openTestEngagement, type TestEngagement } from '../testing.ts';

const HOUR_MS = 3_600_000;
const DASHBOARD = `query ($channel: DID!) { channelDashboard(input: { channel: $channel }) {
  latestVideo { content { id } performance { hours views usualViews rank comparedVideos } } } }`;

let fixture: TestEngagement;
before(async () => {
  fixture = await openTestEngagement();
});
after(() => fixture.catalog.close());

const latest = async () => {
  const { catalog, owner } = fixture;
  return (await catalog.ok(owner, DASHBOARD, { channel: owner.channel })).channelDashboard.latestVideo;
};

/** A video published some hours ago, with views at these hours after its publication. */
async function video(hoursAgo: number, viewedAt: readonly number[]): Promise<string> {
  const { catalog, owner } = fixture;
  const id = await fixture.video();
  const published = catalog.clock.now() - hoursAgo * HOUR_MS;
  await catalog.rows('update contents set published_at = $2 where id = $1', [
    uuidOf(id),
    new Date(published).toISOString(),
  ]);
  for (const hours of viewedAt) {
    await catalog.rows(
      `insert into content_views (content_id, viewer, at, channel_id, country, device, os, browser)
       values ($1, $2, $3, $4, 'ZZ', 'OTHER', 'Other', 'Other')`,
      [uuidOf(id), randomUUID(), new Date(published + hours * HOUR_MS).toISOString(), owner.channelId],
    );
  }
  return id;
}

describe('the latest video in the dashboard', () => {
  it('is null without published videos', async () => {
    await fixture.catalog.content(fixture.owner, { status: 'READY' });
    assert.equal(await latest(), null);
  });

  it('is compared with videos before it at the same age', async () => {
    const first = await video(500, [1, 2, 3, 40]);
    assert.deepEqual(await latest(), {
      content: { id: first },
      performance: { hours: 500, views: 4, usualViews: null, rank: 1, comparedVideos: 1 },
    });
    await video(300, [1, 100]);
    await video(200, [5, 6, 7, 9, 10, 150]);
    const newest = await video(12, [1, 2, 3, 4]);
    // In their first 12 hours the others had 3, 1 and 5 views.
    assert.deepEqual(await latest(), {
      content: { id: newest },
      performance: { hours: 12, views: 4, usualViews: 3, rank: 2, comparedVideos: 4 },
    });
    // Too young to be compared at this age.
    const again = await video(6, []);
    await fixture.catalog.rows('update contents set deleted_at = now() where id = $1', [uuidOf(again)]);
    assert.equal((await latest()).content.id, newest);
  });

  it('counts its first 28 days only', async () => {
    const other = await fixture.catalog.person('other');
    const { catalog } = fixture;
    const old = await fixture.video(600_000, other);
    await catalog.rows(`update contents set published_at = $2 where id = $1`, [
      uuidOf(old),
      new Date(catalog.clock.now() - 1_000 * HOUR_MS).toISOString(),
    ]);
    const { channelDashboard } = await catalog.ok(other, DASHBOARD, { channel: other.channel });
    assert.deepEqual(channelDashboard.latestVideo.performance, {
      hours: 672,
      views: 0,
      usualViews: null,
      rank: 1,
      comparedVideos: 1,
    });
  });
});
