import type { EntityRef, Graph } from '../../gql/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import { declareContentEnums } from './content-enums.graphql.ts';
import { declareContentMutations } from './content-mutations.graphql.ts';
import { declareContentQueries } from './content-queries.graphql.ts';
import { declareContent, declareFeature } from './content-types.graphql.ts';
import { declarePublishVideo } from './publish-video.graphql.ts';

/** Declares contents: their types, queries and mutations. */
export function declareCatalog(
  graph: Graph,
  { channels, assets }: { channels: ChannelTypes; assets: AssetTypes },
): { Feature: EntityRef; Content: EntityRef } {
  const enums = declareContentEnums(graph);
  const Feature = declareFeature(graph, { channels, assets, enums });
  const Content = declareContent(graph, { channels, assets, enums });
  declareContentQueries(graph, channels, { Feature, Content });
  declareContentMutations(graph, { Content, enums, assets });
  declarePublishVideo(graph, { Content, enums, assets });
  return { Feature, Content };
}
