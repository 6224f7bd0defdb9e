import {
  booleanField,
  type EntityField,
  enumField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  textField,
} from '../../../gql/index.ts';
import { readUrl } from '../../../kernel/urls.ts';
import { readEventPatterns, topicOf } from './event-patterns.ts';
import type { DeliveryOrder } from './webhook-order.ts';

const url: EntityField<string, string> = {
  column: 'url',
  sqlType: 'text',
  type: 'URL',
  description: 'The address.',
  inputDescription: 'The address: https, and on the public internet unless the operator allows its host.',
  read: (value, field) => readUrl(value, field).href,
};

const events: EntityField<readonly string[], readonly string[]> = {
  column: 'events',
  sqlType: 'text[]',
  type: ['WebhookTopic'],
  description: 'Types of events it sends.',
  inputDescription: 'Types of events to send, at least one.',
  read: readEventPatterns,
  show: (patterns) => patterns.map(topicOf),
};

/** Fields that createWebhook writes. */
export const NEW_WEBHOOK_FIELDS = {
  url,
  events,
  description: textField({
    column: 'description',
    label: 'Description of its purpose',
    maxLength: 300,
    description: 'Description of its purpose.',
  }),
  order: enumField<DeliveryOrder>({
    column: 'delivery_order',
    type: 'WebhookOrder',
    description: 'In which order it sends messages.',
    initial: 'PARALLEL',
  }),
};

/** Fields that updateWebhook writes. */
export const WEBHOOK_FIELDS = {
  ...NEW_WEBHOOK_FIELDS,
  isEnabled: booleanField({
    column: 'is_enabled',
    description: 'Whether it is enabled.',
    inputDescription: 'Whether it is enabled; enabling it resets its failures.',
  }),
};

export type NewWebhookInput = FieldsInput<typeof NEW_WEBHOOK_FIELDS>;
export type NewWebhookValues = FieldValues<typeof NEW_WEBHOOK_FIELDS>;
export type WebhookInput = FieldsInput<typeof WEBHOOK_FIELDS>;
export type WebhookChanges = FieldChanges<typeof WEBHOOK_FIELDS>;
