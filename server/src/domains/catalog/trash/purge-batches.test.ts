import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { purgeBatch } from './purge-contents.ts';
import { clearDueContents, purgeDueContents } from './trash.store.ts';

const DELETE = 'mutation ($id: DID!) { deleteContent(id: $id) { id } }';
const DAY_MS = 86_400_000;

describe('comments and likes of a content in the trash', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  it('are deleted in batches, replies before comments, once the content is due', async () => {
    const [video, kept] = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED' }),
    ];
    const { platform, clock } = api;
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, parent_id, root_id, depth, body, likes_count,
        status, created_at)
       select uuidv7(make_interval(secs => n)), c.id, c.channel_id, $1, null, null, 0, 'Nice', 0, 'PUBLISHED',
         now() + make_interval(secs => n)
       from contents c cross join generate_series(1, 4) n where c.id = any($2::uuid[])`,
      [anna.accountId, [video, kept].map(uuidOf)],
    );
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, parent_id, root_id, depth, body, likes_count,
        status, created_at)
       select uuidv7(make_interval(secs => 60)), content_id, channel_id, account_id, id, id, 1, 'Indeed', 0,
         'PUBLISHED', created_at + interval '1 minute'
       from comments where content_id = $1`,
      [uuidOf(video)],
    );
    await api.rows(
      'insert into likes (content_id, account_id, created_at) select c, a, now() from unnest($1::uuid[]) c, ' +
        'unnest($2::uuid[]) a',
      [[video, kept].map(uuidOf), [anna.accountId, bert.accountId]],
    );
    await api.rows(
      'insert into content_daily (content_id, channel_id, day) select $1, $2, current_date - d ' +
        'from generate_series(0, 4) d',
      [uuidOf(video), anna.channelId],
    );
    const left = async (id: string) =>
      Object.values(
        await api.row<Record<string, number>>(
          `select (select count(*)::int from comments where content_id = $1) as comments, (select count(*)::int
            from likes where content_id = $1) as likes,
             (select count(*)::int from content_daily where content_id = $1) as days`,
          [uuidOf(id)],
        ),
      );
    await api.ok(anna, DELETE, { id: video });
    const clear = () => clearDueContents(platform.db, clock.now(), { limit: 20 }, 3);
    assert.equal(await clear(), false);
    clock.advance(31 * DAY_MS);
    const batches = [await left(video)];
    while (await clear()) batches.push(await left(video));
    const expected = [
      [8, 2, 5],
      [5, 2, 5],
      [2, 2, 5],
      [0, 2, 5],
      [0, 0, 5],
      [0, 0, 2],
      [0, 0, 0],
    ];
    assert.deepEqual(batches, expected);
    assert.ok((await purgeDueContents(platform.db, clock.now(), { limit: 20 })).includes(uuidOf(video)));
    assert.deepEqual(await left(kept), [4, 2, 0]);
    const counts = await api.row(
      `select counter_value('content:comments', $1) as comments, counter_value('content:likes', $1) as likes`,
      [uuidOf(kept)],
    );
    assert.deepEqual(counts, { comments: 4, likes: 2 });
  });

  it('are deleted immediately when the content is purged, which stays hidden and cannot be restored', async () => {
    const video = await api.content(anna, { status: 'PUBLISHED' });
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, depth, body, likes_count, status, created_at)
       select uuidv7(), id, channel_id, $1, 0, 'Nice', 0, 'PUBLISHED', now() from contents cross join generate_series(1,
         2100) where id = $2`,
      [anna.accountId, uuidOf(video)],
    );
    await api.ok(anna, DELETE, { id: video });
    const PURGE = 'mutation ($id: DID!) { purgeContent(id: $id) { id } }';
    const { result, statements } = await api.counted(() => api.ok(anna, PURGE, { id: video }));
    assert.deepEqual(result.purgeContent, { id: video });
    assert.ok(statements > 3, `${statements} statements: 2,000 comments are one batch`);
    const RESTORE = 'mutation ($id: DID!) { restoreContent(id: $id) { content { id } } }';
    for (const document of [PURGE, RESTORE])
      assert.equal((await api.refused(anna, document, { id: video })).code, 'RESOURCE_NOT_FOUND');
    // Workers delete what is left when the caller's wait ends.
    while ((await purgeBatch({ db: api.platform.db, clock: api.clock }, { limit: 20 })) === null);
    const events = await api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [
      uuidOf(video),
    ]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['content.deleted', 'content.purged'],
    );
  });
});
