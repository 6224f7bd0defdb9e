import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeToyGraph } from '../testing/toy-graph.ts';
import { openToyWorld, requestOf, type ToyWorld } from '../testing/toy-world.ts';
import { documentIdOf } from '../trusted-documents.ts';
import type { Credential } from '../viewer.ts';

describe('errors of a document that is not executed', () => {
  let world: ToyWorld;
  before(async () => {
    world = await openToyWorld(makeToyGraph().schema(), { makers: 2, thingsPerMaker: 2, tagsPerThing: 1 });
  });
  after(() => world.close());

  const WRONG_KEY: Credential = { kind: 'key', lookupHash: Buffer.alloc(32) };
  const ANONYMOUS: Credential = { kind: 'anonymous' };
  const messages = (result: Awaited<ReturnType<ToyWorld['run']>>) => (result.body.errors ?? []).map(({ message }) => message);

  test('names of the schema are suggested to a key that is valid, and to no other, whoever asked first', async () => {
    for (const query of ['{ makerz { totalCount } }', '{ makers(firts: 1) { totalCount } }']) {
      for (let times = 0; times < 2; times += 1) {
        const unknown = await world.run(query, {}, { credential: WRONG_KEY });
        assert.deepEqual([unknown.failure, messages(unknown).length], ['UNAUTHENTICATED', 1]);
        assert.doesNotMatch(JSON.stringify(unknown.body), /Did you mean|makers|first/);
        assert.match(messages(await world.run(query))[0] ?? '', /Did you mean ("maker" or "makers"|"first")/);
      }
    }
  });

  test('values of variables are suggested to sessions, not to visitors without one', async () => {
    const text = 'query ($kind: ThingKind) { things(first: 1) { edges { node { maker { things(kind: $kind) { totalCount } } } } } }';
    const engine = world.engineWith({ trustedDocuments: new Map([[documentIdOf(text), text]]) });
    const ask = (credential: Credential) =>
      engine.execute(requestOf('', credential, { documentId: documentIdOf(text), variables: { kind: 'Bok' } }));
    const [anonymous] = messages(await ask(ANONYMOUS));
    assert.match(anonymous ?? '', /Value "Bok" does not exist in "ThingKind" enum\.$/);
    assert.match(messages(await ask({ kind: 'session', token: 'session-of-ada' }))[0] ?? '', /Did you mean the enum value "Book"/);
  });

  test('five faults are told at most, of documents and of variables', async () => {
    const fields = Array.from({ length: 50 }, (_, index) => `maker${index}`).join(' ');
    assert.equal(messages(await world.run(`{ makers { edges { node { ${fields} } } } }`)).length, 5);
    const definitions = Array.from({ length: 8 }, (_, index) => `$v${index}: Int!`).join(', ');
    const uses = Array.from({ length: 8 }, (_, index) => `m${index}: makers(first: $v${index}) { totalCount }`).join(' ');
    assert.equal(messages(await world.run(`query (${definitions}) { ${uses} }`)).length, 5);
  });

  test('directives are five at one place, before anything else is looked at', async () => {
    const found = messages(await world.run(`{ makers ${'@skip(if: false) '.repeat(6)} { totalCount } }`));
    assert.deepEqual(found, ['There are more than 5 directives at one place.']);
  });

  test('it is charged a point and its text', async () => {
    const { body } = await world.run(`{ nope } # ${'x'.repeat(3_000)}`, {}, { bytes: 3_100 });
    assert.deepEqual([body.extensions.cost.requested, body.extensions.cost.actual], [0, 3]);
  });

  test('a document of more than 100,000 characters is not read', async () => {
    const found = messages(await world.run(`{ makers { totalCount } } # ${'x'.repeat(100_000)}`));
    assert.deepEqual(found, ['The document has 100028 characters; at most 100000 are allowed.']);
  });
});

describe('what is charged besides', () => {
  let world: ToyWorld;
  before(async () => {
    world = await openToyWorld(makeToyGraph().schema(), { makers: 2, thingsPerMaker: 2, tagsPerThing: 1 });
  });
  after(() => world.close());

  test('the size of the request, in what is asked for and in what is taken', async () => {
    const { body } = await world.run('{ me { username } }', {}, { bytes: 20_000 });
    assert.deepEqual([body.extensions.cost.requested, body.extensions.cost.actual], [5, 5]);
  });

  test('a statement that the database stopped costs all that was asked for, once the key is known', async () => {
    const stopped = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    let fails = false;
    const db = {
      ...world.db,
      together: (calls: Parameters<typeof world.db.together>[0]) => (fails ? Promise.reject(stopped) : world.db.together(calls)),
    };
    const engine = world.engineWith({ db, limits: { bucketCapacity: 100, bucketRefillPerSecond: 1 } });
    const ask = () => engine.execute(requestOf('{ makers(first: 10) { edges { node { name } } } }', world.key));
    assert.equal((await ask()).body.extensions.cost.available, 96);
    fails = true;
    await ask();
    assert.equal(engine.quotaOf(world.person.id).remaining, 84);
  });
});
