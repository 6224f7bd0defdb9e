import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { encodeCursor, type LogPosition } from '../events/event-cursor.ts';
import { settleLog } from '../testing.ts';
import { twoInstances } from './instances.fixture.ts';
import { StreamClient } from './stream-client.fixture.ts';

const FOLLOW =
  'subscription ($cursor: String, $types: [EventType!], $channel: DID) { eventsAfter(cursor: $cursor, types: $types, ' +
  'channel: $channel) { id type subject cursor } }';
const CONTENT =
  'subscription ($id: DID!, $after: String) { contentUpdated(id: $id, after: $after) { id metadata { title } } }';

describe('subscriptions', () => {
  const instances = twoInstances();
  const { person, write } = instances;
  let api: TestCatalog;
  before(() => {
    api = instances.api;
  });
  const clients: StreamClient[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.drop();
  });

  async function open(
    who: string,
    query: string,
    variables: Record<string, unknown> = {},
    lastEventId?: string,
    instance = 0,
  ): Promise<StreamClient> {
    const client = await StreamClient.open(instances.addresses[instance] ?? '', who, query, variables, lastEventId);
    clients.push(client);
    return client;
  }
  const types = (client: StreamClient) =>
    client.received.filter(({ event }) => event === 'next').map(({ data }) => data.data?.eventsAfter?.type);

  it('send events to members immediately, each with a cursor, and nothing to others', async () => {
    const video = await api.content(person('anna'));
    const [member, stranger] = [await open('bert', FOLLOW), await open('carl', FOLLOW)];
    assert.equal(member.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    await write('content.created', video);
    await write('content.updated', video);
    const [first, second] = await member.until(2);
    assert.deepEqual(types(member), ['CONTENT_CREATED', 'CONTENT_UPDATED']);
    assert.equal(first?.id, first?.data.data.eventsAfter.cursor);
    assert.notEqual(first?.id, second?.id);
    assert.equal(second?.data.extensions.cost.actual, 2);
    await write('playlist.created', await api.content(person('carl')), person('carl').channelId);
    await stranger.until(1);
    assert.deepEqual(types(stranger), ['PLAYLIST_CREATED'], 'of the account’s own channel only');
    const refused = await open('carl', FOLLOW, { channel: person('anna').channel });
    assert.equal(refused.response.status, 403);
    const { errors } = (await refused.response.json()) as { errors: { extensions: { code: string; field: string } }[] };
    assert.deepEqual([errors[0]?.extensions.code, errors[0]?.extensions.field], ['UNAUTHORIZED', 'channel']);
  });

  it('lose and repeat nothing across dropped connections and instances under concurrent writes', async () => {
    const video = await api.content(person('anna'));
    let client = await open('bert', FOLLOW, { types: ['CONTENT_LIKED'] });
    const seen: string[] = [];
    const keep = () =>
      seen.push(...client.received.filter(({ event }) => event === 'next').map(({ data }) => data.data.eventsAfter.id));
    let writing = true;
    const writers = Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 60; n += 1) {
        await api.platform.db.transaction(async (tx) => {
          await tx.executeSql('insert into events (type, channel_id, subject_id) values ($1, $2, $3)', [
            'content.liked',
            person('anna').channelId,
            uuidOf(video),
          ]);
          await tx.executeSql('select pg_sleep(random() * 0.008)', []);
        });
      }
    });
    const done = Promise.all(writers).then(() => {
      writing = false;
    });
    for (let drops = 0; writing && drops < 40; drops += 1) {
      await client.until(client.received.length + 5);
      client.drop();
      keep();
      client = await open('bert', FOLLOW, { types: ['CONTENT_LIKED'] }, client.lastId ?? undefined, drops % 2);
    }
    await done;
    await settleLog(api);
    const all = await api.rows<{ uid: string }>(
      `select uid from events where type = 'content.liked' order by xact, id`,
    );
    await until(() => seen.length + client.received.length >= all.length);
    keep();
    assert.deepEqual(
      seen.map(uuidOf),
      all.map(({ uid }) => uid),
    );
  });

  it('do not repeat the event of a cursor that this instance has not read yet', async () => {
    const video = await api.content(person('anna'));
    await settleLog(api);
    // Events of later transactions are not read as long as this one runs.
    const running = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const older = api.platform.db.transaction(async (tx) => {
      await tx.executeSql('select pg_current_xact_id()', []);
      begun.resolve();
      await running.promise;
    });
    await begun.promise;
    await write('content.unliked', video);
    const position = await api.row<LogPosition>(
      `select xact::text as xact, id::text as id, created_at::text as "createdAt" from events
       where type = 'content.unliked'`,
    );
    const client = await open('anna', FOLLOW, { cursor: encodeCursor(position) });
    await write('content.restored', video);
    running.resolve();
    await older;
    await client.until(1);
    assert.deepEqual(types(client), ['CONTENT_RESTORED']);
  });

  it('begin with the current state of a content, follow it, and end when it is hidden', async () => {
    const video = await api.content(person('anna'), { title: 'One' });
    const client = await open('anna', CONTENT, { id: video });
    await client.until(1);
    assert.deepEqual(client.received[0]?.data.data.contentUpdated, { id: video, metadata: { title: 'One' } });
    await api.ok(person('anna'), 'mutation ($id: DID!) { updateContent(id: $id, input: { title: "Two" }) { id } }', {
      id: video,
    });
    await client.until(2);
    assert.equal(client.received[1]?.data.data.contentUpdated.metadata.title, 'Two');
    await api.ok(person('anna'), 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: video });
    await client.until(4);
    const [error, complete] = client.received.slice(2);
    assert.deepEqual(
      [error?.data.errors[0].extensions.code, error?.data.errors[0].extensions.field],
      ['RESOURCE_NOT_FOUND', 'id'],
    );
    assert.deepEqual([complete?.event, complete?.data], ['complete', null]);
    assert.equal((await open('carl', CONTENT, { id: await api.content(person('anna')) })).response.status, 400);
  });

  it('end with the error once the key is replaced or the member removed', async () => {
    const video = await api.content(person('anna'));
    const [keyed, member] = [
      await open('anna', FOLLOW, {}),
      await open('bert', FOLLOW, { channel: person('anna').channel }),
    ];
    await write('content.updated', video);
    await Promise.all([keyed.until(1), member.until(1)]);
    await instances.replaceKey('anna');
    await api.rows('delete from channel_members where account_id = $1 and channel_id = $2', [
      person('bert').accountId,
      person('anna').channelId,
    ]);
    await write('member.removed', person('bert').accountId);
    await Promise.all([keyed.until(3), member.until(3)]);
    assert.equal(keyed.received.at(-2)?.data.errors[0].extensions.code, 'UNAUTHENTICATED');
    assert.equal(member.received.at(-2)?.data.errors[0].extensions.code, 'UNAUTHORIZED');
    assert.deepEqual([keyed.received.at(-1)?.event, member.received.at(-1)?.event], ['complete', 'complete']);
    await instances.restoreKey('anna');
  });

  it('read the log when a listener’s buffer overflows', async () => {
    const video = await api.content(person('anna'));
    const client = await open('anna', FOLLOW, { types: ['CAPTIONS_UPDATED'] });
    // The listener is at the end of the log once it has received one.
    await write('captions.updated', video);
    await client.until(1);
    await api.rows(
      `insert into events (type, channel_id, subject_id) select 'captions.updated', $1, $2 ` +
        'from generate_series(1, 1300)',
      [person('anna').channelId, uuidOf(video)],
    );
    await client.until(1_301);
    const all = await api.rows<{ uid: string }>(
      `select uid from events where type = 'captions.updated' order by xact, id`,
    );
    assert.deepEqual(
      client.received.map(({ data }) => uuidOf(data.data.eventsAfter.id)),
      all.map(({ uid }) => uid),
    );
  });

  it('are limited to two hundred per account, in bounded memory', async () => {
    const video = await api.content(person('anna'));
    await settleLog(api);
    await until(() => api.domains.integrations.services.broker.size === 0, 'streams stay open');
    const before = process.memoryUsage().heapUsed;
    const many = await Promise.all(
      Array.from({ length: 200 }, () => open('anna', FOLLOW, { types: ['CONTENT_RESTORED'] })),
    );
    const each = (process.memoryUsage().heapUsed - before) / 200;
    await write('content.restored', video);
    await Promise.all(many.map((client) => client.until(1)));
    assert.deepEqual([...new Set(many.map((client) => client.received.length))], [1]);
    assert.ok(each < 256 * 1024, `${Math.round(each / 1024)} KiB for a stream and its client`);
    const more = await Promise.all(Array.from({ length: 11 }, () => open('anna', FOLLOW)));
    assert.deepEqual(
      more.map(({ response }) => response.status).filter((status) => status !== 200),
      [429],
    );
    await until(() => api.domains.integrations.services.broker.size === 210, 'the refused stream is followed');
  });

  it('are refused without a stream, with an invalid cursor, or with an invalid document', async () => {
    const plain = await api.refused(person('anna'), FOLLOW);
    assert.equal(plain.code, 'GRAPHQL_VALIDATION_FAILED');
    assert.match(plain.suggestedFix, /text\/event-stream/);
    const bad = await open('anna', FOLLOW, { cursor: 'x' });
    assert.equal(bad.response.status, 400);
    const { errors } = (await bad.response.json()) as { errors: { extensions: { code: string; field: string } }[] };
    assert.deepEqual([errors[0]?.extensions.code, errors[0]?.extensions.field], ['INVALID_INPUT', 'cursor']);
    assert.equal((await open('anna', 'subscription { nothing }')).response.status, 400);
    assert.equal(
      (await open('anna', 'subscription { a: eventsAfter { id } b: eventsAfter { id } }')).response.status,
      400,
    );
    const query = await open('anna', '{ me { username } }');
    await query.until(2);
    assert.deepEqual(
      query.received.map(({ event }) => event),
      ['next', 'complete'],
    );
    assert.equal(query.received[0]?.data.data.me.username, 'anna');
  });

  it('are completed when the server stops', async () => {
    const client = await open('anna', FOLLOW, {}, undefined, 1);
    await instances.servers[1]?.close({ graceMs: 1_000 });
    await client.until(1);
    assert.deepEqual(
      client.received.map(({ event }) => event),
      ['complete'],
    );
  });
});
