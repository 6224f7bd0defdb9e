import type { EntityRef, Graph } from '../../gql/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import type { MediaTypes } from '../ingest/index.ts';
import { declareYouTubeConnection } from './connections/connection.graphql.ts';
import { declareYouTubeImports } from './imports/imports.graphql.ts';
import { declareYouTubeVideos } from './imports/youtube-videos.graphql.ts';
import { declareYouTubePublishing } from './publications/youtube-publish.graphql.ts';
import { declareYouTubeEnums } from './site/youtube-enums.graphql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Me: EntityRef;
  readonly VerifyConnectionResult: EntityRef;
  readonly catalog: CatalogTypes;
  readonly assets: MediaTypes;
}

/** Declares imports from and publications to other sites. */
export function declarePublishing(graph: Graph, types: Types): void {
  declareYouTubeConnection(graph, types);
  const enums = declareYouTubeEnums(graph);
  declareYouTubePublishing(graph, { Node: types.Node, Content: types.catalog.Content, enums });
  declareYouTubeVideos(graph, enums);
  declareYouTubeImports(graph, types);
}
