import type { Graph } from '../../../gql/index.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { relatedContents, relatedCount } from './search.sql.ts';

/** About a hundred candidates from six sources are compared, whatever the page size. */
const RELATED_COST = [{ points: 10 }];

/** Declares the recommendations of contents. */
export function declareRelated(graph: Graph, { Content }: Pick<CatalogTypes, 'Content'>): void {
  const Discoverable = graph.interface('Discoverable', {
    description: 'A content with recommendations.',
    fields: (f) => ({ related: f.connection({ type: Content, description: 'Recommended contents, at most 50.' }) }),
  });
  graph.extend(
    Content,
    (f) => ({
      related: f.connection({
        type: Content,
        description:
          'Recommended contents, at most 50: the next and previous episodes, then contents with ' +
          'the same categories, genres, keywords, title words or channel.',
        cost: RELATED_COST,
        from: (s) => relatedContents(`${s.t}.id`),
        where: () => 'true',
        order: (child) => [`${child}.related_score`, `${child}.id`],
        total: (s) => relatedCount(`${s.t}.id`),
      }),
    }),
    [Discoverable],
  );
}
