import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind, contentEmbedPath } from '../../../kernel/content-kinds.ts';
import { declareContentAssets } from '../../assets/index.ts';
import { type ContentParts, contentDid } from '../contents/content-types.graphql.ts';
import { isVisibleContent } from '../contents/content-visibility.sql.ts';
import { grandparentOf } from './content-parts.sql.ts';
import {
  audienceFields,
  declareMetadata,
  episodeFields,
  type Fields,
  numberField,
  serieFields,
  streamFields,
  videoFields,
} from './metadata.graphql.ts';

/** The public type of each kind, and its additional metadata. */
export const AUDIENCE_TYPES = {
  Feature: { kind: 'FEATURE', metadata: ['video'] },
  Short: { kind: 'SHORT', metadata: ['video'] },
  Serie: { kind: 'SERIE', metadata: ['serie'] },
  Season: { kind: 'SEASON', metadata: ['number'] },
  Episode: { kind: 'EPISODE', metadata: ['video', 'number', 'episode'] },
  Miniseries: { kind: 'MINISERIE', metadata: ['audience'] },
  Stream: { kind: 'STREAM', metadata: ['video', 'stream', 'audience'] },
} as const satisfies Record<
  string,
  {
    kind: ContentKind;
    metadata: readonly ('video' | 'number' | 'serie' | 'episode' | 'stream' | 'audience')[];
  }
>;

export type AudienceType = keyof typeof AUDIENCE_TYPES;
/** The public types, one for each kind of content. */
export type AudienceTypes = Readonly<Record<AudienceType, EntityRef>>;

export const AUDIENCE_TYPE_NAMES = Object.keys(AUDIENCE_TYPES) as AudienceType[]; // Object.keys loses the literal type

/** Declares the public type of each kind, and the fields that link containers and their children. */
export function declareAudienceTypes(graph: Graph, parts: ContentParts): AudienceTypes {
  const types = Object.fromEntries(
    AUDIENCE_TYPE_NAMES.map((name) => [name, declareAudienceType(graph, name, parts)]),
  ) as unknown as AudienceTypes; // fromEntries loses the keys
  connectSeries(graph, types);
  return types;
}

function declareAudienceType(graph: Graph, name: AudienceType, parts: ContentParts): EntityRef {
  const { kind, metadata } = AUDIENCE_TYPES[name];
  const particular: Record<(typeof metadata)[number] & string, Fields> = {
    video: videoFields,
    number: numberField(false),
    episode: episodeFields,
    serie: serieFields,
    stream: streamFields(parts.enums),
    audience: audienceFields(parts.enums),
  };
  const Metadata = declareMetadata(
    graph,
    `${name}Metadata`,
    parts,
    metadata.map((each) => particular[each]),
  );
  const Assets = declareContentAssets(graph, `${name}Assets`, parts.assets);
  const type = graph.entity(name, {
    description: `${CONTENT_KINDS[kind].is.slice(0, -1)}, as the audience sees it.`,
    table: 'contents',
    interfaces: [parts.channels.Node],
    node: {
      kinds: [CONTENT_KINDS[kind].did],
      where: (child, s) => `${child}.kind = '${kind}' and ${isVisibleContent(child, s)}`,
    },
    fields: (f) => ({
      id: f.column({ type: 'DID', description: 'Id.', sql: (s) => [`${s.t}.kind`, `${s.t}.id`], read: contentDid }),
      channel: f.one({
        type: parts.channels.Channel,
        description: 'The channel that published it.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      metadata: f.embed({ type: Metadata, description: 'Its title and descriptive texts.' }),
      assets: f.embed({ type: Assets, description: 'Its video files and images.' }),
      publishedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was published; null while it is not, which only members of its channel see.',
        sql: (s) => `${s.t}.published_at`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
  if (metadata.some((each) => each === 'video')) graph.extend(type, embedField);
  return type;
}

/** The address of the player of a video. */
const embedField: Fields = (f) => ({
  embedUrl: f.column({
    type: 'URL',
    nullable: true,
    description: 'Address of its player, for a frame on another page; it plays for whoever may watch it.',
    sql: (s) => [`${s.t}.kind`, `${s.t}.id`],
    read: ([kind, id]: [ContentKind, string], env) => {
      const path = contentEmbedPath(kind, id);
      return path === null ? null : env.baseUrl + path;
    },
  }),
});

/**
 * The published, public children of a container, in order. A hidden container needs no check: only members reach its
 * list.
 */
function connectSeries(graph: Graph, { Serie, Season, Episode, Miniseries }: AudienceTypes): void {
  const below = (field: 'seasons' | 'episodes', type: EntityRef): Fields => {
    return (f) => ({
      [field]: f.connection({
        type,
        description: `Its published, public ${field} in the order of their numbers.`,
        where: (child, s) =>
          `${child}.parent_id = ${s.t}.id and ${child}.status = 'PUBLISHED' and ` +
          `${child}.visibility = 'PUBLIC' and ${child}.deleted_at is null`,
        order: { by: (child) => [`${child}.number`, `${child}.id`], direction: 'asc' },
        total: (s) => `counter_value('children:shown', ${s.t}.id)`,
      }),
    });
  };
  const above = (kind: ContentKind, row: string, child: string) =>
    `${child}.id = ${row}.parent_id and ${child}.kind = '${kind}'`;
  graph.extend(Serie, below('seasons', Season));
  graph.extend(Season, below('episodes', Episode));
  graph.extend(Miniseries, below('episodes', Episode));
  graph.extend(Season, (f) => ({
    associatedSeries: f.one({
      type: Serie,
      nullable: true,
      description: 'The series of this season; null while it is hidden from the viewer.',
      on: (c, s) => `${above('SERIE', s.t, c)} and ${isVisibleContent(c, s)}`,
    }),
  }));
  graph.extend(Episode, (f) => ({
    associatedSeries: f.one({
      type: Serie,
      nullable: true,
      description: 'The series of this episode; null for episodes of a miniseries.',
      on: (c, s) => `${c}.id = ${grandparentOf(s.t)} and ${isVisibleContent(c, s)}`,
    }),
    associatedSeason: f.one({
      type: Season,
      nullable: true,
      description: 'The season of this episode; null for episodes of a miniseries.',
      on: (c, s) => `${above('SEASON', s.t, c)} and ${isVisibleContent(c, s)}`,
    }),
    associatedMiniseries: f.one({
      type: Miniseries,
      nullable: true,
      description: 'The miniseries of this episode; null for episodes of a season.',
      on: (c, s) => `${above('MINISERIE', s.t, c)} and ${isVisibleContent(c, s)}`,
    }),
  }));
}
