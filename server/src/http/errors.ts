import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { appErrorOf } from '../kernel/database-errors.ts';
import { AppError, type AppErrorOptions, type ErrorCode, errorExtensions } from '../kernel/errors.ts';
import { localized } from '../kernel/languages/catalogs.ts';
import type { Language } from '../kernel/languages/languages.ts';
import { type Text, t } from '../kernel/languages/message.ts';

/** A protocol error with a more specific status than its catalogue entry: 404, 405, 406, 408, 413, 415, 431. */
export class HttpError extends AppError {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: Text, options: AppErrorOptions = {}) {
    super(code, message, options);
    this.name = 'HttpError';
    this.status = status;
  }
}

/** An error prepared for rendering in any format. */
export interface Failure {
  readonly error: AppError;
  readonly status: number;
  /** Retry-After, WWW-Authenticate, Allow, if applicable. */
  readonly headers: OutgoingHttpHeaders;
  /** Whether the cause is unknown and belongs in the log. */
  readonly unexpected: boolean;
}

/**
 * The response for any thrown value. Errors other than AppError are masked: the caller gets the request id, the log the
 * details.
 */
export function failureOf(thrown: unknown, request: IncomingMessage, requestId: string): Failure {
  const known = appErrorOf(thrown);
  const unexpected = known === null || known.code === 'INTERNAL_SERVER_ERROR';
  const error = known ?? masked(requestId);
  const status = error instanceof HttpError ? error.status : error.httpStatus;
  const headers: OutgoingHttpHeaders = { ...error.headers };
  if (error.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  // RFC 9110 section 15.5.9: slow senders are disconnected.
  if (status === 408) headers.connection = 'close';
  if (status === 401) headers['www-authenticate'] ??= challenge(request);
  return { error, status, headers, unexpected };
}

/** The challenge of RFC 6750 section 3: `error` only with a credential. */
export function challenge(request: IncomingMessage): string {
  return request.headers.authorization === undefined
    ? 'Bearer realm="reelgraph"'
    : 'Bearer realm="reelgraph", error="invalid_token"';
}

function masked(requestId: string): AppError {
  return new AppError('INTERNAL_SERVER_ERROR', undefined, {
    suggestedFix: t`Repeat the request once; if it fails again, report the request id ${requestId} to the operator.`,
  });
}

/** The body of every failure outside GraphQL (API vocabulary, "Error codes"). */
export function restErrorBody(error: AppError, baseUrl: string, requestId: string, language: Language = 'en'): object {
  const message = localized(error.text, language);
  return { errors: [{ message, ...errorExtensions(error, baseUrl, language) }], requestId };
}

/**
 * The body of a request to the GraphQL endpoint that has no document: errors and no `data` (GraphQL specification,
 * "Response format"), about no field.
 */
export function graphqlErrorBody(error: AppError, baseUrl: string, cost: object, language: Language = 'en'): object {
  const message = localized(error.text, language);
  return {
    errors: [{ message, path: [], extensions: errorExtensions(error, baseUrl, language) }],
    extensions: { cost },
  };
}
