import { AppError } from '../../../kernel/errors.ts';
import type { FilingFacts } from './filing.store.ts';

/**
 * RESOURCE_NOT_FOUND, with the field below `path`, for the first thing something cannot be filed under because it does not exist; null
 * when all do.
 */
export function judgeFiling(facts: FilingFacts, path = 'input.'): AppError | null {
  if (!facts.rating) return missing('rating', `${path}rating`, 'ratings');
  if (!facts.categories) return missing('category', `${path}categories`, 'categories');
  if (!facts.genres) return missing('genre', `${path}genres`, 'genres');
  return null;
}

function missing(one: string, field: string, query: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', `There is no such ${one}.`, {
    field,
    suggestedFix: `Use identifiers that the query ${query} lists.`,
  });
}
