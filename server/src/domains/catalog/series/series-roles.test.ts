import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../testing.ts';

describe('permissions to create and order series', () => {
  let api: TestCatalog;
  let anna: Person;
  let vera: Person;
  let eva: Person;
  let ids: Record<'channel' | 'serie' | 'season' | 'other' | 'episode', string>;
  before(async () => {
    api = await openTestCatalog();
    [anna, vera, eva] = [await api.person('anna'), await api.person('vera'), await api.person('eva')];
    for (const [person, role] of [
      [vera, 'VIEWER'],
      [eva, 'EDITOR'],
    ] as const) {
      await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
        anna.channelId,
        person.accountId,
        role,
      ]);
    }
    const serie = await api.content(anna, { kind: 'SERIES' });
    const season = await api.content(anna, { kind: 'SEASON', parent: serie, number: 1 });
    const other = await api.content(anna, { kind: 'SEASON', parent: serie, number: 2 });
    const episode = await api.content(anna, { kind: 'EPISODE', parent: season, number: 1 });
    ids = { channel: anna.channel, serie, season, other, episode };
  });
  after(() => api.close());

  // Actions of editors that viewers may not take, with the field of the error.
  const calls: [string, (of: typeof ids) => string, string][] = [
    ['createSeries', ({ channel }) => `input: { channel: "${channel}", title: "New" }`, 'input.channel'],
    ['createMiniseries', ({ channel }) => `input: { channel: "${channel}", title: "New" }`, 'input.channel'],
    ['createStream', ({ channel }) => `input: { channel: "${channel}", title: "New" }`, 'input.channel'],
    ['createSeason', ({ serie }) => `input: { series: "${serie}", title: "New" }`, 'input.series'],
    ['createEpisode', ({ season }) => `input: { parent: "${season}", title: "New" }`, 'input.parent'],
    ['moveSeason', ({ season }) => `id: "${season}", input: { number: 9 }`, 'id'],
    ['moveEpisode', ({ episode, other }) => `id: "${episode}", input: { to: "${other}" }`, 'id'],
    ['renumberSeasons', ({ serie }) => `id: "${serie}"`, 'id'],
    ['renumberEpisodes', ({ season }) => `id: "${season}"`, 'id'],
    ['updateContent', ({ episode }) => `id: "${episode}", input: { isFinale: true }`, 'id'],
    ['publishContent', ({ season }) => `id: "${season}"`, 'id'],
    ['unpublishContent', ({ season }) => `id: "${season}"`, 'id'],
  ];
  for (const [name, args, field] of calls) {
    it(`${name} requires the role EDITOR`, async () => {
      const document = `mutation { ${name}(${args(ids)}) { __typename } }`;
      const before = await api.rows('select id, number, parent_id, status, is_finale from contents order by id');
      const refused = await api.refused(vera, document);
      assert.deepEqual([refused.code, refused.field], ['UNAUTHORIZED', field]);
      assert.deepEqual(
        await api.rows('select id, number, parent_id, status, is_finale from contents order by id'),
        before,
      );
      await api.ok(eva, document);
    });
  }
});
