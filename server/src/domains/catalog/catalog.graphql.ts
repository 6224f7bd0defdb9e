import type { EntityRef, Graph } from '../../gql/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import { declareContentEnums } from './content-enums.graphql.ts';
import { declareContentMutations } from './content-mutations.graphql.ts';
import { declareContentQueries } from './content-queries.graphql.ts';
import { declareContent, declareFeature } from './content-types.graphql.ts';
import { declarePublishVideo } from './publish-video.graphql.ts';

export interface CatalogTypes {
  /** The creator's view of any kind of content; also the type of lists that mix kinds. */
  readonly Content: EntityRef;
  /** What the audience sees, a type for each kind of content. Higher domains give all of them what contents have. */
  readonly kinds: Readonly<Record<'Feature', EntityRef>>;
}

/** Declares contents: their types, queries and mutations. */
export function declareCatalog(graph: Graph, { channels, assets }: { channels: ChannelTypes; assets: AssetTypes }): CatalogTypes {
  const enums = declareContentEnums(graph);
  const Feature = declareFeature(graph, { channels, assets, enums });
  const Content = declareContent(graph, { channels, assets, enums });
  declareContentQueries(graph, channels, { Feature, Content });
  declareContentMutations(graph, { Content, enums, assets });
  declarePublishVideo(graph, { Content, enums, assets });
  return { Content, kinds: { Feature } };
}
