import { type CommandContext, type RevisionInput, readChanges, readNew, requireRevision } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize, fact, type Policy, permission } from '../../../kernel/policy.ts';
import { authorizeChannel, requireAccount, roleTooLow } from '../../channels/index.ts';
import { WEBHOOK_TEST } from '../events/event-types.ts';
import { findDelivery, insertDeliveries, redeliver } from './deliveries.store.ts';
import { NEW_WEBHOOK_FIELDS, type NewWebhookInput, WEBHOOK_FIELDS, type WebhookInput } from './webhook-fields.ts';
import { MAX_WEBHOOKS } from './webhook-limits.ts';
import { GIVE_UP_MS } from './webhook-retries.ts';
import { makeWebhookSecret, OLD_SECRET_MS, sealWebhookSecret } from './webhook-secret.ts';
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  lockWebhook,
  rotateSecret,
  updateWebhookRow,
  type WebhookFacts,
} from './webhooks.store.ts';

/** Who may change a webhook: for non-members of its channel it does not exist. */
export const WEBHOOK_CHANGE = changeOf(notThere);
/** Who may send a delivery again: the same, for a delivery of the webhook. */
export const WEBHOOK_REDELIVERY = changeOf(noDelivery);

function changeOf(missing: (field: string) => AppError): Policy<WebhookFacts> {
  return { missing, requires: [permission(fact('member'), missing), permission(fact('may'), roleTooLow)] };
}

export interface CreateWebhookArgs {
  readonly input: NewWebhookInput & { readonly channel?: Maybe<string> };
}

/** Creates a webhook with its own secret; returns its id. The address is checked as for deliveries. */
export async function createWebhook(
  context: CommandContext,
  { input: { channel, ...input } }: CreateWebhookArgs,
): Promise<string> {
  const { db, secrets, post } = context.services.integrations;
  const viewer = requireAccount(context);
  const channelId = channel == null ? viewer.channelId : context.parseDid(channel, ['channel'], 'input.channel').id;
  const values = readNew(NEW_WEBHOOK_FIELDS, input);
  await authorizeChannel(db, {
    channelId,
    viewer: viewer.scope,
    permission: 'webhook:manage',
    field: 'input.channel',
  });
  await post.check(values.url, 'input.url');
  const id = newId<'webhook'>(context.nowMs);
  const secret = sealWebhookSecret(secrets, makeWebhookSecret());
  const created = await db.transaction((tx) =>
    insertWebhook(tx, { id, channelId, values, secret, nowIso: context.nowIso }),
  );
  if (created) return id;
  throw new AppError('INVALID_INPUT', t`This channel already has ${MAX_WEBHOOKS} webhooks, which is the limit.`, {
    field: 'input.channel',
    suggestedFix: t`Delete one that is not used, or let one webhook receive more types of events.`,
  });
}

export interface UpdateWebhookArgs {
  readonly id: string;
  readonly input: WebhookInput & RevisionInput;
}

/** Updates the given fields; returns the id. Throws CONFLICT for an earlier revision. */
export async function updateWebhook(context: CommandContext, { id, input }: UpdateWebhookArgs): Promise<string> {
  const { db, post } = context.services.integrations;
  const changes = readChanges(WEBHOOK_FIELDS, input);
  const webhook = await ownWebhook(context, id, 'id');
  if (changes.url !== undefined) await post.check(changes.url, 'input.url');
  await db.transaction(async (tx) => {
    const present = await lockWebhook(tx, webhook.id);
    if (present === null) throw notThere('id');
    requireRevision(input, present, WEBHOOK_FIELDS, changes, context);
    await updateWebhookRow(tx, webhook.id, changes, context.nowIso);
  });
  return webhook.id;
}

/** Removes a webhook and its log. */
export async function deleteWebhook(
  context: CommandContext,
  { id }: { readonly id: string },
): Promise<{ id: string; channel: string }> {
  const webhook = await ownWebhook(context, id, 'id');
  await deleteWebhookRow(context.services.integrations.db, webhook.id);
  return { id: context.did('webhook', webhook.id), channel: webhook.channelId };
}

/** Rotates the secret of a webhook; the old one also signs for 24 h. Returns the id. */
export async function rotateWebhookSecret(context: CommandContext, { id }: { readonly id: string }): Promise<string> {
  const { db, secrets } = context.services.integrations;
  const webhook = await ownWebhook(context, id, 'id');
  const until = new Date(context.nowMs + OLD_SECRET_MS).toISOString();
  await rotateSecret(db, webhook.id, sealWebhookSecret(secrets, makeWebhookSecret()), until, context.nowIso);
  return webhook.id;
}

/**
 * Sends a message of type `webhook.test`, also to a disabled webhook, and waits for the response: one attempt, which is
 * not retried. Returns the id of the delivery.
 */
export async function testWebhook(context: CommandContext, { id }: { readonly id: string }): Promise<string> {
  const webhook = await ownWebhook(context, id, 'id');
  const deliveryId = newId<'webhook-delivery'>(context.nowMs);
  const delivery = {
    eventId: null,
    eventType: WEBHOOK_TEST,
    aboutId: null,
    data: {
      id: context.did('webhookDelivery', deliveryId), // there is no event, and receivers read an id
      channel: context.did('channel', webhook.channelId),
      subject: context.did('webhook', webhook.id),
      payload: {},
    },
    occurredAt: context.nowIso,
    nowIso: context.nowIso,
    expiresIso: context.nowIso,
  };
  await context.services.integrations.sender.sendNow(deliveryId, (tx) =>
    insertDeliveries(tx, [deliveryId], [webhook.id], delivery),
  );
  return deliveryId;
}

/** Redelivers a message that was delivered or failed; returns the id of the delivery. */
export async function redeliverWebhook(context: CommandContext, { id: did }: { readonly id: string }): Promise<string> {
  const { db } = context.services.integrations;
  const { id } = context.parseDid(did, ['webhookDelivery'], 'id');
  const delivery = await findDelivery(db, id);
  if (!delivery) throw noDelivery('id');
  await requireManager(context, delivery.webhookId, 'id', WEBHOOK_REDELIVERY);
  await redeliver(db, id, context.nowIso, expiry(context));
  return id;
}

/** The webhook with this DID. Throws RESOURCE_NOT_FOUND or UNAUTHORIZED unless the caller manages it. */
export function ownWebhook(context: CommandContext, did: string, field: string): Promise<WebhookFacts> {
  return requireManager(context, context.parseDid(did, ['webhook'], field).id, field);
}

/** Webhooks are private to members: for others they do not exist. */
async function requireManager(
  context: CommandContext,
  id: string,
  field: string,
  policy = WEBHOOK_CHANGE,
): Promise<WebhookFacts> {
  const webhook = await findWebhook(context.services.integrations.db, id, requireAccount(context).scope);
  authorize(policy, webhook, field);
  return webhook;
}

/** The error for a webhook that does not exist for the caller. */
export function notThere(field: string): AppError {
  return notListed(field, 'webhooks(channel)');
}

/** The error for a delivery that does not exist for the caller. */
function noDelivery(field: string): AppError {
  return notListed(field, 'Webhook.deliveries');
}

function notListed(field: string, list: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', undefined, { field, suggestedFix: t`Use an identifier from ${list}.` });
}

function expiry({ nowMs }: CommandContext): string {
  return new Date(nowMs + GIVE_UP_MS).toISOString();
}
