import type { EntityRef, Graph } from '../../gql/index.ts';
import { declareConnection } from './connection.graphql.ts';
import { declareDeveloperSettings } from './developer-settings.graphql.ts';
import { declareMe } from './me.graphql.ts';
import { declareRateLimit } from './rate-limit.graphql.ts';
import { declareSubscription } from './subscription.graphql.ts';

/** Declares this domain's part of the schema; the types returned are extended by higher domains. */
export function declareAccounts(graph: Graph): { Me: EntityRef } {
  const { Subscription, State } = declareSubscription(graph);
  declareConnection(graph, State);
  declareDeveloperSettings(graph, Subscription);
  declareRateLimit(graph);
  return { Me: declareMe(graph, Subscription) };
}
