import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { idsOf, SeriesFixture } from './series.fixture.ts';

const MINISERIES =
  'mutation ($input: CreateMiniseriesInput!) { createMiniseries(input: $input) { content { id kind status } } }';
const PUBLISH = 'mutation ($id: DID!, $date: DateTime) { publishContent(id: $id, releaseDate: $date) { status } }';
const UPDATE = 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';

let api: TestCatalog;
let anna: Person;
let bert: Person;
let series: SeriesFixture;
before(async () => {
  api = await openTestCatalog();
  [anna, bert] = [await api.person('anna'), await api.person('bert')];
  series = new SeriesFixture(api, anna);
});
after(() => api.close());

describe('visibility of a series', () => {
  const SEEN = 'query ($id: DID!) { node(id: $id) { __typename } }';
  const seen = async (id: string) => (await api.ok(bert, SEEN, { id })).node !== null;
  const listed = async (id: string) =>
    idsOf((await api.ok(bert, '{ episodes(first: 100) { totalCount edges { node { id } } } }')).episodes).includes(id);

  it('shows an episode only while it and its parents are published and not private, and lists it only while all are public', async () => {
    const one = await series.serie();
    const two = await series.season(one);
    const id = await series.ready(two);
    const counts = async (): Promise<number> => (await api.ok(bert, '{ episodes { totalCount } }')).episodes.totalCount;
    const none = await counts();
    const steps: [string, Record<string, unknown>, boolean, boolean][] = [
      [PUBLISH, { id }, false, false],
      [PUBLISH, { id: two }, false, false],
      [PUBLISH, { id: one }, true, true],
      [UPDATE, { id: one, input: { visibility: 'UNLISTED' } }, true, false],
      [UPDATE, { id: two, input: { visibility: 'PRIVATE' } }, false, false],
      [UPDATE, { id: one, input: { visibility: 'PUBLIC' } }, false, false],
      [UPDATE, { id: two, input: { visibility: 'PUBLIC' } }, true, true],
      ['mutation ($id: DID!) { unpublishContent(id: $id) { id } }', { id: one }, false, false],
      [PUBLISH, { id: one }, true, true],
      ['mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: one }, false, false],
    ];
    for (const [document, variables, isSeen, isListed] of steps) {
      await api.ok(anna, document, variables);
      assert.deepEqual(
        [await seen(id), await listed(id), await counts()],
        [isSeen, isListed, none + (isListed ? 1 : 0)],
        `${document} ${JSON.stringify(variables)}`,
      );
    }
  });

  it('links a series with its seasons and episodes, in order and with exact counts', async () => {
    const one = await series.serie();
    const [second, first] = [await series.season(one), await series.season(one)];
    await api.ok(anna, 'mutation ($id: DID!) { moveSeason(id: $id, input: { position: 1 }) { content { id } } }', {
      id: first,
    });
    const ids = [await series.ready(first), await series.ready(first), await series.ready(first)];
    for (const id of [one, first, second, ...ids.slice(0, 2)]) await api.ok(anna, PUBLISH, { id });
    const document = `query ($id: DID!, $after: String, $before: String) { serie(id: $id) { id channel { id } metadata
      { title }
      seasons { totalCount edges { node { id metadata { number } associatedSeries { id } } } } } }`;
    const { serie: response } = await api.ok(bert, document.replace(', $after: String, $before: String', ''), {
      id: one,
    });
    assert.equal(response.seasons.totalCount, 2);
    assert.deepEqual(
      response.seasons.edges.map(({ node }: { node: unknown }) => node),
      [first, second].map((id, index) => ({ id, metadata: { number: index + 1 }, associatedSeries: { id: one } })),
    );
    const page =
      'query ($id: DID!, $first: Int, $after: String, $last: Int, $before: String) { season(id: $id) ' +
      '{ episodes(first: $first, after: $after, last: $last, before: $before) { totalCount edges { cursor node ' +
      '{ id } } pageInfo { hasNextPage hasPreviousPage } } } }';
    const forward = (await api.ok(bert, page, { id: first, first: 1 })).season.episodes;
    assert.deepEqual([forward.totalCount, idsOf(forward), forward.pageInfo.hasNextPage], [2, [ids[0]], true]);
    const next = (await api.ok(bert, page, { id: first, first: 1, after: forward.edges[0].cursor })).season.episodes;
    assert.deepEqual([idsOf(next), next.pageInfo], [[ids[1]], { hasNextPage: false, hasPreviousPage: true }]);
    const back = (await api.ok(bert, page, { id: first, last: 1, before: next.edges[0].cursor })).season.episodes;
    assert.deepEqual(idsOf(back), [ids[0]]);
    const links =
      'query ($id: DID!) { episode(id: $id) { metadata { number isPremiere isFinale duration } associatedSeason ' +
      '{ id } associatedSeries { id } associatedMiniseries { id } } }';
    assert.deepEqual((await api.ok(bert, links, { id: ids[0] })).episode, {
      metadata: { number: 1, isPremiere: false, isFinale: false, duration: null },
      associatedSeason: { id: first },
      associatedSeries: { id: one },
      associatedMiniseries: null,
    });
    const { channel } = await api.ok(
      bert,
      'query ($id: DID!) { channel(id: $id) { series { edges { node { id } } } episodes { totalCount } } }',
      { id: anna.channel },
    );
    assert.ok(idsOf(channel.series).includes(one));
    const rows = await api.rows<{ n: bigint }>(
      "select count(*) as n from contents where channel_id = $1 and kind = 'EPISODE' and listed",
      [anna.channelId],
    );
    assert.equal(channel.episodes.totalCount, Number(rows[0]?.n));
  });

  it('keeps the counters of containers exact under concurrent publishing, hiding and moving', async () => {
    const mini = await series.create(MINISERIES, { input: { title: 'Mini' } });
    await api.ok(anna, PUBLISH, { id: mini });
    const ids = await Promise.all(Array.from({ length: 6 }, () => series.ready(mini)));
    await Promise.all([
      ...ids.map((id) => api.ok(anna, PUBLISH, { id })),
      api.ok(anna, UPDATE, { id: mini, input: { visibility: 'PRIVATE' } }),
      ...ids.slice(0, 3).map((id) => api.ok(anna, UPDATE, { id, input: { visibility: 'UNLISTED' } })),
    ]);
    await api.ok(anna, UPDATE, { id: mini, input: { visibility: 'PUBLIC' } });
    const [row] = await api.rows<{ shown: bigint; kept: bigint; stale: bigint; recount: bigint }>(
      `select counter_value('children:shown', $1) as shown, counter_value('children:kept', $1) as kept,
         (select count(*) from contents where parent_id = $1 and parent_effective_visibility <> 'PUBLIC') as stale,
         counter_value('channel:EPISODE:PUBLISHED', $2) - (select count(*) from contents where channel_id = $2
           and kind = 'EPISODE' and status = 'PUBLISHED' and deleted_at is null) as recount`,
      [uuidOf(mini), anna.channelId],
    );
    assert.deepEqual([Number(row?.shown), Number(row?.kept), Number(row?.stale), Number(row?.recount)], [3, 6, 0, 0]);
  });
});
