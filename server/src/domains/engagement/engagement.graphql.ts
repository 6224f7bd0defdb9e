import type { Graph } from '../../gql/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import { declareAnalytics } from './analytics/analytics.graphql.ts';
import { declareTracking } from './ingest/track-engagement.graphql.ts';
import { declareViews } from './views.graphql.ts';

/** Declares engagement events, view counts and channel analytics. */
export function declareEngagement(graph: Graph, types: { channels: ChannelTypes; catalog: CatalogTypes }): void {
  declareTracking(graph);
  declareViews(graph, types.catalog);
  declareAnalytics(graph, types);
}
