import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { EPISODE, idsOf, SEASON, SeriesFixture } from './series.fixture.ts';

const MOVE =
  'mutation ($id: DID!, $to: DID, $number: Int, $position: Int) { moveEpisode(id: $id, ' +
  'input: { to: $to, number: $number, position: $position }) { content { metadata { number } parent { id } } } }';
const RENUMBER =
  'mutation ($parent: DID!, $ids: [DID!], $from: Int) { renumberEpisodes(id: $parent, input: ' +
  '{ ids: $ids, from: $from }) ' +
  '{ content { children { edges { node { id } } } } } }';
const PUBLISH = 'mutation ($id: DID!, $date: DateTime) { publishContent(id: $id, releaseDate: $date) { status } }';

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

describe('ordering episodes', () => {
  it('moves by number and by position, within a season and to another, with an event for each change', async () => {
    const parent = await series.serie();
    const [first, second] = [await series.season(parent), await series.season(parent)];
    const [a, b, c] = [await series.episode(first), await series.episode(first), await series.episode(first)];
    const names = { a, b, c };
    await api.ok(anna, MOVE, { id: c, position: 1 });
    assert.equal(await series.numbers(first, names), 'c1 a2 b3');
    await api.ok(anna, MOVE, { id: b, number: 1 });
    assert.equal(await series.numbers(first, names), 'b1 c2 a3');
    const { content } = (await api.ok(anna, MOVE, { id: c, to: second })).moveEpisode;
    assert.deepEqual(content, { metadata: { number: 1 }, parent: { id: second } });
    assert.deepEqual([await series.numbers(first, names), await series.numbers(second, names)], ['b1 a3', 'c1']);
    const events = await api.rows<{ n: bigint }>(
      "select count(*) as n from events where subject_id = $1 and type = 'content.updated'",
      [uuidOf(b)],
    );
    assert.equal(Number(events[0]?.n), 2);
  });

  it('renumbers all children in their order, or as listed', async () => {
    const parent = await series.season(await series.serie());
    const [a, b, c] = [
      await series.episode(parent, 4),
      await series.episode(parent, 9),
      await series.episode(parent, 12),
    ];
    await api.ok(anna, RENUMBER, { parent });
    assert.equal(await series.numbers(parent, { a, b, c }), 'a1 b2 c3');
    const { content } = (await api.ok(anna, RENUMBER, { parent, ids: [c, a, b], from: 1 })).renumberEpisodes;
    assert.deepEqual(idsOf(content.children), [c, a, b]);
  });

  it('keeps numbers unique under concurrent moves', async () => {
    const parent = await series.serie();
    const [one, two] = [await series.season(parent), await series.season(parent)];
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.push(await series.episode(one));
    const outcomes = await Promise.all(
      [...ids, ...ids].map((id, index) =>
        api.run(anna, MOVE, { id, to: index % 2 ? one : two, position: 1 + (index % 3) }),
      ),
    );
    for (const { errors } of outcomes)
      assert.ok(
        errors.every(({ code }) => code === 'SERVICE_UNAVAILABLE'),
        JSON.stringify(errors),
      );
    const names = Object.fromEntries(ids.map((id, index) => ['abcd'.charAt(index), id]));
    const all = `${await series.numbers(one, names)} ${await series.numbers(two, names)}`.trim();
    assert.deepEqual(
      all
        .replaceAll(/[\d\s]/g, '')
        .split('')
        .sort(),
      ['a', 'b', 'c', 'd'],
    );
  });

  it('refuses parents in other channels, and returns RESOURCE_NOT_FOUND for hidden ones', async () => {
    const own = await series.season(await series.serie());
    const id = await series.episode(own);
    await api.rows(
      "insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR') on conflict do nothing",
      [bert.channelId, anna.accountId],
    );
    const theirs = await api.content(bert, { kind: 'MINISERIES' });
    const foreign = await api.refused(anna, MOVE, { id, to: theirs });
    assert.deepEqual([foreign.code, foreign.field], ['INVALID_INPUT', 'input.to']);
    await api.rows('delete from channel_members where channel_id = $1 and account_id = $2', [
      bert.channelId,
      anna.accountId,
    ]);
    const hidden = await api.refused(anna, MOVE, { id, to: theirs });
    assert.deepEqual([hidden.code, hidden.field], ['RESOURCE_NOT_FOUND', 'input.to']);
    assert.deepEqual(
      await api.refused(bert, MOVE, { id }),
      await api.refused(bert, MOVE, { id: id.replace(uuidOf(id), '01a1facb-422b-7000-b9e0-9276b51acd0e') }),
    );
    const stranger = await api.refused(bert, EPISODE, { input: { parent: own, title: 'a' } });
    assert.deepEqual([stranger.code, stranger.field], ['RESOURCE_NOT_FOUND', 'input.parent']);
  });

  it('returns UNAUTHORIZED for another channel’s published series', async () => {
    const id = await series.serie();
    await api.ok(anna, PUBLISH, { id });
    const error = await api.refused(bert, SEASON, { input: { series: id, title: 'Mine' } });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'input.series']);
  });
});
