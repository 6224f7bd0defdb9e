import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fixtureGraph } from '../testing/fixture-graph.ts';
import { type Fixture, openFixture, requestOf } from '../testing/fixtures.ts';
import { documentIdOf } from '../trusted-documents.ts';
import type { Credential } from '../viewer.ts';

describe('errors of a document that is not executed', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture(fixtureGraph().schema(), { makers: 2, thingsPerMaker: 2, tagsPerThing: 1 });
  });
  after(() => fixture.close());

  const WRONG_KEY: Credential = { kind: 'key', lookupHash: Buffer.alloc(32) };
  const ANONYMOUS: Credential = { kind: 'anonymous' };
  const messages = (result: Awaited<ReturnType<Fixture['run']>>) =>
    (result.body.errors ?? []).map(({ message }) => message);

  test('names of the schema are suggested for valid keys only, also from the cache', async () => {
    for (const query of ['{ makerz { totalCount } }', '{ makers(firts: 1) { totalCount } }']) {
      for (let times = 0; times < 2; times += 1) {
        const unknown = await fixture.run(query, {}, { credential: WRONG_KEY });
        assert.deepEqual([unknown.failure, messages(unknown).length], ['UNAUTHENTICATED', 1]);
        assert.doesNotMatch(messages(unknown)[0] ?? '', /Did you mean|makers|first/);
        assert.match(messages(await fixture.run(query))[0] ?? '', /Did you mean ("maker" or "makers"|"first")/);
      }
    }
  });

  test('values of variables are suggested with a session only', async () => {
    const text =
      'query ($kind: ThingKind) { things(first: 1) { edges { node { maker { things(kind: $kind) { totalCount } } ' +
      '} } } }';
    const engine = fixture.engineWith({ trustedDocuments: new Map([[documentIdOf(text), text]]) });
    const ask = (credential: Credential) =>
      engine.execute(requestOf('', credential, { documentId: documentIdOf(text), variables: { kind: 'Bok' } }));
    const [anonymous] = messages(await ask(ANONYMOUS));
    assert.match(anonymous ?? '', /Value "Bok" does not exist in "ThingKind" enum\.$/);
    assert.match(
      messages(await ask({ kind: 'session', token: 'session-of-ada' }))[0] ?? '',
      /Did you mean the enum value "Book"/,
    );
  });

  test('are limited to five, for documents and for variables', async () => {
    const fields = Array.from({ length: 50 }, (_, index) => `maker${index}`).join(' ');
    assert.equal(messages(await fixture.run(`{ makers { edges { node { ${fields} } } } }`)).length, 5);
    const definitions = Array.from({ length: 8 }, (_, index) => `$v${index}: Int!`).join(', ');
    const uses = Array.from({ length: 8 }, (_, index) => `m${index}: makers(first: $v${index}) { totalCount }`).join(
      ' ',
    );
    assert.equal(messages(await fixture.run(`query (${definitions}) { ${uses} }`)).length, 5);
  });

  test('include more than five directives at one location, before other checks', async () => {
    const found = messages(await fixture.run(`{ makers ${'@skip(if: false) '.repeat(6)} { totalCount } }`));
    assert.deepEqual(found, ['There are more than 5 directives at one place.']);
  });

  test('cost a point plus the size of the text', async () => {
    const { body } = await fixture.run(`{ nope } # ${'x'.repeat(3_000)}`, {}, { bytes: 3_100 });
    assert.deepEqual([body.extensions.cost.requested, body.extensions.cost.actual], [0, 3]);
  });

  test('include more than 100,000 characters, which are not parsed', async () => {
    const found = messages(await fixture.run(`{ makers { totalCount } } # ${'x'.repeat(100_000)}`));
    assert.deepEqual(found, ['The document has 100028 characters; at most 100000 are allowed.']);
  });
});

describe('additional charges', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture(fixtureGraph().schema(), { makers: 2, thingsPerMaker: 2, tagsPerThing: 1 });
  });
  after(() => fixture.close());

  test('include the size of the request, in the requested and in the actual cost', async () => {
    const { body } = await fixture.run('{ me { username } }', {}, { bytes: 20_000 });
    assert.deepEqual([body.extensions.cost.requested, body.extensions.cost.actual], [5, 5]);
  });

  test('are for texts that are too long, too, though nothing reads them', async () => {
    const query = 'query ($id: DID!, $like: String) { maker(id: $id) { things(like: $like) { totalCount } } }';
    const id = `did:fixture:channel/${fixture.data.makers[0]?.id}`;
    const { body } = await fixture.run(query, { id, like: 'x'.repeat(20_000) }, { bytes: 20_200 });
    assert.equal(body.errors?.[0]?.message, 'like has 20000 characters; the limit is 16384.');
    assert.deepEqual([body.extensions.cost.requested, body.extensions.cost.actual], [0, 5]);
  });

  test('are the full requested cost for a statement that the database cancelled, once the key is known', async () => {
    const stopped = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    let fails = false;
    const db = {
      ...fixture.db,
      together: (calls: Parameters<typeof fixture.db.together>[0]) => fixture.db.together(calls),
      settled: (calls: Parameters<typeof fixture.db.settled>[0]) =>
        fails ? Promise.resolve(calls.map(() => stopped)) : fixture.db.settled(calls),
    };
    const engine = fixture.engineWith({ db, limits: { bucketCapacity: 100, bucketRefillPerSecond: 1 } });
    const ask = () => engine.execute(requestOf('{ makers(first: 10) { edges { node { name } } } }', fixture.key));
    assert.equal((await ask()).body.extensions.cost.available, 96);
    fails = true;
    const { cost } = (await ask()).body.extensions;
    assert.deepEqual([cost.requested, cost.actual, cost.available], [12, 12, 84]);
    assert.equal(engine.quotaOf(fixture.person.id).remaining, 84);
  });
});
