import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

const CREATE =
  'mutation ($handle: String!) { createChannel(input: { name: "More", handle: $handle }) { channel { id } } }';
const DELETE = 'mutation ($id: DID!) { deleteChannel(id: $id) { id } }';

describe('deleting a channel', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const channel = async (handle: string): Promise<string> =>
    (await api.ok(anna, CREATE, { handle })).createChannel.channel.id;

  it('deletes its contents, members and uploads, schedules the deletion of its files, and changes no other channel', async () => {
    const id = await channel('doomed');
    const there = { ...anna, channelId: uuidOf(id) };
    const kept = await api.content(anna, { status: 'PUBLISHED' });
    const feature = await api.content(there, { status: 'PUBLISHED' });
    const serie = await api.content(there, { kind: 'SERIES', status: 'PUBLISHED' });
    const season = await api.content(there, { kind: 'SEASON', status: 'PUBLISHED', parent: serie, number: 1 });
    await api.content(there, { kind: 'EPISODE', status: 'PUBLISHED', parent: season, number: 1 });
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
       values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/doomed', 5)`,
      [uuidOf(id), uuidOf(feature)],
    );
    const upload =
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "b.mp4", size: 9, video: { ' +
      'hint: EQUIRECTANGULAR } }) { id } }';
    const { createContentAsset } = await api.ok(anna, upload, { id: await api.content(there) });
    const totals =
      '{ channels { totalCount } features { totalCount } me { channels { totalCount } credits { storage ' +
      '{ usedBytes } } } }';
    const before = await api.ok(anna, totals);

    assert.deepEqual((await api.ok(anna, DELETE, { id })).deleteChannel, { id });

    const gone = await api.ok(anna, totals);
    assert.deepEqual(
      [
        gone.channels.totalCount,
        gone.features.totalCount,
        gone.me.channels.totalCount,
        gone.me.credits.storage.usedBytes,
      ],
      [before.channels.totalCount - 1, before.features.totalCount - 1, before.me.channels.totalCount - 1, 0],
    );
    for (const table of ['contents', 'video_assets', 'ingestions', 'channel_members'])
      assert.deepEqual(await api.rows(`select 1 from ${table} where channel_id = $1`, [uuidOf(id)]), [], table);
    const purges = (await api.rows<{ key_prefix: string }>('select key_prefix from object_purges')).map(
      (row) => row.key_prefix,
    );
    for (const key of ['sources/doomed', `media/${uuidOf(feature)}/`, `uploads/${uuidOf(createContentAsset.id)}`])
      assert.ok(purges.includes(key), key);
    assert.deepEqual(await api.rows("select subject_id from events where type = 'channel.deleted'"), [
      { subject_id: uuidOf(id) },
    ]);
    assert.equal((await api.ok(anna, 'query ($id: DID!) { feature(id: $id) { id } }', { id: kept })).feature.id, kept);
    assert.equal((await api.refused(anna, DELETE, { id })).code, 'RESOURCE_NOT_FOUND');
    assert.notEqual(await channel('doomed'), id, 'its handle is free');
  });

  it('is for its owner only, and refused for the account’s first channel', async () => {
    const id = await channel('precious');
    await api.join(id, bert, 'MANAGER');
    const cases: [Person | null, string, string, string | undefined][] = [
      [bert, id, 'UNAUTHORIZED', 'id'],
      [bert, anna.channel, 'UNAUTHORIZED', 'id'],
      [anna, anna.channel, 'INVALID_INPUT', 'id'],
      [null, id, 'UNAUTHENTICATED', undefined],
    ];
    for (const [who, target, code, field] of cases) {
      const error = await api.refused(who, DELETE, { id: target });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    assert.equal(
      (await api.rows('select 1 from channels where id = any($1)', [[uuidOf(id), anna.channelId]])).length,
      2,
    );
  });
});
