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
  NEWEST: { column: 'published_at', direction: 'desc', is: 'The latest published first.' },
  OLDEST: { column: 'published_at', direction: 'asc', is: 'The earliest published first.' },
  MOST_VIEWED: { column: 'views', direction: 'desc', is: 'The most viewed first; views count here within minutes.' },
  MOST_LIKED: { column: 'likes', direction: 'desc', is: 'The most liked first; likes count here within minutes.' },
  TITLE: { column: 'name', direction: 'asc', is: 'By title, whatever its case and accents.' },
  LONGEST: { column: 'duration_ms', direction: 'desc', is: 'The longest first.' },
  SHORTEST: { column: 'duration_ms', direction: 'asc', is: 'The shortest first; what has no duration comes before.' },
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
      'Published, public contents of all channels. totalCount is exact without filter and with kinds and a channel, a category or a genre, with other filters up to 10,000. A cursor is good for the order it was made in.',
    args: (t) => ({
      filter: t.field({ type: filters.ContentFilter, description: 'Which of them.' }),
      sort: t.field({ type: ContentSort, required: true, defaultValue: 'NEWEST', description: 'In which order.' }),
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
