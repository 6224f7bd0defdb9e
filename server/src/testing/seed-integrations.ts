import type { Person, TestCatalog } from '../domains/catalog/testing.ts';
import { encodeCursor } from '../domains/integrations/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';

const SIGNING_KEY =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAmfP+8gKPwffoU7KtahtNuW4kgyzYSeFUnG6JGD9XNGk=\n-----END PUBLIC KEY-----\n';

/** A webhook with a delivery, and a cursor before all events. */
export interface SeededWebhook {
  readonly id: string;
  readonly deliveryId: string;
  readonly cursor: string;
}

/** Directly, because the API allows ten per channel. */
export async function addSigningKey({ rows, platform }: TestCatalog, owner: Person): Promise<string> {
  const id = newId();
  await rows(
    'insert into signing_keys (id, channel_id, description, algorithm, public_key, created_at) ' +
      `values ($1, $2, 'The shop', 'EDDSA', $3, now())`,
    [id, owner.channelId, SIGNING_KEY],
  );
  return formatDid(platform.config.DID_NAMESPACE, 'signingKey', id);
}

/** Directly, because the API allows twenty per channel. */
export async function addWebhook({ rows, platform, clock }: TestCatalog, owner: Person): Promise<SeededWebhook> {
  const [id, deliveryId] = [newId(), newId()];
  await rows(
    `insert into webhooks (id, channel_id, url, events, secret) values ($1, $2, 'https://10.0.0.1/hook', ` +
      `'{content.liked}', $3)`,
    [id, owner.channelId, platform.secrets.seal('webhook-secret', 'whsec_AAAA')],
  );
  await rows(
    'insert into webhook_deliveries (id, webhook_id, event_type, data, occurred_at, expires_at, status) ' +
      `values ($1, $2, 'webhook.test', '{}', now(), now(), 'FAILED')`,
    [deliveryId, id],
  );
  const namespace = platform.config.DID_NAMESPACE;
  return {
    id: formatDid(namespace, 'webhook', id),
    deliveryId: formatDid(namespace, 'webhookDelivery', deliveryId),
    cursor: encodeCursor({ xact: '0', id: '0', createdAt: new Date(clock.now()).toISOString().slice(0, -1) }),
  };
}
