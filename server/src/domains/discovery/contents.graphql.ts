import type { ArgShape, EntityRef, Graph } from '../../gql/index.ts';
import {
  CONTENT_LISTINGS,
  FILTER_COST,
  filterConditions,
  filteredTotal,
  listingColumnOf,
  TAXONOMY_LISTINGS,
  withContents,
} from './content-listings.sql.ts';
import type { declareFilters } from './search/filters.graphql.ts';
import { taxonomyFilterOf, taxonomyGroups, taxonomyIds } from './taxonomy-filter.sql.ts';

/** Orders of lists of contents: column, direction and description. */
const SORTS = {
  NEWEST: { column: 'published_at', direction: 'desc', is: 'Latest publication first.' },
  OLDEST: { column: 'published_at', direction: 'asc', is: 'Earliest publication first.' },
  MOST_VIEWED: { column: 'views', direction: 'desc', is: 'Most views first; updated within minutes.' },
  MOST_LIKED: { column: 'likes', direction: 'desc', is: 'Most likes first; updated within minutes.' },
  TITLE: { column: 'name', direction: 'asc', is: 'By title, ignoring case and accents.' },
  LONGEST: { column: 'duration_ms', direction: 'desc', is: 'Longest first.' },
  SHORTEST: { column: 'duration_ms', direction: 'asc', is: 'Shortest first, after those without a duration.' },
} as const satisfies Record<string, { column: string; direction: 'asc' | 'desc'; is: string }>;
type Sort = keyof typeof SORTS;

/** Declares `contents`: all listed contents, filtered and sorted. */
export function declareContents(
  graph: Graph,
  { Content, filters }: { readonly Content: EntityRef; readonly filters: ReturnType<typeof declareFilters> },
): void {
  const ContentSort = graph.builder.enumType('ContentSort', {
    description: 'The order of a list of contents.',
    values: Object.fromEntries(Object.entries(SORTS).map(([name, { is }]) => [name, { description: is }])) as Record<
      Sort,
      { description: string }
    >, // fromEntries widens the keys
  });
  graph.queryConnection('contents', {
    access: 'public',
    type: Content,
    description:
      'Published, public contents of all channels. totalCount is exact without a filter ' +
      'and with kinds and a channel, a category or a genre; with other filters it counts ' +
      'up to 10,000. A cursor is valid for the order it was created in.',
    args: (t) => ({
      filter: t.field({ type: filters.ContentFilter, description: 'The filter.' }),
      sort: t.field({ type: ContentSort, required: true, defaultValue: 'NEWEST', description: 'The order.' }),
    }),
    cost: FILTER_COST,
    from: (_, args) => (taxonomyFilterOf(args) ? TAXONOMY_LISTINGS : CONTENT_LISTINGS),
    complete: withContents,
    within: (shape) => {
      const taxonomy = taxonomyFilterOf(shape);
      return taxonomy ? taxonomyGroups((args) => taxonomyIds(args, taxonomy)) : undefined;
    },
    where: (child, _, args) => filterConditions(listingColumnOf(child), args).join(' and ') || 'true',
    order: {
      by: (child, args) => [listingColumnOf(child)(SORTS[sortOf(args)].column), listingColumnOf(child)('content_id')],
      direction: (args) => SORTS[sortOf(args)].direction,
    },
    total: (_, args) => filteredTotal(args),
  });
}

function sortOf(args: ArgShape): Sort {
  return args.literal('sort') as Sort; // an enum of these names
}
