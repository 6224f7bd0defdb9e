import { type EntityRef, type Graph, outputFields, type RequestEnv } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { type AssetTypes, declareContentAssets, isProcessingJob } from '../../assets/index.ts';
import { isMember } from '../../channels/index.ts';
import { releaseDateOf } from '../kinds/content-parts.sql.ts';
import { declareMetadata, type MetadataParts, numberField, videoFields } from '../kinds/metadata.graphql.ts';
import { type AdHint, CREATOR_FIELDS } from './content-fields.ts';
import { CONTENT_TYPE_OF } from './content-input.ts';
import { isVisibleContent } from './content-visibility.sql.ts';

/** Dependencies of this domain's type declarations. */
export interface ContentParts extends MetadataParts {
  readonly assets: AssetTypes;
}

/** Reads the columns kind and id as the DID of a content. */
export function contentDid([kind, id]: readonly [ContentKind, string], env: RequestEnv): string {
  return env.did(CONTENT_KINDS[kind].did, id);
}

/** Declares Content: the creator's view of any kind of content. */
export function declareContent(graph: Graph, parts: ContentParts): EntityRef {
  const { channels, assets, enums } = parts;
  const ContentMetadata = declareMetadata(graph, 'ContentMetadata', parts, [videoFields, numberField(true)]);
  graph.extend(ContentMetadata, (f) => ({
    ...outputFields(f, CREATOR_FIELDS),
    releaseDate: f.column({
      type: 'DateTime',
      nullable: true,
      description: 'When it was or will be published; null if no date is known.',
      sql: (s) => releaseDateOf(s.t),
    }),
  }));
  const ContentHint = declareHint(graph, parts);
  const ContentAssets = declareContentAssets(graph, 'ContentAssets', assets);
  const Content: EntityRef = graph.entity('Content', {
    description: "The creator's view of any kind of content.",
    table: 'contents',
    interfaces: [channels.Node],
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the content.',
        sql: (s) => [`${s.t}.kind`, `${s.t}.id`],
        read: contentDid,
      }),
      kind: f.column({ type: enums.ContentKind, description: 'Its kind.', sql: (s) => `${s.t}.kind` }),
      status: f.column({ type: enums.ContentStatus, description: 'Its state.', sql: (s) => `${s.t}.status` }),
      channel: f.one({
        type: channels.Channel,
        description: 'The channel it belongs to.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      parent: f.one({
        type: () => Content,
        nullable: true,
        description: 'The series of a season; the season or miniseries of an episode. Null otherwise.',
        on: (child, s) => `${child}.id = ${s.t}.parent_id and ${isVisibleContent(child, s)}`,
      }),
      children: f.connection({
        type: () => Content,
        nullable: true,
        description:
          'Its seasons or episodes in every state, in the order of their ' +
          'numbers; null unless the viewer is a member of its channel.',
        where: (child, s) => `${child}.parent_id = ${s.t}.id and ${child}.deleted_at is null`,
        order: { by: (child) => [`${child}.number`, `${child}.id`], direction: 'asc' },
        total: (s) => `counter_value('children:kept', ${s.t}.id)`,
        visibleIf: (s) => isMember(s, `${s.t}.channel_id`),
      }),
      hints: f.column({
        type: [ContentHint],
        description: 'What it is, and whether it contains advertising: one entry.',
        sql: (s) => [`${s.t}.kind`, `${s.t}.contains_ads`],
        read: ([kind, containsAds]: [ContentKind, AdHint | null]) => [
          { type: CONTENT_TYPE_OF[kind], containsAds, condition: 'NONE' },
        ],
      }),
      metadata: f.embed({ type: ContentMetadata, description: 'Its title and descriptive texts.' }),
      assets: f.embed({ type: ContentAssets, description: 'Its video files and images.' }),
      outputAssets: f.one({
        type: assets.OutputAssets,
        nullable: true,
        description: 'Output files of its newest playable video; null if there is none.',
        on: (child, s) => `${child}.content_id = ${s.t}.id and ${child}.ready_at is not null`,
        first: { by: (child) => [`${child}.created_at`, `${child}.id`] },
      }),
      transcodeJob: f.one({
        type: assets.TranscodeJob,
        nullable: true,
        description:
          'The latest processing of its video; null if nothing was ' +
          'submitted, and unless the viewer is a member of the channel.',
        on: (child, s) =>
          `${child}.content_id = ${s.t}.id and ${isProcessingJob(child)} and ${isMember(s, `${s.t}.channel_id`)}`,
        first: { by: (child) => [`${child}.created_at`, `${child}.id`] },
      }),
      publishedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was published; null while unpublished.',
        sql: (s) => `${s.t}.published_at`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      updatedAt: f.column({
        type: 'DateTime',
        description: 'When it was last changed.',
        sql: (s) => `${s.t}.updated_at`,
      }),
    }),
  });
  return Content;
}

function declareHint(graph: Graph, { enums }: ContentParts) {
  return graph.object('ContentHint', {
    description: 'What a content is, for clients that choose how to show it.',
    fields: (f) => ({
      type: f.value({ type: enums.ContentType, description: 'Its type.' }),
      containsAds: f.value({
        type: enums.ContentAdHint,
        nullable: true,
        description: 'Whether it contains advertising; null if not specified.',
      }),
      condition: f.value({ type: enums.ContentCondition, description: 'What has to be bought to play it.' }),
    }),
  });
}
