import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedPost, type GuardedPost } from '../../../platform/fetch/guarded-post.ts';
import { platformSchema } from '../../../schema.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { settleLog } from '../testing.ts';
import { type Receiver, startReceiver } from './receiver.fixture.ts';
import { WebhookSender } from './webhook-sender.ts';

const CREATE = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id events } } }';
const UPDATE =
  'mutation ($id: DID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { webhook ' +
  '{ events isEnabled } } }';
const TEST = `mutation ($id: DID!) { testWebhook(id: $id) { delivery {
  event status attempts responseStatus durationMs error nextAttemptAt cursor
} } }`;
const REPLAY = `mutation ($id: DID!, $after: String!) {
  replayWebhook(id: $id, input: { after: $after }) { webhook { id } scheduled endCursor hasMore }
}`;
const DELIVERIES = `query ($id: DID!) { node(id: $id) { ... on Webhook {
  failingSince deliveries(first: 100) { totalCount edges { node { id event status attempts cursor } } }
} } }`;
const EVENTS = 'query ($channel: DID) { events(channel: $channel, first: 100) { edges { cursor node { type } } } }';

describe('webhooks: wildcards, tests and replays', () => {
  let api: TestCatalog;
  let receiver: Receiver;
  let post: GuardedPost;
  let sender: WebhookSender;
  let anna: Person;
  let stranger: Person;

  before(async () => {
    receiver = await startReceiver();
    api = await openTestCatalog({ env: { FETCH_ALLOW: '127.0.0.1' } });
    [anna, stranger] = [await api.person('anna'), await api.person('carl')];
    post = createGuardedPost({ allow: readFetchAllow('127.0.0.1') });
    sender = new WebhookSender({ ...api.platform, post });
    await api.platform.events.start();
  });
  beforeEach(async () => {
    await api.rows('delete from webhooks');
    receiver.received.length = 0;
    receiver.answer = (response) => void response.writeHead(204).end();
  });
  after(async () => {
    await sender.stop();
    await api.platform.events.stop();
    await post.close();
    await api.close();
    await receiver.close();
  });

  const subscribe = async (...events: string[]): Promise<{ id: string; events: string[] }> =>
    (await api.ok(anna, CREATE, { input: { url: receiver.url, events } })).createWebhook.webhook;
  const log = async (id: string) => (await api.ok(anna, DELIVERIES, { id })).node;

  /** Writes events and waits until the consumer has seen them. */
  async function write(...types: string[]): Promise<void> {
    for (const type of types)
      await api.rows('insert into events (type, channel_id, subject_id) values ($1, $2, $2)', [type, anna.channelId]);
    await consumed();
  }

  /** Waits until the consumer has seen all events: one that it sees later is delivered to webhooks of that time. */
  async function consumed(): Promise<void> {
    await settleLog(api);
    const done =
      'select c.event_id >= (select max(id) from events) as done from event_cursors c ' +
      `where consumer = 'integrations.webhooks'`;
    await until(async () => (await api.row<{ done: boolean }>(done)).done);
  }

  /** The cursor of the last event in the log. */
  async function now(): Promise<string> {
    await write('webhook.disabled');
    return (await api.ok(anna, EVENTS, { channel: anna.channel })).events.edges.at(-1).cursor;
  }

  async function send(): Promise<string[]> {
    receiver.received.length = 0;
    await sender.look();
    await sender.settled();
    return receiver.received.map(({ body }) => JSON.parse(body).type).sort();
  }

  it('topics subscribe to a group, or to everything', async () => {
    const group = await subscribe('PLAYLIST_ALL', 'CONTENT_LIKED', 'PLAYLIST_ALL');
    const all = await subscribe('ALL');
    assert.deepEqual([group.events, all.events], [['PLAYLIST_ALL', 'CONTENT_LIKED'], ['ALL']]);
    await write('playlist.created', 'content.liked', 'content.unliked', 'youtube_publish.failed');
    const types = async (id: string) =>
      (await log(id)).deliveries.edges.map(({ node }: { node: { event: string } }) => node.event).sort();
    assert.deepEqual(await types(group.id), ['CONTENT_LIKED', 'PLAYLIST_CREATED']);
    assert.deepEqual(await types(all.id), [
      'CONTENT_LIKED',
      'CONTENT_UNLIKED',
      'PLAYLIST_CREATED',
      'YOUTUBE_PUBLISH_FAILED',
    ]);
  });

  for (const unknown of ['PLAYLIST', 'playlist.*', 'MOON_ALL', '*', '']) {
    it(`refuse "${unknown}" without a change`, async () => {
      const { id } = await subscribe('ALL');
      const error = await api.refused(anna, UPDATE, { id, input: { events: ['CONTENT_ALL', unknown] } });
      assert.deepEqual([error.code, error.field], ['GRAPHQL_VALIDATION_FAILED', 'input.events[1]']);
      assert.deepEqual(await api.row('select events from webhooks'), { events: ['*'] });
    });
  }

  it('a test answers with the status and the duration, also of a disabled webhook', async () => {
    const { id } = await subscribe('ALL');
    await api.ok(anna, UPDATE, { id, input: { isEnabled: false } });
    const { durationMs, ...result } = (await api.ok(anna, TEST, { id })).testWebhook.delivery;
    assert.deepEqual(result, {
      ...{ event: 'WEBHOOK_TEST', status: 'DELIVERED', attempts: 1, responseStatus: 204 },
      ...{ error: null, nextAttemptAt: null, cursor: null },
    });
    assert.ok(durationMs >= 0 && durationMs < 10_000);
    const { type, data } = JSON.parse(receiver.received[0]?.body ?? '{}');
    assert.equal(type, 'webhook.test');
    assert.deepEqual([data.subject, data.payload], [id, {}]);
    assert.match(data.id, /^did:reelgraph:webhook-delivery\//, 'receivers read an id in every message');
    assert.equal(receiver.received.length, 1);
  });

  it('a test that fails says why, and is not retried', async () => {
    const { id } = await subscribe('ALL');
    receiver.answer = (response) => void response.writeHead(500).end();
    const refusedStatus = (await api.ok(anna, TEST, { id })).testWebhook.delivery;
    assert.deepEqual(
      [refusedStatus.status, refusedStatus.responseStatus, refusedStatus.error],
      ['FAILED', 500, 'The endpoint responded with status 500.'],
    );
    const closed = await startReceiver();
    await closed.close();
    await api.ok(anna, UPDATE, { id, input: { url: closed.url } });
    const unreachable = (await api.ok(anna, TEST, { id })).testWebhook.delivery;
    assert.deepEqual(
      [unreachable.status, unreachable.responseStatus, unreachable.error],
      ['FAILED', null, 'The connection was refused.'],
    );
    api.clock.advance(3_600_000);
    assert.deepEqual(await send(), []);
  });

  it('a test that fails, even with 410, delays no message and does not disable the webhook', async () => {
    const { id } = await subscribe('ALL');
    const state = () => api.row('select failures, failing_since, resume_at::text, is_enabled from webhooks');
    const before = await state();
    for (const status of [500, 503, 410]) {
      receiver.answer = (response) => void response.writeHead(status).end();
      assert.equal((await api.ok(anna, TEST, { id })).testWebhook.delivery.status, 'FAILED');
      assert.deepEqual(await state(), before, `${status}`);
    }
    receiver.answer = (response) => void response.writeHead(204).end();
    await write('playlist.created');
    receiver.received.length = 0;
    assert.deepEqual(await send(), ['playlist.created']);
  });

  it('a test of a receiver that does not answer waits longer than an attempt takes', () => {
    const plan = platformSchema().getMutationType()?.getFields()['testWebhook']?.extensions['plan'];
    assert.equal((plan as { timeoutMs: number }).timeoutMs, 15_000);
  });

  it('a test of a receiver that does not answer fails after 10 seconds', THOROUGH, async () => {
    const { id } = await subscribe('ALL');
    receiver.answer = () => {};
    const { status, responseStatus, error } = (await api.ok(anna, TEST, { id })).testWebhook.delivery;
    assert.deepEqual([status, responseStatus], ['FAILED', null]);
    assert.match(error, /10 s/);
  });

  it('a test for a stranger sends and stores nothing', async () => {
    const { id } = await subscribe('ALL');
    assert.equal((await api.refused(stranger, TEST, { id })).code, 'RESOURCE_NOT_FOUND');
    assert.equal(receiver.received.length, 0);
    assert.equal((await log(id)).deliveries.totalCount, 0);
  });

  it('a replay sends what followed a cursor: new messages, and earlier ones under their ids', async () => {
    const start = await now();
    await write('playlist.created');
    const { id } = await subscribe('PLAYLIST_ALL');
    await write('playlist.deleted', 'content.liked');
    assert.deepEqual(await send(), ['playlist.deleted']);
    const [{ node: before }] = (await log(id)).deliveries.edges;
    const { endCursor, ...result } = (await api.ok(anna, REPLAY, { id, after: start })).replayWebhook;
    assert.deepEqual(result, { webhook: { id }, scheduled: 2, hasMore: false });
    assert.equal(endCursor, before.cursor);
    const again = (await api.ok(anna, REPLAY, { id, after: start })).replayWebhook;
    assert.equal(again.scheduled, 0, 'both still wait');
    assert.deepEqual(await send(), ['playlist.created', 'playlist.deleted']);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.ok(ids.includes(uuidOf(before.id)));
    assert.deepEqual(await send(), []);
    const { deliveries } = await log(id);
    assert.equal(deliveries.totalCount, 2);
    const after = (await api.ok(anna, REPLAY, { id, after: before.cursor })).replayWebhook;
    assert.deepEqual([after.scheduled, after.endCursor], [0, before.cursor]);
  });

  it('a replay is bounded, and continues at its cursor', async () => {
    const start = await now();
    const { id } = await subscribe('REPORT_ALL');
    await api.rows('update webhooks set is_enabled = false, disabled_reason = $1', ['OWNER']);
    await api.rows(
      `insert into events (type, channel_id, subject_id) select 'report.created', $1, $1 from generate_series(1, 1001)`,
      [anna.channelId],
    );
    await consumed();
    await api.rows('update webhooks set is_enabled = true, disabled_reason = null');
    const first = (await api.ok(anna, REPLAY, { id, after: start })).replayWebhook;
    assert.deepEqual([first.scheduled, first.hasMore], [1_000, true]);
    const second = (await api.ok(anna, REPLAY, { id, after: first.endCursor })).replayWebhook;
    assert.deepEqual([second.scheduled, second.hasMore], [1, false]);
  });

  it('refused replays schedule nothing', async () => {
    const start = await now();
    const { id } = await subscribe('PLAYLIST_ALL');
    await write('playlist.created');
    await send();
    const before = await api.rows('select * from webhook_deliveries');
    const refused = async (who: Person, variables: object) => {
      const { code, field } = await api.refused(who, REPLAY, { id, after: start, ...variables });
      return [code, field];
    };
    assert.deepEqual(await refused(stranger, {}), ['RESOURCE_NOT_FOUND', 'id']);
    assert.deepEqual(await refused(anna, { after: 'nonsense' }), ['INVALID_INPUT', 'input.after']);
    await api.ok(anna, UPDATE, { id, input: { isEnabled: false } });
    assert.deepEqual(await refused(anna, {}), ['INVALID_INPUT', 'id']);
    await api.ok(anna, UPDATE, { id, input: { isEnabled: true } });
    api.clock.advance(31 * 86_400_000);
    await api.rows(`update subscriptions set access_until = 'infinity'`);
    assert.deepEqual(await refused(anna, {}), ['INVALID_INPUT', 'input.after']);
    assert.deepEqual(await api.rows('select * from webhook_deliveries'), before);
  });
});
