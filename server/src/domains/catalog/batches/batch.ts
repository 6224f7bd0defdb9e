import { AppError, ERROR_CATALOGUE, type ErrorCode } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';

/** Maximum number of entries of a bulk mutation. */
export const MAX_BATCH = 100;

/** Result for one entry of a bulk mutation; results are in the order of the input. */
export interface BatchResult {
  /** The entry's index in the input. */
  readonly id: string;
  readonly ok: boolean;
  readonly error: BatchError | null;
}

export interface BatchError {
  readonly code: ErrorCode;
  readonly field: string | null;
  readonly message: Text;
  readonly suggestedFix: Text;
}

/** The list of a bulk mutation. Throws FIELD_REQUIRED when it is empty and INVALID_INPUT when it is too long. */
export function readBatch<T>(items: readonly T[], field: string): readonly T[] {
  if (items.length === 0) {
    throw new AppError('FIELD_REQUIRED', t`${field} is empty.`, {
      field,
      suggestedFix: t`Send 1 to ${MAX_BATCH} of them.`,
    });
  }
  if (items.length > MAX_BATCH) {
    throw new AppError('INVALID_INPUT', t`${field} has ${items.length} entries; the limit is ${MAX_BATCH}.`, {
      field,
      suggestedFix: t`Send them in groups of at most ${MAX_BATCH}.`,
    });
  }
  return items;
}

/** The result of a successful entry. */
export function succeeded(id: string): BatchResult {
  return { id, ok: true, error: null };
}

/**
 * The result of an entry that failed with an error of the catalogue; any other error is rethrown and ends the whole
 * mutation.
 */
export function failed(id: string, error: unknown): BatchResult {
  if (!(error instanceof AppError) || ERROR_CATALOGUE[error.code].retryable) throw error;
  const { code, field = null, text, fix } = error;
  return { id, ok: false, error: { code, field, message: text, suggestedFix: fix } };
}

/** Results with their errors in a language. */
export function resultsIn<Result extends Pick<BatchResult, 'error'>>(results: readonly Result[], language: Language) {
  return results.map((result) => ({ ...result, error: result.error && errorIn(result.error, language) }));
}

/** An error in a language. */
export function errorIn({ message, suggestedFix, ...error }: BatchError, language: Language) {
  return { ...error, message: localized(message, language), suggestedFix: localized(suggestedFix, language) };
}

/** INVALID_INPUT for a repeated entry. */
export function namedTwice(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This is listed more than once.`, { field, suggestedFix: t`List each once.` });
}
