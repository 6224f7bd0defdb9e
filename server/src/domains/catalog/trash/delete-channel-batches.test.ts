import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clearDeletedChannel } from '../../channels/index.ts';
import { openTestCatalog, type Person, publishedEpisode, type TestCatalog, uuidOf } from '../testing.ts';
import { purgeSchedule } from './purge-schedule.ts';

const CREATE =
  'mutation ($handle: String!) { createChannel(input: { name: "Vesuvius", handle: $handle }) { channel { id } } }';
const DELETE = 'mutation ($id: DID!) { deleteChannel(id: $id) { id } }';
const COUNTED = [
  'contents',
  'playlists',
  'follows',
  'channel_15min',
  'follow_changes',
  'comments',
  'content_daily',
  'ingestions',
];

/** A channel with every kind of data. */
interface World {
  readonly there: Person;
  readonly video: string;
  readonly episode: string;
}

describe('cleanup of a deleted channel', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  async function fixture(handle: string): Promise<World> {
    const { channel } = (await api.ok(anna, CREATE, { handle })).createChannel;
    const there = { ...anna, channel: channel.id, channelId: uuidOf(channel.id) };
    const video = await api.content(there, { status: 'PUBLISHED', title: 'Vesuvius' });
    const { episode } = await publishedEpisode(api, there);
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: await api.content(there) });
    await api.ok(bert, 'mutation ($channel: DID!) { followChannel(channel: $channel) { ok } }', {
      channel: there.channel,
    });
    const { id: playlist } = await api.row<{ id: string }>(
      `insert into playlists (id, channel_id, title) values (gen_random_uuid(), $1, 'Vesuvius') returning id`,
      [there.channelId],
    );
    await api.rows(
      `insert into playlist_items (id, playlist_id, content_id, position) values (gen_random_uuid(), $1, $2, 'a0')`,
      [playlist, uuidOf(video)],
    );
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, depth, body, likes_count, status, created_at)
       select uuidv7(), id, channel_id, $1, 0, 'Nice', 0, 'PUBLISHED', now() from contents cross join generate_series(1,
         7) where id = $2`,
      [bert.accountId, uuidOf(video)],
    );
    await api.rows(
      'insert into content_daily (content_id, channel_id, day) select $1, $2, current_date - d ' +
        'from generate_series(0, 4) d',
      [uuidOf(video), there.channelId],
    );
    await api.rows(
      `insert into channel_15min (channel_id, at) select $1, now() - d * interval '15 minutes' ` +
        'from generate_series(0, 4) d',
      [there.channelId],
    );
    const upload =
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "b.mp4", size: 9, video: { ' +
      'hint: EQUIRECTANGULAR } }) { id } }';
    await api.ok(anna, upload, { id: await api.content(there) });
    return { there, video, episode };
  }

  /** The state after the mutation's first commit, as if the process had stopped then. */
  const stopAfterCommit = ({ there }: World) => api.rows('delete from channels where id = $1', [there.channelId]);
  const left = ({ there }: World) =>
    api.row<Record<string, number>>(
      `select ${COUNTED.map((name) => `(select count(*)::int from ${name} where channel_id = $1) as ${name}`).join()}`,
      [there.channelId],
    );
  const totals = async () => {
    const lists =
      'channels { totalCount } features { totalCount } series { totalCount } playlists { ' +
      'totalCount } search(query: "vesuvius") { totalCount } feed { totalCount }';
    return Object.entries(await api.ok(bert, `{ ${lists} }`)).map(([name, list]) => [
      name,
      (list as { totalCount: number }).totalCount,
    ]);
  };
  const counters = () =>
    api.rows(
      `select scope, key::text, sum(value)::int as n from counters group by 1, 2 having sum(value) <> 0 order by 1, 2`,
    );

  it('leaves nothing visible, searchable or counted after the deletion, and refuses every change', async () => {
    const before = await totals();
    const created = await fixture('at-once');
    assert.notDeepEqual(await totals(), before);
    await stopAfterCommit(created);
    assert.ok(Number((await left(created)).comments) > 0, 'nothing was cleared yet');
    assert.deepEqual(await totals(), before);
    const { there, video, episode } = created;
    for (const who of [anna, bert]) {
      assert.equal((await api.refused(who, '{ channel(handle: "at-once") { id } }')).code, 'RESOURCE_NOT_FOUND');
      for (const id of [video, episode])
        assert.equal(
          (await api.refused(who, 'query ($id: DID!) { content(id: $id) { id } }', { id })).code,
          'RESOURCE_NOT_FOUND',
        );
    }
    const changes: [Person, string, string][] = [
      [anna, DELETE, there.channel],
      [
        anna,
        'mutation ($id: DID!) { updateChannel(id: $id, input: { title: "Etna" }) { channel { id } } }',
        there.channel,
      ],
      [anna, 'mutation ($id: DID!) { createContent(channel: $id, input: { title: "Etna" }) { id } }', there.channel],
      [bert, 'mutation ($id: DID!) { followChannel(channel: $id) { ok } }', there.channel],
      [bert, 'mutation ($id: DID!) { createComment(contentId: $id, body: "Nice") { id } }', video],
      [anna, 'mutation ($id: DID!) { restoreContent(id: $id) { content { id } } }', video],
      [anna, 'mutation ($id: DID!) { publishContent(id: $id) { id } }', video],
    ];
    for (const [who, change, id] of changes)
      assert.equal((await api.refused(who, change, { id })).code, 'RESOURCE_NOT_FOUND', change);
    assert.equal((await left(created)).ingestions, 0, 'uploads have ended');
    const { channel } = (await api.ok(bert, CREATE, { handle: 'at-once' })).createChannel;
    assert.ok(channel.id, 'its handle is free');
    await api.ok(bert, DELETE, { id: channel.id });
    while (await clearDeletedChannel(api.platform.db));
  });

  it('runs in bounded batches, continues after a stop, and leaves exact counters and no rows', async () => {
    const before = await counters();
    const created = await fixture('in-batches');
    await stopAfterCommit(created);
    let earlier = await left(created);
    let batches = 0;
    while (batches < 5 && (await clearDeletedChannel(api.platform.db, null, 3))) {
      const now = await left(created);
      for (const table of COUNTED.filter((table) => table !== 'contents'))
        assert.ok(Number(earlier[table]) - Number(now[table]) <= 3, table);
      [earlier, batches] = [now, batches + 1];
    }
    assert.deepEqual([batches, earlier.comments, earlier.content_daily], [5, 0, 2]);
    const worker = purgeSchedule(api.platform, 10);
    worker.start();
    while ((await api.rows('select 1 from channel_ids where deleted_at is not null')).length > 0)
      await new Promise((done) => setTimeout(done, 20));
    await worker.stop();
    assert.deepEqual(await left(created), Object.fromEntries(COUNTED.map((table) => [table, 0])));
    assert.deepEqual(await counters(), before);
    const orders = await api.rows('select 1 from object_purges where key_prefix = $1', [
      `media/${uuidOf(created.video)}/`,
    ]);
    assert.ok(orders.length > 0);
    assert.deepEqual(
      await api.rows('select type from events where channel_id = $1 and type like $2', [
        created.there.channelId,
        '%.purged',
      ]),
      [],
    );
  });

  it('includes a content that was created concurrently', async () => {
    const created = await fixture('meanwhile');
    await stopAfterCommit(created);
    const late = await api.content(created.there, { status: 'PUBLISHED' });
    while (await clearDeletedChannel(api.platform.db));
    assert.deepEqual(await api.rows('select 1 from contents where id = $1', [uuidOf(late)]), []);
  });
});
