import type { EntityRef, Graph } from '../../../gql/index.ts';
import type { ChannelTypes } from '../../channels/index.ts';

export const RATING_SYSTEMS = {
  MPAA: 'Films in the United States, by the Motion Picture Association.',
  MSO: 'Marks of cable operators (multiple system operators).',
  TV: 'Television in the United States: the TV Parental Guidelines.',
  UNKNOWN: 'No known system, or no rating.',
  USA_PR: 'The TV Parental Guidelines as programme guides spell them (USA Parental Rating).',
} as const;
export type RatingSystem = keyof typeof RATING_SYSTEMS;

/** Categories, genres and ratings of contents and channels. */
export interface TaxonomyTypes {
  readonly Category: EntityRef;
  readonly Genre: EntityRef;
  readonly Rating: EntityRef;
}

/** Declares categories, genres and ratings with their root lists. They are few: their totals are counted. */
export function declareTaxonomy(graph: Graph, { Node }: Pick<ChannelTypes, 'Node'>): TaxonomyTypes {
  const types = { Category: declareCategory(graph, Node), Genre: declareGenre(graph, Node), Rating: declareRating(graph, Node) };
  graph.queryConnection('categories', {
    access: 'public',
    type: types.Category,
    description: 'All categories, by name.',
    where: () => 'true',
    order: { by: (child) => [`${child}.name`], direction: 'asc' },
    total: () => '(select count(*) from categories)',
  });
  graph.queryConnection('genres', {
    access: 'public',
    type: types.Genre,
    description: 'All genres, by name.',
    where: () => 'true',
    order: { by: (child) => [`${child}.name`], direction: 'asc' },
    total: () => '(select count(*) from genres)',
  });
  graph.queryConnection('ratings', {
    access: 'public',
    type: types.Rating,
    description: 'All ratings, system by system, those for the youngest first.',
    where: () => 'true',
    order: { by: (child) => [`${child}.position`], direction: 'asc' },
    total: () => '(select count(*) from ratings)',
  });
  return types;
}

function declareCategory(graph: Graph, Node: EntityRef): EntityRef {
  return graph.entity('Category', {
    description: 'A category of contents and channels.',
    table: 'categories',
    interfaces: [Node],
    node: { kinds: ['category'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier of the category, the same on every installation.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('category', id),
      }),
      slug: f.column({ type: 'String', description: 'Slug for URLs and programs, such as food-drink.', sql: (s) => `${s.t}.slug` }),
      name: f.column({ type: 'String', description: 'Display name.', sql: (s) => `${s.t}.name` }),
      description: f.column({ type: 'String', description: 'Description.', sql: (s) => `${s.t}.description` }),
    }),
  });
}

function declareGenre(graph: Graph, Node: EntityRef): EntityRef {
  return graph.entity('Genre', {
    description: 'A genre of contents.',
    table: 'genres',
    interfaces: [Node],
    node: { kinds: ['genre'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier of the genre, the same on every installation.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('genre', id),
      }),
      slug: f.column({
        type: 'String',
        description: 'Slug for URLs and programs, such as science-fiction.',
        sql: (s) => `${s.t}.slug`,
      }),
      name: f.column({ type: 'String', description: 'Display name.', sql: (s) => `${s.t}.name` }),
    }),
  });
}

function declareRating(graph: Graph, Node: EntityRef): EntityRef {
  const systems = Object.fromEntries(Object.entries(RATING_SYSTEMS).map(([name, description]) => [name, { description }])) as Record<
    RatingSystem,
    { description: string }
  >; // fromEntries widens the keys
  const ContentRatingSystem = graph.builder.enumType('ContentRatingSystem', { description: 'Rating system.', values: systems });
  return graph.entity('Rating', {
    description: 'A content rating of a rating system.',
    table: 'ratings',
    interfaces: [Node],
    node: { kinds: ['rating'], where: () => 'true' },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier of the rating, the same on every installation.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('rating', id),
      }),
      system: f.column({ type: ContentRatingSystem, description: 'The system it belongs to.', sql: (s) => `${s.t}.system` }),
      code: f.column({ type: 'String', description: 'The rating as its system writes it, such as PG-13.', sql: (s) => `${s.t}.code` }),
      description: f.column({ type: 'String', description: 'Meaning of the rating.', sql: (s) => `${s.t}.description` }),
      minimumAge: f.column({
        type: 'Int',
        nullable: true,
        description: 'Minimum age in years without accompaniment; null where it has none.',
        sql: (s) => `${s.t}.minimum_age`,
      }),
    }),
  });
}
