import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AccountId } from '../../../kernel/ids.ts';
import { mailHandler } from '../../../platform/mail/mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { findAccountById } from '../accounts.store.ts';
import { attemptsOf } from '../attempts/attempts.ts';
import { closeAccount } from '../closing/close-account.ts';
import { serveRoutes } from '../testing.ts';
import { FakeStripe, type FakeSubscription } from './fake-stripe.fixture.ts';
import { checkStripeSignature } from './stripe-signature.ts';

const CHECKOUT =
  'mutation ($plan: PlanCode!, $interval: PlanInterval!) { startCheckout(input: { plan: $plan, interval: ' +
  '$interval }) { url } }';
const PORTAL = 'mutation { openBillingPortal { url } }';
const PLAN =
  '{ me { subscription { plan { name interval } state billAt endsAt canceledAt graceEndsAt } billing { hasPortal ' +
  'offers { plan interval price } } credits { channels { limit } } } }';
const DAY_MS = 86_400_000;

describe('the signature of Stripe', () => {
  const body = Buffer.from(
    '{"id":"evt_1","object":"event","type":"customer.subscription.updated","data":{"object":{"id":"sub_1",' +
      '"customer":"cus_1"}}}',
  );
  const v1 = '22b6af1311fc55eceaeaea32faae594a053f0cf89e82ccf67b9883e22a303a10';
  const at = 1_764_150_000_000;
  const cases: readonly [string, string | undefined, number, string | null][] = [
    ['is accepted at once', `t=1764150000,v1=${v1}`, at, null],
    ['is accepted 300 seconds later', `t=1764150000,v1=${v1}`, at + 300_000, null],
    [
      'is accepted beside others, as while a secret is replaced',
      `t=1764150000,v1=${'0'.repeat(64)},v1=${v1}`,
      at,
      null,
    ],
    ['is refused after 301 seconds', `t=1764150000,v1=${v1}`, at + 301_000, 'The signature is too old.'],
    ['is refused from the future', `t=1764150000,v1=${v1}`, at - 301_000, 'The signature is too old.'],
    ['is refused with another time', `t=1764150001,v1=${v1}`, at, 'The signature is wrong.'],
    ['is refused in the old scheme', `t=1764150000,v0=${v1}`, at, 'The signature is wrong.'],
    ['is refused if it is shorter', `t=1764150000,v1=${v1.slice(2)}`, at, 'The signature is wrong.'],
    ['is refused without time', `v1=${v1}`, at, 'The signature is missing.'],
    ['is refused when it is missing', undefined, at, 'The signature is missing.'],
  ];
  for (const [name, header, nowMs, message] of cases)
    it(name, () => {
      const check = () => checkStripeSignature(body, header, 'whsec_recorded', nowMs);
      if (message === null) check();
      else assert.throws(check, { message });
    });
  it('is refused for another body', () => {
    assert.throws(() => checkStripeSignature(Buffer.from('{}'), `t=1764150000,v1=${v1}`, 'whsec_recorded', at));
  });
});

describe('payments', () => {
  let api: TestCatalog;
  let stripe: FakeStripe;
  let server: { address: string; close(): Promise<void> };
  const sent: MailMessage[] = [];
  before(async () => {
    stripe = await FakeStripe.start();
    api = await openTestCatalog({ jobs: true, env: stripe.env });
    server = await serveRoutes(api.domains.accounts.routes);
    const transport = { deliver: async (_id: string, mail: MailMessage) => void sent.push(mail), close: () => {} };
    await api.platform.jobs.work(mailHandler(api.platform, async () => transport));
  });
  after(async () => {
    await server.close();
    await api.close();
    await stripe.close();
  });

  const nowSeconds = () => Math.floor(api.clock.now() / 1_000);
  const send = async ({ body, signature }: { body: string; signature: string }): Promise<number> =>
    (
      await fetch(`${server.address}/api/payments/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
        body,
      })
    ).status;
  /** A session on Free. */
  async function onFree(name: string): Promise<Person> {
    const person = await api.signedIn(await api.person(name));
    await api.rows(
      `update subscriptions set plan = 'FREE', state = 'ACTIVE', access_until = '-infinity' where account_id = $1`,
      [person.accountId],
    );
    return person;
  }
  const customerOf = async ({ accountId }: Person) =>
    (
      await api.row<{ id: string }>('select customer_id as id from payment_customers where account_id = $1', [
        accountId,
      ])
    ).id;
  /** A person who has paid for Premium+ by the month. */
  async function payer(name: string): Promise<{ person: Person; subscription: FakeSubscription }> {
    const person = await onFree(name);
    await api.ok(person, CHECKOUT, { plan: 'PREMIUM_PLUS', interval: 'MONTHLY' });
    const subscription: FakeSubscription = {
      id: `sub_${name}`,
      customer: await customerOf(person),
      status: 'active',
      price: stripe.prices.PREMIUM_PLUS_MONTHLY,
      currentPeriodEnd: nowSeconds() + 30 * 86_400,
      cancelAtPeriodEnd: false,
      endedAt: null,
    };
    stripe.subscriptions.set(subscription.id, subscription);
    const session = { id: 'cs_1', customer: subscription.customer, subscription: subscription.id };
    assert.equal(await send(stripe.event('checkout.session.completed', session, api.clock.now())), 200);
    return { person, subscription };
  }
  const changed = (subscription: FakeSubscription, type = 'customer.subscription.updated') =>
    send(stripe.event(type, stripe.object(subscription), api.clock.now()));
  const planOf = async (person: Person) => (await api.ok(person, PLAN)).me;
  const rows = () => api.rows('select * from subscriptions order by account_id');

  it('lead to the checkout of Stripe, with one customer for each account', async () => {
    const anna = await onFree('anna');
    const { billing } = await planOf(anna);
    assert.deepEqual(billing, {
      hasPortal: false,
      offers: [
        { plan: 'PREMIUM', interval: 'MONTHLY', price: 9.99 },
        { plan: 'PREMIUM_PLUS', interval: 'MONTHLY', price: 19.99 },
        { plan: 'CREATOR_PLUS', interval: 'ANNUAL', price: 399.9 },
      ],
    });
    stripe.calls.length = 0;
    const { startCheckout } = await api.ok(anna, CHECKOUT, { plan: 'CREATOR_PLUS', interval: 'ANNUAL' });
    await api.ok(anna, CHECKOUT, { plan: 'PREMIUM', interval: 'MONTHLY' });
    const customer = await customerOf(anna);
    assert.equal(startCheckout.url, `https://checkout.stripe.com/c/pay/${customer}/price_creator_year`);
    const { accountId } = anna;
    const base = api.platform.config.BASE_URL;
    assert.deepEqual(stripe.calls.slice(0, 2), [
      {
        method: 'POST',
        path: '/v1/customers',
        form: { email: 'anna@example.com', name: 'anna', 'metadata[account_id]': accountId },
        key: `reelgraph-customer-${accountId}`,
      },
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        form: {
          mode: 'subscription',
          customer,
          'line_items[0][price]': 'price_creator_year',
          'line_items[0][quantity]': '1',
          success_url: `${base}/settings/account?billing=done#plan`,
          cancel_url: `${base}/settings/account#plan`,
          allow_promotion_codes: 'true',
        },
        key: undefined,
      },
    ]);
    assert.deepEqual(
      stripe.calls.map(({ path }) => path),
      ['/v1/customers', '/v1/checkout/sessions', '/v1/checkout/sessions'],
    );
    assert.equal((await planOf(anna)).subscription.plan.name, 'Free');
    const { openBillingPortal } = await api.ok(anna, PORTAL);
    assert.equal(openBillingPortal.url, `https://billing.stripe.com/p/session/${customer}`);
  });

  it('activate, cancel and end a plan as Stripe has it', async () => {
    const { person, subscription } = await payer('bert');
    const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
    const none = { billAt: null, endsAt: null, canceledAt: null, graceEndsAt: null };
    const plan = { name: 'Premium+', interval: 'MONTHLY' };
    const paidUntil = subscription.currentPeriodEnd;
    assert.deepEqual((await planOf(person)).subscription, { ...none, plan, state: 'ACTIVE', billAt: at(paidUntil) });
    assert.equal((await planOf(person)).credits.channels.limit, 20);
    const refused = await api.refused(person, CHECKOUT, { plan: 'PREMIUM', interval: 'MONTHLY' });
    assert.deepEqual([refused.code, refused.message], ['INVALID_INPUT', 'This account has a paid plan already.']);

    subscription.cancelAtPeriodEnd = true;
    assert.equal(await changed(subscription), 200);
    const canceledAt = new Date(api.clock.now()).toISOString();
    const canceled = { ...none, plan, state: 'CANCELED', endsAt: at(paidUntil), canceledAt };
    assert.deepEqual((await planOf(person)).subscription, canceled);
    subscription.cancelAtPeriodEnd = false;
    subscription.price = stripe.prices.CREATOR_PLUS_ANNUAL;
    assert.equal(await changed(subscription), 200);
    const next = (await planOf(person)).subscription;
    assert.deepEqual([next.plan, next.state], [{ name: 'Creator+', interval: 'ANNUAL' }, 'ACTIVE']);

    subscription.status = 'canceled';
    subscription.endedAt = nowSeconds();
    assert.equal(await changed(subscription, 'customer.subscription.deleted'), 200);
    const over = await planOf(person);
    assert.deepEqual([over.subscription.state, over.credits.channels.limit], ['EXPIRED', 2]);
    await until(() =>
      sent.some(({ to, subject }) => to === 'bert@example.com' && subject === 'Your plan Creator+ has ended'),
    );
    await api.ok(person, CHECKOUT, { plan: 'PREMIUM', interval: 'MONTHLY' });
  });

  it('keep a plan for seven days after a failed payment, then the limits of Free apply', async () => {
    const { person, subscription } = await payer('carl');
    subscription.status = 'past_due';
    const invoice = {
      id: 'in_1',
      customer: subscription.customer,
      parent: { subscription_details: { subscription: subscription.id } },
    };
    const fail = () => send(stripe.event('invoice.payment_failed', invoice, api.clock.now()));
    assert.equal(await fail(), 200);
    const graceEndsAt = new Date(api.clock.now() + 7 * DAY_MS).toISOString();
    const { subscription: due, credits } = await planOf(person);
    assert.deepEqual([due.state, due.graceEndsAt, credits.channels.limit], ['PAST_DUE', graceEndsAt, 20]);
    await until(() =>
      sent.some(({ subject, to }) => to === 'carl@example.com' && subject === 'A payment for Premium+ failed'),
    );
    api.clock.advance(3 * DAY_MS);
    assert.equal(await fail(), 200);
    assert.equal((await planOf(person)).subscription.graceEndsAt, graceEndsAt, 'another attempt extends nothing');
    const content = await api.content(person, { status: 'PUBLISHED' });
    api.clock.advance(4 * DAY_MS);
    const over = await planOf(person);
    assert.deepEqual([over.subscription.state, over.credits.channels.limit], ['EXPIRED', 2]);
    const read = 'query ($id: DID!) { content(id: $id) { id } }';
    assert.deepEqual((await api.ok(person, read, { id: content })).content, { id: content });
    subscription.status = 'active';
    assert.equal(await changed(subscription, 'customer.subscription.updated'), 200);
    assert.equal((await planOf(person)).subscription.state, 'ACTIVE');
  });

  it('process an event once, in any order, also when several come at once', async () => {
    const { person, subscription } = await payer('dora');
    const stale = stripe.event('customer.subscription.updated', stripe.object(subscription), api.clock.now());
    subscription.status = 'past_due';
    await changed(subscription);
    assert.equal(await send(stale), 200, 'late');
    assert.equal((await planOf(person)).subscription.state, 'PAST_DUE', 'the state is read, not believed');
    const calls = stripe.calls.length;
    assert.equal(await send(stale), 200, 'twice');
    assert.equal(stripe.calls.length, calls);
    subscription.status = 'active';
    const event = stripe.event('customer.subscription.updated', stripe.object(subscription), api.clock.now());
    assert.deepEqual(await Promise.all([send(event), send(event), send(event)]), [200, 200, 200]);
    const stored = await api.rows('select id from payment_events where id = $1', [event.id]);
    assert.equal(stored.length, 1);
    assert.equal((await planOf(person)).subscription.state, 'ACTIVE');
  });

  it('ignore an earlier subscription that ends, other customers and other events', async () => {
    const { person, subscription } = await payer('emil');
    const old = { ...subscription, id: 'sub_old', status: 'canceled', endedAt: nowSeconds() };
    stripe.subscriptions.set(old.id, old);
    const stranger = { ...subscription, id: 'sub_stranger', customer: 'cus_stranger' };
    stripe.subscriptions.set(stranger.id, stranger);
    const before = await rows();
    assert.equal(await changed(old, 'customer.subscription.deleted'), 200);
    assert.equal(await changed(stranger), 200);
    assert.equal(await changed({ ...stranger, customer: subscription.customer }), 200, 'of another customer');
    assert.equal(await send(stripe.event('charge.succeeded', { id: 'ch_1' }, api.clock.now())), 200);
    assert.deepEqual(await rows(), before);
    assert.equal((await planOf(person)).subscription.state, 'ACTIVE');
  });

  it('refuse forged and old events, and let Stripe repeat what could not be read', async () => {
    const { person, subscription } = await payer('fred');
    subscription.status = 'canceled';
    const before = [await rows(), await api.rows('select id from payment_events order by id')];
    const event = stripe.event('customer.subscription.deleted', stripe.object(subscription), api.clock.now());
    const forged = stripe.sign(event.body, api.clock.now(), 'whsec_other');
    assert.equal(await send({ ...event, signature: forged }), 400);
    assert.equal(await send({ ...event, signature: stripe.sign(event.body, api.clock.now() - 301_000) }), 400);
    assert.equal(await send({ ...event, body: event.body.replace('fred', 'emil') }), 400);
    stripe.failure = 500;
    assert.equal(await send(event), 503);
    assert.equal((await api.refused(person, PORTAL)).code, 'SERVICE_UNAVAILABLE');
    stripe.failure = null;
    subscription.price = 'price_unknown';
    assert.equal(await send(event), 503, 'an unknown price');
    assert.deepEqual([await rows(), await api.rows('select id from payment_events order by id')], before);
    subscription.price = stripe.prices.PREMIUM_PLUS_MONTHLY;
    assert.equal(await send(event), 200);
    assert.equal((await planOf(person)).subscription.state, 'EXPIRED');
  });

  it('keep an account from being closed while it would be charged again', async () => {
    const { person, subscription } = await payer('ida');
    const attempts = attemptsOf(api.platform);
    const account = await findAccountById(api.platform.db, person.accountId as AccountId);
    assert.ok(account);
    const close = () => closeAccount(api.platform, attempts, account, 'correct horse');
    await assert.rejects(close(), { code: 'INVALID_INPUT', message: 'The plan of this account is still paid for.' });
    assert.equal((await planOf(person)).subscription.state, 'ACTIVE');
    subscription.cancelAtPeriodEnd = true;
    await changed(subscription);
    await close();
  });

  it('are refused for what is not sold, by key, and before the first payment', async () => {
    const gina = await onFree('gina');
    const refusals: readonly [string, Record<string, string>, string, string | undefined][] = [
      [CHECKOUT, { plan: 'FREE', interval: 'MONTHLY' }, 'INVALID_INPUT', 'input.plan'],
      [CHECKOUT, { plan: 'PREMIUM', interval: 'ANNUAL' }, 'INVALID_INPUT', 'input.plan'],
      [PORTAL, {}, 'INVALID_INPUT', undefined],
    ];
    for (const [document, variables, code, field] of refusals) {
      const refused = await api.refused(gina, document, variables);
      assert.deepEqual([refused.code, refused.field], [code, field]);
    }
    const key = await api.person('hans');
    assert.equal((await api.refused(key, PORTAL)).code, 'UNAUTHORIZED');
  });
});
