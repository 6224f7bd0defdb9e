import { AppError } from '../../../kernel/errors.ts';
import { oneOf, type Requirement, state } from '../../../kernel/policy.ts';
import type { Unfiled } from './filing.store.ts';

const ONE = { rating: 'rating', categories: 'category', genres: 'genre' } as const;
const QUERY = { rating: 'ratings', categories: 'categories', genres: 'genres' } as const;

/** RESOURCE_NOT_FOUND, with the field below `path`, where something cannot be filed under what does not exist; null otherwise. */
export function judgeFiling(unfiled: Unfiled, path = 'input.'): AppError | null {
  return unfiled === null ? null : missingTerm(unfiled, path);
}

/** As {@link judgeFiling}, for commands that are one statement. */
export const IS_FILED: Requirement<{ readonly unfiled: Unfiled }> = state(oneOf('unfiled', [null]), (_, { unfiled }) =>
  missingTerm(unfiled ?? 'categories', 'input.'),
);

function missingTerm(unfiled: NonNullable<Unfiled>, path: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', `There is no such ${ONE[unfiled]}.`, {
    field: `${path}${unfiled}`,
    suggestedFix: `Use identifiers that the query ${QUERY[unfiled]} lists.`,
  });
}
