import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { CREATE_INPUT } from '../live.fixture.ts';
import { makeStreamKey } from './stream-key.ts';

const UPDATE = `mutation ($id: DID!, $input: UpdateLiveInputInput!) { updateLiveInput(id: $id, input: $input) {
  liveInput { name latency recording visibility reconnectWindowMs revision } } }`;
const DELETE = 'mutation ($id: DID!) { deleteLiveInput(id: $id) { id channel { id } } }';
const ROTATE = 'mutation ($id: DID!) { rotateLiveInputKey(id: $id) { liveInput { streamKey } } }';
const LIST =
  'query ($channel: DID) { liveInputs(channel: $channel, first: 50) { totalCount edges { node { id name } } } }';

describe('live inputs', () => {
  let api: TestCatalog;
  let anna: Person;
  let vera: Person;
  let carl: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, vera, carl] = [await api.person('anna'), await api.person('vera'), await api.person('carl')];
    await api.join(anna.channel, vera, 'VIEWER');
  });
  after(() => api.close());

  const create = async (input: Record<string, unknown> = {}) =>
    (await api.ok(anna, CREATE_INPUT, { input: { name: 'Camera', ...input } })).createLiveInput.liveInput;
  const stored = () => api.rows('select * from live_inputs order by id');

  it('begin private, with a low latency and a whole recording', async () => {
    const { id, streamKey, ...input } = await create();
    assert.match(id, /^did:reelgraph:live-input\//);
    assert.match(streamKey, /^[A-Za-z0-9]{32}$/);
    assert.deepEqual(input, {
      ...{ name: 'Camera', latency: 'LOW', recording: 'ALL', visibility: 'PRIVATE', reconnectWindowMs: 60_000 },
      ...{ srt: false, srtPassphrase: null },
      ...{ state: 'IDLE', ingest: { rtmp: null, rtmps: null, srt: null, whip: null }, currentStream: null },
    });
  });

  it('have keys that are stored encrypted', async () => {
    const { streamKey } = await create();
    assert.ok(!JSON.stringify(await stored()).includes(streamKey));
    const rows = await api.rows<{ text: string }>(
      `select encode(stream_key, 'escape') || encode(stream_key_hash, 'escape') as text from live_inputs`,
    );
    assert.ok(rows.every(({ text }) => !text.includes(streamKey)));
  });

  it('get another key', async () => {
    const { id, streamKey } = await create();
    const rotated = (await api.ok(anna, ROTATE, { id })).rotateLiveInputKey.liveInput.streamKey;
    assert.match(rotated, /^[A-Za-z0-9]{32}$/);
    assert.notEqual(rotated, streamKey);
  });

  it('are changed, and keep what is not given', async () => {
    const { id } = await create({ latency: 'NORMAL' });
    const input = { name: 'Desk', visibility: 'PUBLIC', reconnectWindowMs: 0 };
    assert.deepEqual((await api.ok(anna, UPDATE, { id, input })).updateLiveInput.liveInput, {
      ...{ name: 'Desk', latency: 'NORMAL', recording: 'ALL', visibility: 'PUBLIC', reconnectWindowMs: 0, revision: 2 },
    });
    assert.equal((await api.refused(anna, UPDATE, { id, input: { name: 'Old', ifRevision: 1 } })).code, 'CONFLICT');
  });

  it('are listed for those who may broadcast', async () => {
    const { totalCount, edges } = (await api.ok(anna, LIST)).liveInputs;
    assert.equal(totalCount, edges.length);
    assert.deepEqual((await api.ok(carl, LIST)).liveInputs.edges, []);
    for (const who of [vera, carl])
      assert.equal((await api.refused(who, LIST, { channel: anna.channel })).code, 'UNAUTHORIZED');
  });

  it('are deleted', async () => {
    const { id } = await create();
    assert.deepEqual((await api.ok(anna, DELETE, { id })).deleteLiveInput, { id, channel: { id: anna.channel } });
    assert.deepEqual(await api.rows('select id from live_inputs where id = $1', [uuidOf(id)]), []);
  });

  it('change nothing where they are refused', async () => {
    const { id } = await create();
    const missing = 'did:reelgraph:live-input/01a1facb-422b-7000-b9e0-9276b51acd0e';
    const before = await stored();
    const cases: [who: Person, query: string, variables: Record<string, unknown>, code: string, field: string][] = [
      [carl, UPDATE, { id, input: { name: 'Mine' } }, 'RESOURCE_NOT_FOUND', 'id'],
      [carl, DELETE, { id }, 'RESOURCE_NOT_FOUND', 'id'],
      [carl, ROTATE, { id }, 'RESOURCE_NOT_FOUND', 'id'],
      [vera, UPDATE, { id, input: { name: 'Mine' } }, 'UNAUTHORIZED', 'id'],
      [vera, DELETE, { id }, 'UNAUTHORIZED', 'id'],
      [vera, ROTATE, { id }, 'UNAUTHORIZED', 'id'],
      [anna, ROTATE, { id: missing }, 'RESOURCE_NOT_FOUND', 'id'],
      [anna, UPDATE, { id, input: { name: ' ' } }, 'FIELD_REQUIRED', 'input.name'],
      [anna, UPDATE, { id, input: { reconnectWindowMs: 300_001 } }, 'INVALID_INPUT', 'input.reconnectWindowMs'],
      [anna, CREATE_INPUT, { input: { name: 'x', reconnectWindowMs: -1 } }, 'INVALID_INPUT', 'input.reconnectWindowMs'],
      [anna, CREATE_INPUT, { input: { name: '' } }, 'FIELD_REQUIRED', 'input.name'],
      [anna, CREATE_INPUT, { input: { name: 'x', srt: true } }, 'SERVICE_UNAVAILABLE', 'input.srt'],
      [anna, UPDATE, { id, input: { srt: true } }, 'SERVICE_UNAVAILABLE', 'input.srt'],
      [carl, CREATE_INPUT, { input: { name: 'x', channel: anna.channel } }, 'UNAUTHORIZED', 'input.channel'],
    ];
    for (const [who, query, variables, code, field] of cases) {
      const error = await api.refused(who, query, variables);
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    assert.deepEqual(await stored(), before);
  });

  it('are at most twenty in a channel', async () => {
    const { totalCount } = (await api.ok(anna, LIST)).liveInputs;
    for (let count = totalCount; count < 20; count += 1) await create();
    const before = await stored();
    assert.equal((await api.refused(anna, CREATE_INPUT, { input: { name: 'One more' } })).field, 'input.channel');
    assert.deepEqual(await stored(), before);
  });
});

describe('stream keys', () => {
  it('have 190 bits, all characters as likely as the others', () => {
    const counts = new Map<string, number>();
    for (let key = 0; key < 2_000; key += 1)
      for (const character of makeStreamKey()) counts.set(character, (counts.get(character) ?? 0) + 1);
    assert.equal(counts.size, 62);
    const expected = (2_000 * 32) / 62;
    for (const [character, count] of counts)
      assert.ok(Math.abs(count - expected) < 6 * Math.sqrt(expected), `${character}: ${count}`);
  });
});
