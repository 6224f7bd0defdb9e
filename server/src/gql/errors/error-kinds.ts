import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { CredentialKind } from '../viewer.ts';

/** The error of a request with an invalid credential. */
export function invalidCredential(kind: CredentialKind): AppError {
  if (kind === 'session')
    return new AppError('UNAUTHENTICATED', t`This session is over.`, { suggestedFix: t`Sign in again.` });
  if (kind === 'oauth')
    return new AppError('UNAUTHENTICATED', t`This access token is over or was revoked.`, {
      suggestedFix: t`Get a new one with the refresh token, or connect the application again.`,
    });
  if (kind === 'token')
    return new AppError('UNAUTHENTICATED', t`This token has expired or was revoked.`, {
      suggestedFix: t`Create a new token in Developer Settings or with createToken.`,
    });
  return new AppError('UNAUTHENTICATED', t`This API key is not valid; it may have been replaced.`);
}

/** Whether the error is an unavailable database or a time-out: such errors have a cause. */
export function isOutage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && error.cause !== undefined;
}

/** Whether the database cancelled a statement after its timeout (query_canceled), also as a cause. */
export function isStopped(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '57014') || isStopped(error.cause);
}
