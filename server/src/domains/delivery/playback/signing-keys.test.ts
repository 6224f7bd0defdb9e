import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';

const CREATE = `mutation ($input: CreateSigningKeyInput!) {
  createSigningKey(input: $input) {
    signingKey { id description algorithm publicKey lastUsedAt channel { id } } privateKey
  }
}`;
const LIST = `query ($channel: DID) { signingKeys(channel: $channel) {
  totalCount edges { node { id description algorithm lastUsedAt } }
} }`;
const DELETE = 'mutation ($id: DID!) { deleteSigningKey(id: $id) { id } }';
const NODE = 'query ($id: DID!) { node(id: $id) { id } }';

describe('signing keys', () => {
  let api: TestCatalog;
  let anna: Person;
  let editor: Person;
  let stranger: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, editor, stranger] = [await api.person('anna'), await api.person('edna'), await api.person('carl')];
    await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
      anna.channelId,
      editor.accountId,
      'EDITOR',
    ]);
  });
  beforeEach(() => api.rows('delete from signing_keys'));
  after(() => api.close());
  const create = async (input: object = {}) => (await api.ok(anna, CREATE, { input })).createSigningKey;

  it('are generated as pairs, of which only the public half is stored', async () => {
    const { signingKey, privateKey } = await create({ description: 'The shop' });
    assert.match(signingKey.id, /^did:reelgraph:signing-key\/[0-9a-f-]{36}$/);
    const { id: _, publicKey, ...rest } = signingKey;
    assert.deepEqual(rest, {
      description: 'The shop',
      algorithm: 'EDDSA',
      lastUsedAt: null,
      channel: { id: anna.channel },
    });
    assert.ok(createPublicKey(createPrivateKey(privateKey)).equals(createPublicKey(publicKey)));
    const [row] = await api.rows<Record<string, unknown>>('select * from signing_keys');
    assert.deepEqual(Object.keys(row ?? {}).sort(), [
      ...['algorithm', 'channel_id', 'created_at', 'description', 'id', 'last_used_at', 'public_key'],
    ]);
    assert.ok(!JSON.stringify(row).includes('PRIVATE'));
  });

  it('can be public keys of the caller, whose algorithm follows from them', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { signingKey, privateKey } = await create({ publicKey: pem });
    assert.deepEqual([signingKey.algorithm, signingKey.publicKey, privateKey], ['RS256', pem, null]);
    const { code, field } = await api.refused(anna, CREATE, { input: { publicKey: pem, algorithm: 'EDDSA' } });
    assert.deepEqual([code, field], ['INVALID_INPUT', 'input.algorithm']);
  });

  it('are listed newest first, and at most ten per channel', async () => {
    for (const description of ['one', 'two']) {
      await create({ description });
      api.clock.advance(1_000);
    }
    const { edges, totalCount } = (await api.ok(anna, LIST, { channel: anna.channel })).signingKeys;
    assert.deepEqual(
      edges.map(({ node }: { node: { description: string } }) => node.description),
      ['two', 'one'],
    );
    assert.equal(totalCount, 2);
    const outcomes = await Promise.all(
      Array.from({ length: 9 }, async () => (await api.run(anna, CREATE, { input: {} })).errors[0]?.code ?? 'created'),
    );
    assert.deepEqual(outcomes.toSorted(), ['INVALID_INPUT', ...Array.from({ length: 8 }, () => 'created')]);
  });

  it('are deleted once, and then found no more', async () => {
    const { signingKey } = await create();
    assert.deepEqual(await api.ok(anna, DELETE, { id: signingKey.id }), { deleteSigningKey: { id: signingKey.id } });
    assert.equal((await api.refused(anna, DELETE, { id: signingKey.id })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await api.ok(anna, LIST)).signingKeys.totalCount, 0);
  });

  it('are for managers of the channel only', async () => {
    const { signingKey } = await create();
    const { id } = signingKey;
    const code = async (who: Person, query: string, variables: object) =>
      (await api.refused(who, query, { ...variables })).code;
    const channel = { channel: anna.channel };
    for (const who of [editor, stranger]) {
      assert.equal(await code(who, CREATE, { input: channel }), 'UNAUTHORIZED');
      assert.equal(await code(who, LIST, channel), 'UNAUTHORIZED');
      assert.equal((await api.run(who, NODE, { id })).data?.node ?? null, null);
    }
    assert.equal(await code(editor, DELETE, { id }), 'UNAUTHORIZED');
    assert.equal(await code(stranger, DELETE, { id }), 'RESOURCE_NOT_FOUND');
    assert.equal((await api.ok(anna, LIST)).signingKeys.totalCount, 1);
  });
});
