import { AppError } from '../../../kernel/errors.ts';
import type { Unfiled } from './filing.store.ts';

const ONE = { rating: 'rating', categories: 'category', genres: 'genre' } as const;
const QUERY = { rating: 'ratings', categories: 'categories', genres: 'genres' } as const;

/** RESOURCE_NOT_FOUND, with the field below `path`, where something cannot be filed under what does not exist; null otherwise. */
export function judgeFiling(unfiled: Unfiled, path = 'input.'): AppError | null {
  if (unfiled === null) return null;
  return new AppError('RESOURCE_NOT_FOUND', `There is no such ${ONE[unfiled]}.`, {
    field: `${path}${unfiled}`,
    suggestedFix: `Use identifiers that the query ${QUERY[unfiled]} lists.`,
  });
}
