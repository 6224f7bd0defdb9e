import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '../../catalog/testing.ts';
import { openTestEngagement, type TestEngagement } from '../testing.ts';
import { readAnalytics } from './visited-channel.fixture.ts';

const MINUTE_MS = 60_000;
/** A quarter past an hour, in UTC. */
const START = Date.UTC(2026, 10, 10, 12, 15, 30);

let fixture: TestEngagement;
let film: string;
let serie: string;
let season: string;
let episode: string;
let playlist: string;

/** A view of 60 s that ends now. */
async function view(content: string, address: string, source?: string): Promise<void> {
  const session = randomUUID();
  const occurredAt = new Date(fixture.catalog.clock.now() - MINUTE_MS).toISOString();
  await fixture.track(
    [
      fixture.event(content, session, 0, { kind: 'START', occurredAt, ...(source && { source }) }),
      fixture.event(content, session, 1, { ranges: [{ startMs: 0, endMs: 60_000 }], positionMs: 60_000 }),
    ],
    { address },
  );
}

before(async () => {
  fixture = await openTestEngagement();
  const { catalog, owner } = fixture;
  catalog.clock.advance(START - 2 * 60 * MINUTE_MS - catalog.clock.now());
  await catalog.rows(`update channels set time_zone = 'UTC', created_at = $2 where id = $1`, [
    owner.channelId,
    new Date(START - 90 * 86_400_000).toISOString(),
  ]);
  film = await fixture.video();
  serie = await catalog.content(owner, { kind: 'SERIES', status: 'PUBLISHED', title: 'A series' });
  season = await catalog.content(owner, { kind: 'SEASON', status: 'PUBLISHED', parent: serie, number: 1 });
  episode = await catalog.content(owner, { kind: 'EPISODE', status: 'PUBLISHED', parent: season, number: 1 });
  await catalog.rows('update contents set duration_ms = 600000 where id = $1', [uuidOf(episode)]);
  const create = `mutation ($channel: DID!, $contents: [DID!]!) {
    createPlaylistWithItems(input: { title: "Both", channel: $channel, contentIds: $contents }) { playlist { id } } }`;
  const made = await catalog.ok(owner, create, { channel: owner.channel, contents: [film, episode, film] });
  playlist = made.createPlaylistWithItems.playlist.id;
  await view(film, '8.8.8.8', 'SEARCH');
  await view(episode, '8.8.8.8', 'SEARCH');
  catalog.clock.advance(START - catalog.clock.now());
  await view(film, '141.1.1.1', 'HOME');
  await view(film, '192.0.2.7');
  await fixture.rollUp();
});
after(() => fixture.catalog.close());

const analytics = (selection: string) => readAnalytics(fixture, selection);

describe('analytics of parts of a channel', () => {
  it('count views and viewers by where they came from', async () => {
    const { trafficSources, content } = await analytics(
      `trafficSources { source views uniqueViewers share }
       content(id: "${film}") { trafficSources { source views } }`,
    );
    assert.deepEqual(trafficSources, [
      { source: 'SEARCH', views: 2, uniqueViewers: 1, share: 0.5 },
      { source: 'DIRECT', views: 1, uniqueViewers: 1, share: 0.25 },
      { source: 'HOME', views: 1, uniqueViewers: 1, share: 0.25 },
    ]);
    assert.deepEqual(content.trafficSources, [
      { source: 'DIRECT', views: 1 },
      { source: 'HOME', views: 1 },
      { source: 'SEARCH', views: 1 },
    ]);
  });

  it('refuse a source that does not exist', async () => {
    const start = fixture.event(film, randomUUID(), 0, { kind: 'START', source: 'MOON' });
    const { error } = (await fixture.track([start])).results[0] ?? {};
    assert.deepEqual([error?.code, error?.field], ['INVALID_INPUT', 'events[0].source']);
  });

  it('count the last hour by minutes and 48 hours by hours', async () => {
    const { realtime } = await analytics(
      `realtime { lastHourViews minutes { at views } last48HoursViews hours { at views } contents { id title views } }`,
    );
    const { minutes, hours } = realtime;
    assert.deepEqual([realtime.lastHourViews, minutes.length, realtime.last48HoursViews, hours.length], [2, 60, 4, 48]);
    assert.deepEqual(minutes.at(-1), { at: '2026-11-10T12:15:00.000Z', views: 2 });
    assert.deepEqual(hours.slice(-3), [
      { at: '2026-11-10T10:00:00.000Z', views: 2 },
      { at: '2026-11-10T11:00:00.000Z', views: 0 },
      { at: '2026-11-10T12:00:00.000Z', views: 2 },
    ]);
    assert.deepEqual(realtime.contents, [
      { id: film, title: 'A video', views: 3 },
      { id: episode, title: 'A video', views: 1 },
    ]);
  });

  it('sum the episodes of a series, and the videos of a playlist once', async () => {
    const numbers = 'videosCount views watchMinutes';
    const lists = await analytics(
      `series(first: 5) { totalCount edges { node { id content { metadata { title } } ${numbers} } } }
       playlists(first: 5) { totalCount edges { node { id playlist { id } ${numbers} } } }`,
    );
    assert.deepEqual(lists, {
      series: {
        totalCount: 1,
        edges: [
          {
            node: {
              id: serie,
              content: { metadata: { title: 'A series' } },
              videosCount: 1,
              views: 1,
              watchMinutes: 1,
            },
          },
        ],
      },
      playlists: {
        totalCount: 1,
        edges: [{ node: { id: playlist, playlist: { id: playlist }, videosCount: 2, views: 4, watchMinutes: 4 } }],
      },
    });
    const detail = 'overview { views { value } uniqueViewers { value } watchMinutes { value } }';
    const one = await analytics(
      `serie: content(id: "${serie}") { ${detail} } season: content(id: "${season}") { ${detail} }
       playlist(id: "${playlist}") { ${detail} trafficSources { source views }
         timeseries(metric: VIEWS, range: LAST_7D) { points { value } } }`,
    );
    const values = (views: number, viewers: number, minutes: number) => ({
      overview: { views: { value: views }, uniqueViewers: { value: viewers }, watchMinutes: { value: minutes } },
    });
    assert.deepEqual([one.serie, one.season], [values(1, 1, 1), values(1, 1, 1)]);
    assert.deepEqual(one.playlist.overview, values(4, 3, 4).overview);
    assert.deepEqual(one.playlist.timeseries.points.at(-1), { value: 4 });
  });

  it("show nothing of another channel's playlists", async () => {
    const { catalog } = fixture;
    const other = await catalog.person('other');
    const query =
      'query ($id: DID!, $playlist: DID!) { channel(id: $id) { analytics { playlist(id: $playlist) { ' +
      'overview { views { value } } } series { totalCount } playlists { totalCount } } } }';
    assert.deepEqual((await catalog.ok(other, query, { id: other.channel, playlist })).channel.analytics, {
      playlist: null,
      series: { totalCount: 0 },
      playlists: { totalCount: 0 },
    });
  });
});
