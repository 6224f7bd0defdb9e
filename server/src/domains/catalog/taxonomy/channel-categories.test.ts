import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../testing.ts';

const SET =
  'mutation ($channel: DID!, $categories: [DID!]!) { setChannelCategories(id: $channel, ' +
  'input: { categories: $categories }) { channel { id metadata { categories { totalCount edges { node ' +
  '{ slug } } } } } } }';

describe('the categories of a channel', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  const ids = new Map<string, string>();
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    const { categories } = await api.ok(anna, '{ categories(first: 100) { edges { node { id slug } } } }');
    for (const { node } of categories.edges) ids.set(node.slug, node.id);
  });
  after(() => api.close());

  const of = (...slugs: string[]) => slugs.map((slug) => ids.get(slug) ?? assert.fail(slug));
  const set = async (...slugs: string[]): Promise<string[]> => {
    const { channel } = (await api.ok(anna, SET, { channel: anna.channel, categories: of(...slugs) }))
      .setChannelCategories;
    const { edges, totalCount } = channel.metadata.categories;
    assert.equal(totalCount, edges.length);
    return edges.map(({ node }: { node: { slug: string } }) => node.slug);
  };
  const kept = async () =>
    (
      await api.rows<{ slug: string }>(
        'select c.slug from channel_categories l join categories c on c.id = l.category_id ' +
          'where l.channel_id = $1 order by l.position',
        [anna.channelId],
      )
    ).map(({ slug }) => slug);

  it('are set, replaced and removed, each with an event, and publicly readable', async () => {
    assert.deepEqual(await set('travel', 'music', 'travel'), ['music', 'travel']);
    assert.deepEqual(await kept(), ['travel', 'music']);
    assert.deepEqual(await set('music', 'gaming'), ['gaming', 'music']);
    const read =
      'query ($id: DID!) { channel(id: $id) { metadata { categories(first: 1) { totalCount edges { node { slug } ' +
      '} } } } }';
    await api.ok(bert, read, { id: anna.channel });
    const { result, roundTrips, statements } = await api.counted(() => api.ok(bert, read, { id: anna.channel }));
    assert.deepEqual(result.channel.metadata.categories, { totalCount: 2, edges: [{ node: { slug: 'gaming' } }] });
    assert.deepEqual([roundTrips, statements], [1, 1]);
    assert.deepEqual(await set(), []);
    const events = await api.rows("select 1 from events where type = 'channel.updated' and subject_id = $1", [
      anna.channelId,
    ]);
    assert.equal(events.length, 3);
  });

  it('are at most three existing categories', async () => {
    await set('music');
    const music = of('music')[0] ?? '';
    const bad: [string[], string, string][] = [
      [of('music', 'gaming', 'travel', 'comedy'), 'INVALID_INPUT', 'input.categories'],
      [[music, anna.channel], 'INVALID_INPUT', 'input.categories.1'],
      [
        [music.replace(music.slice(-36), '01900000-0000-7000-8000-00000000ffff')],
        'RESOURCE_NOT_FOUND',
        'input.categories',
      ],
    ];
    for (const [categories, code, field] of bad) {
      const error = await api.refused(anna, SET, { channel: anna.channel, categories });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    assert.deepEqual(await kept(), ['music']);
  });

  it('can be set by managers and the owner', async () => {
    const stranger = await api.refused(bert, SET, { channel: anna.channel, categories: [] });
    assert.deepEqual([stranger.code, stranger.field], ['UNAUTHORIZED', 'id']);
    assert.equal((await api.refused(null, SET, { channel: anna.channel, categories: [] })).code, 'UNAUTHENTICATED');
    const none = anna.channel.replace(anna.channelId, '01900000-0000-7000-8000-00000000ffff');
    assert.equal((await api.refused(anna, SET, { channel: none, categories: [] })).code, 'RESOURCE_NOT_FOUND');
    for (const [role, allowed] of [
      ['EDITOR', false],
      ['MANAGER', true],
    ] as const satisfies [ChannelRole, boolean][]) {
      const person = await api.person(`${role.toLowerCase()}s`);
      await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
        anna.channelId,
        person.accountId,
        role,
      ]);
      const { errors } = await api.run(person, SET, { channel: anna.channel, categories: of('comedy') });
      assert.deepEqual(
        errors.map(({ code }) => code),
        allowed ? [] : ['UNAUTHORIZED'],
      );
    }
  });

  it('are those of one request when set concurrently', async () => {
    const sets = [['music', 'gaming', 'travel'], ['comedy', 'sports', 'education'], ['vehicles']];
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(sets.map((slugs) => set(...slugs)));
      const found = await kept();
      assert.ok(
        sets.some((slugs) => slugs.join() === found.join()),
        found.join(),
      );
    }
  });
});
