import type { EntityRef, Graph } from '../../gql/index.ts';
import { declareArchives } from './archives/archives.graphql.ts';
import { declareEventType } from './events/event-types.ts';
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
  readonly ChatMessage: EntityRef;
  readonly Me: EntityRef;
}

/** Declares the event log (queries and subscriptions), webhooks, exports and archives. */
export function declareIntegrations(graph: Graph, types: Types): void {
  const EventType = declareEventType(graph);
  const Event = declareEvents(graph, { ...types, EventType });
  declareSubscriptions(graph, { ...types, Event, EventType });
  declareWebhooks(graph, { ...types, EventType });
  declareExports(graph, types);
  declareArchives(graph, types);
}
