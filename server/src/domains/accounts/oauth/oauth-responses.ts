import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '../../../kernel/errors.ts';
import type { Route } from '../../../platform/routing.ts';

/**
 * Responses of the authorization server: errors are `error` and `error_description` (RFC 6749 section 5.2, RFC 7591
 * section 3.2.2).
 */
export interface Refusal {
  readonly error: string;
  readonly error_description?: string;
}

export const NO_STORE = { 'cache-control': 'no-store' };

/** A route that reports its own errors in the form of the library's, as `error`. */
export function withErrorCode(error: string, handle: Route['handle']): Route['handle'] {
  return async (request, response, context) => {
    try {
      await handle(request, response, context);
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.httpStatus >= 500) throw thrown;
      const refusal: Refusal = { error, error_description: `${thrown.message} ${thrown.suggestedFix}` };
      // The rest of a body that is too slow or too large is not awaited.
      const connection = request.complete ? {} : { connection: 'close' };
      sendJson(response, thrown.httpStatus, refusal, { ...NO_STORE, ...connection });
    }
  };
}

/** Passes on the library's response with corrected errors; server errors are masked and logged by the HTTP layer. */
export async function relay(result: Response, response: ServerResponse): Promise<void> {
  const challenge = result.headers.get('www-authenticate');
  const body: unknown = await result.json().catch(() => null);
  if (result.status >= 500)
    throw new AppError('INTERNAL_SERVER_ERROR', undefined, {
      cause: new Error(`OAuth responded with ${result.status} ${JSON.stringify(body)}`),
    });
  if (result.status === 429) {
    const retryAfter = result.headers.get('x-retry-after') ?? '60';
    const busy: Refusal = {
      error: 'temporarily_unavailable',
      error_description: `Too many requests; wait ${retryAfter} seconds.`,
    };
    const left = { ratelimit: `"oauth";r=0;t=${retryAfter}` };
    return sendJson(response, 429, busy, { ...NO_STORE, 'retry-after': retryAfter, ...left });
  }
  const headers = { ...NO_STORE, ...(challenge ? { 'www-authenticate': challenge } : {}) };
  if (result.status < 400) return sendJson(response, result.status, body ?? {}, headers);
  const [status, refusal] = refusalOf(result.status, body);
  sendJson(response, status, refusal, headers);
}

/** The error of a response whose status is 400. */
export async function refusalIn(result: Response): Promise<Refusal> {
  return refusalOf(400, await result.json().catch(() => null))[1];
}

/**
 * The library calls a wrong code_verifier invalid_request, and an unknown refresh token invalid_token; RFC 7636 section
 * 4.6 and RFC 6749 section 5.2 call both invalid_grant. Errors before it reads the form have a message only.
 */
function refusalOf(status: number, body: unknown): readonly [status: number, refusal: Refusal] {
  const { error, message, ...rest }: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  if (typeof error !== 'string')
    return [status, { error: 'invalid_request', error_description: String(message ?? 'The request was refused.') }];
  const isWrongGrant = (status === 401 && error === 'invalid_request') || (status === 400 && error === 'invalid_token');
  return isWrongGrant ? [400, { ...rest, error: 'invalid_grant' }] : [status, { ...rest, error }];
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: OutgoingHttpHeaders): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    .end(text);
}
