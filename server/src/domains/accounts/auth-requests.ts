import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import { requireStorableText } from '../../kernel/storable-text.ts';
import { parseRestJson } from '../../platform/parse-json.ts';
import { readBody } from '../../platform/read-body.ts';
import type { RequestContext } from '../../platform/routing.ts';

/** Header that carries the client's address to the library; one sent by a client is dropped. */
export const CLIENT_ADDRESS_HEADER = 'x-reelgraph-client-address';
/** Limits for bodies of unauthenticated requests. */
const MAX_TEXT = 1_000;
const BODY = { maxBytes: 16_384, timeoutMs: 15_000, suggestedFix: t`Send only the documented members.` };

/** Members of a JSON object. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * The body as a form. Throws INVALID_INPUT for one of more than 16 KiB (413), for one that takes more than 15 seconds
 * (408), and for a value that cannot be stored.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const form = new URLSearchParams((await readBody(request, BODY)).toString('utf8'));
  for (const [name, value] of form) requireStorableText([name, value]);
  return form;
}

/** The body as a JSON object, empty when there is no body. Throws INVALID_INPUT for anything else. */
export async function readJson(request: IncomingMessage): Promise<Body> {
  const bytes = await readBody(request, BODY);
  if (bytes.length === 0) return {};
  // A cross-site form cannot send this type without a preflight (Fetch standard, CORS-safelisted request headers).
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new AppError('INVALID_INPUT', t`The body must be JSON.`, {
      suggestedFix: t`Send the header "Content-Type: application/json".`,
    });
  const parsed = parseRestJson(bytes);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new AppError('INVALID_INPUT', t`The body must be a JSON object.`, { suggestedFix: t`Send one JSON object.` });
  }
  return parsed as Body; // checked above
}

const FORWARDED_HEADERS = [
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
];

/** Only headers the library needs, and the client's address as the HTTP layer determined it. */
export function forwardedHeaders(request: IncomingMessage, context: RequestContext): Headers {
  const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: context.clientAddress });
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

/** The request to an endpoint of the library. */
export function toFetchRequest(
  request: IncomingMessage,
  context: RequestContext,
  origin: string,
  endpoint: { readonly method: 'GET' | 'POST'; readonly path: string },
  body: Body,
): Request {
  const headers = forwardedHeaders(request, context);
  const url = `${origin}/api/auth${endpoint.path}`;
  if (endpoint.method === 'GET') return new Request(url, { headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A member of the body that is a text of at most 1,000 characters, trimmed. Throws FIELD_REQUIRED or INVALID_INPUT. */
export function readMember(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value.trim() === '')
    throw new AppError('FIELD_REQUIRED', t`${field} is missing.`, { field });
  if (value.length > MAX_TEXT) throw new AppError('INVALID_INPUT', t`${field} is too long.`, { field });
  return value.trim();
}

/** Writes the library's response with its cookies and others, as JSON that is not cached. */
export async function send(response: ServerResponse, result: Response, others: readonly string[] = []): Promise<void> {
  const body = Buffer.from(await result.arrayBuffer());
  const cookies = [...result.headers.getSetCookie(), ...others];
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(result.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  });
  response.end(body);
}
