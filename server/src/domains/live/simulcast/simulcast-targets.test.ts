import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { CREATE_INPUT } from '../live.fixture.ts';

const CREATE = `mutation ($input: CreateSimulcastTargetInput!) { createSimulcastTarget(input: $input) {
  simulcastTarget { id name url isEnabled state error revision liveInput { id } } } }`;
const UPDATE = `mutation ($id: DID!, $input: UpdateSimulcastTargetInput!) {
  updateSimulcastTarget(id: $id, input: $input) { simulcastTarget { name url isEnabled error revision } } }`;
const DELETE = 'mutation ($id: DID!) { deleteSimulcastTarget(id: $id) { id liveInput { id } } }';
const LIST = `query ($id: DID!) { node(id: $id) { ... on LiveInput { simulcastTargets {
  totalCount edges { node { id name } } } } } }`;
const EXPORT = 'mutation ($input: ExportDataInput!) { exportData(input: $input) { __typename } }';
const KEY = 'key-of-the-other-service';
const MISSING = 'did:reelgraph:simulcast-target/01a1facb-422b-7000-b9e0-9276b51acd0e';

describe('simulcast targets', () => {
  let api: TestCatalog;
  let anna: Person;
  let vera: Person;
  let carl: Person;
  before(async () => {
    api = await openTestCatalog({ env: { FETCH_ALLOW: '127.0.0.1:19350' } });
    [anna, vera, carl] = [await api.person('anna'), await api.person('vera'), await api.person('carl')];
    await api.join(anna.channel, vera, 'VIEWER');
  });
  after(() => api.close());

  const newInput = async (): Promise<{ id: string; streamKey: string }> =>
    (await api.ok(anna, CREATE_INPUT, { input: { name: 'Camera' } })).createLiveInput.liveInput;
  const valuesFor = (liveInput: string) => {
    return { liveInput, name: 'Other service', url: 'rtmp://1.1.1.1/live', streamKey: KEY };
  };
  const create = async (liveInput: string, values: Record<string, unknown> = {}) =>
    (await api.ok(anna, CREATE, { input: { ...valuesFor(liveInput), ...values } })).createSimulcastTarget
      .simulcastTarget;
  const update = async (id: string, input: Record<string, unknown>) =>
    (await api.ok(anna, UPDATE, { id, input })).updateSimulcastTarget.simulcastTarget;
  const stored = () => api.rows('select * from simulcast_targets order by id');
  const keyOf = async (id: string) => {
    const { key } = await api.row<{ key: Buffer }>('select stream_key as key from simulcast_targets where id = $1', [
      uuidOf(id),
    ]);
    return api.platform.secrets.open('simulcast-key', key);
  };

  it('are switched on, and their address is normalized', async () => {
    const { id: input } = await newInput();
    const { id, ...target } = await create(input, { url: 'RTMPS://1.1.1.1:443/rtmp/?backup=1#x' });
    assert.match(id, /^did:reelgraph:simulcast-target\//);
    assert.deepEqual(target, {
      ...{ name: 'Other service', url: 'rtmps://1.1.1.1:443/rtmp?backup=1', isEnabled: true, state: 'IDLE' },
      ...{ error: null, revision: 1, liveInput: { id: input } },
    });
    const other = await create(input, { name: 'Second', isEnabled: false });
    assert.equal(other.isEnabled, false);
    const { totalCount, edges } = (await api.ok(anna, LIST, { id: input })).node.simulcastTargets;
    const names = edges.map(({ node }: { node: { name: string } }) => node.name);
    assert.deepEqual([totalCount, names], [2, ['Other service', 'Second']]);
    await api.ok(anna, DELETE, { id: other.id });
  });

  it('keep their stream key encrypted, and no field has it', async () => {
    const { id: input } = await newInput();
    const { id } = await create(input);
    assert.equal(await keyOf(id), KEY);
    const text = "select encode(stream_key, 'escape') as text from simulcast_targets";
    for (const row of await api.rows<{ text: string }>(text)) assert.ok(!row.text.includes(KEY));
    const fields = (await api.ok(anna, '{ __type(name: "SimulcastTarget") { fields { name } } }')).__type.fields;
    assert.deepEqual(
      fields.filter(({ name }: { name: string }) => /key/i.test(name)),
      [],
    );
    const query = '{ liveInputs { edges { node { simulcastTargets { edges { node { streamKey } } } } } } }';
    const variables = { input: { query } };
    assert.equal((await api.refused(anna, EXPORT, variables)).code, 'GRAPHQL_VALIDATION_FAILED');
    const events = await api.rows<{ text: string }>('select payload::text as text from events');
    assert.ok(events.every((event) => !event.text.includes(KEY)));
  });

  it('are changed, keep what is not given, and forget what was said of another address or key', async () => {
    const { id: input } = await newInput();
    const { id } = await create(input);
    const say = () =>
      api.rows(
        `update simulcast_targets set state = 'RETRYING', connection_id = id, error_message = 'No' where id = $1`,
        [uuidOf(id)],
      );
    await say();
    const first = await update(id, { name: 'YouTube', isEnabled: false });
    assert.deepEqual(first, {
      name: 'YouTube',
      url: 'rtmp://1.1.1.1/live',
      isEnabled: false,
      error: 'No',
      revision: 2,
    });
    assert.deepEqual(await update(id, { streamKey: KEY }), first, 'the same key is no change');
    const second = await update(id, { streamKey: 'another-key' });
    assert.deepEqual([second.error, second.revision, await keyOf(id)], [null, 3, 'another-key']);
    await say();
    const third = await update(id, { url: 'rtmp://127.0.0.1:19350/live' });
    assert.deepEqual([third.url, third.error, third.revision], ['rtmp://127.0.0.1:19350/live', null, 4]);
    assert.equal((await api.refused(anna, UPDATE, { id, input: { name: 'Old', ifRevision: 3 } })).code, 'CONFLICT');
  });

  it('are deleted, also with their live input', async () => {
    const { id: input } = await newInput();
    const [one, other] = [await create(input), await create(input)];
    assert.deepEqual((await api.ok(anna, DELETE, { id: one.id })).deleteSimulcastTarget, {
      ...{ id: one.id, liveInput: { id: input } },
    });
    await api.ok(anna, 'mutation ($id: DID!) { deleteLiveInput(id: $id) { id } }', { id: input });
    const left = 'select id from simulcast_targets where id = any($1)';
    assert.deepEqual(await api.rows(left, [[uuidOf(one.id), uuidOf(other.id)]]), []);
  });

  it('change nothing where they are refused', async () => {
    const { id: liveInput, streamKey } = await newInput();
    const { id } = await create(liveInput);
    const before = await stored();
    const made = (values: Record<string, unknown>) => ({ input: { ...valuesFor(liveInput), ...values } });
    const changed = (input: Record<string, unknown>) => ({ id, input });
    const invalid = 'INVALID_INPUT';
    const cases: [who: Person, query: string, variables: Record<string, unknown>, code: string, field: string][] = [
      [carl, CREATE, made({}), 'RESOURCE_NOT_FOUND', 'input.liveInput'],
      [vera, CREATE, made({}), 'UNAUTHORIZED', 'input.liveInput'],
      [carl, UPDATE, changed({ isEnabled: false }), 'RESOURCE_NOT_FOUND', 'id'],
      [vera, UPDATE, changed({ isEnabled: false }), 'UNAUTHORIZED', 'id'],
      [carl, DELETE, { id }, 'RESOURCE_NOT_FOUND', 'id'],
      [vera, DELETE, { id }, 'UNAUTHORIZED', 'id'],
      [anna, UPDATE, { id: MISSING, input: {} }, 'RESOURCE_NOT_FOUND', 'id'],
      [anna, DELETE, { id: liveInput }, invalid, 'id'],
      [anna, CREATE, made({ name: ' ' }), 'FIELD_REQUIRED', 'input.name'],
      [anna, CREATE, made({ streamKey: ' ' }), 'FIELD_REQUIRED', 'input.streamKey'],
      [anna, CREATE, made({ streamKey: 'a\u0000' }), invalid, 'input.streamKey'],
      [anna, CREATE, made({ streamKey: 'a'.repeat(501) }), invalid, 'input.streamKey'],
      [anna, UPDATE, changed({ streamKey: null }), 'FIELD_REQUIRED', 'input.streamKey'],
      // To itself.
      [anna, CREATE, made({ streamKey }), invalid, 'input.streamKey'],
      [anna, CREATE, made({ streamKey: `${streamKey}?backup=1` }), invalid, 'input.streamKey'],
      [anna, UPDATE, changed({ streamKey }), invalid, 'input.streamKey'],
      // To what is not a server of RTMP, or not on the public internet.
      ...[
        ...['http://1.1.1.1/live', 'rtmpt://1.1.1.1/live', 'file:///etc/passwd', 'rtmp://user:pass@1.1.1.1/live'],
        ...['rtmp://127.0.0.1/live', 'rtmp://127.0.0.1:19351/live', 'rtmps://[::1]/live', 'rtmp://localhost/live'],
        ...['rtmp://10.0.0.1/live', 'rtmp://192.168.1.1/live', 'rtmp://169.254.169.254/live', 'rtmp://0x7f.1/live'],
        ...['rtmp://[::ffff:127.0.0.1]/live', 'rtmp://2130706433/live', 'rtmp://0.0.0.0/live'],
      ].flatMap((url): (typeof cases)[number][] => [
        [anna, CREATE, made({ url }), invalid, 'input.url'],
        [anna, UPDATE, changed({ url }), invalid, 'input.url'],
      ]),
    ];
    for (const [who, query, variables, code, field] of cases) {
      const error = await api.refused(who, query, variables);
      assert.deepEqual([error.code, error.field], [code, field], JSON.stringify(variables));
      assert.ok(!JSON.stringify(error).includes(KEY));
    }
    assert.deepEqual(await stored(), before);
    assert.equal((await api.run(vera, LIST, { id: liveInput })).data.node, null);
    assert.equal((await api.run(carl, LIST, { id: liveInput })).data.node, null);
    const node = 'query ($id: DID!) { node(id: $id) { id } }';
    for (const who of [vera, carl, null]) assert.equal((await api.run(who, node, { id })).data?.node ?? null, null);
  });

  it('are at most ten of a live input, and fifty of a channel', async () => {
    await api.rows('delete from simulcast_targets');
    const inputs = [await newInput(), await newInput(), await newInput(), await newInput(), await newInput()];
    for (const { id } of inputs) {
      for (let count = 0; count < 10; count += 1) await create(id);
      const before = await stored();
      const error = await api.refused(anna, CREATE, { input: valuesFor(id) });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.liveInput']);
      assert.deepEqual(await stored(), before);
    }
    const { id } = await newInput();
    assert.equal((await api.refused(anna, CREATE, { input: valuesFor(id) })).field, 'input.liveInput');
    assert.equal((await stored()).length, 50);
  });
});
