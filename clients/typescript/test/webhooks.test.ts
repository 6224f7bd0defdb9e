import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageBody, messageHeaders } from '../../../server/src/domains/integrations/webhooks/webhook-message.ts';
import { makeWebhookSecret } from '../../../server/src/domains/integrations/webhooks/webhook-secret.ts';
import { verifyWebhook } from '../src/index.ts';

/** Messages signed like those of the platform. */
const NOW = Date.parse('2026-11-20T20:33:31.000Z');
const SECRETS = [makeWebhookSecret(), makeWebhookSecret()];
const [OLD = '', NEW = ''] = SECRETS;
const data = {
  id: 'did:reelgraph:event/0190a0c4-0000-7000-8000-000000000000',
  channel: 'did:reelgraph:channel/0190a0c4-0000-7000-8000-000000000001',
  subject: 'did:reelgraph:content/feature/0190a0c4-0000-7000-8000-000000000002',
  payload: { title: 'Ünï “quoted” 🎬' },
};
const body = messageBody({ id: 'msg_1', type: 'content.published', occurredAt: '2026-11-20T20:33:31.123Z', data });
const headers = (secrets = [NEW], nowMs = NOW) => messageHeaders('msg_1', body, secrets, nowMs);
const at = (seconds: number) => ({ nowMs: NOW + seconds * 1_000 });

describe('a message signed by the platform', () => {
  it('is accepted and parsed', async () => {
    const expected = { id: 'msg_1', type: 'content.published', timestamp: '2026-11-20T20:33:31.123Z', data };
    assert.deepEqual(await verifyWebhook(body, headers(), NEW, at(0)), expected);
    assert.deepEqual(
      await verifyWebhook(new TextEncoder().encode(body), new Headers(headers()), [NEW], at(299)),
      expected,
    );
    const shouted = Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value]));
    assert.deepEqual(await verifyWebhook(body, shouted, NEW, at(-299)), expected);
  });

  it('says that it comes out of order', async () => {
    const late = messageBody({
      ...{ id: 'msg_1', type: 'content.published', occurredAt: '2026-11-20T20:33:31.123Z', data },
      isOutOfOrder: true,
    });
    const signed = messageHeaders('msg_1', late, [NEW], NOW);
    assert.equal((await verifyWebhook(late, signed, NEW, at(0))).outOfOrder, true);
    assert.equal((await verifyWebhook(body, headers(), NEW, at(0))).outOfOrder, undefined);
  });

  it('is accepted with either secret during rotation', async () => {
    for (const [signing, known] of [
      [[NEW, OLD], [OLD]],
      [[NEW, OLD], [NEW]],
      [[OLD], [NEW, OLD]],
      [[NEW], [OLD, NEW]],
    ] as const)
      assert.equal((await verifyWebhook(body, headers([...signing]), known, at(0))).id, 'msg_1');
  });

  it('is accepted within the given tolerance', async () => {
    assert.equal((await verifyWebhook(body, headers(), NEW, { ...at(3_000), toleranceSeconds: 3_600 })).id, 'msg_1');
  });
});

describe('an invalid message', () => {
  const foreign = makeWebhookSecret();
  const cases: readonly [string, string, Record<string, string>, number, string][] = [
    ['changed', body.replace('quoted', 'qouted'), headers(), 0, 'forged'],
    ['signed with another secret', body, headers([foreign]), 0, 'forged'],
    ['sent under another id', body, { ...headers(), 'webhook-id': 'msg_2' }, 0, 'forged'],
    ['sent with another time', body, { ...headers(), 'webhook-timestamp': String(NOW / 1_000 + 1) }, 0, 'forged'],
    [
      'with a signature of another version',
      body,
      { ...headers(), 'webhook-signature': headers()['webhook-signature']?.replace('v1,', 'v2,') ?? '' },
      0,
      'forged',
    ],
    [
      'with half a signature',
      body,
      { ...headers(), 'webhook-signature': headers()['webhook-signature']?.slice(0, 20) ?? '' },
      0,
      'forged',
    ],
    [
      'with something else as a signature',
      body,
      { ...headers(), 'webhook-signature': 'v1,*** nonsense v1' },
      0,
      'forged',
    ],
    ['without a signature', body, { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW / 1_000) }, 0, 'incomplete'],
    ['whose time is no number', body, { ...headers(), 'webhook-timestamp': 'now' }, 0, 'incomplete'],
    ['sent again later', body, headers(), 301, 'too-old'],
    ['from ahead of time', body, headers(), -301, 'too-new'],
    [
      'signed, but of another product',
      '{"hello":1}',
      messageHeaders('msg_1', '{"hello":1}', [NEW], NOW),
      0,
      'malformed',
    ],
    ['signed, but no JSON', 'hello', messageHeaders('msg_1', 'hello', [NEW], NOW), 0, 'malformed'],
  ];
  for (const [name, text, given, seconds, reason] of cases) {
    it(`is ${reason}: ${name}`, () =>
      assert.rejects(verifyWebhook(text, given, [OLD, NEW], at(seconds)), {
        name: 'WebhookVerificationError',
        reason,
      }));
  }

  it('cannot be verified with an invalid secret', async () => {
    for (const secret of ['', 'whsec_', 'whsec_***'])
      await assert.rejects(verifyWebhook(body, headers(), secret, at(0)), TypeError);
  });
});
