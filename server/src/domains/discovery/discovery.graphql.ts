import type { Graph } from '../../gql/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import type { LiveTypes } from '../live/index.ts';
import type { PlaylistTypes } from '../playlists/index.ts';
import { declareContents } from './contents.graphql.ts';
import { declareFeed } from './lists/feed.graphql.ts';
import { declareTrending } from './lists/trending.graphql.ts';
import { declareWatchHistory } from './lists/watch-history.graphql.ts';
import { declareFilters } from './search/filters.graphql.ts';
import { declareRelated } from './search/related.graphql.ts';
import { declareSearch } from './search/search.graphql.ts';

interface Types {
  readonly channels: ChannelTypes;
  readonly catalog: CatalogTypes;
  readonly playlists: PlaylistTypes;
  readonly live: LiveTypes;
}

/** Declares search, lists and recommendations of contents, channels and playlists. */
export function declareDiscovery(graph: Graph, { channels, catalog, playlists, live }: Types): void {
  const { Content, enums } = catalog;
  const filters = declareFilters(graph, catalog, live);
  declareSearch(graph, { channels, catalog, playlists, filters });
  declareContents(graph, { Content, filters });
  declareTrending(graph, { Content, ContentKind: enums.ContentKind });
  declareFeed(graph, Content);
  declareWatchHistory(graph, { channels, catalog });
  declareRelated(graph, catalog);
}
