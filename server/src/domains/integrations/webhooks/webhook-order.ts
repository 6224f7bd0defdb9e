import type { Graph } from '../../../gql/index.ts';

const ORDERS = {
  PARALLEL: { description: 'Each as soon as possible, several at once: a retry comes after later messages.' },
  PER_CONTENT: {
    description:
      'Those about one content (or playlist, or other object) one after the other: a message waits for the retries ' +
      'of an earlier one, at most an hour; what comes out of order after that has outOfOrder in its body.',
  },
} as const;
export type DeliveryOrder = keyof typeof ORDERS;

/** Declares WebhookOrder. */
export function declareWebhookOrder(graph: Graph): void {
  graph.builder.enumType('WebhookOrder', {
    description: 'An order in which a webhook sends messages.',
    values: ORDERS,
  });
}
