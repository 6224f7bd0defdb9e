import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { settleLog } from '../testing.ts';

const EVENTS = `query ($first: Int, $after: String, $last: Int, $before: String, $types: [EventType!], $channel: DID) {
  events(first: $first, after: $after, last: $last, before: $before, types: $types, channel: $channel) {
    totalCount edges { cursor node { id type channelId subject payload cursor channel { handle } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
const ADD = sql(
  'add_test_event',
  'insert into events (type, channel_id, subject_id, payload) values ($1, $2, $3, $4) returning id',
);

describe('the event log', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let stranger: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, stranger] = [await api.person('anna'), await api.person('bert'), await api.person('carl')];
    await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
      anna.channelId,
      bert.accountId,
      'VIEWER',
    ]);
  });
  after(() => api.close());

  const subjects = (list: { edges: { node: { subject: string } }[] }) => list.edges.map(({ node }) => node.subject);
  const write = (owner: Person, type: string, did: string, payload: object = {}) =>
    api.rows(ADD.text, [type, owner.channelId, uuidOf(did), JSON.stringify(payload)]);

  it('lists the events of the caller’s channels, in order, in one statement', async () => {
    const video = await api.content(anna);
    const short = await api.content(bert, { kind: 'SHORT' });
    await write(anna, 'content.created', video);
    await write(bert, 'content.created', short);
    await write(anna, 'job.updated', video, { contentId: uuidOf(video), status: 'QUEUED', accountId: bert.accountId });
    await settleLog(api);
    const { result, roundTrips, statements } = await api.counted(() => api.ok(bert, EVENTS));
    assert.deepEqual([roundTrips, statements], [1, 1]);
    const { edges, totalCount, pageInfo } = result.events;
    assert.equal(totalCount, 3);
    assert.deepEqual(
      edges.map(({ node }: { node: Record<string, unknown> }) => [
        node.type,
        node.channelId,
        node.subject,
        node.payload,
      ]),
      [
        ['CONTENT_CREATED', anna.channel, video, {}],
        ['CONTENT_CREATED', bert.channel, short, {}],
        ['JOB_UPDATED', anna.channel, `did:reelgraph:job/${uuidOf(video)}`, { content: video, status: 'QUEUED' }],
      ],
    );
    assert.equal(edges[0].node.cursor, edges[0].cursor);
    assert.deepEqual(
      [pageInfo.hasNextPage, pageInfo.hasPreviousPage, edges[2].node.channel.handle],
      [false, false, 'anna'],
    );
    const { node } = await api.ok(bert, 'query ($id: DID!) { node(id: $id) { id ... on Event { type } } }', {
      id: edges[0].node.id,
    });
    assert.deepEqual(node, { id: edges[0].node.id, type: 'CONTENT_CREATED' });
    assert.deepEqual(await api.ok(stranger, 'query ($id: DID!) { node(id: $id) { id } }', { id: edges[0].node.id }), {
      node: null,
    });
  });

  it('returns nothing to non-members, and an error for a given channel', async () => {
    assert.equal((await api.ok(stranger, EVENTS)).events.totalCount, 0);
    const error = await api.refused(stranger, EVENTS, { channel: anna.channel });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'channel']);
    const missing = await api.refused(anna, EVENTS, {
      channel: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e',
    });
    assert.deepEqual([missing.code, missing.field], ['UNAUTHORIZED', 'channel']);
    assert.equal((await api.refused(null, EVENTS)).code, 'UNAUTHENTICATED');
  });

  it('filters by channel and type, and pages in both directions over the merged channels', async () => {
    const mine = await api.ok(bert, EVENTS, { channel: bert.channel });
    assert.deepEqual([mine.events.totalCount, mine.events.edges.length], [1, 1]);
    const jobs = await api.ok(bert, EVENTS, { types: ['JOB_UPDATED', 'CONTENT_LIKED'] });
    assert.deepEqual([jobs.events.totalCount, jobs.events.edges[0].node.type], [1, 'JOB_UPDATED']);
    const all = subjects((await api.ok(bert, EVENTS)).events);
    const first = (await api.ok(bert, EVENTS, { first: 2 })).events;
    assert.deepEqual([subjects(first), first.pageInfo.hasNextPage], [all.slice(0, 2), true]);
    const rest = (await api.ok(bert, EVENTS, { first: 2, after: first.pageInfo.endCursor })).events;
    assert.deepEqual(
      [subjects(rest), rest.pageInfo.hasNextPage, rest.pageInfo.hasPreviousPage],
      [all.slice(2), false, true],
    );
    const back = (await api.ok(bert, EVENTS, { last: 2, before: rest.pageInfo.startCursor })).events;
    assert.deepEqual([subjects(back), back.pageInfo.hasPreviousPage], [all.slice(0, 2), false]);
  });

  it('refuses unknown types, cursors of other lists and cursors older than the log', async () => {
    const unknown = await api.refused(anna, EVENTS, { types: ['CONTENT_CREATED', 'CONTENT_EXPLODED'] });
    assert.deepEqual([unknown.code, unknown.field], ['GRAPHQL_VALIDATION_FAILED', 'types[1]']);
    assert.deepEqual((await api.refused(anna, EVENTS, { types: [] })).code, 'FIELD_REQUIRED');
    const foreign = (await api.ok(anna, '{ channels(first: 1) { edges { cursor } } }')).channels.edges[0].cursor;
    const other = await api.refused(anna, EVENTS, { after: foreign });
    assert.deepEqual([other.code, other.field], ['INVALID_INPUT', 'after']);
    const { events } = await api.ok(anna, EVENTS);
    api.clock.advance(31 * 86_400_000);
    await api.rows(`update subscriptions set access_until = 'infinity'`);
    const late = await api.refused(anna, EVENTS, { after: events.pageInfo.endCursor });
    assert.deepEqual([late.code, late.field], ['INVALID_INPUT', 'after']);
    assert.match(late.message, /older than 30 days/);
    api.clock.advance(-31 * 86_400_000);
  });

  it('never skips an event whose transaction commits late', async () => {
    const video = await api.content(anna);
    await settleLog(api);
    const start = (await api.ok(anna, EVENTS)).events.pageInfo.endCursor;
    const written = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const late = api.platform.db.transaction(async (tx) => {
      await tx.run(ADD, ['content.updated', anna.channelId, uuidOf(video), '{}']);
      written.resolve();
      await release.promise;
    });
    await written.promise;
    await write(anna, 'content.published', video);
    assert.deepEqual(
      (await api.ok(anna, EVENTS, { after: start })).events.edges,
      [],
      'the later event waits for the earlier transaction',
    );
    release.resolve();
    await late;
    await settleLog(api);
    const { edges } = (await api.ok(anna, EVENTS, { after: start })).events;
    assert.deepEqual(
      edges.map(({ node }: { node: { type: string } }) => node.type),
      ['CONTENT_UPDATED', 'CONTENT_PUBLISHED'],
    );
  });

  it('reads only a page of each channel, however long the log is', async () => {
    await api.rows(
      `insert into events (type, channel_id, subject_id) select 'content.liked', case ` +
        'when n % 100 = 0 then $1::uuid else $2::uuid end, $1 from generate_series(1, 20000) n',
      [bert.channelId, stranger.channelId],
    );
    await settleLog(api);
    await api.rows('analyze events');
    const [plan] = await api.rows<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, format json) select e.* from (select m.channel_id as id from channel_members m
        where m.account_id = $1) g
       cross join lateral (select e.* from events e where e.channel_id = g.id
         and e.xact < pg_snapshot_xmin(pg_current_snapshot()) order by e.xact, e.id, e.created_at limit 21) e
       order by e.xact, e.id, e.created_at limit 21`,
      [bert.accountId],
    );
    const read = [...JSON.stringify(plan).matchAll(/"Relation Name":"events".*?"Actual Rows":([\d.]+)/g)].map((match) =>
      Number(match[1]),
    );
    assert.ok(read.length > 0 && read.every((rows) => rows <= 21), JSON.stringify(plan));
    assert.equal((await api.ok(stranger, EVENTS, { first: 1 })).events.totalCount, 1_000);
  });
});
