import type { EntityRef, Graph } from '../../gql/index.ts';
import { declareEvents } from './events/events.graphql.ts';
import { declareExports } from './exports/exports.graphql.ts';
import { declareSubscriptions } from './subscriptions/subscriptions.graphql.ts';
import { declareWebhooks } from './webhooks/webhooks.graphql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Content: EntityRef;
  readonly TranscodeJob: EntityRef;
  readonly Comment: EntityRef;
}

/** Declares the event log (queries and subscriptions), webhooks and exports. */
export function declareIntegrations(graph: Graph, types: Types): void {
  const Event = declareEvents(graph, types);
  declareSubscriptions(graph, { ...types, Event });
  declareWebhooks(graph, types);
  declareExports(graph, types);
}
