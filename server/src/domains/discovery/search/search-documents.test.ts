import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { whileLocked } from '../../../platform/db/testing.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { rebuildSearch } from '../lists/refresh.store.ts';
import { publish } from '../testing.ts';
import { searchAs, titlesOf } from './search.fixture.ts';

describe('search documents', () => {
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
  });
  after(() => api.close());

  const search = (query: string, more: object = {}) => searchAs(api, anna, query, more);
  const titles = async (query: string, more: object = {}) => titlesOf(await search(query, more));

  it('finds exactly the listed contents, immediately', async () => {
    const id = await api.content(anna, { title: 'Lighthouse' });
    const expected = async (count: number, step: string) =>
      assert.equal((await search('lighthouse')).totalCount, count, step);
    await expected(0, 'ready');
    const steps: [string, number][] = [
      ['publishContent(id: $id) { id }', 1],
      ['updateContent(id: $id, input: { visibility: UNLISTED }) { id }', 0],
      ['updateContent(id: $id, input: { visibility: PRIVATE }) { id }', 0],
      ['updateContent(id: $id, input: { visibility: PUBLIC }) { id }', 1],
      ['unpublishContent(id: $id) { id }', 0],
      ['publishContent(id: $id) { id }', 1],
      ['updateContent(id: $id, input: { title: "Tower" }) { id }', 0],
    ];
    for (const [mutation, count] of steps) {
      await api.ok(anna, `mutation ($id: DID!) { ${mutation} }`, { id });
      await expected(count, mutation);
    }
    assert.deepEqual(await titles('tower'), ['Tower']);
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id });
    assert.deepEqual(await titles('tower'), []);
    await api.rows('delete from contents where id = $1', [uuidOf(id)]);
  });

  it('hides the children of a hidden series', async () => {
    const serie = await publish(api, anna, 'Harbours', {}, { kind: 'SERIES' });
    const season = await publish(api, anna, 'Harbours 1', {}, { kind: 'SEASON', parent: serie, number: 1 });
    await publish(api, anna, 'Harbours of the north', {}, { kind: 'EPISODE', parent: season, number: 1 });
    assert.equal((await search('harbours')).totalCount, 3);
    await api.ok(anna, 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: UNLISTED }) { id } }', {
      id: serie,
    });
    assert.equal((await search('harbours')).totalCount, 0);
  });

  it('finds public playlists, by their texts and by the name of their channel', async () => {
    const create =
      'mutation ($channel: DID, $input: PlaylistInput!) { createPlaylist(channel: $channel, input: $input) ' +
      '{ id } }';
    const erik = await api.person('erik');
    const created = await api.ok(erik, create, {
      channel: erik.channel,
      input: { title: 'Évening lullabies', summary: 'Calm music.' },
    });
    const { id } = created.createPlaylist;
    const found = async (query: string, more = '') =>
      (
        await api.ok(
          anna,
          `query ($query: String!) { search(query: $query${more}) { totalCount edges { node { type playlist { id ` +
            '} content { id } channel { id } } } } }',
          { query },
        )
      ).search;
    const hit = {
      totalCount: 1,
      edges: [{ node: { type: 'PLAYLIST', playlist: { id }, content: null, channel: null } }],
    };
    assert.deepEqual(await found('evening lull'), hit);
    assert.deepEqual(await found('erik calm'), hit);
    assert.deepEqual(await found('lullabies', ', types: [PLAYLIST]'), hit);
    assert.equal((await found('lullabies', ', types: [CONTENT, CHANNEL]')).totalCount, 0);
    await api.ok(
      erik,
      'mutation ($id: DID!) { updateChannel(id: $id, input: { name: "Nocturne" }) { channel { id } } }',
      {
        id: erik.channel,
      },
    );
    assert.deepEqual(await found('nocturne calm'), hit);
    const hide = 'mutation ($id: DID!) { updatePlaylist(id: $id, input: { visibility: PRIVATE }) { id } }';
    await api.ok(erik, hide, { id });
    assert.equal((await found('lullabies')).totalCount, 0);
    await api.ok(erik, hide.replace('PRIVATE', 'PUBLIC'), { id });
    await api.ok(erik, hide.replace('visibility: PRIVATE', 'title: "Dawn"'), { id });
    assert.deepEqual([(await found('lullabies')).totalCount, (await found('dawn')).totalCount], [0, 1]);
    await api.ok(erik, 'mutation ($id: DID!) { deletePlaylist(id: $id) { id } }', { id });
    assert.equal((await found('dawn')).totalCount, 0);
  });

  it('follows a channel’s new name', async () => {
    const carl = await api.person('carl');
    await publish(api, carl, 'Lanterns');
    assert.equal((await search('lanterns carl')).totalCount, 1);
    await api.ok(
      carl,
      'mutation ($id: DID!) { updateChannel(id: $id, input: { name: "Quartz Studio" }) { channel { id } } }',
      {
        id: carl.channel,
      },
    );
    assert.deepEqual(await titles('lanterns quartz'), ['Lanterns']);
    assert.deepEqual((await titles('quartz studio')).sort(), ['Lanterns', 'Quartz Studio']);
  });

  it('keeps the new name when a channel is renamed while its contents are published', async () => {
    const dora = await api.person('dora');
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => api.content(dora, { title: `Kite ${index}` })),
    );
    await Promise.all([
      ...ids.map((id) => api.ok(dora, 'mutation ($id: DID!) { publishContent(id: $id) { id } }', { id })),
      api.ok(dora, 'mutation ($id: DID!) { updateChannel(id: $id, input: { name: "Zephyr" }) { channel { id } } }', {
        id: dora.channel,
      }),
    ]);
    assert.equal((await search('kite zephyr')).totalCount, 12);
  });

  it('removes a channel that is deleted while its contents are published', async () => {
    const person = await api.person('gina');
    const second = await api.ok(
      person,
      'mutation { createChannel(input: { name: "Second", handle: "second-gina" }) { channel { id } } }',
    );
    const gina = { ...person, channelId: uuidOf(second.createChannel.channel.id) };
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => api.content(gina, { title: `Comet ${index}` })),
    );
    const responses = await Promise.all([
      ...ids.map((id) => api.run(gina, 'mutation ($id: DID!) { publishContent(id: $id) { id } }', { id })),
      api.rows('delete from channels where id = $1', [gina.channelId]).then(() => null),
    ]);
    for (const response of responses)
      assert.ok(
        response?.errors.every(({ code }) => code !== 'INTERNAL_SERVER_ERROR') ?? true,
        JSON.stringify(response),
      );
    assert.equal((await search('comet')).totalCount, 0);
  });

  it('rebuilds the same documents', async () => {
    const documents =
      'select id, kind, channel_id, title, summary, name, words::text, published_at, duration_ms ' +
      'from search_documents order by id';
    const before = await api.rows(documents);
    assert.deepEqual(await rebuildSearch(api.platform.db), { documents: before.length });
    assert.deepEqual(await api.rows(documents), before);
  });

  it('rebuilds beyond the statement timeout', async () => {
    const { documents } = await api.row<{ documents: number }>(
      'select count(*)::int as documents from search_documents',
    );
    const held = 'lock table search_documents in row exclusive mode';
    assert.deepEqual(await whileLocked(api.platform.test.url, held, rebuildSearch), { documents });
  });
});
