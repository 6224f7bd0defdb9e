import type { Graph } from '../../gql/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import { declareContents } from './contents.graphql.ts';
import { declareFilters } from './filters.graphql.ts';
import { declareSearch } from './search.graphql.ts';

/** Declares how contents, channels and playlists are found. */
export function declareDiscovery(graph: Graph, { channels, catalog }: { channels: ChannelTypes; catalog: CatalogTypes }): void {
  const filters = declareFilters(graph, catalog);
  declareSearch(graph, { channels, catalog, filters });
  declareContents(graph, { Content: catalog.Content, filters });
}
