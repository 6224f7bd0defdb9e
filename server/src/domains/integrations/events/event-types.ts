import type { Graph } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { EVENT_TYPES, type EventType, eventTypeName } from '../../../kernel/event-types.ts';
import { t } from '../../../kernel/languages/message.ts';

/** All types, in the order of the table. */
export const ALL_EVENT_TYPES = Object.keys(EVENT_TYPES) as EventType[]; // Object.keys loses the literal type

/** Type of the messages that testWebhook sends: they are about nothing that happened. */
export const WEBHOOK_TEST = 'webhook.test';

/** Description of each value of EventType. */
export const EVENT_TYPE_VALUES = Object.fromEntries(
  ALL_EVENT_TYPES.map((type) => [eventTypeName(type), { description: `${EVENT_TYPES[type]} In webhooks: ${type}.` }]),
);

/** Declares EventType. */
export function declareEventType(graph: Graph) {
  return graph.builder.enumType('EventType', {
    description: 'What happened. Webhooks and the log name it with a dot: content.published.',
    values: {
      ...EVENT_TYPE_VALUES,
      [eventTypeName(WEBHOOK_TEST)]: {
        description: `A test of a webhook; only in deliveries. There: ${WEBHOOK_TEST}.`,
      },
    },
  });
}

export type EventTypeRef = ReturnType<typeof declareEventType>;

/** The types of a list of values of EventType, without duplicates. Throws FIELD_REQUIRED with `field` for none. */
export function readEventTypes(names: readonly string[], field: string): EventType[] {
  if (names.length === 0) {
    throw new AppError('FIELD_REQUIRED', t`The list of event types is empty.`, {
      field,
      suggestedFix: t`Name at least one type, for example CONTENT_PUBLISHED.`,
    });
  }
  return ALL_EVENT_TYPES.filter((type) => names.includes(eventTypeName(type)));
}
