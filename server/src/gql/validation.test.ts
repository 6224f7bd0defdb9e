import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fixtureGraph } from './testing/fixture-graph.ts';
import { type Fixture, openFixture } from './testing/fixtures.ts';

let fixture: Fixture;
before(async () => {
  fixture = await openFixture(fixtureGraph().schema(), { makers: 4, thingsPerMaker: 3, tagsPerThing: 1 });
});
after(() => fixture.close());

describe('validation', () => {
  const cases: Array<[name: string, query: string, variables?: Record<string, unknown>, operationName?: string]> = [
    ['a syntax error', '{ makers {'],
    ['an empty document', ''],
    ['only a fragment', 'fragment F on Query { clock }'],
    ['an unknown field', '{ nope }'],
    ['an unknown argument', '{ makers(nope: 1) { totalCount } }'],
    ['a missing argument', '{ maker { name } }'],
    ['a missing variable', 'query($id: DID!) { maker(id: $id) { name } }'],
    ['a variable of the wrong type', 'query($first: Int) { makers(first: $first) { totalCount } }', { first: 'x' }],
    [
      'an input field of the wrong type',
      'mutation($input: MakeThingInput!) { makeThing(maker: "x", input: $input) { id } }',
      { input: { title: 'x', weight: 1.5 } },
    ],
    ['several operations without a name', 'query A { clock } query B { clock }'],
    ['an operation name that is not there', 'query A { clock }', {}, 'B'],
    ['a subscription', 'subscription { clock }'],
    ['a literal beyond its type', '{ makers(first: 99999999999) { totalCount } }'],
    [
      'too deep a document',
      '{ makers { edges { node { things { edges { node { maker { things { edges { node { maker { name } } } } } } ' +
        '} } } } } }',
    ],
    ['too many root fields', `{ ${Array.from({ length: 11 }, (_, index) => `a${index}: clock`).join(' ')} }`],
    ['too many aliases', `{ me { ${Array.from({ length: 31 }, (_, index) => `a${index}: username`).join(' ')} } }`],
    [
      'an operation that costs too much',
      '{ makers(first: 100) { edges { node { things(first: 100) { edges { node { title } } } } } } }',
    ],
    ['too long a document', `{ me { ${'username '.repeat(6_000)} } }`],
  ];
  for (const [name, query, variables, operationName] of cases) {
    test(`${name} is GRAPHQL_VALIDATION_FAILED with every extension field`, async () => {
      const result = await fixture.run(query, variables, { operationName });
      assert.equal(result.failure, 'GRAPHQL_VALIDATION_FAILED');
      assert.ok(!('data' in result.body));
      for (const error of result.body.errors ?? []) {
        assert.ok(error.message);
        assert.deepEqual(
          [error.extensions?.code, error.extensions?.errorType, error.extensions?.documentation],
          [
            'GRAPHQL_VALIDATION_FAILED',
            'ValidationError',
            'https://fixture.example/docs/errors/graphql_validation_failed',
          ],
        );
        assert.equal(typeof error.extensions?.suggestedFix, 'string');
      }
      assert.ok((result.body.errors ?? []).length > 0);
    });
  }

  test('of variables names the invalid part', async () => {
    const fieldFor = async (query: string, variables: Record<string, unknown>) =>
      (await fixture.run(query, variables)).body.errors?.[0]?.extensions?.field;
    assert.equal(
      await fieldFor('query($first: Int) { makers(first: $first) { totalCount } }', { first: 'x' }),
      'first',
    );
    assert.equal(await fieldFor('query($id: DID!) { maker(id: $id) { name } }', {}), 'id');
    const make = 'mutation($input: MakeThingInput!) { makeThing(maker: "x", input: $input) { id } }';
    assert.equal(await fieldFor(make, { input: { title: 'x', weight: 1.5 } }), 'input.weight');
    assert.equal(await fieldFor(make, { input: { title: 'x', kind: 'Pet at "home";' } }), 'input.kind');
    assert.equal(await fieldFor(make, { input: {} }), 'input.title');
    assert.equal(await fieldFor(make, { input: { title: 'x', wieght: 1 } }), 'input.wieght');
    assert.equal(
      await fieldFor(make, { input: { title: '; Field "y" is not defined by type "Z".', k: 1 } }),
      'input.k',
    );
    assert.equal(await fieldFor('{ nope }', {}), undefined);
  });

  test('of our own limits suggests a fix', async () => {
    const fixes = new Set<unknown>();
    const adviceFor = async (query: string, options: Parameters<Fixture['run']>[2] = {}) => {
      const { field, suggestedFix } = (await fixture.run(query, {}, options)).body.errors?.[0]?.extensions ?? {};
      fixes.add(suggestedFix);
      return [field, suggestedFix];
    };
    const general = (await adviceFor('{ nope }'))[1];
    const own: Array<[field: string | undefined, query: string, options?: Parameters<Fixture['run']>[2]]> = [
      [undefined, `{ me { ${Array.from({ length: 31 }, (_, index) => `a${index}: username`).join(' ')} } }`],
      [undefined, `{ me ${'{ a '.repeat(13)}${'}'.repeat(13)} }`],
      [undefined, `{ ${Array.from({ length: 11 }, (_, index) => `a${index}: clock`).join(' ')} }`],
      [undefined, `{ me { ${'username '.repeat(1_001)} } }`],
      [undefined, `{ me { ${'username '.repeat(6_000)} } }`],
      [undefined, '{ makers(first: 100) { edges { node { things(first: 100) { edges { node { title } } } } } } }'],
      ['operationName', 'query A { clock }', { operationName: 'B' }],
      ['documentId', '', { documentId: 'sha256:00' }],
      ['query', '', { query: undefined }],
      [undefined, 'mutation { forget { ok } }', { queriesOnly: true }],
    ];
    for (const [field, query, options] of own)
      assert.equal((await adviceFor(query, options))[0], field, query.slice(0, 80));
    assert.equal(fixes.size, own.length + 1);
    assert.ok(fixes.has(general));
    assert.equal((await adviceFor('query A { clock } query B { clock }'))[0], 'operationName');
  });

  test('quotes at most 500 characters of the input, and still names the variable', async () => {
    const long = '🎬'.repeat(5_000);
    const results = [
      await fixture.run('query($first: Int) { makers(first: $first) { totalCount } }', { first: long }),
      await fixture.run('mutation($input: MakeThingInput!) { makeThing(maker: "x", input: $input) { id } }', {
        input: { title: 'x', kind: long },
      }),
      await fixture.run(`{ makers(first: "x${long}") { totalCount } }`),
      await fixture.run('query A { clock }', {}, { operationName: long }),
    ];
    for (const { body } of results) {
      const message = body.errors?.[0]?.message ?? '';
      assert.ok(message.length === 500 || message.length === 499, String(message.length));
      assert.ok(message.endsWith('…') && message.isWellFormed(), message.slice(-5));
    }
    const fields = results.map(({ body }) => body.errors?.[0]?.extensions?.field);
    assert.deepEqual(fields, ['first', 'input.kind', undefined, 'operationName']);
  });

  test('mutations are refused for GET requests', async () => {
    const result = await fixture.run('mutation { forget { ok } }', {}, { queriesOnly: true });
    assert.deepEqual([result.failure, result.needsPost], ['GRAPHQL_VALIDATION_FAILED', true]);
  });

  test('the named operation runs', async () => {
    const { body } = await fixture.run('query A { clock } query B { me { username } }', {}, { operationName: 'B' });
    assert.deepEqual(JSON.parse(JSON.stringify(body.data)), { me: { username: 'ada' } });
  });
});
