import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../catalog/testing.ts';

const UPDATE =
  'mutation ($id: DID!, $input: UpdateChannelInput!) { updateChannel(id: $id, input: $input) { channel ' +
  '{ handle metadata ' +
  '{ name title summary shortSummary keywords } } } }';

describe('channels', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  it('are created with the account and listed newest first', async () => {
    const { channels, me } = await api.ok(
      anna,
      '{ channels { totalCount edges { node { id handle } } } me { id channel { id handle } } }',
    );
    assert.equal(channels.totalCount, 2);
    assert.deepEqual(
      new Set(channels.edges.map((edge: { node: { handle: string } }) => edge.node.handle)),
      new Set(['anna', 'bert']),
    );
    assert.deepEqual(me, { id: anna.channel, channel: { id: anna.channel, handle: 'anna' } });
  });

  it('update the given fields only and write an event', async () => {
    await api.ok(anna, UPDATE, { id: anna.channel, input: { summary: 'one\ntwo' } });
    const { result, roundTrips } = await api.counted(() =>
      api.ok(anna, UPDATE, {
        id: anna.channel,
        input: { name: 'Anna H.', title: 'Hills', keywords: ['hill', 'Hill'], handle: 'anna.hills' },
      }),
    );
    assert.equal(roundTrips, 1);
    assert.deepEqual(result.updateChannel.channel, {
      handle: 'anna.hills',
      metadata: { name: 'Anna H.', title: 'Hills', summary: 'one\ntwo', shortSummary: '', keywords: ['hill'] },
    });
    assert.deepEqual(await api.rows('select type from events where subject_id = $1', [anna.channelId]), [
      { type: 'channel.updated' },
      { type: 'channel.updated' },
    ]);
  });

  it('have one name: name and title change with each other, unless both are given', async () => {
    const namesAfter = async (input: object) => {
      const { metadata } = (await api.ok(anna, UPDATE, { id: anna.channel, input })).updateChannel.channel;
      return [metadata.name, metadata.title];
    };
    assert.deepEqual(await namesAfter({ name: 'Peaks' }), ['Peaks', 'Peaks']);
    assert.deepEqual(await namesAfter({ title: 'Lakes' }), ['Lakes', 'Lakes']);
    assert.deepEqual(await namesAfter({ summary: 'Quiet.' }), ['Lakes', 'Lakes']);
    assert.deepEqual(await namesAfter({ title: 'x'.repeat(200) }), ['x'.repeat(100), 'x'.repeat(200)]);
    assert.deepEqual(await namesAfter({ name: 'Bert', title: 'Valleys' }), ['Bert', 'Valleys']);
  });

  it('say in the event which codecs videos shall have that they had not before', async () => {
    const events = () =>
      api.rows<{ codecs: string[] | null }>(
        `select payload -> 'codecs' as codecs from events where type = 'channel.updated' and subject_id = $1
         order by id`,
        [bert.channelId],
      );
    const inputs = [
      { encodeAv1: true },
      { encodeAv1: true, title: 'Valleys' },
      { encodeAv1: false },
      { encodeAv1: true, encodeHevc: true },
      { encodeAv1: false, encodeHevc: false },
    ];
    for (const input of inputs) await api.ok(bert, UPDATE, { id: bert.channel, input });
    assert.deepEqual(
      (await events()).map(({ codecs }) => codecs),
      [['AV1'], null, null, ['AV1', 'HEVC'], null],
    );
  });

  const empty = { summary: '', shortSummary: '', keywords: [] };
  for (const [name, cleared] of Object.entries(empty)) {
    it(`clear ${name} with null, as a variable and as a literal, and keep it when it is omitted`, async () => {
      const full = { summary: 'one', shortSummary: 'two', keywords: ['three'] };
      const kept = { name: 'Anna', title: 'Hills' };
      await api.ok(anna, UPDATE, { id: anna.channel, input: { ...kept, ...full } });
      const changed = { ...kept, ...full, [name]: cleared };
      const variable = await api.ok(anna, UPDATE, { id: anna.channel, input: { [name]: null } });
      assert.deepEqual(variable.updateChannel.channel.metadata, changed);
      await api.ok(anna, UPDATE, { id: anna.channel, input: full });
      const literal = UPDATE.replace('$input: UpdateChannelInput!', '$absent: String').replace(
        '$input',
        `{ ${name}: null, title: $absent }`,
      );
      assert.deepEqual((await api.ok(anna, literal, { id: anna.channel })).updateChannel.channel.metadata, changed);
    });
  }

  it('have a website: omitted keeps it, null clears it', async () => {
    const WEBSITE =
      'mutation ($id: DID!, $input: UpdateChannelInput!) { updateChannel(id: $id, input: $input) { channel ' +
      '{ websiteUrl } } }';
    const website = async (input: Record<string, unknown>) =>
      (await api.ok(bert, WEBSITE, { id: bert.channel, input })).updateChannel.channel.websiteUrl;
    assert.equal(await website({}), null);
    assert.equal(await website({ websiteUrl: ' https://Example.com/Bert ' }), 'https://example.com/Bert');
    assert.equal(await website({ summary: 'changed' }), 'https://example.com/Bert');
    assert.equal(await website({ websiteUrl: null }), null);
  });

  const refusals: [string, Record<string, unknown>, string, string][] = [
    ['a website that is a script', { websiteUrl: 'javascript:alert(1)' }, 'INVALID_INPUT', 'input.websiteUrl'],
    ['null for the title', { title: null }, 'FIELD_REQUIRED', 'input.title'],
    ['null for the name', { name: null }, 'FIELD_REQUIRED', 'input.name'],
    ['null for the handle', { handle: null }, 'FIELD_REQUIRED', 'input.handle'],
    ['null for the time zone', { timeZone: null }, 'FIELD_REQUIRED', 'input.timeZone'],
    ['a blank title', { title: ' ' }, 'FIELD_REQUIRED', 'input.title'],
    ['a long name', { name: 'x'.repeat(101) }, 'INVALID_INPUT', 'input.name'],
    ['a control character', { summary: 'a\u0000' }, 'INVALID_INPUT', 'input.summary'],
    ['a handle with a slash', { handle: 'a/b' }, 'INVALID_INPUT', 'input.handle'],
    ["someone else's handle in other letters", { handle: 'BERT' }, 'RESOURCE_ALREADY_EXISTS', 'input.handle'],
  ];
  for (const [name, input, code, field] of refusals) {
    it(`refuse ${name}`, async () => {
      const before = await api.row('select * from channels where id = $1', [anna.channelId]);
      const error = await api.refused(anna, UPDATE, { id: anna.channel, input: { ...input, shortSummary: 'changed' } });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await api.row('select * from channels where id = $1', [anna.channelId]), before);
    });
  }

  it('can be changed by their owner only', async () => {
    const theirs = await api.refused(bert, UPDATE, { id: anna.channel, input: { title: 'Mine' } });
    assert.deepEqual([theirs.code, theirs.field], ['UNAUTHORIZED', 'id']);
    const missing = await api.refused(bert, UPDATE, {
      id: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e',
      input: { title: 'Mine' },
    });
    assert.deepEqual([missing.code, missing.field], ['RESOURCE_NOT_FOUND', 'id']);
  });

  const IMAGE =
    'mutation ($id: DID!, $size: BigInt!) { createChannelAsset(id: $id, input: { filename: "me.png", size: $size, ' +
    'image: { hint: AVATAR, alt: "Me" } }) { ingestion { state endpoint metadata ' +
    '{ contentId channelId hint } progress ' +
    '{ current total } } } }';

  it('have their own images', async () => {
    const { ingestion } = (await api.ok(anna, IMAGE, { id: anna.channel, size: 5_000 })).createChannelAsset;
    const { endpoint, ...session } = ingestion;
    assert.match(endpoint, /^http:\/\/reelgraph\.test\/uploads\/[0-9a-f-]{36}-[\w-]+$/);
    assert.deepEqual(session, {
      state: 'OPEN',
      metadata: { contentId: null, channelId: anna.channel, hint: 'AVATAR' },
      progress: { current: 0, total: 5_000 },
    });
    const tooLarge = await api.refused(anna, IMAGE, { id: anna.channel, size: 26 * 1024 * 1024 });
    assert.deepEqual([tooLarge.code, tooLarge.field], ['INVALID_INPUT', 'input.size']);
    assert.equal((await api.refused(bert, IMAGE, { id: anna.channel, size: 5 })).code, 'UNAUTHORIZED');
    const { me } = await api.ok(anna, '{ me { ingestions { totalCount edges { node { id } } } } }');
    assert.equal(me.ingestions.totalCount, 1);
    const id = me.ingestions.edges[0].node.id;
    assert.deepEqual(
      (await api.ok(anna, 'query ($id: DID!) { me { ingestion(id: $id) { id } } }', { id })).me.ingestion,
      { id },
    );
    assert.deepEqual(
      await api.ok(bert, 'query ($id: DID!) { me { ingestion(id: $id) { id } } node(id: $id) { id } }', { id }),
      {
        me: { ingestion: null },
        node: null,
      },
    );
  });
});
