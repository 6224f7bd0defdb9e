import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A subscription as the fake has it. */
export interface FakeSubscription {
  id: string;
  customer: string;
  status: string;
  price: string;
  currentPeriodEnd: number;
  cancelAtPeriodEnd: boolean;
  endedAt: number | null;
}

const SECRET_KEY = 'sk_test_reelgraph';
const WEBHOOK_SECRET = 'whsec_reelgraph';
const PRICES = {
  PREMIUM_MONTHLY: 'price_premium_month',
  PREMIUM_PLUS_MONTHLY: 'price_plus_month',
  CREATOR_PLUS_ANNUAL: 'price_creator_year',
};

/** A local Stripe: the calls of the platform in their documented form, and signed events. */
export class FakeStripe {
  readonly prices = PRICES;
  readonly subscriptions = new Map<string, FakeSubscription>();
  /** Every call: method, path and form. */
  readonly calls: { method: string; path: string; form: Record<string, string>; key: string | undefined }[] = [];
  /** The status of all answers instead of success. */
  failure: number | null = null;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #customers = new Map<string, string>();

  static async start(): Promise<FakeStripe> {
    const fake = new FakeStripe();
    await new Promise<void>((listening) => fake.#server.listen(0, '127.0.0.1', listening));
    return fake;
  }

  /** Settings of a platform that uses it. */
  get env(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo; // a TCP server has one
    return {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
      STRIPE_PRICES: Object.entries(PRICES)
        .map(([name, id]) => `${name}=${id}`)
        .join(','),
    };
  }

  /** An event as Stripe sends it, with its signature. */
  event(type: string, object: object, nowMs: number, id = `evt_${randomBytes(8).toString('hex')}`) {
    const body = JSON.stringify({ id, object: 'event', type, data: { object } });
    return { id, body, signature: this.sign(body, nowMs) };
  }

  sign(body: string, nowMs: number, secret = WEBHOOK_SECRET): string {
    const seconds = Math.floor(nowMs / 1_000);
    return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const { method = '', url: path = '', headers } = request;
    const key = headers['idempotency-key'];
    this.calls.push({ method, path, form, key: typeof key === 'string' ? key : undefined });
    const isKnown = headers.authorization === `Bearer ${SECRET_KEY}`;
    const found = isKnown ? this.#find(`${method} ${path}`, form, String(key)) : null;
    const status = this.failure ?? (isKnown ? (found ? 200 : 404) : 401);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? found : { error: { type: 'api_error', message: 'No.' } }));
  }

  #find(call: string, form: Record<string, string>, key: string): object | null {
    if (call === 'POST /v1/customers') {
      const id = this.#customers.get(key) ?? `cus_${randomBytes(8).toString('hex')}`;
      this.#customers.set(key, id);
      return { id, object: 'customer' };
    }
    const { customer } = form;
    if (call === 'POST /v1/checkout/sessions')
      return { id: 'cs_test_1', url: `https://checkout.stripe.com/c/pay/${customer}/${form['line_items[0][price]']}` };
    if (call === 'POST /v1/billing_portal/sessions')
      return { id: 'bps_1', url: `https://billing.stripe.com/p/session/${customer}` };
    const [, id = ''] = /^GET \/v1\/subscriptions\/(\w+)$/.exec(call) ?? [];
    const subscription = this.subscriptions.get(id);
    return subscription ? this.object(subscription) : null;
  }

  /** The object of a subscription in the version of the API that the platform names. */
  object({ id, customer, status, price, currentPeriodEnd, cancelAtPeriodEnd, endedAt }: FakeSubscription): object {
    return {
      id,
      object: 'subscription',
      customer,
      status,
      cancel_at_period_end: cancelAtPeriodEnd,
      cancel_at: cancelAtPeriodEnd ? currentPeriodEnd : null,
      ended_at: endedAt,
      items: { object: 'list', data: [{ price: { id: price }, current_period_end: currentPeriodEnd }] },
    };
  }
}
