import type { ArgShape, EntityRef, Graph } from '../../gql/index.ts';
import { filedUnder, filingGroups, filingOf } from './category-assignments.sql.ts';
import {
  FILTER_COST,
  filterConditions,
  filteredTotal,
  LISTED_CONTENTS,
  LISTED_FILINGS,
  listedColumnOf,
  withContents,
} from './content-listings.sql.ts';
import type { declareFilters } from './search/filters.graphql.ts';

/** Orders of lists of contents: the column, the direction, and what it is for the reader of the schema. */
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

/** Declares `contents`: everything that is listed, filtered and sorted. */
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
      'Published, public contents of all channels. totalCount is exact without a filter and with kinds and a channel, a category or a genre; with other filters it counts up to 10,000. A cursor is valid for the order it was created in.',
    args: (t) => ({
      filter: t.field({ type: filters.ContentFilter, description: 'The filter.' }),
      sort: t.field({ type: ContentSort, required: true, defaultValue: 'NEWEST', description: 'The order.' }),
    }),
    cost: FILTER_COST,
    from: (_, args) => (filingOf(args) ? LISTED_FILINGS : LISTED_CONTENTS),
    complete: withContents,
    within: (shape) => {
      const filing = filingOf(shape);
      return filing ? filingGroups((args) => filedUnder(args, filing)) : undefined;
    },
    where: (child, _, args) => filterConditions(listedColumnOf(child), args).join(' and ') || 'true',
    order: {
      by: (child, args) => [listedColumnOf(child)(SORTS[sortOf(args)].column), listedColumnOf(child)('content_id')],
      direction: (args) => SORTS[sortOf(args)].direction,
    },
    total: (_, args) => filteredTotal(args),
  });
}

function sortOf(args: ArgShape): Sort {
  return args.literal('sort') as Sort; // an enum of these very names
}
