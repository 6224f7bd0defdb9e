import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { purgeSchedule } from './purge-schedule.ts';

const HOUR_MS = 3_600_000;
const CREATE_TOKEN = 'mutation ($input: CreateTokenInput!) { createToken(input: $input) { value token { channels } } }';
const CREATE_PLAYLIST = 'mutation { createPlaylist(input: { title: "A list" }) { id } }';

describe('what was made with a test token', () => {
  let api: TestCatalog;
  let anna: Person;
  let tester: Person;
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
    const input = { name: 'Tests', test: true, permissions: ['content:create', 'playlist:manage', 'comment:create'] };
    const { value, token } = (await api.ok(anna, CREATE_TOKEN, { input })).createToken;
    const [channel] = token.channels;
    const credential = api.domains.accounts.credentialFromKey(value);
    tester = { ...anna, credential, channel, channelId: uuidOf(channel) };
  });
  after(() => api.close());

  const left = async (table: 'contents' | 'playlists', ids: readonly string[]) =>
    (await api.rows<{ id: string }>(`select id from ${table} where id = any($1)`, [ids.map(uuidOf)])).map(({ id }) =>
      ids.findIndex((did) => uuidOf(did) === id),
    );

  it('says when it is deleted', async () => {
    const PURGE_AT = 'query ($id: DID!) { content(id: $id) { createdAt purgeAt } }';
    const hoursOf = async (who: Person, id: string) => {
      const { createdAt, purgeAt } = (await api.ok(who, PURGE_AT, { id })).content;
      return purgeAt && (Date.parse(purgeAt) - Date.parse(createdAt)) / HOUR_MS;
    };
    const id = await api.content(tester);
    assert.equal(await hoursOf(tester, id), 24);
    assert.equal(await hoursOf(anna, await api.content(anna)), null);
    await api.rows('delete from contents where id = $1', [uuidOf(id)]);
  });

  it('is deleted after 24 hours with all that belongs to it, and nothing else is', async () => {
    const series = await api.content(tester, { kind: 'SERIES', status: 'PUBLISHED' });
    const season = await api.content(tester, { kind: 'SEASON', parent: series, number: 1 });
    const video = await api.content(tester, { status: 'PUBLISHED' });
    const trashed = await api.content(tester, { status: 'PUBLISHED' });
    await api.rows('update contents set deleted_at = created_at where id = $1', [uuidOf(trashed)]);
    const kept = await api.content(anna, { status: 'PUBLISHED' });
    const contents = [series, season, video, trashed, kept];
    await api.ok(tester, 'mutation ($id: DID!) { createComment(contentId: $id, body: "Test") { id } }', {
      id: video,
    });
    const playlists = [await api.ok(tester, CREATE_PLAYLIST), await api.ok(anna, CREATE_PLAYLIST)].map(
      ({ createPlaylist }) => createPlaylist.id,
    );
    await api.rows('insert into playlist_items (id, playlist_id, content_id, position) values (uuidv7(), $1, $2, 1)', [
      uuidOf(playlists[0]),
      uuidOf(video),
    ]);

    api.clock.advance(23 * HOUR_MS);
    const late = await api.content(tester, { status: 'PUBLISHED' });
    const worker = purgeSchedule(api.platform, 10);
    worker.start();
    api.clock.advance(HOUR_MS + 60_000);
    await until(async () => (await left('contents', [series, season, video, trashed])).length === 0);
    await worker.stop();
    assert.deepEqual(await left('contents', [...contents, late]), [4, 5]);
    assert.deepEqual(await left('playlists', playlists), [1]);
    const [{ comments } = { comments: -1 }] = await api.rows<{ comments: number }>(
      'select count(*)::int as comments from comments where content_id = $1',
      [uuidOf(video)],
    );
    assert.equal(comments, 0);
    const events = await api.rows<{ type: string }>(
      `select type from events where channel_id = $1 and type in ('content.purged', 'playlist.deleted')`,
      [tester.channelId],
    );
    assert.deepEqual(events.map(({ type }) => type).sort(), [
      ...Array<string>(4).fill('content.purged'),
      'playlist.deleted',
    ]);
  });
});
