import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
import { AppError } from '../kernel/errors.ts';
import { fixtureGraph } from './testing/fixture-graph.ts';
import { type Fixture, openFixture, requestOf, START_MS } from './testing/fixtures.ts';
import { documentIdOf } from './trusted-documents.ts';
import type { Credential } from './viewer.ts';

let fixture: Fixture;
before(async () => {
  fixture = await openFixture(fixtureGraph().schema(), { makers: 4, thingsPerMaker: 3, tagsPerThing: 1 });
});
after(() => fixture.close());

const ANONYMOUS: Credential = { kind: 'anonymous' };
const WRONG_KEY: Credential = { kind: 'key', lookupHash: Buffer.alloc(32) };
const makerDid = (index: number) => `did:fixture:channel/${fixture.data.makers[index]?.id}`;

describe('credentials', () => {
  test('an unknown key is UNAUTHENTICATED for reads, mutations, introspection and invalid documents', async () => {
    for (const query of [
      '{ makers { totalCount } }',
      `mutation { renameMaker(id: "${makerDid(0)}", name: "stolen") { name } }`,
      'mutation { forget { ok } }',
      '{ __typename }',
      '{ nope }',
      '{ things { totalCount } }',
    ]) {
      const result = await fixture.run(query, {}, { credential: WRONG_KEY });
      assert.equal(result.failure, 'UNAUTHENTICATED', query);
      assert.equal(result.body.errors?.[0]?.extensions?.code, 'UNAUTHENTICATED');
      assert.equal(result.body.errors?.[0]?.path?.[0], /\w+/.exec(query.replace('mutation', ''))?.[0], query);
      assert.ok(!('data' in result.body));
    }
  });

  test('a lapsed account is UNAUTHORIZED for everything, without a change', async () => {
    const lapsed = await fixture.addPerson('lapsed', '2026-03-01T11:59:59Z');
    await fixture.db.run(
      {
        name: 'own',
        text: "update makers set owner_id = (select id from people where username = 'lapsed') where name = 'maker 3'",
      },
      [],
    );
    for (const query of [
      '{ makers { totalCount } }',
      `mutation { renameMaker(id: "${makerDid(3)}", name: "changed") { name } }`,
      'mutation { forget { ok } }',
    ]) {
      const result = await fixture.run(query, {}, { credential: lapsed });
      assert.equal(result.failure, 'UNAUTHORIZED', query);
    }
    assert.deepEqual(
      await fixture.db.run({ name: 'names', text: "select name from makers where name = 'changed'" }, []),
      [],
    );
  });

  test('access ends when it expires', async () => {
    const soon = await fixture.addPerson('soon', new Date(START_MS + 1_000).toISOString());
    assert.equal((await fixture.run('{ me { username } }', {}, { credential: soon })).failure, null);
    fixture.clock.advance(1_000);
    assert.equal((await fixture.run('{ me { username } }', {}, { credential: soon })).failure, 'UNAUTHORIZED');
  });

  test('a session authenticates the same account', async () => {
    const { body } = await fixture.run(
      '{ me { username } secrets }',
      {},
      { credential: { kind: 'session', token: 'session-of-ada' } },
    );
    assert.deepEqual(JSON.parse(JSON.stringify(body.data)), { me: { username: 'ada' }, secrets: 'secret' });
    const over = await fixture.run('{ me { username } }', {}, { credential: { kind: 'session', token: 'nobody' } });
    assert.equal(over.body.errors?.[0]?.message, 'This session is over.');
  });

  test('a missing permission fails its root field only, or the request when there is no other', async () => {
    const both = await fixture.run('{ me { username } secrets }');
    assert.deepEqual(JSON.parse(JSON.stringify(both.body.data)), { me: { username: 'ada' }, secrets: null });
    assert.deepEqual(
      [both.failure, both.body.errors?.[0]?.path, both.body.errors?.[0]?.extensions?.code],
      [null, ['secrets'], 'UNAUTHORIZED'],
    );
    assert.equal((await fixture.run('{ secrets }')).failure, 'UNAUTHORIZED');
  });

  test('an authenticated viewer is reported once per request', async () => {
    fixture.seen.length = 0;
    await fixture.run('{ me { username } makers { totalCount } }');
    await fixture.run('{ me { username } }', {}, { credential: WRONG_KEY });
    assert.deepEqual(fixture.seen, ['ada']);
  });
});

describe('anonymous requests', () => {
  const open = '{ things(first: 1) { edges { node { title maker { name } } } } }';
  const closed = '{ makers { totalCount } }';
  const engine = () =>
    fixture.engineWith({ trustedDocuments: new Map([open, closed].map((text) => [documentIdOf(text), text])) });

  test('may run trusted documents whose root fields are public', async () => {
    const { body, failure } = await engine().execute(requestOf('', ANONYMOUS, { documentId: documentIdOf(open) }));
    assert.equal(failure, null);
    assert.equal((body.data as { things: { edges: unknown[] } }).things.edges.length, 1);
  });

  test('are named by their document, for logs', async () => {
    const named = 'query Things { things { totalCount } }';
    const { operation, failure } = await fixture
      .engineWith({ trustedDocuments: new Map([[documentIdOf(named), named]]) })
      .execute(requestOf('', ANONYMOUS, { documentId: documentIdOf(named) }));
    assert.deepEqual([operation, failure], ['Things', null]);
  });

  test('may not run anything else', async () => {
    for (const request of [
      requestOf(open, ANONYMOUS),
      requestOf('', ANONYMOUS, { documentId: documentIdOf(closed) }),
      requestOf('', ANONYMOUS, { documentId: 'sha256:00' }),
      requestOf('{ __typename }', ANONYMOUS),
    ]) {
      assert.equal((await engine().execute(request)).failure, 'UNAUTHENTICATED');
    }
  });

  test('see the same as an expired session: public fields only', async () => {
    const over: Credential = { kind: 'session', token: 'nobody' };
    const seen = await engine().execute(requestOf('', over, { documentId: documentIdOf(open) }));
    assert.deepEqual([seen.failure, seen.sessionOver], [null, true]);
    assert.equal((seen.body.data as { things: { edges: unknown[] } }).things.edges.length, 1);
    for (const request of [
      requestOf(open, over),
      requestOf('', over, { documentId: documentIdOf(closed) }),
      requestOf('{ nope }', over),
    ]) {
      const refused = await engine().execute(request);
      assert.deepEqual([refused.failure, refused.sessionOver], ['UNAUTHENTICATED', true]);
      assert.equal(refused.body.errors?.[0]?.message, 'This session is over.');
    }
    const alive = await engine().execute(
      requestOf('', { kind: 'session', token: 'session-of-ada' }, { documentId: documentIdOf(open) }),
    );
    assert.deepEqual([alive.failure, alive.sessionOver], [null, undefined]);
  });

  test('are limited by client address', async () => {
    const limited = fixture.engineWith({
      trustedDocuments: new Map([[documentIdOf(open), open]]),
      limits: { bucketCapacity: 10 },
    });
    const ask = (clientAddress: string) =>
      limited.execute(requestOf('', ANONYMOUS, { documentId: documentIdOf(open), clientAddress }));
    for (let times = 0; times < 2; times += 1) assert.equal((await ask('192.0.2.1')).failure, null);
    assert.equal((await ask('192.0.2.1')).failure, 'RATE_LIMIT_EXCEEDED');
    assert.equal((await ask('192.0.2.2')).failure, null);
  });

  test('an unknown document id is a validation error with a key', async () => {
    assert.equal((await fixture.run('', {}, { documentId: 'sha256:00' })).failure, 'GRAPHQL_VALIDATION_FAILED');
  });
});

describe('failures', () => {
  test('that are unexpected are masked and reported with the request', async () => {
    fixture.errors.length = 0;
    const { body, failure } = await fixture.run('{ broken me { username } }');
    assert.equal(failure, null);
    assert.doesNotMatch(JSON.stringify(body), /hunter2/);
    assert.deepEqual(
      [body.errors?.[0]?.path, body.errors?.[0]?.extensions?.code],
      [['broken'], 'INTERNAL_SERVER_ERROR'],
    );
    assert.match(body.errors?.[0]?.message ?? '', /request-1/);
    assert.equal(fixture.errors.length, 1);
  });

  test('of the database are SERVICE_UNAVAILABLE for the whole request', async () => {
    const gone = () =>
      Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'gone', { cause: new Error('x'), retryAfterSeconds: 5 }));
    const engine = fixture.engineWith({ db: { together: gone, settled: gone } });
    for (const query of ['{ makers { totalCount } }', 'mutation { forget { ok } }', '{ nope }']) {
      const result = await engine.execute(requestOf(query, fixture.key));
      assert.deepEqual([result.failure, result.retryAfterSeconds], ['SERVICE_UNAVAILABLE', 5], query);
    }
  });

  test('of the database after a mutation leave it in the data; those after them are not tried', async () => {
    let calls = 0;
    const { db } = fixture;
    const gone = new AppError('SERVICE_UNAVAILABLE', 'gone', { cause: new Error('x'), retryAfterSeconds: 5 });
    const together = (sent: Parameters<typeof db.together>[0]) => {
      calls += 1;
      return calls === 1 ? db.together(sent) : Promise.reject(gone);
    };
    const engine = fixture.engineWith({ db: { together, settled: (sent) => db.settled(sent) } });
    const rename = (key: string, name: string) => `${key}: renameMaker(id: "${makerDid(0)}", name: "${name}") { name }`;
    const query = `mutation { ${rename('a', 'done')} ${rename('b', 'lost')} ${rename('c', 'later')} }`;
    const { body, failure } = await engine.execute(requestOf(query, fixture.key));
    assert.deepEqual([failure, calls], [null, 2]);
    assert.equal(JSON.stringify(body.data), '{"a":{"name":"done"},"b":null,"c":null}');
    assert.deepEqual(
      body.errors?.map(({ path, extensions }) => [path, extensions?.code]),
      [
        [['b'], 'SERVICE_UNAVAILABLE'],
        [['c'], 'SERVICE_UNAVAILABLE'],
      ],
    );
  });

  test('of one statement leave the other root fields of a query', async () => {
    const { db } = fixture;
    const late = new AppError('SERVICE_UNAVAILABLE', 'late', { cause: new Error('x'), retryAfterSeconds: 1 });
    for (const failing of [0, 1]) {
      const settled = async (sent: Parameters<typeof db.settled>[0]) =>
        (await db.settled(sent)).map((rows, index) => (index === failing ? late : rows));
      const engine = fixture.engineWith({ db: { together: (sent) => db.together(sent), settled } });
      const query = '{ makers { totalCount } things { totalCount } }';
      const { body, failure } = await engine.execute(requestOf(query, fixture.key));
      const [key, data] = [
        ['makers', '{"makers":null,"things":{"totalCount":9}}'],
        ['things', '{"makers":{"totalCount":4},"things":null}'],
      ][failing] ?? [''];
      assert.deepEqual([failure, body.errors?.[0]?.path, JSON.stringify(body.data)], [null, [key], data]);
    }
  });

  test('of text that cannot be stored are INVALID_INPUT', async () => {
    const { body } = await fixture.run(
      'query($id: DID!, $like: String) { maker(id: $id) { things(like: $like) { totalCount edges { node { title } ' +
        '} } } }',
      { id: makerDid(0), like: 'a\0b' },
    );
    assert.equal(body.errors?.[0]?.extensions?.code, 'INVALID_INPUT');
  });

  test('time-outs abort the resolver', async () => {
    const { body } = await fixture.run('{ slow }');
    assert.deepEqual(
      [body.errors?.[0]?.extensions?.code, body.data && (body.data as { slow: unknown }).slow],
      ['SERVICE_UNAVAILABLE', null],
    );
  });
});

describe('introspection', () => {
  test('works with a key, has a cost, and has no depth limit', async () => {
    for (let times = 0; times < 3; times += 1) {
      const { body } = await fixture.run(getIntrospectionQuery({ descriptions: true }));
      assert.equal(body.errors, undefined);
      // 10, and 1 for the second KiB of the document.
      assert.deepEqual([body.extensions.cost.requested, body.extensions.cost.actual], [11, 11]);
    }
  });

  test('may stand beside data', async () => {
    const { body } = await fixture.run('{ __schema { queryType { name } } me { username __typename } __typename }');
    assert.deepEqual(JSON.parse(JSON.stringify(body.data)), {
      __schema: { queryType: { name: 'Query' } },
      me: { username: 'ada', __typename: 'Me' },
      __typename: 'Query',
    });
  });
});

describe('cost', () => {
  test('is part of every response: requested for full pages, and actual', async () => {
    const { body } = await fixture.run('{ makers(first: 10) { edges { node { name favourite { title } } } } }');
    // root 1, connection 1, per entry 1 and its favourite 1; there are 4 makers, 3 of them with a favourite.
    assert.deepEqual(
      [body.extensions.cost.requested, body.extensions.cost.actual, body.extensions.cost.restoreRate],
      [22, 9, 100],
    );
  });

  test('is taken from the account’s bucket, across its credentials, and refills over time', async () => {
    const engine = fixture.engineWith({ limits: { bucketCapacity: 30, bucketRefillPerSecond: 10 } });
    const ask = (credential: Credential = fixture.key) =>
      engine.execute(requestOf('{ makers(first: 10) { edges { node { name } } } }', credential));
    const first = await ask();
    assert.equal(first.body.extensions.cost.available, 24);
    assert.equal((await ask({ kind: 'session', token: 'session-of-ada' })).body.extensions.cost.available, 18);
    assert.equal((await ask()).body.extensions.cost.available, 12);
    const refused = await ask();
    // It needs 12 for full pages; use them up.
    assert.equal(refused.failure, null);
    const empty = await ask();
    assert.deepEqual(
      [empty.failure, empty.retryAfterSeconds, empty.body.errors?.[0]?.extensions?.code],
      ['RATE_LIMIT_EXCEEDED', 1, 'RATE_LIMIT_EXCEEDED'],
    );
    assert.deepEqual(engine.quotaOf(fixture.person.id), {
      limit: 30,
      remaining: 6,
      restoreRate: 10,
      resetAtMs: fixture.clock.now() + 2_400,
    });
    fixture.clock.advance(600);
    assert.equal((await ask()).failure, null);
  });

  test('does not affect other accounts, and a refused request sends no statement', async () => {
    const other = await fixture.addPerson('other', 'infinity');
    const engine = fixture.engineWith({ limits: { bucketCapacity: 12, bucketRefillPerSecond: 1 } });
    const query = '{ makers(first: 10) { edges { node { name } } } }';
    await engine.execute(requestOf(query, fixture.key));
    const before = fixture.db.statistics.statements;
    assert.equal((await engine.execute(requestOf(query, fixture.key))).failure, 'RATE_LIMIT_EXCEEDED');
    assert.equal(fixture.db.statistics.statements, before);
    assert.equal((await engine.execute(requestOf(query, other))).failure, null);
  });

  test('of invalid documents is one point, so that they are limited too', async () => {
    const engine = fixture.engineWith({ limits: { bucketCapacity: 3, bucketRefillPerSecond: 1 } });
    const failures: unknown[] = [];
    for (let times = 0; times < 5; times += 1)
      failures.push((await engine.execute(requestOf(`{ nope${times} }`, fixture.key))).failure);
    assert.deepEqual(failures.slice(0, 3), Array(3).fill('GRAPHQL_VALIDATION_FAILED'));
    assert.equal(failures.at(-1), 'RATE_LIMIT_EXCEEDED');
  });
});

describe('caches', () => {
  test('stay bounded with always different documents and arguments', async () => {
    const engine = fixture.engineWith({ limits: { bucketCapacity: 1e9 } });
    for (let index = 0; index < 1_100; index += 1) {
      const result = await engine.execute(requestOf(`query Q${index} { clock }`, fixture.key));
      assert.equal(result.failure, null);
    }
    assert.ok(engine.statistics.documents <= 1_000, String(engine.statistics.documents));
    assert.ok(engine.statistics.plans <= 4_000);
  });
});
