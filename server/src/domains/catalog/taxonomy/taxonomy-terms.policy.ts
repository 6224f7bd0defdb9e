import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { oneOf, type Requirement, state } from '../../../kernel/policy.ts';
import type { MissingTerm } from './taxonomy-terms.store.ts';

const NOT_FOUND = {
  rating: t`There is no such rating.`,
  categories: t`There is no such category.`,
  genres: t`There is no such genre.`,
} as const;
const QUERY = { rating: 'ratings', categories: 'categories', genres: 'genres' } as const;

/** RESOURCE_NOT_FOUND, with the field below `path`, for a taxonomy term that does not exist; null otherwise. */
export function checkTaxonomyTerms(missing: MissingTerm): AppError | null {
  return missing === null ? null : termNotFound(missing);
}

/** As {@link checkTaxonomyTerms}, for commands that are one statement. */
export const TERMS_EXIST: Requirement<{ readonly missingTerm: MissingTerm }> = state(
  oneOf('missingTerm', [null]),
  (_, { missingTerm }) => termNotFound(missingTerm ?? 'categories'),
);

function termNotFound(term: NonNullable<MissingTerm>): AppError {
  return new AppError('RESOURCE_NOT_FOUND', NOT_FOUND[term], {
    field: `input.${term}`,
    suggestedFix: t`Use identifiers that the query ${QUERY[term]} lists.`,
  });
}
