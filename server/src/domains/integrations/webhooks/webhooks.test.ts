import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedPost, type GuardedPost } from '../../../platform/fetch/guarded-post.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { settleLog } from '../testing.ts';
import { type Receiver, startReceiver } from './receiver.fixture.ts';
import { WebhookSender } from './webhook-sender.ts';

const CREATE = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) { webhook { id url events description isEnabled disabledReason secret } }
}`;
const DELIVERIES = `query ($id: DID!) { node(id: $id) { ... on Webhook {
  isEnabled disabledReason failingSince
  deliveries { totalCount edges { node { id event status attempts responseStatus durationMs error nextAttemptAt } } }
} } }`;
const ROTATE = 'mutation ($id: DID!) { rotateWebhookSecret(id: $id) { webhook { secret formerSecretUntil } } }';
const FORMER = 'query ($id: DID!) { node(id: $id) { ... on Webhook { formerSecretUntil } } }';
const UPDATE =
  'mutation ($id: DID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) ' +
  '{ webhook { url events description isEnabled disabledReason failingSince } } }';
const HOUR_MS = 3_600_000;

describe('webhooks', () => {
  let api: TestCatalog;
  let receiver: Receiver;
  let post: GuardedPost;
  let sender: WebhookSender;
  let anna: Person;
  let viewer: Person;
  let stranger: Person;
  let hook: { id: string; secret: string };

  before(async () => {
    receiver = await startReceiver();
    api = await openTestCatalog({ env: { FETCH_ALLOW: '127.0.0.1' } });
    [anna, viewer, stranger] = [await api.person('anna'), await api.person('vera'), await api.person('carl')];
    await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
      anna.channelId,
      viewer.accountId,
      'EDITOR',
    ]);
    post = createGuardedPost({ allow: readFetchAllow('127.0.0.1'), timeoutMs: 400 });
    sender = new WebhookSender({ ...api.platform, post });
    await api.platform.events.start();
  });
  beforeEach(async () => {
    await api.rows('delete from webhooks');
    receiver.received.length = 0;
    receiver.answer = (response) => void response.writeHead(204).end();
    hook = (
      await api.ok(anna, CREATE, { input: { url: receiver.url, events: ['CONTENT_PUBLISHED'], description: 'Site' } })
    ).createWebhook.webhook;
  });
  after(async () => {
    await sender.stop();
    await api.platform.events.stop();
    await post.close();
    await api.close();
    await receiver.close();
  });

  /** Writes an event and waits until its delivery is there. */
  async function publish(type = 'content.published'): Promise<string> {
    const video = await api.content(anna);
    await api.rows('insert into events (type, channel_id, subject_id) values ($1, $2, $3)', [
      type,
      anna.channelId,
      uuidOf(video),
    ]);
    await settleLog(api);
    const done =
      'select c.event_id >= (select max(id) from events) as done from event_cursors c ' +
      `where consumer = 'integrations.webhooks'`;
    await until(async () => (await api.row<{ done: boolean }>(done)).done);
    return video;
  }
  async function send(): Promise<number> {
    const begun = await sender.look();
    await sender.settled();
    return begun;
  }
  const log = async () => (await api.ok(anna, DELIVERIES, { id: hook.id })).node;
  const verify = (secret: string, index = 0) => {
    const { body, headers } = receiver.received[index] ?? assert.fail('nothing was received');
    // The library compares the signed instant with the real clock, but the test moves its clock.
    const shifted = new Webhook(secret);
    const expected = shifted.sign(
      String(headers['webhook-id']),
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      body,
    );
    return String(headers['webhook-signature']).split(' ').includes(expected);
  };

  it('receive subscribed events once, with a signature that the library verifies', async () => {
    assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    await publish('content.created');
    const video = await publish();
    assert.equal(await send(), 1);
    assert.equal(await send(), 0);
    const [message, ...more] = receiver.received;
    assert.ok(message && more.length === 0);
    const verified = new Webhook(hook.secret).verify(message.body, message.headers as Record<string, string>) as Record<
      string,
      unknown
    >;
    const { type, data } = verified as { type: string; data: Record<string, string> };
    assert.deepEqual([type, data.channel, data.subject], ['content.published', anna.channel, video]);
    assert.throws(() => new Webhook('whsec_AAAA').verify(message.body, message.headers as Record<string, string>));
    const { deliveries } = await log();
    assert.equal(deliveries.totalCount, 1);
    const [{ node }] = deliveries.edges;
    assert.deepEqual(
      [node.event, node.status, node.attempts, node.responseStatus, node.error],
      ['CONTENT_PUBLISHED', 'DELIVERED', 1, 204, null],
    );
    assert.equal(message.headers['webhook-id'], uuidOf(node.id));
  });

  it('are retried with the same message until accepted, with growing delays', async () => {
    receiver.answer = (response) => void response.writeHead(500).end('no');
    await publish();
    assert.equal(await send(), 1);
    const failed = await log();
    assert.deepEqual(
      [failed.deliveries.edges[0].node.status, failed.deliveries.edges[0].node.error],
      ['PENDING', 'The endpoint responded with status 500.'],
    );
    assert.notEqual(failed.failingSince, null);
    assert.equal(await send(), 0, 'the next attempt is not due yet');
    api.clock.advance(7_000);
    assert.equal(await send(), 1);
    receiver.answer = (response) => void response.writeHead(200).end();
    api.clock.advance(15_000);
    assert.equal(await send(), 0);
    api.clock.advance(15_000);
    assert.equal(await send(), 1);
    const { deliveries, failingSince } = await log();
    assert.deepEqual(
      [deliveries.edges[0].node.status, deliveries.edges[0].node.attempts, failingSince],
      ['DELIVERED', 3, null],
    );
    assert.equal(new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, 1);
  });

  it('are disabled after three days of failures, with an event', async () => {
    receiver.answer = (response) => void response.writeHead(503).end();
    await publish();
    let attempts = 0;
    for (let hour = 0; hour < 80; hour += 1) {
      attempts += await send();
      api.clock.advance(HOUR_MS);
      await api.rows(`update subscriptions set access_until = 'infinity'`);
    }
    assert.ok(attempts >= 10 && attempts <= 20, `${attempts} attempts`);
    const state = await log();
    assert.deepEqual(
      [state.isEnabled, state.disabledReason, state.deliveries.edges[0].node.status],
      [false, 'FAILURES', 'FAILED'],
    );
    const payloads = await api.rows(`select payload from events where type = 'webhook.disabled' and subject_id = $1`, [
      uuidOf(hook.id),
    ]);
    assert.deepEqual(payloads, [{ payload: { reason: 'FAILURES' } }]);
    await publish();
    assert.equal((await log()).deliveries.totalCount, 1, 'a disabled webhook gets no deliveries');
    const again = await api.ok(anna, UPDATE, { id: hook.id, input: { isEnabled: true } });
    assert.deepEqual(
      [
        again.updateWebhook.webhook.isEnabled,
        again.updateWebhook.webhook.disabledReason,
        again.updateWebhook.webhook.failingSince,
      ],
      [true, null, null],
    );
    receiver.answer = (response) => void response.writeHead(204).end();
    const delivery = (await log()).deliveries.edges[0].node.id;
    const REDELIVER = 'mutation ($id: DID!) { redeliverWebhook(id: $id) { delivery { id status attempts } } }';
    assert.deepEqual((await api.ok(anna, REDELIVER, { id: delivery })).redeliverWebhook.delivery, {
      id: delivery,
      status: 'PENDING',
      attempts: 0,
    });
    assert.equal(await send(), 1);
    assert.equal((await log()).deliveries.edges[0].node.status, 'DELIVERED');
    assert.equal((await api.refused(stranger, REDELIVER, { id: delivery })).code, 'RESOURCE_NOT_FOUND');
  });

  it('are disabled immediately by a 410 response', async () => {
    receiver.answer = (response) => void response.writeHead(410).end();
    await publish();
    await send();
    assert.deepEqual([(await log()).isEnabled, (await log()).disabledReason], [false, 'GONE']);
  });

  it('that hang, flood or redirect are bounded, and count as failures where they fail', async () => {
    receiver.answer = () => {};
    await publish();
    await send();
    assert.equal((await log()).deliveries.edges[0].node.error, 'No complete response within 0.4 s.');
    let written = 0;
    const closed = Promise.withResolvers<void>();
    receiver.answer = (response) => {
      response.writeHead(200);
      const flood = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
        written += 65_536;
      };
      response
        .on('drain', flood)
        .on('error', () => {})
        .on('close', () => closed.resolve());
      flood();
    };
    api.clock.advance(7_000);
    await send();
    assert.equal((await log()).deliveries.edges[0].node.status, 'DELIVERED');
    await closed.promise;
    assert.ok(written < 20 * 1024 * 1024, `${written} bytes were taken`);
    receiver.answer = (response) => void response.writeHead(302, { location: receiver.url }).end();
    await publish();
    await send();
    assert.match((await log()).deliveries.edges[0].node.error, /status 302; redirects are not followed/);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const former = async (): Promise<unknown> => (await api.ok(anna, FORMER, { id: hook.id })).node.formerSecretUntil;
    assert.equal(await former(), null);
    const { secret, formerSecretUntil } = (await api.ok(anna, ROTATE, { id: hook.id })).rotateWebhookSecret.webhook;
    assert.notEqual(secret, hook.secret);
    assert.equal(Date.parse(formerSecretUntil), api.clock.now() + 24 * HOUR_MS);
    await publish();
    await send();
    assert.deepEqual([verify(secret), verify(hook.secret)], [true, true]);
    api.clock.advance(24 * HOUR_MS + 1);
    await publish();
    await send();
    assert.deepEqual([verify(secret, 1), verify(hook.secret, 1)], [true, false]);
    assert.equal(await former(), null);
  });

  it('lose nothing when a worker dies during an attempt, and send nothing twice while it lives', async () => {
    await publish();
    const other = new WebhookSender({ ...api.platform, post });
    const begun = await Promise.all([sender.look(), other.look()]);
    await Promise.all([sender.settled(), other.settled()]);
    assert.deepEqual([begun[0] + begun[1], receiver.received.length], [1, 1]);
    await publish();
    // The rows of a worker that was killed between claim and response.
    const leased = new Date(api.clock.now() + 60_000).toISOString();
    await api.rows(
      'update webhook_deliveries set lease = gen_random_uuid(), leased_until = $1, attempts = 1 ' +
        `where status = 'PENDING'`,
      [leased],
    );
    assert.equal(await send(), 0);
    api.clock.advance(61_000);
    assert.equal(await send(), 1);
    assert.equal((await log()).deliveries.edges[0].node.attempts, 2);
  });

  const refusals: [string, object, string, string][] = [
    ['a private address', { url: 'https://10.0.0.1/x' }, 'INVALID_INPUT', 'input.url'],
    ['the metadata service', { url: 'https://169.254.169.254/latest' }, 'INVALID_INPUT', 'input.url'],
    ['plain http', { url: 'http://1.1.1.1/x' }, 'INVALID_INPUT', 'input.url'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'INVALID_INPUT', 'input.url'],
    ['a password in the address', { url: 'https://a:b@example.com' }, 'INVALID_INPUT', 'input.url'],
    ['no address', { url: 'hook' }, 'GRAPHQL_VALIDATION_FAILED', 'input.url'],
    ['no types', { events: [] }, 'FIELD_REQUIRED', 'input.events'],
    ['an unknown type', { events: ['CONTENTS_ALL'] }, 'GRAPHQL_VALIDATION_FAILED', 'input.events[0]'],
    ['a control character', { description: 'a\u0000' }, 'INVALID_INPUT', 'input.description'],
  ];
  for (const [name, input, code, field] of refusals) {
    it(`refuse ${name}`, async () => {
      const error = await api.refused(anna, CREATE, {
        input: { url: receiver.url, events: ['CONTENT_LIKED'], ...input },
      });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.equal((await api.row<{ n: number }>('select count(*) as n from webhooks')).n, 1);
    });
  }

  it('clear their description with null and keep the rest', async () => {
    const { webhook } = (await api.ok(anna, UPDATE, { id: hook.id, input: { description: null } })).updateWebhook;
    const kept = {
      url: receiver.url,
      events: ['CONTENT_PUBLISHED'],
      isEnabled: true,
      disabledReason: null,
      failingSince: null,
    };
    assert.deepEqual(webhook, { ...kept, description: '' });
  });
  for (const name of ['url', 'events', 'isEnabled']) {
    it(`refuse null for ${name}, without a change`, async () => {
      const row = () => api.row('select * from webhooks where id = $1', [uuidOf(hook.id)]);
      const before = await row();
      const error = await api.refused(anna, UPDATE, { id: hook.id, input: { description: 'changed', [name]: null } });
      assert.deepEqual([error.code, error.field], ['FIELD_REQUIRED', `input.${name}`]);
      assert.deepEqual(await row(), before);
    });
  }

  it('are for managers; twenty to a channel', async () => {
    const LIST = 'query ($channel: DID) { webhooks(channel: $channel) { totalCount edges { node { id secret } } } }';
    const input = { channel: anna.channel, url: receiver.url, events: ['CONTENT_LIKED'] };
    assert.equal((await api.refused(viewer, CREATE, { input })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(stranger, CREATE, { input })).field, 'input.channel');
    for (const person of [viewer, stranger]) {
      const denied = await api.refused(person, LIST, { channel: anna.channel });
      assert.deepEqual([denied.code, denied.field], ['UNAUTHORIZED', 'channel']);
      assert.equal((await api.ok(person, 'query ($id: DID!) { node(id: $id) { id } }', { id: hook.id })).node, null);
    }
    assert.equal((await api.refused(viewer, ROTATE, { id: hook.id })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(stranger, ROTATE, { id: hook.id })).code, 'RESOURCE_NOT_FOUND');
    const created = await Promise.all(Array.from({ length: 22 }, () => api.run(anna, CREATE, { input })));
    assert.equal(created.filter(({ errors }) => errors.length === 0).length, 19);
    const { webhooks } = await api.ok(anna, LIST, {});
    assert.equal(webhooks.totalCount, 20);
    assert.equal(webhooks.edges.at(-1).node.secret, hook.secret);
    const DELETE = 'mutation ($id: DID!) { deleteWebhook(id: $id) { id } }';
    assert.deepEqual(await api.ok(anna, DELETE, { id: hook.id }), { deleteWebhook: { id: hook.id } });
    assert.equal((await api.refused(anna, DELETE, { id: hook.id })).code, 'RESOURCE_NOT_FOUND');
  });
});
