import type { EntityRef, Graph } from '../../gql/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import type { MediaTypes } from '../ingest/index.ts';
import { declareVideoTrim } from '../transcode/index.ts';
import { type BatchTypes, declareBatch } from './batches/batch.graphql.ts';
import { declareContentCaptions } from './captions/captions.graphql.ts';
import { declareChapters } from './chapters/chapters.graphql.ts';
import { declareContentMutations } from './content-mutations.graphql.ts';
import { type ContentEnums, declareContentEnums } from './contents/content-enums.graphql.ts';
import { declareContentOfJob, declareContentQueries } from './contents/content-queries.graphql.ts';
import { declareChannelDashboard } from './dashboard/channel-dashboard.graphql.ts';
import { declareEdits } from './edits/edits.graphql.ts';
import { declareAutomaticCaptions } from './enhancement/automatic-captions.graphql.ts';
import { declareEnhancement } from './enhancement/enhancement.graphql.ts';
import { declareContent } from './kinds/content-types.graphql.ts';
import { declareKindQueries } from './kinds/kind-queries.graphql.ts';
import { declareKindTypes } from './kinds/kind-types.graphql.ts';
import { declareContentMetadata } from './kinds/metadata.graphql.ts';
import { declarePublishVideo } from './publication/publish-video.graphql.ts';
import { declareUploadInfo } from './publication/upload-info.graphql.ts';
import { declareReplaceVideo } from './replacement/replace-video.graphql.ts';
import { declareSeriesMutations } from './series/series-mutations.graphql.ts';
import { declareSharing } from './sharing/sharing.graphql.ts';
import { declareStructuredData } from './structured-data/structured-data.graphql.ts';
import { declareChannelCategories } from './taxonomy/channel-categories.graphql.ts';
import { declareTaxonomy, type TaxonomyTypes } from './taxonomy/taxonomy-types.graphql.ts';
import { declareSetThumbnail } from './thumbnails/set-thumbnail.graphql.ts';
import { declareTrash } from './trash/trash.graphql.ts';

export interface CatalogTypes {
  /** The interface of the types of all kinds of content. */
  readonly Content: EntityRef;
  readonly Stream: EntityRef;
  readonly TimeRange: EntityRef;
  readonly enums: ContentEnums;
  /** Results of bulk mutations, for all domains. */
  readonly batch: BatchTypes;
  readonly taxonomy: TaxonomyTypes;
  readonly ChannelDashboard: EntityRef;
}

/** Declares contents: their types, queries and mutations. */
export function declareCatalog(
  graph: Graph,
  { Me, channels, assets }: { Me: EntityRef; channels: ChannelTypes; assets: MediaTypes },
): CatalogTypes {
  const enums = declareContentEnums(graph);
  const batch = declareBatch(graph);
  const taxonomy = declareTaxonomy(graph, { ...channels, assets });
  declareChannelCategories(graph, channels, taxonomy);
  const parts = { channels, assets, enums, taxonomy };
  const ContentMetadata = declareContentMetadata(graph, parts);
  const Content = declareContent(graph, ContentMetadata, parts);
  const kinds = declareKindTypes(graph, Content, ContentMetadata, parts);
  declareStructuredData(graph, Content);
  declareKindQueries(graph, channels, kinds);
  declareContentQueries(graph, channels, Content, enums);
  declareContentOfJob(graph, assets.TranscodeJob, Content);
  declareContentMutations(graph, { Content, enums, assets, batch, taxonomy });
  declareEnhancement(graph, { Content, assets });
  declareAutomaticCaptions(graph, { Content, assets });
  declareSetThumbnail(graph, Content);
  declareTrash(graph, channels, Content);
  declareSeriesMutations(graph, { Content });
  declareContentCaptions(graph, assets, Content);
  declareChapters(graph, Content);
  const UploadInfo = declareUploadInfo(graph, assets);
  declarePublishVideo(graph, { Content, enums, assets }, UploadInfo);
  declareReplaceVideo(graph, { Content, assets, UploadInfo });
  const TimeRange = declareVideoTrim(graph, Content);
  declareEdits(graph, { Content, assets, TimeRange });
  declareSharing(graph, { Me, Content, ...channels });
  const ChannelDashboard = declareChannelDashboard(graph, { ...parts, Content });
  return { Content, Stream: kinds.Stream, TimeRange, enums, batch, taxonomy, ChannelDashboard };
}
