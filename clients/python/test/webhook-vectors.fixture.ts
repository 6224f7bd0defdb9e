import { messageBody, messageHeaders } from '../../../server/src/domains/integrations/webhooks/webhook-message.ts';

const NOW_MS = Date.parse('2026-11-20T20:33:31.000Z');
const secret = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;

/** Messages signed by the platform's own code, for the tests in Python: the content of webhook-vectors.json. */
export function webhookVectors(): object {
  const [old, current, foreign] = [secret(1), secret(2), secret(3)];
  const data = {
    id: 'did:reelgraph:event/0190a0c4-0000-7000-8000-000000000000',
    channel: 'did:reelgraph:channel/0190a0c4-0000-7000-8000-000000000001',
    subject: 'did:reelgraph:content/feature/0190a0c4-0000-7000-8000-000000000002',
    payload: { title: 'Ünï “quoted” 🎬' },
  };
  const body = messageBody({ id: 'msg_1', type: 'content.published', occurredAt: '2026-11-20T20:33:31.123Z', data });
  const headers = (secrets: string[], text = body) => messageHeaders('msg_1', text, secrets, NOW_MS);
  return {
    now: NOW_MS / 1_000,
    old,
    new: current,
    body,
    headers: headers([current]),
    headersOfOld: headers([old]),
    headersOfBoth: headers([current, old]),
    headersOfForeign: headers([foreign]),
    headersOfHello: headers([current], '{"hello":1}'),
    headersOfText: headers([current], 'hello'),
  };
}
