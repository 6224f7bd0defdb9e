import type { EntityRef, Graph } from '../../gql/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import type { MediaTypes } from '../ingest/index.ts';
import { declareItemMutations } from './item-mutations.graphql.ts';
import { declarePlaylistDashboard } from './playlist-dashboard.graphql.ts';
import { declarePlaylistMutations } from './playlist-mutations.graphql.ts';
import { declarePlaylistQueries } from './playlist-queries.graphql.ts';
import { declarePlaylistTypes, type PlaylistTypes } from './playlist-types.graphql.ts';
import { declareWatchLater } from './watch-later/watch-later.graphql.ts';

/** Declares playlists: their types, queries and mutations. */
export function declarePlaylists(
  graph: Graph,
  {
    Me,
    channels,
    assets,
    catalog,
  }: { Me: EntityRef; channels: ChannelTypes; assets: MediaTypes; catalog: CatalogTypes },
): PlaylistTypes {
  const types = declarePlaylistTypes(graph, { channels, assets, Content: catalog.Content });
  declarePlaylistQueries(graph, channels, types);
  declarePlaylistMutations(graph, { ...types, assets, Channel: channels.Channel });
  declareItemMutations(graph, { ...types, batch: catalog.batch });
  declareWatchLater(graph, { Me, Content: catalog.Content });
  declarePlaylistDashboard(graph, catalog.ChannelDashboard);
  return types;
}
