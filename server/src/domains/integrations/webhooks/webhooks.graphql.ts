import {
  type ArgBuilder,
  CHANGES_HELP,
  changeInputFields,
  countRows,
  type EntityRef,
  type Graph,
  ifRevisionField,
  newInputFields,
  outputFields,
  revisionField,
} from '../../../gql/index.ts';
import { eventTypeName } from '../../../kernel/event-types.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { POST_TIMEOUT_MS } from '../../../platform/fetch/guarded-post.ts';
import { CHANNEL_CHANGE, mayInChannel } from '../../channels/index.ts';
import { encodeCursor, logOrder, RETENTION_DAYS } from '../events/event-cursor.ts';
import type { EventTypeRef } from '../events/event-types.ts';
import { declareWebhookTopic } from './event-patterns.ts';
import { replayWebhook } from './replay-webhook.ts';
import {
  createWebhook,
  deleteWebhook,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  WEBHOOK_CHANGE,
  WEBHOOK_REDELIVERY,
} from './webhook-commands.ts';
import { NEW_WEBHOOK_FIELDS, WEBHOOK_FIELDS } from './webhook-fields.ts';
import { MAX_REPLAYED, MAX_WEBHOOKS } from './webhook-limits.ts';
import { declareWebhookOrder } from './webhook-order.ts';
import { openWebhookSecret } from './webhook-secret.ts';
import { isVisibleDelivery, ofDeliveredEvent } from './webhooks.sql.ts';

/** A test waits for an attempt, which must be recorded within the time limit of the operation. */
const TEST_TIMEOUT_MS = POST_TIMEOUT_MS + 5_000;

interface Types {
  readonly EventType: EventTypeRef;
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
}

/** Declares webhooks and their deliveries. */
export function declareWebhooks(graph: Graph, types: Types): void {
  declareWebhookTopic(graph);
  declareWebhookOrder(graph);
  const WebhookDelivery = declareDelivery(graph, types);
  const Webhook = declareWebhook(graph, types, WebhookDelivery);
  graph.queryConnection('webhooks', {
    access: 'webhook:manage',
    type: Webhook,
    nullable: true,
    denied: { field: 'channel' },
    description: `The webhooks of a channel, newest first; at most ${MAX_WEBHOOKS}.`,
    args: (t) => ({
      channel: t.field({ type: 'DID', description: "Id of the channel; default: the account's own channel." }),
    }),
    where: (child, s, args) =>
      `${child}.channel_id = ${args.given('channel') ? args.id('channel', ['channel']) : `${s.viewer}.channel_id`}`,
    visibleIf: (s, args) =>
      mayInChannel(
        s,
        args.given('channel') ? args.id('channel', ['channel']) : `${s.viewer}.channel_id`,
        'webhook:manage',
      ),
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s, args) =>
      countRows(
        'webhooks',
        (row) =>
          `${row}.channel_id = ${args.given('channel') ? args.id('channel', ['channel']) : `${s.viewer}.channel_id`}`,
      ),
  });
  declareWebhookMutations(graph, { Webhook, Channel: types.Channel });
  declareSending(graph, WebhookDelivery);
  declareReplay(graph, Webhook);
}

function declareDelivery(graph: Graph, { Node, EventType }: Types): EntityRef {
  const WebhookDeliveryStatus = graph.builder.enumType('WebhookDeliveryStatus', {
    description: 'State of a delivery.',
    values: {
      PENDING: { description: 'It waits for its first or next attempt, or an attempt is running.' },
      DELIVERED: { description: 'The endpoint accepted it.' },
      FAILED: { description: 'It has failed: three days of attempts failed, or the webhook was disabled.' },
    } as const,
  });
  return graph.entity('WebhookDelivery', {
    description: `A message to a webhook, and its attempts. Kept for ${RETENTION_DAYS} days.`,
    table: 'webhook_deliveries',
    interfaces: [Node],
    node: {
      kinds: ['webhookDelivery'],
      where: isVisibleDelivery,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the delivery; its last 36 characters are the header webhook-id of every attempt.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('webhookDelivery', id),
      }),
      event: f.column({
        type: EventType,
        description: 'Type of the event.',
        sql: (s) => `${s.t}.event_type`,
        read: ([type]: [string]) => eventTypeName(type),
      }),
      cursor: f.column({
        type: 'String',
        nullable: true,
        description: 'Position of the event in the log, for replayWebhook(after); null for tests and deleted events.',
        sql: (s) => logOrder('e').map((column) => ofDeliveredEvent(s.t, column)),
        read: ([xact, id, createdAt]: [string | null, string | null, string | null]) =>
          xact && id && createdAt ? encodeCursor({ xact, id, createdAt }) : null,
      }),
      status: f.column({ type: WebhookDeliveryStatus, description: 'Current state.', sql: (s) => `${s.t}.status` }),
      attempts: f.column({
        type: 'Int',
        description: 'Attempts since it was created or redelivered.',
        sql: (s) => `${s.t}.attempts`,
      }),
      responseStatus: f.column({
        type: 'Int',
        nullable: true,
        description: 'HTTP status of the last response; null if there was none.',
        sql: (s) => `${s.t}.response_status`,
      }),
      durationMs: f.column({
        type: 'Int',
        nullable: true,
        description: 'Duration of the last attempt, in milliseconds.',
        sql: (s) => `${s.t}.duration_ms`,
      }),
      error: f.column({
        type: 'String',
        nullable: true,
        description: 'Why the last attempt failed; null if it succeeded.',
        sql: (s) => `${s.t}.error`,
      }),
      nextAttemptAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When the next attempt is due; null if there will be none.',
        sql: (s) => `${s.t}.next_attempt_at`,
      }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the message was created.',
        sql: (s) => `${s.t}.created_at`,
      }),
    }),
  });
}

function declareWebhook(graph: Graph, { Node, Channel }: Types, WebhookDelivery: EntityRef): EntityRef {
  const WebhookDisabledReason = graph.builder.enumType('WebhookDisabledReason', {
    description: 'Why a webhook is disabled.',
    values: {
      OWNER: { description: 'A member disabled it with updateWebhook.' },
      FAILURES: { description: 'No delivery succeeded for three days.' },
      GONE: { description: 'The endpoint responded with status 410.' },
    } as const,
  });
  return graph.entity('Webhook', {
    description: 'Sends the events of a channel to an address of yours, by signed POST requests (Standard Webhooks).',
    table: 'webhooks',
    interfaces: [Node],
    node: { kinds: ['webhook'], where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'webhook:manage') },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the webhook.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('webhook', id),
      }),
      channel: f.one({
        type: Channel,
        description: 'The channel whose events it sends.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      ...outputFields(f, WEBHOOK_FIELDS),
      revision: revisionField(f),
      disabledReason: f.column({
        type: WebhookDisabledReason,
        nullable: true,
        description: 'Why it is disabled; null while it is enabled.',
        sql: (s) => `${s.t}.disabled_reason`,
      }),
      failingSince: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'Since when every attempt has failed; null after a success.',
        sql: (s) => `${s.t}.failing_since`,
      }),
      formerSecretUntil: f.column({
        type: 'DateTime',
        nullable: true,
        description:
          'Until when messages also carry the signature of the previous secret; null if only that of the current one.',
        sql: (s) => `${s.t}.previous_secret_until`,
        read: ([until]: [string | null], env) =>
          until && Date.parse(until) > env.nowMs ? new Date(until).toISOString() : null,
      }),
      secret: f.column({
        type: 'String',
        secret: true,
        description: 'The secret that verifies the signatures, whsec_ and base64: store it on the receiving server.',
        sql: (s) => `encode(${s.t}.secret, 'hex')`,
        read: ([sealed]: [string], env) =>
          openWebhookSecret(env.services.integrations.secrets, Buffer.from(sealed, 'hex')),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      deliveries: f.connection({
        type: WebhookDelivery,
        description: `Sent and waiting messages, newest first, of the last ${RETENTION_DAYS} days.`,
        where: (child, s) => `${child}.webhook_id = ${s.t}.id`,
        order: (child) => [`${child}.created_at`, `${child}.id`],
        total: (s) => `counter_value('webhook:deliveries', ${s.t}.id)`,
      }),
    }),
  });
}

function declareReplay(graph: Graph, Webhook: EntityRef): void {
  const limit = MAX_REPLAYED.toLocaleString('en');
  const ReplayWebhookInput = graph.builder.inputType('ReplayWebhookInput', {
    description: 'Events of the log.',
    fields: (t) => ({
      after: t.string({
        required: true,
        description: 'Cursor of the last event not to send: Event.cursor, WebhookDelivery.cursor or a page of events.',
      }),
    }),
  });
  graph.mutation('replayWebhook', {
    access: 'webhook:manage',
    policies: [WEBHOOK_CHANGE],
    description:
      `Sends events of the log after a cursor to a webhook that subscribes to them, at most ${limit} in one call. ` +
      'Events that were sent before keep their webhook-id, so that receivers can skip what they have processed; ' +
      'deliveries that still wait stay as they are. The webhook must be enabled.',
    payload: (f) => ({
      webhook: f.read({ type: Webhook, description: 'The webhook.' }),
      scheduled: f.value({ type: 'Int', description: 'Deliveries that now wait to be sent; others still waited.' }),
      endCursor: f.value({ type: 'String', description: 'Position of the last event: after for the next call.' }),
      hasMore: f.value({ type: 'Boolean', description: 'Whether events after endCursor are left.' }),
    }),
    args: (t: ArgBuilder) => ({
      id: id(t),
      input: t.field({ type: ReplayWebhookInput, required: true, description: 'The events.' }),
    }),
    command: (context, args) => replayWebhook(context, args),
  });
}

function declareWebhookMutations(graph: Graph, { Webhook, Channel }: Record<'Webhook' | 'Channel', EntityRef>): void {
  const CreateWebhookInput = graph.builder.inputType('CreateWebhookInput', {
    description: 'A new webhook.',
    fields: (t) => ({
      channel: t.field({ type: 'DID', description: "Id of the channel; default: the account's own channel." }),
      ...newInputFields(t, NEW_WEBHOOK_FIELDS),
    }),
  });
  const UpdateWebhookInput = graph.builder.inputType('UpdateWebhookInput', {
    description: `Changes to a webhook. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, WEBHOOK_FIELDS), ifRevision: ifRevisionField(t, 'the webhook') }),
  });
  graph.mutation('createWebhook', {
    access: 'webhook:manage',
    policies: [CHANNEL_CHANGE],
    description: `Creates a webhook for a channel, with its secret. A channel has at most ${MAX_WEBHOOKS}.`,
    payload: (f) => ({ webhook: f.read({ type: Webhook, description: 'The webhook.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateWebhookInput, required: true, description: 'The webhook.' }),
    }),
    command: (context, args) => createWebhook(context, args),
  });
  graph.mutation('updateWebhook', {
    access: 'webhook:manage',
    policies: [WEBHOOK_CHANGE],
    description: 'Updates, enables or disables a webhook.',
    payload: (f) => ({ webhook: f.read({ type: Webhook, description: 'The webhook.' }) }),
    args: (t: ArgBuilder) => ({
      id: id(t),
      input: t.field({ type: UpdateWebhookInput, required: true, description: 'The changes.' }),
    }),
    command: (context, args) => updateWebhook(context, args),
  });
  graph.mutation('deleteWebhook', {
    access: 'webhook:manage',
    policies: [WEBHOOK_CHANGE],
    charges: () => deletions(1),
    description: 'Deletes a webhook with its waiting messages and its log.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the webhook.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
    args: (t: ArgBuilder) => ({ id: id(t) }),
    command: (context, args) => deleteWebhook(context, args),
  });
  graph.mutation('rotateWebhookSecret', {
    access: 'webhook:manage',
    policies: [WEBHOOK_CHANGE],
    description:
      'Replaces the secret of a webhook. For 24 hours messages carry the ' +
      'signature of the old one too, so that the receiver can switch.',
    payload: (f) => ({ webhook: f.read({ type: Webhook, description: 'The webhook.' }) }),
    args: (t: ArgBuilder) => ({ id: id(t) }),
    command: (context, args) => rotateWebhookSecret(context, args),
  });
}

function declareSending(graph: Graph, WebhookDelivery: EntityRef): void {
  graph.mutation('testWebhook', {
    access: 'webhook:manage',
    policies: [WEBHOOK_CHANGE],
    description:
      'Sends a message of type webhook.test, also to a disabled webhook, and waits up to 10 seconds for the ' +
      'response: its status, its duration and why it failed. A test is not retried, and one that fails ' +
      'neither delays nor disables anything. PENDING only if this server is ' +
      'busy: read the delivery with node(id) then.',
    payload: (f) => ({ delivery: f.read({ type: WebhookDelivery, description: 'The delivery.' }) }),
    timeoutMs: TEST_TIMEOUT_MS,
    args: (t: ArgBuilder) => ({ id: id(t) }),
    command: (context, args) => testWebhook(context, args),
  });
  graph.mutation('redeliverWebhook', {
    access: 'webhook:manage',
    policies: [WEBHOOK_REDELIVERY],
    description: 'Sends a delivered or failed message again, under the same webhook-id. A waiting one stays as it is.',
    payload: (f) => ({ delivery: f.read({ type: WebhookDelivery, description: 'The delivery.' }) }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the delivery.' }) }),
    command: (context, args) => redeliverWebhook(context, args),
  });
}

function id(t: ArgBuilder) {
  return t.field({ type: 'DID', required: true, description: 'Id of the webhook.' });
}
