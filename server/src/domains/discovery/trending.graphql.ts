import type { ArgScope, EntityRef, Graph } from '../../gql/index.ts';
import { LISTED_CONTENTS, type ListedColumn, listedColumnOf, listedCount, MOST_COUNTED } from './listed-contents.ts';

/** Declares `trending`: what gets attention now, renewed by workers (renew-lists.ts), and after that the newest. */
export function declareTrending(
  graph: Graph,
  { Content, ContentKind }: { readonly Content: EntityRef; readonly ContentKind: { readonly name: string } },
): void {
  graph.queryConnection('trending', {
    access: 'public',
    type: Content,
    description:
      'Published, public contents by the views, watch time and likes of the last 7 days, of which older ones count for less; those without any come after, the latest published first. Renewed every few minutes. totalCount is exact, with a category up to 10,000.',
    args: (t) => ({
      kind: t.field({ type: ContentKind, description: 'Only contents of this kind.' }),
      category: t.field({ type: 'DID', description: 'Only contents of this category.' }),
    }),
    from: LISTED_CONTENTS,
    where: (child, _, args) => conditions(listedColumnOf(child), args).join(' and ') || 'true',
    order: (child) => [`${child}.listed_trend`, `${child}.listed_published_at`, `${child}.listed_id`],
    total: (_, args) => {
      if (!args.given('category')) return listedCount(args.given('kind') ? `(select ${args.param('kind', 'text')})` : null, null);
      const where = conditions((name) => `l.${name}`, args).join(' and ');
      return `(select count(*)::int from (select 1 from listed_contents l where ${where} limit ${MOST_COUNTED}) x)`;
    },
  });
}

function conditions(column: ListedColumn, args: ArgScope): string[] {
  return [
    ...(args.given('kind') ? [`${column('kind')} = ${args.param('kind', 'text')}`] : []),
    ...(args.given('category')
      ? [
          `exists (select 1 from content_categories x where x.content_id = ${column('content_id')} and x.category_id = ${args.did('category', ['category'])})`,
        ]
      : []),
  ];
}
