import type { EntityRef, Graph } from '../../gql/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import { declareYouTubeConnection } from './connection.graphql.ts';
import { declareYouTubeImports } from './imports.graphql.ts';
import { declareYouTubeEnums } from './youtube-enums.graphql.ts';
import { declareYouTubePublishing } from './youtube-publish.graphql.ts';
import { declareYouTubeVideos } from './youtube-videos.graphql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Me: EntityRef;
  readonly ConnectionCheck: EntityRef;
  readonly catalog: CatalogTypes;
  readonly assets: AssetTypes;
}

/** Declares what comes from other sites and goes there. */
export function declarePublishing(graph: Graph, types: Types): void {
  declareYouTubeConnection(graph, types);
  const enums = declareYouTubeEnums(graph);
  declareYouTubePublishing(graph, { Node: types.Node, Content: types.catalog.Content, enums });
  declareYouTubeVideos(graph, enums);
  declareYouTubeImports(graph, types);
}
