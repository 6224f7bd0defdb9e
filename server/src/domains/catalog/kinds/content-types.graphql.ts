import { type EntityRef, type FieldFactory, type Graph, type RequestEnv, revisionField } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind, contentEmbedPath } from '../../../kernel/content-kinds.ts';
import { declareMediaAssets } from '../../assets/index.ts';
import { isMember } from '../../channels/index.ts';
import type { MediaTypes } from '../../ingest/index.ts';
import { isProcessingJob } from '../../transcode/index.ts';
import type { AdHint } from '../contents/content-fields.ts';
import { CONTENT_TYPE_OF } from '../contents/content-input.ts';
import { isVisibleContent } from '../contents/content-visibility.sql.ts';
import { typeNameOf } from './content-parts.sql.ts';
import type { MetadataParts } from './metadata.graphql.ts';

/** Dependencies of this domain's type declarations. */
export interface ContentParts extends MetadataParts {
  readonly assets: MediaTypes;
}

/** Reads the columns kind and id as the DID of a content. */
export function contentDid([kind, id]: readonly [ContentKind, string], env: RequestEnv): string {
  return env.did(CONTENT_KINDS[kind].did, id);
}

/** Declares Content, the interface of the types of all kinds. */
export function declareContent(graph: Graph, ContentMetadata: EntityRef, parts: ContentParts): EntityRef {
  const { channels, assets, enums } = parts;
  const ContentHint = declareHint(graph, parts);
  const Takedown = declareTakedown(graph);
  const MediaAssets = declareMediaAssets(graph, assets);
  const Content: EntityRef = graph.supertype('Content', {
    description:
      'A content of any kind. Fields about its making, such as the progress of processing, are null or empty for ' +
      'others than members of its channel.',
    table: 'contents',
    typename: (s) => typeNameOf(s.t),
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
      ...addressFields(f),
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
      assets: f.embed({ type: MediaAssets, description: 'Its video files and images.' }),
      ...videoFields(f, assets),
      ...publicationFields(f, Takedown),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      updatedAt: f.column({
        type: 'DateTime',
        description: 'When it was last changed.',
        sql: (s) => `${s.t}.updated_at`,
      }),
      revision: revisionField(f),
    }),
  });
  return Content;
}

/** Where it is watched. */
function addressFields(f: FieldFactory) {
  return {
    shortCode: f.column({
      type: 'String',
      description: 'Its 11 random characters (A-Z, a-z, 0-9, - and _), which never change.',
      sql: (s) => `${s.t}.short_code`,
    }),
    shortUrl: f.column({
      type: 'URL',
      description:
        'Absolute short address, which never changes: the page of a video; for series, seasons and miniseries it ' +
        'leads to their page.',
      sql: (s) => `${s.t}.short_code`,
      read: ([code]: [string], env) => `${env.baseUrl}/w/${code}`,
    }),
    embedUrl: f.column({
      type: 'URL',
      nullable: true,
      description:
        'Address of its player, for a frame on another page; it plays for whoever may watch it. Null for kinds ' +
        'without a video.',
      sql: (s) => [`${s.t}.kind`, `${s.t}.id`],
      read: ([kind, id]: [ContentKind, string], env) => {
        const path = contentEmbedPath(kind, id);
        return path === null ? null : env.baseUrl + path;
      },
    }),
  };
}

/** The outputs and the processing of its video. */
function videoFields(f: FieldFactory, assets: MediaTypes) {
  return {
    outputAssets: f.one({
      type: assets.OutputAssets,
      nullable: true,
      description: 'Output files of its newest playable video; null if there is none.',
      on: (child, s) => `${child}.content_id = ${s.t}.id and ${child}.ready_at is not null`,
      first: { by: (child) => [`${child}.created_at`, `${child}.id`] },
      owner: 'content',
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
  };
}

/** Whether others see it. */
function publicationFields(f: FieldFactory, Takedown: ReturnType<typeof declareTakedown>) {
  return {
    publishedAt: f.column({
      type: 'DateTime',
      nullable: true,
      description: 'When it was published; null while it is not, which only members of its channel see.',
      sql: (s) => `${s.t}.published_at`,
    }),
    publishWhenReady: f.column({
      type: 'Boolean',
      description:
        'Whether it is published as soon as its video is ready, and not before metadata.releaseDate: as requested ' +
        'with publishVideo or publishContent(whenReady).',
      sql: (s) => `${s.t}.publish_when_ready`,
    }),
    takedown: f.column({
      type: Takedown,
      nullable: true,
      description:
        'That an operator of the server took it down: whatever its visibility, only members of its channel see it. ' +
        'Null otherwise.',
      sql: (s) => [`${s.t}.taken_down_at`, `${s.t}.takedown_reason`],
      read: ([at, reason]: [string | null, string | null]) => (at === null ? null : { at, reason }),
    }),
  };
}

function declareTakedown(graph: Graph) {
  return graph.object('ContentTakedown', {
    description: 'That an operator of the server took a content down.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When.' }),
      reason: f.value({ type: 'String', description: 'The reason.' }),
    }),
  });
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
