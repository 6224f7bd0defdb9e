import { AppError, ERROR_CATALOGUE, type ErrorCode } from '../../../kernel/errors.ts';

/** How many things one bulk mutation takes. */
export const MAX_BATCH = 100;

/** What became of one thing of a bulk mutation; the results are in the order of the input. */
export interface BatchResult {
  /** As the caller sent it. */
  readonly id: string;
  readonly ok: boolean;
  readonly error: BatchError | null;
}

export interface BatchError {
  readonly code: ErrorCode;
  readonly field: string | null;
  readonly message: string;
  readonly suggestedFix: string;
}

/** The list of a bulk mutation. Throws FIELD_REQUIRED when it is empty and INVALID_INPUT when it is too long. */
export function readBatch<T>(items: readonly T[], field: string): readonly T[] {
  if (items.length === 0) {
    throw new AppError('FIELD_REQUIRED', `${field} is empty.`, { field, suggestedFix: `Send 1 to ${MAX_BATCH} of them.` });
  }
  if (items.length > MAX_BATCH) {
    throw new AppError('INVALID_INPUT', `${field} has ${items.length} entries; at most ${MAX_BATCH} are taken at once.`, {
      field,
      suggestedFix: `Send them in groups of at most ${MAX_BATCH}.`,
    });
  }
  return items;
}

/** The result of what succeeded. */
export function succeeded(id: string): BatchResult {
  return { id, ok: true, error: null };
}

/** The result of what failed with an error of the catalogue; any other error ends the whole mutation: it is thrown on. */
export function failed(id: string, error: unknown): BatchResult {
  if (!(error instanceof AppError) || ERROR_CATALOGUE[error.code].retryable) throw error;
  const { code, field = null, message, suggestedFix } = error;
  return { id, ok: false, error: { code, field, message, suggestedFix } };
}

/** INVALID_INPUT for something that a list names again. */
export function namedTwice(field: string): AppError {
  return new AppError('INVALID_INPUT', 'The list names this more than once.', { field, suggestedFix: 'Name everything once.' });
}
