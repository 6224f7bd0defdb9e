import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedPost, type GuardedPost } from '../../../platform/fetch/guarded-post.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { settleLog } from '../testing.ts';
import { type Receiver, startReceiver } from './receiver.fixture.ts';
import { WebhookSender } from './webhook-sender.ts';

const CREATE = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id order } } }`;
const UPDATE =
  'mutation ($id: DID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { webhook { order } } }';
const MINUTE_MS = 60_000;

/** A message as the receiver saw it, and whether it was marked. */
type Seen = readonly [type: string, content: string, outOfOrder: boolean];

describe('the order of the messages of a webhook', () => {
  let api: TestCatalog;
  let receiver: Receiver;
  let post: GuardedPost;
  let sender: WebhookSender;
  let anna: Person;
  let [first, second] = ['', ''];
  /** Types about `first` that the receiver refuses. */
  let refused: readonly string[] = [];

  before(async () => {
    receiver = await startReceiver();
    api = await openTestCatalog({ env: { FETCH_ALLOW: '127.0.0.1' } });
    anna = await api.person('anna');
    [first, second] = [uuidOf(await api.content(anna)), uuidOf(await api.content(anna))];
    post = createGuardedPost({ allow: readFetchAllow('127.0.0.1') });
    sender = new WebhookSender({ ...api.platform, post });
    await api.platform.events.start();
  });
  beforeEach(async () => {
    await api.rows('delete from webhooks');
    refused = [];
    receiver.answer = (response) => {
      const [type, content] = seenOf(receiver.received.at(-1)?.body ?? '');
      response.writeHead(content === first && refused.includes(type) ? 500 : 204).end();
    };
  });
  after(async () => {
    await sender.stop();
    await api.platform.events.stop();
    await post.close();
    await api.close();
    await receiver.close();
  });

  function seenOf(body: string): Seen {
    const { type, data, outOfOrder } = JSON.parse(body);
    const content = data.payload.content ?? data.subject;
    return [type, uuidOf(content), outOfOrder === true];
  }

  const subscribe = async (order?: string): Promise<{ id: string; order: string }> =>
    (await api.ok(anna, CREATE, { input: { url: receiver.url, events: ['ALL'], ...(order && { order }) } }))
      .createWebhook.webhook;

  /** Writes events in this order, and waits until there is a message for each. */
  async function write(...events: readonly (readonly [type: string, subject: string, payload?: object])[]) {
    for (const [type, subject, payload = {}] of events)
      await api.rows('insert into events (type, channel_id, subject_id, payload) values ($1, $2, $3, $4)', [
        type,
        anna.channelId,
        subject,
        JSON.stringify(payload),
      ]);
    await settleLog(api);
    const done = `select c.event_id >= (select max(id) from events) as done from event_cursors c
      where consumer = 'integrations.webhooks'`;
    await until(async () => (await api.row<{ done: boolean }>(done)).done);
  }

  /** What is sent now, by as many looks as anything is found. */
  async function send(): Promise<Seen[]> {
    receiver.received.length = 0;
    while ((await sender.look()) > 0) await sender.settled();
    return receiver.received.map(({ body }) => seenOf(body));
  }

  it('is that of the events of a content: one waits for the retries of an earlier one, and others do not', async () => {
    assert.equal((await subscribe('PER_CONTENT')).order, 'PER_CONTENT');
    refused = ['content.created'];
    await write(
      ['content.created', first],
      ['content.updated', first],
      ['comment.created', anna.channelId, { contentId: first }],
      ['content.created', second],
    );
    assert.deepEqual(
      (await send()).toSorted(([, a], [, b]) => (a === first ? -1 : b === first ? 1 : 0)),
      [
        ['content.created', first, false],
        ['content.created', second, false],
      ],
    );
    api.clock.advance(MINUTE_MS);
    refused = [];
    assert.deepEqual(await send(), [
      ['content.created', first, false],
      ['content.updated', first, false],
      ['comment.created', first, false],
    ]);
  });

  it('is given up after an hour: the later one is marked, and so is the earlier one when it arrives', async () => {
    await subscribe('PER_CONTENT');
    refused = ['content.created'];
    await write(['content.created', first], ['content.updated', first]);
    for (let minutes = 0; minutes < 59; minutes += 1) {
      assert.ok(
        (await send()).every(([type]) => type === 'content.created'),
        `after ${minutes} minutes`,
      );
      api.clock.advance(MINUTE_MS);
    }
    const seen: Seen[] = [];
    for (let minutes = 0; minutes < 5; minutes += 1) {
      seen.push(...(await send()));
      api.clock.advance(MINUTE_MS);
    }
    assert.deepEqual(
      seen.filter(([type]) => type === 'content.updated'),
      [['content.updated', first, true]],
    );
    refused = [];
    api.clock.advance(9 * 60 * MINUTE_MS);
    assert.deepEqual(await send(), [['content.created', first, true]]);
  });

  it('is none by default: a retry comes after later messages', async () => {
    assert.equal((await subscribe()).order, 'PARALLEL');
    refused = ['content.created'];
    await write(['content.created', first], ['content.updated', first]);
    assert.deepEqual((await send()).map(([type]) => type).sort(), ['content.created', 'content.updated']);
    refused = [];
    api.clock.advance(MINUTE_MS);
    assert.deepEqual(await send(), [['content.created', first, false]]);
  });

  it('can be changed, and stays as it is when the change is refused', async () => {
    const { id } = await subscribe();
    const { updateWebhook } = await api.ok(anna, UPDATE, { id, input: { order: 'PER_CONTENT' } });
    assert.equal(updateWebhook.webhook.order, 'PER_CONTENT');
    const stranger = await api.person('carl');
    const before = await api.rows('select * from webhooks');
    assert.equal(
      (await api.refused(stranger, UPDATE, { id, input: { order: 'PARALLEL' } })).code,
      'RESOURCE_NOT_FOUND',
    );
    const { code, field } = await api.refused(anna, UPDATE, { id, input: { order: 'ALPHABETIC' } });
    assert.deepEqual([code, field], ['GRAPHQL_VALIDATION_FAILED', 'input.order']);
    assert.equal((await api.refused(anna, UPDATE, { id, input: { order: null } })).code, 'FIELD_REQUIRED');
    assert.deepEqual(await api.rows('select * from webhooks'), before);
  });
});
