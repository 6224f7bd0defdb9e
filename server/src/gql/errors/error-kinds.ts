import { AppError } from '../../kernel/errors.ts';
import type { CredentialKind } from '../viewer.ts';

/** The error of a request whose credential is not valid. */
export function invalidCredential(kind: CredentialKind): AppError {
  if (kind === 'session')
    return new AppError('UNAUTHENTICATED', 'This session is over.', { suggestedFix: 'Sign in again.' });
  if (kind === 'oauth')
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
