import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import type { Person } from '../../domains/catalog/testing.ts';
import type { SubscriptionMessage } from '../../gql/requests.ts';
import { until } from '../../testing/until.ts';
import { type AgentFixture, openAgentFixture } from '../testing.ts';
import { type Following, followResource } from './follow-resource.ts';
import { listenTo } from './listening.ts';

const RENAME = 'mutation ($id: DID!, $title: String!) { updateContent(id: $id, input: { title: $title }) { id } }';
const HIDE = 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PRIVATE }) { id } }';
const RENAME_CHANNEL =
  'mutation ($id: DID!, $name: String!) { updateChannel(id: $id, input: { name: $name }) { channel { id } } }';

let fixture: AgentFixture;
let stranger: Person;
before(async () => {
  fixture = await openAgentFixture();
  stranger = await fixture.api.person('otto');
});
after(() => fixture?.close());

let renames = 0;
/** To a title that it has not had: an update without a difference is no event. */
const rename = (id: string, title: string) => {
  renames += 1;
  return fixture.api.ok(fixture.owner, RENAME, { id, title: `${title} ${renames}` });
};
const content = (options: object = {}) => fixture.things.content({ status: 'PUBLISHED', ...options });

/** Records the notifications of a client. */
function updatesOf(client: Client): string[] {
  const updates: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  return updates;
}

describe('subscriptions/listen', () => {
  it('notifies of changes of contents, the own channel and nothing else, until it is closed', async () => {
    const client = await fixture.connect();
    const updates = updatesOf(client);
    const [watched, other] = [await content(), await content()];
    const { channel } = fixture.owner;
    const wanted = [watched, channel, 'reelgraph://schema'];
    const subscription = await client.listen({ resourceSubscriptions: wanted });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: wanted });

    await rename(other, 'Another');
    await rename(watched, 'Renamed');
    await until(() => updates.includes(watched) && updates.includes(channel));
    assert.deepEqual(new Set(updates), new Set([watched, channel]));

    const { broker } = fixture.api.domains.integrations.services;
    await subscription.close();
    await until(() => broker.size === 0);
  });

  it('leaves out what the caller may not see, and has no news of it', async () => {
    const client = await fixture.connect({ key: stranger.key });
    const updates = updatesOf(client);
    const [visible, hidden] = [await content(), await content({ visibility: 'PRIVATE' })];
    const { channel } = fixture.owner;
    const none = ['did:reelgraph:content/feature/none', 'reelgraph://secrets'];
    const subscription = await client.listen({ resourceSubscriptions: [hidden, visible, channel, ...none] });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: [visible] });
    await rename(hidden, 'Still hidden');
    await rename(visible, 'Renamed');
    await until(() => updates.length > 0);
    assert.deepEqual(updates, [visible]);
    await subscription.close();
  });

  it('notifies once more when a content is hidden from the caller, and then no longer', async () => {
    const client = await fixture.connect({ key: stranger.key });
    const updates = updatesOf(client);
    const [watched, other] = [await content(), await content()];
    const subscription = await client.listen({ resourceSubscriptions: [watched, other] });
    await fixture.api.ok(fixture.owner, HIDE, { id: watched });
    await until(() => updates.length > 0);
    await assert.rejects(client.readResource({ uri: watched }));
    await rename(watched, 'Hidden');
    await rename(other, 'Renamed');
    await until(() => updates.includes(other));
    assert.deepEqual(updates, [watched, other]);
    await subscription.close();
  });

  it('is refused as a whole while the caller cannot be served, instead of following nothing', async () => {
    const busy: Awaited<ReturnType<Following['engine']['subscribe']>> = {
      kind: 'answer',
      result: {
        body: { errors: [], extensions: { cost: { requested: 1, actual: 0, available: 0, restoreRate: 1 } } },
        failure: 'RATE_LIMIT_EXCEEDED',
      },
    };
    const { noCost, schema } = fixture.api.domains.engine;
    const engine = { noCost, schema, execute: () => assert.fail('nothing runs'), subscribe: async () => busy };
    const { credential, username, channel: channelId } = fixture.owner;
    const caller = { credential, username, channelId, requestId: 'test' } as Following['caller'];
    const params = { notifications: { resourceSubscriptions: [await content()] } };
    const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    const { signal } = new AbortController();
    await assert.rejects(listenTo(message, { engine, caller, signal, lost: () => {} }), {
      code: 'RATE_LIMIT_EXCEEDED',
    });
  });

  it('notifies of a content that is hidden before its state was read', async () => {
    const hidden = { errors: [{ message: 'hidden', extensions: { code: 'RESOURCE_NOT_FOUND' } }] };
    const messages = async function* () {
      yield { body: hidden } as unknown as SubscriptionMessage;
    };
    const { noCost, schema } = fixture.api.domains.engine;
    const stream = { kind: 'stream', operation: 'Hidden', accountId: null, deprecations: undefined } as const;
    const subscribe = async () => ({ ...stream, messages: messages() });
    const engine = { noCost, schema, execute: () => assert.fail('nothing runs'), subscribe };
    const { credential, username, channel: channelId } = fixture.owner;
    const caller = { credential, username, channelId, requestId: 'test' } as Following['caller'];
    const { signal } = new AbortController();
    let changes = 0;
    const changed = () => {
      changes += 1;
    };
    await followResource(await content(), { engine, caller, signal, changed, lost: () => assert.fail('it is hidden') });
    await until(() => changes === 1);
  });

  it('ends when the credential is revoked, with the next event', async () => {
    const person = await fixture.api.person('rosa');
    const client = await fixture.connect({ key: person.key });
    const updates = updatesOf(client);
    const watched = await content();
    const subscription = await client.listen({ resourceSubscriptions: [watched] });
    await fixture.api.ok(await fixture.api.signedIn(person), 'mutation { regenerateApiKey { key } }');
    assert.equal(await Promise.race([subscription.closed, 'open']), 'open');
    await rename(watched, 'Renamed');
    assert.equal(await subscription.closed, 'remote');
    assert.deepEqual(updates, []);
  });

  it('follows at most 100 resources', async () => {
    const client = await fixture.connect();
    const many = Array.from({ length: 101 }, (_, n) => `did:reelgraph:content/feature/${n}`);
    await assert.rejects(client.listen({ resourceSubscriptions: many }), /at most 100 resources/);
    assert.equal(fixture.api.domains.integrations.services.broker.size, 0);
  });
});

describe('resources/subscribe', () => {
  const rows = () =>
    fixture.api.rows<{ session: string; uri: string }>('select session, uri from resource_subscriptions');

  it('notifies in the stream of the session, from any instance, until it is unsubscribed', async () => {
    const client = await fixture.connect({ era: 'legacy' });
    const updates = updatesOf(client);
    const [first, second] = [await content(), await content()];
    await client.subscribeResource({ uri: first });
    await until(async () => {
      await rename(first, `Renamed ${updates.length}`);
      return updates.includes(first);
    });
    await client.unsubscribeResource({ uri: first });
    await client.subscribeResource({ uri: second });
    updates.length = 0;
    await until(async () => {
      await rename(second, 'Renamed');
      return updates.includes(second);
    });
    updates.length = 0;
    await rename(first, 'Not followed any more');
    await rename(second, 'Renamed again');
    await until(() => updates.length > 0);
    assert.deepEqual([...new Set(updates)], [second]);
    assert.deepEqual(
      (await rows()).map(({ uri }) => uri),
      [second],
    );
  });

  it('takes a subscription that another instance received, and stores no session id', async () => {
    const elsewhere = await fixture.anotherInstance();
    const session = await begin(fixture.address, fixture.key);
    const stream = await openStream(session);
    const uri = await content();
    assert.deepEqual(await send({ ...session, address: elsewhere }, 'resources/subscribe', { uri }), {});
    await until(async () => {
      await rename(uri, 'Renamed');
      return stream.uris.includes(uri);
    });
    assert.ok((await rows()).every(({ session: stored }) => stored !== session.id));
    stream.close();
  });

  it('is refused for what the caller may not see, without a session, and beyond 100; nothing is stored', async () => {
    const session = await begin(fixture.address, stranger.key);
    const stored = await rows();
    const hidden = await content({ visibility: 'PRIVATE' });
    for (const uri of [hidden, fixture.owner.channel, 'did:reelgraph:content/feature/none', 'reelgraph://secrets'])
      assert.equal((await send(session, 'resources/subscribe', { uri })).code, -32602, uri);
    const uri = await content();
    const without = await send({ ...session, id: '' }, 'resources/subscribe', { uri });
    assert.match(String(without.message), /need a session/);
    assert.deepEqual(await rows(), stored);

    const { sessionSubscriptions } = fixture.api.domains.integrations;
    const untilMs = fixture.api.clock.now() + 60_000;
    assert.deepEqual(await send(session, 'resources/subscribe', { uri }), {});
    const [own] = (await rows()).filter((row) => row.uri === uri);
    for (let n = 1; n < 100; n += 1)
      await sessionSubscriptions.add(own?.session ?? '', `reelgraph://n/${n}`, { untilMs, limit: 100 });
    const more = await content();
    assert.match(String((await send(session, 'resources/subscribe', { uri: more })).message), /at most 100/);
    assert.deepEqual(await send(session, 'resources/subscribe', { uri }), {}, 'one of the 100 may be repeated');
    assert.equal((await rows()).filter((row) => row.session === own?.session).length, 100);
  });

  it('ends with the session', async () => {
    const session = await begin(fixture.address, fixture.key);
    const uri = await content();
    await send(session, 'resources/subscribe', { uri });
    fixture.api.clock.advance(7 * 86_400_000);
    await fixture.api.rows("update subscriptions set access_until = 'infinity'");
    const gone = await fetch(session.address, { headers: headersOf(session) });
    assert.equal(gone.status, 404);
    // Each subscription deletes up to 100 of sessions that have ended.
    const next = await begin(fixture.address, fixture.key);
    const documents = ['reelgraph://schema', 'reelgraph://errors'];
    for (const document of documents) await send(next, 'resources/subscribe', { uri: document });
    assert.deepEqual(new Set((await rows()).map((row) => row.uri)), new Set(documents));
  });

  it('has one stream for each session: a newer one replaces it', async () => {
    const session = await begin(fixture.address, fixture.key);
    const [first, second] = [await openStream(session), await openStream(session)];
    await first.ended;
    const uri = await content();
    await send(session, 'resources/subscribe', { uri });
    await until(async () => {
      await rename(uri, 'Renamed');
      return second.uris.includes(uri);
    });
    second.close();
  });
});

it('a channel that was renamed is announced to its members', async () => {
  const client = await fixture.connect();
  const updates = updatesOf(client);
  const { channel } = fixture.owner;
  const subscription = await client.listen({ resourceSubscriptions: [channel] });
  await fixture.api.ok(fixture.owner, RENAME_CHANNEL, { id: channel, name: 'Harbour films' });
  await until(() => updates.length > 0);
  await subscription.close();
});

interface RawSession {
  readonly address: string;
  readonly key: string;
  readonly id: string;
}

const headersOf = ({ key, id }: RawSession) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${key}`,
  ...(id === '' ? {} : { 'mcp-session-id': id }),
});

async function begin(address: string, key: string): Promise<RawSession> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const response = await fetch(address, { method: 'POST', headers: headersOf({ address, key, id: '' }), body });
  return { address, key, id: response.headers.get('mcp-session-id') ?? assert.fail('a session is begun') };
}

/** The result or the error of a request. */
async function send(session: RawSession, method: string, params: object): Promise<{ code?: number; message?: string }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(session.address, { method: 'POST', headers: headersOf(session), body });
  const text = await response.text();
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return message.result ?? message.error;
}

/** The stream of a session, with the resources it was notified of. */
async function openStream(session: RawSession) {
  const abort = new AbortController();
  const response = await fetch(session.address, { headers: headersOf(session), signal: abort.signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const uris: string[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? [])
      for (const [, uri] of decoder.decode(chunk).matchAll(/"uri":"([^"]+)"/g)) uris.push(uri ?? '');
  };
  const ended = read().catch(() => {});
  return { uris, ended, close: () => abort.abort() };
}
