import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type Client, createClient } from 'graphql-ws';
import { until } from '../../../testing/until.ts';
import { twoInstances } from './instances.fixture.ts';
import { StreamClient } from './stream-client.fixture.ts';

const FOLLOW =
  'subscription ($cursor: String, $types: [EventType!]) ' +
  '{ eventsAfter(cursor: $cursor, types: $types) { type cursor } }';

interface Message {
  readonly data?: { readonly eventsAfter: { readonly type: string; readonly cursor: string } } | null;
  readonly errors?: readonly unknown[];
  readonly extensions?: { readonly cursor?: string; readonly cost?: { readonly actual: number } };
}

describe('subscriptions over a WebSocket, by graphql-ws', () => {
  const instances = twoInstances();
  const { person, write } = instances;
  const clients: Client[] = [];
  const listeners = () => instances.api.domains.integrations.services.broker.size;
  afterEach(async () => {
    for (const client of clients.splice(0)) void client.dispose();
    await until(() => listeners() === 0, 'subscriptions stay open');
  });

  interface Connection {
    readonly client: Client;
    /** Set when the server has closed it. */
    readonly closed: { code?: number; reason?: string };
  }

  function connect(who: string, instance = 0): Connection {
    const closed: Connection['closed'] = {};
    const client = createClient({
      url: `${instances.addresses[instance]?.replace('http', 'ws')}/graphql`,
      connectionParams: { authorization: `Bearer ${who}` },
      lazy: false,
      retryAttempts: 0,
      onNonLazyError: () => {},
      on: {
        closed: (event) => {
          const { code, reason } = event as CloseEvent;
          Object.assign(closed, { code, reason });
        },
      },
    });
    clients.push(client);
    return { client, closed };
  }

  /** The messages of a subscription, and its error. */
  function follow({ client }: Connection, variables: Record<string, unknown> = {}) {
    const messages: Message[] = [];
    const ended: { error?: unknown; complete?: boolean } = {};
    const stop = client.subscribe<NonNullable<Message['data']>>(
      { query: FOLLOW, variables },
      {
        next: (message) => void messages.push(message as Message),
        error: (error) => void Object.assign(ended, { error }),
        complete: () => void Object.assign(ended, { complete: true }),
      },
    );
    return { messages, ended, stop };
  }

  it('get each event once, with its cursor and cost, and go on after it on another instance', async () => {
    const video = await instances.api.content(person('anna'));
    const first = follow(connect('bert'), { types: ['CONTENT_LIKED'] });
    await until(() => listeners() === 1);
    await write('content.liked', video);
    await write('content.liked', video);
    await until(() => first.messages.length === 2);
    const [one, two] = first.messages;
    assert.equal(one?.data?.eventsAfter.type, 'CONTENT_LIKED');
    assert.equal(one?.extensions?.cursor, one?.data?.eventsAfter.cursor);
    assert.equal(one?.extensions?.cost?.actual, 2);
    const second = follow(connect('bert', 1), { types: ['CONTENT_LIKED'], cursor: one?.extensions?.cursor });
    await until(() => second.messages.length === 1);
    assert.equal(second.messages[0]?.extensions?.cursor, two?.extensions?.cursor);
    await write('content.liked', video);
    await until(() => first.messages.length === 3 && second.messages.length === 2);
  });

  it('are several in one connection, and end one by one', async () => {
    const video = await instances.api.content(person('anna'));
    const connection = connect('anna');
    const [liked, restored] = ['CONTENT_LIKED', 'CONTENT_RESTORED'].map((type) =>
      follow(connection, { types: [type] }),
    );
    await until(() => listeners() === 2);
    liked?.stop();
    await until(() => listeners() === 1);
    await write('content.liked', video);
    await write('content.restored', video);
    await until(() => restored?.messages.length === 1);
    assert.deepEqual([liked?.messages.length, liked?.ended.complete], [0, true]);
  });

  it('get nothing of channels that the account may not read, and errors with field and fix', async () => {
    const own = await instances.api.content(person('carl'));
    const connection = connect('carl');
    const stranger = follow(connection);
    await until(() => listeners() === 1);
    await write('content.updated', await instances.api.content(person('anna')));
    await write('content.restored', own, person('carl').channelId);
    await until(() => stranger.messages.some(({ data }) => data?.eventsAfter.type === 'CONTENT_RESTORED'));
    assert.ok(!stranger.messages.some(({ data }) => data?.eventsAfter.type === 'CONTENT_UPDATED'));
    const wrong = follow(connection, { cursor: 'x' });
    await until(() => wrong.ended.error !== undefined);
    const [error] = wrong.ended.error as { path: unknown; extensions: { code: string; field: string } }[];
    assert.deepEqual([error?.extensions.code, error?.extensions.field], ['INVALID_INPUT', 'cursor']);
  });

  it('and silent streams of server-sent events end within seconds when the key is replaced', async () => {
    const connection = connect('anna', 1);
    const silent = follow(connection, { types: ['CHANNEL_DELETED'] });
    const other = connect('bert', 1);
    const events = await StreamClient.open(instances.addresses[0] ?? '', 'anna', FOLLOW, {
      types: ['CHANNEL_DELETED'],
    });
    await until(() => listeners() === 2);
    await instances.replaceKey('anna');
    await until(() => connection.closed.code !== undefined && events.ended);
    assert.equal(connection.closed.code, 4403);
    assert.match(connection.closed.reason ?? '', /^UNAUTHENTICATED: /);
    assert.deepEqual(silent.messages.length, 0);
    const [message, complete] = events.received;
    assert.equal(message?.data.errors[0].extensions.code, 'UNAUTHENTICATED');
    assert.equal(complete?.event, 'complete');
    assert.equal(other.closed.code, undefined);
    const refused = connect('anna');
    await until(() => refused.closed.code !== undefined);
    assert.deepEqual(refused.closed.code, 4403);
    await instances.restoreKey('anna');
  });

  it('are closed when the server stops, so that clients connect to another', async () => {
    const connection = connect('anna', 1);
    follow(connection);
    await until(() => listeners() === 1);
    await instances.servers[1]?.close({ graceMs: 1_000 });
    await until(() => connection.closed.code !== undefined);
    assert.equal(connection.closed.code, 1001);
  });
});
