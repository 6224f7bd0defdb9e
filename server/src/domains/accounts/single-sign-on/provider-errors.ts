import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** The provider could not be reached, or did not respond in time. */
export function unavailable(label: string, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`${label} does not respond.`, {
    suggestedFix: t`Try again in a minute, or sign in in another way; if it persists, the operator finds the reason in
      the log.`,
    retryAfterSeconds: 30,
    cause,
  });
}

/** The provider responded with something that is not accepted: a wrong issuer, audience, nonce or signature. */
export function notAccepted(label: string, cause: unknown): AppError {
  return new AppError('UNAUTHENTICATED', t`The response of ${label} was not accepted.`, {
    suggestedFix: t`Sign in again; if it persists, the operator finds the reason in the log.`,
    cause,
  });
}

/** Whether the provider refused a token: it has expired, or was revoked. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}

/** The error for a failed exchange with the provider, whose cause names no person. */
export function exchangeError(label: string, error: unknown): AppError {
  const known = error instanceof ClientError && error.cause instanceof AppError ? error.cause : error;
  if (known instanceof AppError && known.code === 'SERVICE_UNAVAILABLE') return unavailable(label, known.cause);
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return declined(label);
  return notAccepted(label, new Error(reasonOf(error)));
}

function declined(label: string): AppError {
  return new AppError('UNAUTHENTICATED', t`The sign-in at ${label} was cancelled.`, {
    suggestedFix: t`Sign in again, or ask its administrator whether you may use this server.`,
  });
}

/** Claims of tokens, which libraries attach to their errors, are left out. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
    return `${error.error} ${error.error_description ?? ''}`.trim();
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${inner}`;
}
