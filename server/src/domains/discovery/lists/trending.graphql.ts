import type { ArgScope, EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_LISTINGS, listedCount, TAXONOMY_LISTINGS, withContents } from '../content-listings.sql.ts';
import { assignedCount, taxonomyGroups } from '../taxonomy-filter.sql.ts';

/** Declares `trending`: popular contents, refreshed by workers (refresh-lists.ts), followed by the newest ones. */
export function declareTrending(
  graph: Graph,
  { Content, ContentKind }: { readonly Content: EntityRef; readonly ContentKind: { readonly name: string } },
): void {
  graph.queryConnection('trending', {
    access: 'public',
    type: Content,
    description:
      'Published, public contents by views, watch time and likes of the last 7 days, ' +
      'with more weight on recent ones; contents without any follow, latest ' +
      'publication first. Updated every few minutes. totalCount is exact.',
    args: (t) => ({
      kind: t.field({ type: ContentKind, description: 'Only contents of this kind.' }),
      category: t.field({ type: 'DID', description: 'Only contents of this category.' }),
    }),
    cost: [{ points: 10, if: { applies: (args) => args.given('kind'), when: 'with a kind' } }],
    from: (_, args) => (args.given('category') ? TAXONOMY_LISTINGS : CONTENT_LISTINGS),
    complete: withContents,
    within: (shape) => (shape.given('category') ? taxonomyGroups((args) => `array[${categoryOf(args)}]`) : undefined),
    where: (child, _, args) => (args.given('kind') ? `${child}.listed_kind = ${args.param('kind', 'text')}` : 'true'),
    order: (child) => [`${child}.listed_trend`, `${child}.listed_published_at`, `${child}.listed_id`],
    total: (_, args) => {
      const kinds = args.given('kind') ? `(values (${args.param('kind', 'text')}))` : null;
      return args.given('category') ? assignedCount(kinds, categoryOf(args)) : listedCount(kinds, null);
    },
  });
}

function categoryOf(args: ArgScope): string {
  return args.id('category', ['category']);
}
