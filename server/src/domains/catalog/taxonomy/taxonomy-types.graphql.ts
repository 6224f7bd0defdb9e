import { countRows, type EntityRef, type Graph, type RequestEnv, type RowScope } from '../../../gql/index.ts';
import type { AssetTypes } from '../../assets/index.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import { taxonomyText } from './taxonomy-texts.ts';

export const RATING_SYSTEMS = {
  MPAA: 'Motion pictures in the United States, by the Motion Picture Association.',
  MSO: 'Labels of cable operators (multiple system operators).',
  TV: 'Television in the United States: the TV Parental Guidelines.',
  UNKNOWN: 'Unknown or no rating system.',
  USA_PR: 'The TV Parental Guidelines in the spelling of programme guides (USA Parental Rating).',
} as const;
export type RatingSystem = keyof typeof RATING_SYSTEMS;

/** Categories, genres and ratings of contents and channels. */
export interface TaxonomyTypes {
  readonly Category: EntityRef;
  readonly ContentGenre: EntityRef;
  readonly ContentRating: EntityRef;
  readonly ContentRatingSystem: ReturnType<typeof declareRatingSystem>;
}

type Interfaces = Pick<ChannelTypes, 'Node' | 'EntityMetadata'> & { readonly assets: AssetTypes };

/** Declares categories, genres and ratings with their root lists. They are few: their totals are counted. */
export function declareTaxonomy(graph: Graph, interfaces: Interfaces): TaxonomyTypes {
  const { Node } = interfaces;
  const ContentRatingSystem = declareRatingSystem(graph);
  const types = {
    ContentRatingSystem,
    Category: declareCategory(graph, interfaces),
    ContentGenre: declareContentGenre(graph, Node),
    ContentRating: declareContentRating(graph, Node, ContentRatingSystem),
  };
  graph.queryConnection('categories', {
    access: 'public',
    type: types.Category,
    description: 'All categories, by name.',
    where: () => 'true',
    order: { by: (child) => [`${child}.name`], direction: 'asc' },
    total: () => countRows('categories', () => 'true'),
  });
  graph.queryConnection('genres', {
    access: 'public',
    type: types.ContentGenre,
    description: 'All genres, by name.',
    where: () => 'true',
    order: { by: (child) => [`${child}.name`], direction: 'asc' },
    total: () => countRows('genres', () => 'true'),
  });
  graph.queryConnection('ratings', {
    access: 'public',
    type: types.ContentRating,
    description: 'All ratings by system, lowest age first.',
    where: () => 'true',
    order: { by: (child) => [`${child}.position`], direction: 'asc' },
    total: () => countRows('ratings', () => 'true'),
  });
  return types;
}

/** A text of a term, in the language of its reader. */
const textOf = (column: 'name' | 'description') => ({
  type: 'String' as const,
  sql: (s: RowScope) => `${s.t}.${column}`,
  read: ([text]: [string], env: RequestEnv) => taxonomyText(text, env.language),
});

function declareCategory(graph: Graph, { Node, EntityMetadata, assets }: Interfaces): EntityRef {
  const CategoryAssets = declareCategoryAssets(graph, assets);
  const CategoryMetadata = graph.part('CategoryMetadata', {
    description: 'The texts of a category.',
    interfaces: [EntityMetadata],
    fields: (f) => ({
      name: f.column({ description: 'Display name.', ...textOf('name') }),
      title: f.column({ description: 'The same as name.', ...textOf('name') }),
      summary: f.column({ description: 'What belongs to it.', ...textOf('description') }),
      shortSummary: f.column({ description: 'The same as summary.', ...textOf('description') }),
      keywords: f.column({ type: ['String'], description: 'Its slug.', sql: (s) => `array[${s.t}.slug]` }),
    }),
  });
  return graph.entity('Category', {
    description: 'A category of contents and channels.',
    table: 'categories',
    interfaces: [Node],
    node: { kinds: ['category'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the category, the same on every installation.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('category', id),
      }),
      slug: f.column({
        type: 'String',
        description: 'Slug for URLs and programs, such as food-drink.',
        sql: (s) => `${s.t}.slug`,
      }),
      name: f.column({ description: 'Display name.', ...textOf('name') }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When it was added to this installation.',
        sql: (s) => `${s.t}.created_at`,
      }),
      metadata: f.embed({ type: CategoryMetadata, description: 'Its texts, as those of other objects.' }),
      assets: f.embed({ type: CategoryAssets, description: 'Its files.' }),
      structuredData: f.column({
        type: 'JSON',
        description: 'Structured data for search engines: a DefinedTerm of schema.org.',
        sql: (s) => [`${s.t}.name`, `${s.t}.description`, `${s.t}.slug`],
        read: ([name, description, termCode]: [string, string, string], env) => ({
          '@context': 'https://schema.org',
          '@type': 'DefinedTerm',
          name: taxonomyText(name, env.language),
          description: taxonomyText(description, env.language),
          termCode,
          url: `${env.baseUrl}/?category=${termCode}`,
        }),
      }),
      description: f.column({ description: 'What belongs to the category.', ...textOf('description') }),
    }),
  });
}

/** The categories of an installation are given, and have no files: lists for clients that read those of any object. */
function declareCategoryAssets(graph: Graph, { EntityMediaAssets, VideoAsset, ImageAsset }: AssetTypes): EntityRef {
  const none = {
    where: () => 'false',
    order: (child: string) => [`${child}.created_at`, `${child}.id`],
    total: () => '0',
  };
  return graph.part('CategoryAssets', {
    description: 'The files of a category: it has none.',
    interfaces: [EntityMediaAssets],
    fields: (f) => ({
      videos: f.connection({ type: VideoAsset, description: 'Always empty.', ...none }),
      images: f.connection({ type: ImageAsset, description: 'Always empty.', ...none }),
    }),
  });
}

function declareContentGenre(graph: Graph, Node: EntityRef): EntityRef {
  return graph.entity('ContentGenre', {
    description: 'A genre of contents.',
    table: 'genres',
    interfaces: [Node],
    node: { kinds: ['genre'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the genre, the same on every installation.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('genre', id),
      }),
      slug: f.column({
        type: 'String',
        description: 'Slug for URLs and programs, such as science-fiction.',
        sql: (s) => `${s.t}.slug`,
      }),
      name: f.column({ description: 'Display name.', ...textOf('name') }),
    }),
  });
}

function declareRatingSystem(graph: Graph) {
  const systems = Object.fromEntries(
    Object.entries(RATING_SYSTEMS).map(([name, description]) => [name, { description }]),
  ) as Record<RatingSystem, { description: string }>; // fromEntries widens the keys
  return graph.builder.enumType('ContentRatingSystem', { description: 'A rating system.', values: systems });
}

function declareContentRating(
  graph: Graph,
  Node: EntityRef,
  ContentRatingSystem: TaxonomyTypes['ContentRatingSystem'],
): EntityRef {
  return graph.entity('ContentRating', {
    description: 'An age rating of a rating system.',
    table: 'ratings',
    interfaces: [Node],
    node: { kinds: ['rating'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the rating, the same on every installation.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('rating', id),
      }),
      system: f.column({ type: ContentRatingSystem, description: 'Its rating system.', sql: (s) => `${s.t}.system` }),
      name: f.column({
        type: 'String',
        description: 'The label of the rating in its system, such as PG-13: the same as code.',
        sql: (s) => `${s.t}.code`,
      }),
      code: f.column({
        type: 'String',
        description: 'The label of the rating in its system, such as PG-13.',
        sql: (s) => `${s.t}.code`,
      }),
      description: f.column({ description: 'Its meaning.', ...textOf('description') }),
      minimumAge: f.column({
        type: 'Int',
        nullable: true,
        description: 'Minimum age in years without company; null if it does not state one.',
        sql: (s) => `${s.t}.minimum_age`,
      }),
    }),
  });
}
