import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addBroadcast } from '../../../testing/seed-live.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { CREATE_INPUT } from '../live.fixture.ts';
import { followBroadcasts } from '../recording/follow-broadcasts.ts';

const STREAM = `id status publishedAt metadata { title summary visibility }
  broadcast { state scheduledAt startedAt endedAt viewers health { lagMs } }`;
const SCHEDULE = `mutation ($input: ScheduleStreamInput!) { scheduleStream(input: $input) { stream { ${STREAM} } } }`;
const RESCHEDULE = `mutation ($id: DID!, $input: RescheduleStreamInput!) {
  rescheduleStream(id: $id, input: $input) { stream { ${STREAM} } } }`;
const CANCEL = `mutation ($id: DID!) { cancelStream(id: $id) { stream { ${STREAM} } } }`;
const LIST = `query ($channel: DID) { scheduledStreams(channel: $channel, first: 50) { totalCount edges { node {
  id broadcast { state } } } } }`;
const SEARCH = '{ search(query: "eclipse", first: 5) { totalCount } feed(first: 5) { totalCount } }';
const FOLLOW = 'mutation ($channel: DID!) { followChannel(channel: $channel) { ok } }';
const SHOWN = `query ($id: DID!, $channel: DID!) {
  content(id: $id) { id } streams(first: 5) { totalCount edges { node { id } } }
  trending(first: 5) { totalCount edges { node { id } } }
  contents(first: 5, filter: { broadcastStates: [SCHEDULED] }) { totalCount edges { node { id } } }
  channel(id: $channel) { streams(first: 5) { totalCount } } }`;
const INPUT_ID = 'did:reelgraph:live-input/01a1facb-422b-7000-b9e0-9276b51acd0e';
const HOUR = 3_600_000;

describe('a scheduled broadcast', () => {
  let api: TestCatalog;
  let anna: Person;
  let vera: Person;
  let carl: Person;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    [anna, vera, carl] = [await api.person('anna'), await api.person('vera'), await api.person('carl')];
    await api.join(anna.channel, vera, 'VIEWER');
  });
  after(() => api.close());
  let input = '';
  beforeEach(async () => {
    await api.rows('delete from live_inputs');
    await api.rows('delete from contents');
    input = (await api.ok(anna, CREATE_INPUT, { input: { name: 'Camera', visibility: 'UNLISTED' } })).createLiveInput
      .liveInput.id;
  });

  const inHours = (hours: number) => new Date(api.clock.now() + hours * HOUR).toISOString();
  const schedule = async (values: Record<string, unknown> = {}) => {
    const given = { liveInput: input, title: 'Eclipse', scheduledAt: inHours(2), ...values };
    return (await api.ok(anna, SCHEDULE, { input: given })).scheduleStream.stream;
  };
  const stored = () =>
    api.row(
      `select (select jsonb_agg(b order by b.id) from broadcasts b) as broadcasts,
        (select jsonb_agg(c order by c.id) from contents c) as contents, (select count(*) from events) as events`,
    );
  const eventsOf = async (id: string) =>
    (await api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [uuidOf(id)])).map(
      ({ type }) => type,
    );
  const stateOf = async (id: string) =>
    (await api.row<{ state: string }>('select state from broadcasts where content_id = $1', [uuidOf(id)])).state;
  const missed = async (id: string) => {
    const following = followBroadcasts({ ...api.platform, journals: api.domains.live.services.journals });
    following.start();
    try {
      await until(async () => (await stateOf(id)) !== 'SCHEDULED');
    } finally {
      await following.stop();
    }
  };

  it('has a stream at once, which says when it begins', async () => {
    const { id, publishedAt, ...stream } = await schedule({ summary: 'The moon, from the roof.' });
    assert.match(id, /^did:reelgraph:content\/stream\//);
    assert.equal(publishedAt, new Date(api.clock.now()).toISOString());
    assert.deepEqual(stream, {
      status: 'PUBLISHED',
      metadata: { title: 'Eclipse', summary: 'The moon, from the roof.', visibility: 'UNLISTED' },
      broadcast: {
        ...{ state: 'SCHEDULED', scheduledAt: inHours(2), startedAt: null, endedAt: null },
        ...{ viewers: null, health: null },
      },
    });
    assert.deepEqual(await eventsOf(id), ['content.created', 'content.published', 'stream.scheduled']);
    const page = '{ liveInputs { edges { node { state currentStream { id } } } } }';
    assert.deepEqual((await api.ok(anna, page)).liveInputs.edges, [{ node: { state: 'IDLE', currentStream: null } }]);
  });

  it('is shown to everyone where it is public, to members only where it is private', async () => {
    const variables = async (visibility: string) => ({
      ...{ id: (await schedule({ visibility })).id, channel: anna.channel },
    });
    const hidden = await variables('PRIVATE');
    const none = { totalCount: 0, edges: [] };
    const { data, errors } = await api.run(carl, SHOWN, hidden);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['RESOURCE_NOT_FOUND'],
    );
    assert.deepEqual(data, {
      ...{ content: null, streams: none, trending: none, contents: none },
      channel: { streams: { totalCount: 0 } },
    });
    await api.ok(carl, FOLLOW, { channel: anna.channel });
    assert.deepEqual(await api.ok(carl, SEARCH), { search: { totalCount: 0 }, feed: { totalCount: 0 } });
    assert.equal((await api.ok(vera, SHOWN, hidden)).content.id, hidden.id);
    const shown = await variables('PUBLIC');
    const one = { totalCount: 1, edges: [{ node: { id: shown.id } }] };
    assert.deepEqual(await api.ok(carl, SEARCH), { search: { totalCount: 1 }, feed: { totalCount: 1 } });
    assert.deepEqual(await api.ok(carl, SHOWN, shown), {
      ...{ content: { id: shown.id }, streams: one, trending: one, contents: one },
      channel: { streams: { totalCount: 1 } },
    });
  });

  it('is described for search engines', async () => {
    const { id } = await schedule();
    const { content } = await api.ok(carl, 'query ($id: DID!) { content(id: $id) { structuredData } }', { id });
    assert.deepEqual(content.structuredData.publication, {
      ...{ '@type': 'BroadcastEvent', name: 'Eclipse', isLiveBroadcast: true, startDate: inHours(2) },
    });
    assert.equal(content.structuredData.contentUrl, undefined);
  });

  it('gets another time and another live input', async () => {
    const { id } = await schedule();
    const other = (await api.ok(anna, CREATE_INPUT, { input: { name: 'Desk' } })).createLiveInput.liveInput.id;
    const moved = { scheduledAt: inHours(30), liveInput: other };
    const { stream } = (await api.ok(anna, RESCHEDULE, { id, input: moved })).rescheduleStream;
    assert.deepEqual([stream.broadcast.state, stream.broadcast.scheduledAt], ['SCHEDULED', inHours(30)]);
    const row = await api.row('select input_id as input from broadcasts where content_id = $1', [uuidOf(id)]);
    assert.deepEqual(row, { input: uuidOf(other) });
    assert.deepEqual((await eventsOf(id)).slice(2), ['stream.scheduled', 'stream.scheduled']);
  });

  it('becomes a draft where it is canceled, and can be scheduled again', async () => {
    const { id } = await schedule({ visibility: 'PUBLIC' });
    const { stream } = (await api.ok(anna, CANCEL, { id })).cancelStream;
    assert.deepEqual([stream.status, stream.broadcast.state], ['DRAFT', 'CANCELED']);
    assert.equal((await api.run(carl, SHOWN, { id, channel: anna.channel })).data.content, null);
    assert.equal((await api.refused(anna, CANCEL, { id })).code, 'INVALID_INPUT');
    const again = (await api.ok(anna, RESCHEDULE, { id, input: { scheduledAt: inHours(4) } })).rescheduleStream.stream;
    assert.deepEqual([again.status, again.broadcast.state], ['PUBLISHED', 'SCHEDULED']);
    assert.deepEqual((await eventsOf(id)).slice(3), [
      ...['content.unpublished', 'stream.canceled', 'content.published', 'stream.scheduled'],
    ]);
  });

  it('was missed six hours after its time, and can be scheduled again', async () => {
    const { id } = await schedule();
    const later = (await schedule({ scheduledAt: inHours(20) })).id;
    api.clock.advance(8 * HOUR);
    await missed(id);
    assert.deepEqual([await stateOf(id), await stateOf(later)], ['MISSED', 'SCHEDULED']);
    const { totalCount, edges } = (await api.ok(anna, LIST)).scheduledStreams;
    assert.equal(totalCount, 2);
    assert.deepEqual(
      edges.map(({ node }: { node: { id: string; broadcast: { state: string } } }) => [node.id, node.broadcast.state]),
      [
        [later, 'SCHEDULED'],
        [id, 'MISSED'],
      ],
    );
    const { stream } = (await api.ok(anna, RESCHEDULE, { id, input: { scheduledAt: inHours(1) } })).rescheduleStream;
    assert.deepEqual([stream.status, stream.broadcast.state], ['PUBLISHED', 'SCHEDULED']);
  });

  it('is canceled where its live input is deleted, and moves to another one', async () => {
    const { id } = await schedule();
    await api.ok(anna, 'mutation ($id: DID!) { deleteLiveInput(id: $id) { id } }', { id: input });
    await missed(id);
    assert.equal(await stateOf(id), 'CANCELED');
    const scheduledAt = inHours(1);
    const error = await api.refused(anna, RESCHEDULE, { id, input: { scheduledAt } });
    assert.deepEqual([error.code, error.field], ['FIELD_REQUIRED', 'input.liveInput']);
    const other = (await api.ok(anna, CREATE_INPUT, { input: { name: 'Desk' } })).createLiveInput.liveInput.id;
    await api.ok(anna, RESCHEDULE, { id, input: { scheduledAt, liveInput: other } });
    assert.equal(await stateOf(id), 'SCHEDULED');
  });

  it('changes nothing where it is refused', async () => {
    const { id } = await schedule({ visibility: 'PRIVATE' });
    const open = (await schedule({ visibility: 'PUBLIC' })).id;
    const live = await addBroadcast(api, anna);
    const foreign = (await api.ok(carl, CREATE_INPUT, { input: { name: 'Mine' } })).createLiveInput.liveInput.id;
    const scheduledAt = inHours(1);
    const valid = { liveInput: input, title: 'Eclipse', scheduledAt };
    const before = await stored();
    const cases: [who: Person, query: string, variables: Record<string, unknown>, code: string, field: string][] = [
      [carl, SCHEDULE, { input: valid }, 'RESOURCE_NOT_FOUND', 'input.liveInput'],
      [vera, SCHEDULE, { input: valid }, 'UNAUTHORIZED', 'input.liveInput'],
      [anna, SCHEDULE, { input: { ...valid, liveInput: INPUT_ID } }, 'RESOURCE_NOT_FOUND', 'input.liveInput'],
      [anna, SCHEDULE, { input: { ...valid, title: ' ' } }, 'FIELD_REQUIRED', 'input.title'],
      [anna, SCHEDULE, { input: { ...valid, scheduledAt: inHours(-1) } }, 'INVALID_INPUT', 'input.scheduledAt'],
      [anna, SCHEDULE, { input: { ...valid, scheduledAt: inHours(9_000) } }, 'INVALID_INPUT', 'input.scheduledAt'],
      [carl, RESCHEDULE, { id, input: { scheduledAt } }, 'RESOURCE_NOT_FOUND', 'id'],
      [carl, RESCHEDULE, { id: open, input: { scheduledAt } }, 'UNAUTHORIZED', 'id'],
      [vera, RESCHEDULE, { id, input: { scheduledAt } }, 'UNAUTHORIZED', 'id'],
      [anna, RESCHEDULE, { id, input: { scheduledAt: inHours(-1) } }, 'INVALID_INPUT', 'input.scheduledAt'],
      [anna, RESCHEDULE, { id: live, input: { scheduledAt } }, 'INVALID_INPUT', 'id'],
      [anna, RESCHEDULE, { id, input: { scheduledAt, liveInput: foreign } }, 'RESOURCE_NOT_FOUND', 'input.liveInput'],
      [carl, CANCEL, { id }, 'RESOURCE_NOT_FOUND', 'id'],
      [carl, CANCEL, { id: open }, 'UNAUTHORIZED', 'id'],
      [vera, CANCEL, { id }, 'UNAUTHORIZED', 'id'],
      [anna, CANCEL, { id: live }, 'INVALID_INPUT', 'id'],
      [vera, LIST, { channel: anna.channel }, 'UNAUTHORIZED', 'channel'],
      [carl, LIST, { channel: anna.channel }, 'UNAUTHORIZED', 'channel'],
    ];
    for (const [who, query, variables, code, field] of cases) {
      const error = await api.refused(who, query, variables);
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    assert.deepEqual(await stored(), before);
  });

  it('is one of at most fifty of its live input', async () => {
    const streams: string[] = [];
    for (let count = 0; count < 50; count += 1) streams.push((await schedule()).id);
    const before = await stored();
    const error = await api.refused(anna, SCHEDULE, {
      input: { liveInput: input, title: 'One more', scheduledAt: inHours(1) },
    });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.liveInput']);
    assert.deepEqual(await stored(), before);
    await api.ok(anna, RESCHEDULE, { id: streams[0], input: { scheduledAt: inHours(5) } });
  });
});
