import {
  countRows,
  type EntityRef,
  type FieldDeclaration,
  type FieldFactory,
  type Graph,
  outputField,
  outputFields,
} from '../../../gql/index.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import type { ContentEnums } from '../contents/content-enums.graphql.ts';
import {
  CONTENT_FIELDS,
  CREATOR_FIELDS,
  EPISODE_FIELDS,
  STREAM_FIELDS,
  TEXT_FIELDS,
} from '../contents/content-fields.ts';
import { TAXONOMY_FIELDS } from '../taxonomy/taxonomy-fields.ts';
import type { TaxonomyTypes } from '../taxonomy/taxonomy-types.graphql.ts';
import { isAssigned, mainGenreOf, releaseDateOf, typeNameOf } from './content-parts.sql.ts';

/** Dependencies of the metadata declarations. */
export interface MetadataParts {
  readonly channels: ChannelTypes;
  readonly enums: ContentEnums;
  readonly taxonomy: TaxonomyTypes;
}

export type Fields = (f: FieldFactory) => Record<string, FieldDeclaration>;

/** Declares the metadata of a content of any kind. */
export function declareContentMetadata(graph: Graph, parts: MetadataParts): EntityRef {
  const ContentMetadata = graph.supertype('ContentMetadata', {
    description: 'Title and descriptive texts of a content.',
    typename: (s) => `${typeNameOf(s.t)} || 'Metadata'`,
    interfaces: [parts.channels.EntityMetadata],
    fields: (f) => ({
      name: f.column({ type: 'String', description: 'The same as title.', sql: (s) => `${s.t}.title` }),
      ...outputFields(f, TEXT_FIELDS),
      ...outputFields(f, CREATOR_FIELDS),
      releaseDate: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was or will be published; null if no date is known.',
        sql: (s) => releaseDateOf(s.t),
      }),
      duration: f.column({
        type: 'Float',
        nullable: true,
        description: 'Length in seconds; null until the video is processed, and for kinds without a video.',
        sql: (s) => `${s.t}.duration_ms / 1000.0::float8`,
      }),
      contentLayout: outputField(f, CONTENT_FIELDS.layout),
      number: f.column({
        type: 'Int',
        nullable: true,
        description: 'Its number among its siblings, as shown to the audience; null except for seasons and episodes.',
        sql: (s) => `${s.t}.number`,
      }),
    }),
  });
  graph.extend(ContentMetadata, taxonomyFields(parts.taxonomy));
  return ContentMetadata;
}

/** Declares the metadata of contents of one kind: that of all contents, and `particular` fields. */
export function declareKindMetadata(
  graph: Graph,
  name: string,
  ContentMetadata: EntityRef,
  particular: readonly Fields[],
): EntityRef {
  const Metadata = graph.part(name, {
    description: 'Title and descriptive texts of a content.',
    interfaces: [ContentMetadata],
    fields: () => ({}),
  });
  for (const fields of particular) graph.extend(Metadata, fields);
  return Metadata;
}

function taxonomyFields({ Category, ContentGenre, ContentRating }: TaxonomyTypes): Fields {
  return (f) => ({
    categories: f.connection({
      type: Category,
      description: TAXONOMY_FIELDS.categories.description,
      where: (child, s) => isAssigned('category', `${child}.id`, `${s.t}.id`),
      order: { by: (child) => [`${child}.name`], direction: 'asc' },
      total: (s) => countRows('content_categories', (row) => `${row}.content_id = ${s.t}.id`),
    }),
    genre: f.one({
      type: ContentGenre,
      nullable: true,
      description: 'Its main genre: the first of its genres.',
      on: (child, s) => `${child}.id = ${mainGenreOf(`${s.t}.id`)}`,
    }),
    genres: f.connection({
      type: ContentGenre,
      description: TAXONOMY_FIELDS.genres.description,
      where: (child, s) => isAssigned('genre', `${child}.id`, `${s.t}.id`),
      order: { by: (child) => [`${child}.name`], direction: 'asc' },
      total: (s) => countRows('content_genres', (row) => `${row}.content_id = ${s.t}.id`),
    }),
    rating: f.one({
      type: ContentRating,
      nullable: true,
      description: TAXONOMY_FIELDS.rating.description,
      on: (child, s) => `${child}.id = ${s.t}.rating_id`,
    }),
  });
}

/** Fields of episodes. */
export const episodeFields: Fields = (f) => outputFields(f, EPISODE_FIELDS);

/** Fields of series. */
export const serieFields: Fields = (f) => ({
  summaryShort: f.column({
    type: 'String',
    description: 'The same as shortSummary.',
    sql: (s) => `${s.t}.short_summary`,
  }),
});

/** Fields of kinds that say who may watch them. */
export function audienceFields(enums: ContentEnums): Fields {
  return (f) => ({
    audiences: f.column({
      type: [enums.StreamAudience],
      description: 'Who may watch it once it is published; follows its visibility.',
      sql: (s) => `${s.t}.visibility`,
      read: ([visibility]: [keyof typeof AUDIENCES]) => AUDIENCES[visibility],
    }),
    acl: f.column({
      type: 'String',
      description: 'The names of these audiences, separated by commas.',
      sql: (s) => `${s.t}.visibility`,
      read: ([visibility]: [keyof typeof AUDIENCES]) => AUDIENCES[visibility].join(),
    }),
  });
}

/** Fields of streams. */
export function streamFields(enums: ContentEnums): Fields {
  return (f) => ({
    type: f.column({ type: enums.StreamType, description: 'How it is broadcast.', sql: () => `'RECORDED'` }),
    ...outputFields(f, STREAM_FIELDS),
  });
}

const AUDIENCES = { PUBLIC: ['EVERYONE'], UNLISTED: ['LINK_HOLDERS', 'MEMBERS'], PRIVATE: ['MEMBERS'] } as const;
