import { AppError } from '../../kernel/errors.ts';
import type { Credential } from '../viewer.ts';

/** Errors of an invalid credential. */
export function invalidCredential(credential: Credential): AppError {
  if (credential.kind === 'session') return new AppError('UNAUTHENTICATED', 'This session is over.', { suggestedFix: 'Sign in again.' });
  if (credential.kind === 'oauth')
    return new AppError('UNAUTHENTICATED', 'This access token is over or was revoked.', {
      suggestedFix: 'Get a new one with the refresh token, or connect the application again.',
    });
  return new AppError('UNAUTHENTICATED', 'This API key is not valid; it may have been replaced.');
}

/** The database could not be reached or did not answer in time: such errors carry what caused them. */
export function isOutage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && error.cause !== undefined;
}

/** Whether the database ended a statement for the time it took (query_canceled), or threw what wraps that. */
export function isStopped(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '57014') || isStopped(error.cause);
}

/** invalid_datetime_format, datetime_field_overflow, invalid_text_representation, numeric_value_out_of_range */
const UNREADABLE = new Set(['22007', '22008', '22P02', '22003']);

/** A value that PostgreSQL cannot read as the type it is for. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNREADABLE.has(String(error.code));
}

/** What was thrown, as an Error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** What `work` answers, or the error it throws. */
export function attemptTo<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return asError(error);
  }
}

/** The error that a command declares for the constraint it violated; null for any other. */
export function conflictOf(
  error: unknown,
  conflicts: Readonly<Record<string, (input: never) => Error>> | undefined,
  input: unknown,
): Error | null {
  if (!conflicts || !(error instanceof Error) || !('constraint' in error)) return null;
  return conflicts[String(error.constraint)]?.(input as never) ?? null; // the input that this very command prepared
}
