import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatDid } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { newId } from '../../../kernel/ids.ts';
import { clearDeletedChannel } from '../../channels/index.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { purgeDueContents } from './trash.store.ts';

const DELETE = 'mutation ($id: DID!) { deleteContent(id: $id) { id } }';
const RESTORE =
  'mutation ($id: DID!) { restoreContent(id: $id) { content { id status publishedAt deletedAt metadata ' +
  '{ releaseDate } } } }';
const PURGE = 'mutation ($id: DID!) { purgeContent(id: $id) { id } }';
const TRASH =
  'query ($id: DID!, $first: Int, $after: String, $last: Int, $before: String) { channel(id: $id) ' +
  '{ trash(first: $first, after: $after, last: $last, before: $before) { totalCount edges { node ' +
  '{ id deletedAt purgeAt } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }';
const DAY_MS = 86_400_000;

describe('the trash', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const eventsOf = async (did: string) =>
    (await api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [uuidOf(did)])).map(
      ({ type }) => type,
    );
  const visible = async (who: Person, id: string) =>
    (await api.run(who, 'query ($id: DID!) { content(id: $id) { id } }', { id })).errors.length === 0;
  const trashOf = async (who: Person, channel: string, page: object = { first: 100 }) =>
    (await api.ok(who, TRASH, { id: channel, ...page })).channel.trash;
  const listed = async (who: Person) =>
    (await trashOf(who, who.channel)).edges.map(({ node }: { node: { id: string } }) => node.id);
  const orders = async (text: string) =>
    (
      await api.rows<{ key_prefix: string }>(
        'select distinct key_prefix from object_purges where key_prefix like $1 order by 1',
        [`%${text}%`],
      )
    ).map((row) => row.key_prefix);

  async function child(owner: Person, kind: ContentKind, parent: string | null): Promise<string> {
    const id = newId<'content'>(api.clock.now());
    await api.rows(
      `insert into contents (id, channel_id, kind, title, status, published_at, parent_id, number)
       values ($1, $2, $3, 'Part', 'PUBLISHED', now(), $4, case when $4::uuid is not null then (select count(*)
         from contents where parent_id = $4) end)`,
      [id, owner.channelId, kind, parent && uuidOf(parent)],
    );
    return formatDid('reelgraph', CONTENT_KINDS[kind].did, id);
  }

  async function join(owner: Person, name: string, role: string): Promise<Person> {
    const person = await api.person(name);
    await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
      owner.channelId,
      person.accountId,
      role,
    ]);
    return person;
  }

  it('restores a published content, in one round trip, and cancels a scheduled release', async () => {
    const open = await api.content(anna, { status: 'PUBLISHED' });
    const planned = await api.content(anna);
    await api.rows(
      `update contents set release_at = now() + interval '1 day', publish_when_ready = true where id = $1`,
      [uuidOf(planned)],
    );
    const before = await api.row('select published_at from contents where id = $1', [uuidOf(open)]);
    for (const id of [open, planned]) await api.ok(anna, DELETE, { id });
    assert.equal(await visible(anna, open), false);
    assert.equal(await visible(bert, open), false);

    const { result, roundTrips, statements } = await api.counted(() => api.ok(anna, RESTORE, { id: open }));
    assert.deepEqual(
      [result.restoreContent.content.status, result.restoreContent.content.deletedAt, roundTrips, statements],
      ['PUBLISHED', null, 1, 1],
    );
    assert.deepEqual(await api.row('select published_at from contents where id = $1', [uuidOf(open)]), before);
    assert.equal(await visible(bert, open), true);
    const { content } = (await api.ok(anna, RESTORE, { id: planned })).restoreContent;
    assert.deepEqual([content.status, content.metadata.releaseDate], ['READY', null]);
    assert.deepEqual(await eventsOf(open), ['content.deleted', 'content.restored']);
    await api.ok(anna, RESTORE, { id: open });
    assert.deepEqual(await eventsOf(open), ['content.deleted', 'content.restored'], 'it is idempotent');
  });

  it('lists deleted contents, newest first, in both directions, with an exact count, in one statement', async () => {
    const carl = await api.person('carl');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const id = await api.content(carl);
      api.clock.advance(1_000);
      await api.ok(carl, DELETE, { id });
      ids.unshift(id);
    }
    const { result, statements } = await api.counted(() => trashOf(carl, carl.channel, { first: 3 }));
    assert.equal(statements, 1);
    const idsOf = (page: { edges: { node: { id: string } }[] }) => page.edges.map(({ node }) => node.id);
    assert.deepEqual([result.totalCount, idsOf(result), result.pageInfo.hasNextPage], [5, ids.slice(0, 3), true]);
    const { deletedAt, purgeAt } = result.edges[0].node;
    assert.equal(Date.parse(purgeAt) - Date.parse(deletedAt), 30 * DAY_MS);
    const next = await trashOf(carl, carl.channel, { first: 3, after: result.pageInfo.endCursor });
    assert.deepEqual([idsOf(next), next.pageInfo.hasNextPage], [ids.slice(3), false]);
    const back = await trashOf(carl, carl.channel, { last: 2, before: next.pageInfo.startCursor });
    assert.deepEqual([idsOf(back), back.pageInfo.hasPreviousPage], [ids.slice(1, 3), true]);
    await api.ok(carl, RESTORE, { id: ids[0] });
    await api.ok(carl, PURGE, { id: ids[1] });
    assert.deepEqual([await listed(carl), (await trashOf(carl, carl.channel)).totalCount], [ids.slice(2), 3]);
  });

  it('is visible only to members who may delete', async () => {
    const [viewer, editor, manager] = [
      await join(anna, 'vera', 'VIEWER'),
      await join(anna, 'edith', 'EDITOR'),
      await join(anna, 'mona', 'MANAGER'),
    ];
    const [id, open] = [await api.content(anna), await api.content(anna, { status: 'PUBLISHED' })];
    for (const who of [viewer, editor]) {
      assert.equal((await api.refused(who, DELETE, { id })).code, 'UNAUTHORIZED');
    }
    for (const each of [id, open]) await api.ok(manager, DELETE, { id: each });
    for (const who of [bert, viewer, editor]) assert.equal(await trashOf(who, anna.channel), null);
    assert.equal((await api.refused(null, TRASH, { id: anna.channel })).code, 'UNAUTHENTICATED');
    assert.ok((await trashOf(manager, anna.channel)).totalCount >= 2);
    for (const document of [RESTORE, PURGE]) {
      for (const who of [bert, viewer, editor]) {
        const missing = 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e';
        for (const each of [id, open]) {
          assert.deepEqual(
            await api.refused(who, document, { id: each }),
            await api.refused(who, document, { id: missing }),
          );
        }
      }
      assert.equal((await api.refused(null, document, { id })).code, 'UNAUTHENTICATED');
      const wrong = await api.refused(anna, document, { id: anna.channel });
      assert.deepEqual([wrong.code, wrong.field], ['INVALID_INPUT', 'id']);
    }
    await api.ok(manager, RESTORE, { id });
    assert.equal(await visible(anna, id), true);
  });

  it('takes the children of a series, and restores those that were deleted with it', async () => {
    const serie = await child(anna, 'SERIES', null);
    const season = await child(anna, 'SEASON', serie);
    const [one, two] = [await child(anna, 'EPISODE', season), await child(anna, 'EPISODE', season)];
    await api.ok(anna, DELETE, { id: two });
    await api.ok(anna, DELETE, { id: serie });
    for (const id of [serie, season, one, two]) assert.equal(await visible(anna, id), false);
    const inTrash = await listed(anna);
    assert.deepEqual(
      [serie, season, one, two].map((id) => inTrash.includes(id)),
      [true, false, false, true],
    );
    for (const id of [one, two]) {
      const early = await api.refused(anna, RESTORE, { id });
      assert.deepEqual([early.code, early.field], ['INVALID_INPUT', 'id']);
      assert.match(early.suggestedFix, /first/);
    }
    await api.ok(anna, RESTORE, { id: serie });
    assert.deepEqual(await Promise.all([serie, season, one, two].map((id) => visible(bert, id))), [
      true,
      true,
      true,
      false,
    ]);
    await api.ok(anna, RESTORE, { id: two });
    assert.equal(await visible(bert, two), true);
    assert.deepEqual(await eventsOf(one), ['content.deleted', 'content.restored']);

    await api.ok(anna, DELETE, { id: season });
    await api.ok(anna, DELETE, { id: serie });
    await api.ok(anna, PURGE, { id: serie });
    for (const id of [serie, season, one, two]) assert.ok((await eventsOf(id)).includes('content.purged'), id);
    assert.deepEqual(
      await api.rows('select id from contents where id = any($1)', [[serie, season, one, two].map(uuidOf)]),
      [],
    );
  });

  it('restores an episode at the end when its number is taken, without renumbering the others', async () => {
    const mini = await api.content(anna, { kind: 'MINISERIES', status: 'PUBLISHED' });
    const make = async (number?: number): Promise<string> =>
      (
        await api.ok(
          anna,
          'mutation ($parent: DID!, $number: Int) { createEpisode(input: { parent: $parent, title: "Part", ' +
            'number: $number }) { content { id } } }',
          { parent: mini, number },
        )
      ).createEpisode.content.id;
    const numbers = async () =>
      (
        await api.rows<{ id: string; number: number }>(
          'select id, number from contents where parent_id = $1 and deleted_at is null order by number',
          [uuidOf(mini)],
        )
      ).map(({ id, number }) => [id, number]);
    const [one, two, three] = [await make(), await make(), await make()];
    await api.ok(anna, DELETE, { id: one });
    await api.ok(anna, DELETE, { id: two });
    const heir = await make(1);
    await api.ok(anna, DELETE, { id: mini });
    await api.ok(anna, RESTORE, { id: mini });
    assert.deepEqual(await numbers(), [
      [uuidOf(heir), 1],
      [uuidOf(three), 3],
    ]);
    await api.ok(anna, RESTORE, { id: two });
    await api.ok(anna, RESTORE, { id: one });
    await api.ok(anna, RESTORE, { id: one });
    assert.deepEqual(await numbers(), [
      [uuidOf(heir), 1],
      [uuidOf(two), 2],
      [uuidOf(three), 3],
      [uuidOf(one), 4],
    ]);
    const count = await api.row<{ kept: number }>("select counter_value('children:kept', $1)::int as kept", [
      uuidOf(mini),
    ]);
    assert.equal(count.kept, 4);
    await api.ok(anna, DELETE, { id: three });
    await api.ok(anna, 'mutation ($id: DID!) { moveEpisode(id: $id, input: { number: 3 }) { content { id } } }', {
      id: heir,
    });
    await api.rows('update contents set number = 100000 where id = $1', [uuidOf(one)]);
    const full = await api.refused(anna, RESTORE, { id: three });
    assert.deepEqual([full.code, full.field], ['RESOURCE_ALREADY_EXISTS', 'id']);
  });

  it('purges on demand: deletes the rows and schedules the deletion of every object', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    const early = await api.refused(anna, PURGE, { id });
    assert.deepEqual([early.code, early.field], ['INVALID_INPUT', 'id']);
    const [video, image, upload] = [newId(), newId(), newId()];
    await api.rows(
      'insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes) values ($1, ' +
        `$2, $3, 'SHORT', 'a', $4, 1)`,
      [video, anna.channelId, uuidOf(id), `sources/${video}`],
    );
    await api.rows(
      `insert into image_assets (id, channel_id, content_id, purpose, width, height, mime_type, size_bytes,
        object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, 'POSTER', 1, 1, 'image/jpeg', 1, $4, '[]', '#000000', 'x')`,
      [image, anna.channelId, uuidOf(id), `images/${image}/`],
    );
    await api.rows(
      `insert into ingestions (id, channel_id, content_id, media_kind, hint, filename, filetype, asset_name, size_bytes,
        object_key, expires_at)
       values ($1, $2, $3, 'VIDEO', 'SHORT', 'a', 'b', 'c', 1, $4, now())`,
      [upload, anna.channelId, uuidOf(id), `uploads/${upload}`],
    );
    await api.ok(anna, DELETE, { id });
    assert.deepEqual(await orders(uuidOf(id)), [], 'nothing is deleted while it can be restored');
    assert.deepEqual((await api.ok(anna, PURGE, { id })).purgeContent, { id });
    assert.deepEqual(await orders(uuidOf(id)), [`media/${uuidOf(id)}/`, `media/${uuidOf(id)}/${video}/`]);
    for (const [part, key] of [
      [video, `sources/${video}`],
      [image, `images/${image}/`],
      [upload, `uploads/${upload}`],
    ] as const) {
      assert.ok((await orders(part)).includes(key), key);
    }
    assert.deepEqual(await eventsOf(id), ['content.deleted', 'content.purged']);
    for (const document of [PURGE, RESTORE, DELETE])
      assert.equal((await api.refused(anna, document, { id })).code, 'RESOURCE_NOT_FOUND');
  });

  it('is emptied after 30 days and not before, by any number of workers, and hides what is due immediately', async () => {
    const dora = await api.person('dora');
    const ids = [await api.content(dora), await api.content(dora), await child(dora, 'SERIES', null)];
    const season = await child(dora, 'SEASON', ids[2] ?? '');
    for (const id of ids) {
      api.clock.advance(1_000);
      await api.ok(dora, DELETE, { id });
    }
    const limit = api.clock.now() + 30 * DAY_MS;
    const early = await purgeDueContents(api.platform.db, limit - 1, { limit: 20 });
    assert.ok(!early.includes(uuidOf(ids[2] ?? '')), 'not earlier');
    api.clock.advance(30 * DAY_MS);
    assert.equal((await api.refused(dora, RESTORE, { id: ids[2] })).code, 'RESOURCE_NOT_FOUND');
    const rounds = await Promise.all(
      [1, 2, 3].map(() => purgeDueContents(api.platform.db, api.clock.now(), { limit: 20 })),
    );
    const purged = [...early, ...rounds.flat()];
    for (const id of [...ids, season]) assert.equal(purged.filter((each) => each === uuidOf(id)).length, 1, id);
    assert.equal((await trashOf(dora, dora.channel)).totalCount, 0);
    assert.deepEqual(await eventsOf(season), ['content.deleted', 'content.purged']);
  });

  it('counts exactly under concurrent deletions, restorations and purges', async () => {
    const emma = await api.person('emma');
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) ids.push(await api.content(emma));
    await Promise.all(
      ids.map(async (id, n) => {
        await Promise.all([api.ok(emma, DELETE, { id }), api.ok(emma, DELETE, { id })]);
        if (n % 3 === 1) await Promise.all([api.ok(emma, RESTORE, { id }), api.ok(emma, RESTORE, { id })]);
        if (n % 3 === 2) await Promise.allSettled([api.ok(emma, PURGE, { id }), api.run(emma, RESTORE, { id })]);
      }),
    );
    const { n } = await api.row<{ n: number }>(
      'select count(*) as n from contents where channel_id = $1 and deleted_at is not null',
      [emma.channelId],
    );
    assert.equal((await trashOf(emma, emma.channel)).totalCount, Number(n));
  });

  it('is deleted with its channel', async () => {
    const fred = await api.person('fred');
    const serie = await child(fred, 'SERIES', null);
    await child(fred, 'SEASON', serie);
    await api.rows('update accounts set primary_channel_id = $2 where id = $1', [fred.accountId, anna.channelId]);
    await api.rows('delete from channels where id = $1', [fred.channelId]);
    while (await clearDeletedChannel(api.platform.db, fred.channelId));
    assert.deepEqual(await orders(uuidOf(serie)), [`media/${uuidOf(serie)}/`]);
  });
});
