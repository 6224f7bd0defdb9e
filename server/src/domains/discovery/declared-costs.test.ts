import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../catalog/testing.ts';
import { publish } from './testing.ts';

describe('fields with a declared cost', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let video: string;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    video = await publish(api, anna, 'Sailing the ocean', { language: 'en' });
    await publish(api, anna, 'Ocean documentary', { language: 'en' });
  });
  after(() => api.close());

  const costOf = async (query: string, who = anna) => {
    const request = {
      query,
      credential: who.credential,
      queriesOnly: false,
      requestId: 'r',
      signal: new AbortController().signal,
    };
    const { body } = await api.domains.engine.execute(request);
    return { ...body.extensions.cost, data: body.data };
  };

  // A root field 1, a list 1, an entry 1, and what is declared.
  const cases: Array<[name: string, query: string, requested: number, actual: number]> = [
    [
      'a search that finds nothing',
      '{ search(query: "zzzzqqqq", first: 5) { totalCount edges { node { id } } } }',
      27,
      22,
    ],
    [
      'a search with dates',
      '{ search(query: "ocean", first: 5, filter: { publishedAfter: "2000-01-01T00:00:00Z" }) { totalCount edges ' +
        '{ node { id } } } }',
      57,
      54,
    ],
    ['a list without a filter', '{ contents(first: 5) { edges { node { id } } } }', 7, 4],
    [
      'a list by kind, which has an index',
      '{ contents(first: 5, filter: { kinds: [FEATURE] }) { edges { node { id } } } }',
      7,
      4,
    ],
    ['a list that is walked', '{ contents(first: 5, filter: { language: "zz" }) { edges { node { id } } } }', 107, 102],
    [
      'the newest of a channel',
      '{ contents(first: 5, filter: { channel: "CHANNEL" }) { edges { node { id } } } }',
      7,
      4,
    ],
    [
      'a channel in another order',
      '{ contents(first: 5, filter: { channel: "CHANNEL" }, sort: TITLE) { edges { node { id } } } }',
      107,
      104,
    ],
    [
      'a channel and a kind',
      '{ contents(first: 5, filter: { channel: "CHANNEL", kinds: [FEATURE] }) { edges { node { id } } } }',
      32,
      29,
    ],
    [
      'what is related to each of a list',
      '{ features(first: 2) { edges { node { related(first: 1) { totalCount } } } } }',
      26,
      26,
    ],
    ['events of some types', '{ events(first: 5, types: [WEBHOOK_DISABLED]) { edges { node { id } } } }', 17, 12],
  ];
  for (const [name, query, requested, actual] of cases) {
    it(`cost what they declare: ${name}`, async () => {
      const cost = await costOf(query.replace('CHANNEL', anna.channel));
      assert.deepEqual([cost.requested, cost.actual], [requested, actual]);
    });
  }

  it('cost the same for lists in variables and in documents', async () => {
    const query = 'query ($filter: ContentFilter) { contents(first: 5, filter: $filter) { totalCount } }';
    const request = {
      query,
      credential: anna.credential,
      queriesOnly: false,
      requestId: 'r',
      signal: new AbortController().signal,
    };
    const run = async (filter: object | null) =>
      (await api.domains.engine.execute({ ...request, variables: { filter } })).body.extensions.cost.actual;
    assert.deepEqual(
      [await run(null), await run({ layout: 'PORTRAIT' }), await run({ kinds: ['SHORT'] })],
      [2, 102, 2],
    );
  });

  it('are neither read nor charged without permission', async () => {
    const query =
      `{ channel(id: "${anna.channel}") { id analytics { audience { countries { key } } contents(first: 1) ` +
      '{ totalCount edges { node { views } } } } } }';
    const own = await costOf(query);
    assert.deepEqual([own.requested, own.actual], [164, 164]);
    const foreign = await costOf(query, bert);
    assert.deepEqual([foreign.actual, JSON.parse(JSON.stringify(foreign.data)).channel.analytics], [2, null]);
  });

  it('cost extra for each entry of a bulk mutation beyond the tenth', async () => {
    const query = 'mutation ($ids: [DID!]!) { publishContents(ids: $ids) { results { ok } } }';
    const request = {
      query,
      credential: anna.credential,
      queriesOnly: false,
      requestId: 'r',
      signal: new AbortController().signal,
    };
    const requestedFor = async (count: number) => {
      const variables = { ids: Array.from({ length: count }, () => video) };
      return (await api.domains.engine.execute({ ...request, variables })).body.extensions.cost.requested;
    };
    assert.equal((await requestedFor(30)) - (await requestedFor(10)), 20);
  });
});
