import type { EntityRef, Graph } from '../../gql/index.ts';
import { declareEvents } from './events.graphql.ts';
import { declareWebhooks } from './webhooks.graphql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
}

/** Declares what other programs follow: the event log and webhooks. */
export function declareIntegrations(graph: Graph, types: Types): void {
  declareEvents(graph, types);
  declareWebhooks(graph, types);
}
