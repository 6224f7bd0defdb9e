import type { Graph } from '../../gql/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import type { LiveTypes } from '../live/index.ts';
import type { PlaylistTypes } from '../playlists/index.ts';
import { declareAnalytics } from './analytics/analytics.graphql.ts';
import { declareLatestVideo } from './analytics/latest-video.graphql.ts';
import { declareContentCard } from './content-tests/content-card.graphql.ts';
import { declareContentTestMutations } from './content-tests/content-test-mutations.graphql.ts';
import { declareContentTests } from './content-tests/content-tests.graphql.ts';
import { declareTracking } from './ingest/track-engagement.graphql.ts';
import { declareViewersNow, declareViews } from './views.graphql.ts';

/** Declares engagement events, view counts, channel analytics, and tests of titles and images. */
export function declareEngagement(
  graph: Graph,
  types: {
    channels: ChannelTypes;
    catalog: CatalogTypes;
    assets: AssetTypes;
    playlists: PlaylistTypes;
    live: LiveTypes;
  },
): void {
  const { catalog, assets } = types;
  const source = declareTracking(graph);
  declareViews(graph, catalog);
  declareViewersNow(graph, types.live.Broadcast);
  declareAnalytics(graph, { ...types, source });
  declareLatestVideo(graph, catalog);
  declareContentCard(graph, catalog, assets.ImageAsset);
  const ContentTest = declareContentTests(graph, { ...types, ImageAsset: assets.ImageAsset });
  declareContentTestMutations(graph, catalog.Content, ContentTest);
}
