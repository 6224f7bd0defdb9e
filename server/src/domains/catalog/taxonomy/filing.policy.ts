import { AppError } from '../../../kernel/errors.ts';
import type { FilingFacts } from './filing.store.ts';

/** RESOURCE_NOT_FOUND for the first thing a content cannot be filed under because it does not exist; null when all do. */
export function judgeFiling(facts: FilingFacts): AppError | null {
  if (!facts.rating) return missing('rating', 'rating', 'ratings');
  if (!facts.categories) return missing('category', 'categories', 'categories');
  if (!facts.genres) return missing('genre', 'genres', 'genres');
  return null;
}

function missing(one: string, field: string, query: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', `There is no such ${one}.`, {
    field: `input.${field}`,
    suggestedFix: `Use identifiers that the query ${query} lists.`,
  });
}
