import type { ArgScope, EntityRef, Graph } from '../../../gql/index.ts';
import { filedCount, filingGroups } from '../category-assignments.sql.ts';
import { LISTED_CONTENTS, LISTED_FILINGS, listedCount, withContents } from '../content-listings.sql.ts';

/** Declares `trending`: what gets attention now, renewed by workers (renew-lists.ts), and after that the newest. */
export function declareTrending(
  graph: Graph,
  { Content, ContentKind }: { readonly Content: EntityRef; readonly ContentKind: { readonly name: string } },
): void {
  graph.queryConnection('trending', {
    access: 'public',
    type: Content,
    description:
      'Published, public contents by views, watch time and likes of the last 7 days, with more weight on recent ones; contents without any follow, latest publication first. Updated every few minutes. totalCount is exact.',
    args: (t) => ({
      kind: t.field({ type: ContentKind, description: 'Only contents of this kind.' }),
      category: t.field({ type: 'DID', description: 'Only contents of this category.' }),
    }),
    cost: [{ points: 10, if: { applies: (args) => args.given('kind'), when: 'with a kind' } }],
    from: (_, args) => (args.given('category') ? LISTED_FILINGS : LISTED_CONTENTS),
    complete: withContents,
    within: (shape) => (shape.given('category') ? filingGroups((args) => `array[${categoryOf(args)}]`) : undefined),
    where: (child, _, args) => (args.given('kind') ? `${child}.listed_kind = ${args.param('kind', 'text')}` : 'true'),
    order: (child) => [`${child}.listed_trend`, `${child}.listed_published_at`, `${child}.listed_id`],
    total: (_, args) => {
      const kinds = args.given('kind') ? `(select ${args.param('kind', 'text')})` : null;
      return args.given('category') ? filedCount(kinds, categoryOf(args)) : listedCount(kinds, null);
    },
  });
}

function categoryOf(args: ArgScope): string {
  return args.id('category', ['category']);
}
